"""What a ledger is told is what it says again, whatever a result has in it."""

from __future__ import annotations

from pathlib import Path

from ratings.audit import audit
from ratings.latency import Latencies
from ratings.ledger import Ledger
from ratings.results import MatchResult, SeatResult, Timing
from ratings.skill import Skill


def _seat(bot: str, placement: int) -> SeatResult:
    times = Latencies({3: 1, 12: 4})
    return SeatResult(
        bot=bot,
        version="2.1",
        placement=placement,
        score=10 - placement,
        strikes={"illegal": 1, "timeout": 2},
        resigned=placement == 2,
        decisions=8,
        latencies=times,
        timings={"turn": Timing(Latencies({0: 5}), Latencies({1: 5}), times)},
    )


def test_every_field_of_a_result_comes_back(tmp_path: Path) -> None:
    result = MatchResult(
        match="m000001",
        game="pioneers",
        reason="win",
        started_ms=1_700_000_000_123,
        ended_ms=1_700_000_060_456,
        seats=(_seat("ann", 1), _seat("bob", 2)),
        set_id="s000001",
        transcript="5a" * 32,
    )
    for name in result.__struct_fields__:
        assert getattr(result, name), f"{name} must be set, or this test says nothing about it"
    path = tmp_path / "ledger.sqlite"
    with Ledger.open(path, Skill(), "test") as ledger:
        ledger.append(result)
    with Ledger.open(path, Skill(), "test", create=False) as ledger:
        assert list(ledger.results()) == [result]
    assert audit(path, Skill(), "test").departure is None
