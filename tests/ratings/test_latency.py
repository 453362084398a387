"""Histograms of answer times: percentiles within 4 %, sums, and bad times refused."""

from __future__ import annotations

import math

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.latency import Latencies

TIMES = st.lists(st.floats(0, 1e7), min_size=1, max_size=60)


@given(times=TIMES, share=st.floats(0, 1))
def test_percentiles_are_right_within_four_percent(times: list[float], share: float) -> None:
    exact = sorted(times)[max(0, math.ceil(share * len(times)) - 1)]
    found = Latencies.of(times).percentile(share)
    assert found is not None
    assert max(exact, 0.01) * (1 - 1e-9) <= found <= max(exact, 0.01) * 1.04 * (1 + 1e-9)


@given(parts=st.lists(TIMES, max_size=5))
def test_a_total_is_the_histogram_of_all(parts: list[list[float]]) -> None:
    everything = Latencies.of(time for part in parts for time in part)
    assert Latencies.total(Latencies.of(part) for part in parts) == everything


@given(times=TIMES)
def test_json_both_ways(times: list[float]) -> None:
    latencies = Latencies.of(times)
    again = msgspec.json.decode(msgspec.json.encode(latencies), type=Latencies)
    assert again == latencies
    assert again.percentile(0.5) == latencies.percentile(0.5)


def test_no_answers_have_no_percentile() -> None:
    assert Latencies.of([]).percentile(0.5) is None


@pytest.mark.parametrize("time_ms", [-1.0, math.nan, math.inf])
def test_what_is_no_time_is_refused(time_ms: float) -> None:
    with pytest.raises(ValueError, match="an answer time is a finite number >= 0"):
        Latencies.of([1.0, time_ms])
