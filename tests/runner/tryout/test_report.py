"""What is counted of matches that were played."""

from __future__ import annotations

import pytest

from runner.tryout.report import Account, Lines, result_table


@pytest.mark.parametrize(
    ("times_ms", "p50", "p99", "most"),
    [
        ([], None, None, None),
        ([30.3], 30.3, 30.3, 30.3),
        ([4.0, 1.0, 3.0, 2.0], 2.0, 4.0, 4.0),
        ([float(n) for n in range(200, 0, -1)], 100.0, 198.0, 200.0),
    ],
)
def test_answer_times_are_times_that_there_were(
    times_ms: list[float], p50: float | None, p99: float | None, most: float | None
) -> None:
    account = Account(1, {"ann": Lines(matches=1, times_ms=times_ms)}, ())
    (row,) = result_table(account).rows
    assert (row["p50_ms"], row["p99_ms"], row["max_ms"]) == (p50, p99, most)
