"""A bot that answers after the deadline."""

from __future__ import annotations

from pathlib import Path

from tests.bots.duel import BRIEF_MS, DECISIONS, DEFAULT, duel
from tests.bots.honest import honest
from tests.runner.ladder import House
from tests.runner.rawbot import RawBot


async def slow(house: House, bot: RawBot) -> None:
    """Answers each request once it is told that it was too late."""
    for strikes in (1, 2, 3):
        request = await bot.hear("request")
        assert await bot.hear("strike") == {
            "type": "strike",
            "match": request["match"],
            "id": request["id"],
            "reason": "timeout",
            "code": "timeout",
            "message": f"no answer within {BRIEF_MS} ms",
            "strikes": strikes,
            "resigned": strikes == 3,
            "applied": DEFAULT,
        }
        await bot.answer(request, number=5)
        error = await bot.hear("error")
        assert (error["code"], error["id"]) == ("late_answer", request["id"])
    await bot.hear("match_end")
    assert len(bot.of_type("request")) == 3, "a seat that has resigned is not asked"


async def test_three_late_answers_resign_the_seat(tmp_path: Path) -> None:
    ladder = await duel(tmp_path, slow, deadline_ms=BRIEF_MS)
    assert ladder.faults("ann") == 3 * [("timeout", "timeout")]
    found = ladder.transcript()
    seat = found.header.players.index("ann")
    decisions = [decision for decision in found.decisions if decision.seat == seat]
    assert [decision.by for decision in decisions] == 3 * ["timeout"] + 4 * ["resigned"]
    assert [decision.id for decision in decisions] == [0, 1, 2, None, None, None, None]
    for decision in decisions[:3]:
        assert decision.ms is not None
        assert decision.ms >= BRIEF_MS
        assert bytes(decision.action) == b'{"number":0}'
    assert all(decision.ms is None for decision in decisions[3:])


async def slow_once(house: House, bot: RawBot) -> None:
    """Misses one deadline and is honest from then on."""
    await bot.hear("strike")
    await honest(bot)
    assert len(bot.of_type("request")) == DECISIONS


async def test_one_late_answer_is_one_strike(tmp_path: Path) -> None:
    ladder = await duel(tmp_path, slow_once, deadline_ms=BRIEF_MS)
    assert ladder.faults("ann") == [("timeout", "timeout")]


async def test_strikes_are_counted_match_by_match(tmp_path: Path) -> None:
    async def miss_two_of_each_match(house: House, bot: RawBot) -> None:
        for _ in range(2):
            for strikes in (1, 2):
                await bot.hear("request")
                assert (await bot.hear("strike"))["strikes"] == strikes
            await bot.answer(await bot.hear("request"), number=1)

    ladder = await duel(
        tmp_path,
        miss_two_of_each_match,
        rounds=[[0, 1]] * 3,
        deadline_ms=BRIEF_MS,
        matches=2,
        concurrent_matches=1,
    )
    for match in ("m000001", "m000002"):
        assert ladder.faults("ann", match) == 2 * [("timeout", "timeout")]
