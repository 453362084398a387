"""What a running season counts about itself: cheap to count, read only when somebody asks.

The hot path adds to plain integers; `runner.admin` turns them into Prometheus metrics when it is
scraped. Times are seconds.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter

BOUNDS = (
    *(0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05),
    *(0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0),
)


class Histogram:
    """Counts of times by upper bound; the last count is of those beyond every bound."""

    __slots__ = ("counts", "total")

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)
        self.total = 0.0

    def add(self, seconds: float) -> None:
        """Count one time."""
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.total += seconds


class Meters:
    """The counts of one run of the runner.

    decisions: settled, by what settled them ("answer", "timeout", …). answer_time: from asking
    to answering. delay: what the runner itself adds, from an answer's arrival until it is
    written and dealt with. commit_time: of the ledger, for each result. connections, refusals:
    opened and refused, the latter by close code. matches: that ended.
    """

    def __init__(self) -> None:
        self.decisions: Counter[str] = Counter()
        self.answer_time = Histogram()
        self.delay = Histogram()
        self.commit_time = Histogram()
        self.connections = 0
        self.refusals: Counter[int] = Counter()
        self.matches = 0
