"""Answer times as a histogram that can be stored, added up and asked for percentiles."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from msgspec import Struct

_SMALLEST_MS = 0.01
_GROWTH = math.log(1.04)


class Latencies(Struct, frozen=True):
    """Counts of answer times by logarithmic bucket; adjacent buckets are 4 % apart.

    Bucket 0 holds everything up to 0.01 ms; bucket n holds times up to 0.01 * 1.04**n ms.
    """

    counts: Mapping[int, int]

    @classmethod
    def of(cls, times_ms: Iterable[float]) -> Latencies:
        """The histogram of some times in milliseconds. ValueError for one that is no time."""
        counts: dict[int, int] = {}
        for time_ms in times_ms:
            if not 0 <= time_ms < math.inf:
                raise ValueError(f"an answer time is a finite number >= 0, not {time_ms}")
            bucket = 0
            if time_ms > _SMALLEST_MS:
                bucket = math.ceil(math.log(time_ms / _SMALLEST_MS) / _GROWTH)
            counts[bucket] = counts.get(bucket, 0) + 1
        return cls(dict(sorted(counts.items())))

    @classmethod
    def total(cls, parts: Iterable[Latencies]) -> Latencies:
        """All times of some histograms in one."""
        counts: dict[int, int] = {}
        for part in parts:
            for bucket, count in part.counts.items():
                counts[bucket] = counts.get(bucket, 0) + count
        return cls(dict(sorted(counts.items())))

    def percentile(self, share: float) -> float | None:
        """The time in ms that `share` (0 to 1) of the answers kept within 4 %; None if empty."""
        wanted = share * sum(self.counts.values())
        seen = 0
        for bucket, count in sorted(self.counts.items()):
            seen += count
            if seen >= wanted:
                return float(_SMALLEST_MS * math.exp(bucket * _GROWTH))
        return None
