"""A bot that never answers."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.bots.duel import BRIEF_MS, ROUNDS, duel
from tests.runner.ladder import House, Ladder
from tests.runner.rawbot import RawBot


async def silent(house: House, bot: RawBot) -> None:
    """Listens, and says nothing after its greeting."""
    assert await bot.closed() == (1000, "season over")


async def test_silence_is_three_strikes_and_then_peace(tmp_path: Path) -> None:
    ladder = await duel(tmp_path, silent, deadline_ms=BRIEF_MS)
    assert ladder.faults("ann") == 3 * [("timeout", "timeout")]


async def test_a_match_of_silence_ends(tmp_path: Path) -> None:
    """All seats resign; the defaults end the match, and the season is over."""
    ladder = Ladder(tmp_path, rounds=ROUNDS, deadline_ms=BRIEF_MS)
    async with ladder.run() as house:
        bots = [await house.connect(name) for name in ladder.tokens]
        await asyncio.gather(*(silent(house, bot) for bot in bots))
        assert (await house.over()).finished
        for bot in bots:
            kinds = [message["type"] for message in bot.heard if message["type"] != "welcome"]
            assert kinds == ["match_start", *3 * ["request", "strike"], "match_end", "goodbye"]
    (result,) = ladder.results()
    for seat in result.seats:
        assert (seat.strikes, seat.resigned) == ({"timeout": 3}, True)
        assert (seat.decisions, dict(seat.latencies.counts)) == (7, {})


async def test_a_bot_that_was_resigned_can_play_the_next_match(tmp_path: Path) -> None:
    async def wake_up(house: House, bot: RawBot) -> None:
        await bot.hear("match_end")
        while (message := await bot.hear("request", "goodbye"))["type"] == "request":
            if message["match"] == "m000002":
                await bot.answer(message, number=9)

    ladder = await duel(tmp_path, wake_up, deadline_ms=BRIEF_MS, matches=2, concurrent_matches=1)
    assert ladder.faults("ann", "m000001") == 3 * [("timeout", "timeout")]
    assert ladder.faults("ann", "m000002") == []
