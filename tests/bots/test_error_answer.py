"""A bot that gives up a request at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bots.duel import DEFAULT, duel
from tests.bots.honest import honest
from tests.runner.ladder import House
from tests.runner.rawbot import RawBot


@pytest.mark.parametrize(
    "why", ["", "my search crashed", 'quotes " and\nlines\r\n \x1b[31m', "\N{GAME DIE}"]
)
async def test_giving_up_is_a_strike_with_the_bots_own_words(why: str, tmp_path: Path) -> None:
    async def give_up(house: House, bot: RawBot) -> None:
        request = await bot.hear("request")
        await bot.send({"id": request["id"], "error": why})
        assert await bot.hear("strike") == {
            "type": "strike",
            "match": request["match"],
            "id": request["id"],
            "reason": "error",
            "code": "gave_up",
            "message": why,
            "strikes": 1,
            "resigned": False,
            "applied": DEFAULT,
        }
        await honest(bot)

    ladder = await duel(tmp_path, give_up)
    assert ladder.faults("ann") == [("error", "gave_up")]


async def test_a_long_reason_is_cut(tmp_path: Path) -> None:
    async def give_up_at_length(house: House, bot: RawBot) -> None:
        request = await bot.hear("request")
        await bot.send({"id": request["id"], "error": 60_000 * "x"})
        assert len((await bot.hear("strike"))["message"]) <= 500
        await honest(bot)

    ladder = await duel(tmp_path, give_up_at_length)
    assert ladder.faults("ann") == [("error", "gave_up")]


async def test_an_error_counts_before_an_action(tmp_path: Path) -> None:
    async def both(house: House, bot: RawBot) -> None:
        request = await bot.hear("request")
        await bot.send({"id": request["id"], "error": "", "action": {"number": 9}})
        assert (await bot.hear("strike"))["applied"] == DEFAULT
        await honest(bot)

    assert (await duel(tmp_path, both)).faults("ann") == [("error", "gave_up")]
