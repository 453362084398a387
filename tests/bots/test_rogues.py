"""A whole match of Pioneers in which three seats misbehave all the time and one does not."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from itertools import count
from pathlib import Path

from websockets.exceptions import ConnectionClosed

from tests.bots.duel import USUAL
from tests.bots.settlers import default_action, settle
from tests.runner.ladder import House, Ladder
from tests.runner.rawbot import RawBot

NAMES = ("good", "liar", "noise", "twins")
OVER = 1000


async def _again_and_again(
    house: House, name: str, misbehave: Callable[[RawBot], Awaitable[None]]
) -> Counter[int]:
    """Come back whenever thrown out, until the season is over; the close codes on the way."""
    codes: Counter[int] = Counter()
    while OVER not in codes:
        bot = await house.connect(name)
        try:
            await misbehave(bot)
        except ConnectionClosed:
            codes[(await bot.closed())[0]] += 1
    return codes


async def _lie(bot: RawBot) -> None:
    """Answer what was not asked, then badly or well, then again; a liar is thrown out for that."""
    for turn in count():
        message = await bot.hear("request")
        await bot.send({"id": message["id"] + 1000, "action": {}})
        if turn % 10 == 5:
            await bot.send({"id": message["id"], "action": {"type": "win"}})
        await bot.send({"id": message["id"], "action": default_action(message)})
        await bot.send({"id": message["id"], "error": "I take it back"})


async def _make_noise(bot: RawBot) -> None:
    """Answer one request and be thrown out for what comes after it."""
    message = await bot.hear("request")
    await bot.send({"id": message["id"], "action": default_action(message)}, b"\xff\x00\xff")
    await bot.hear("request")


async def test_one_good_bot_among_rogues(tmp_path: Path) -> None:
    ladder = Ladder(tmp_path, NAMES, game="pioneers")
    async with ladder.run() as house:

        async def be_twins(bot: RawBot) -> None:
            """Come twice for each request; the younger one answers it."""
            message = await bot.hear("request")
            twin = await house.connect("twins")
            await twin.send({"id": message["id"], "action": default_action(message)})
            await bot.hear("request")

        good = await house.connect("good")
        async with asyncio.TaskGroup() as group:
            group.create_task(settle(good))
            liar = group.create_task(_again_and_again(house, "liar", _lie))
            noise = group.create_task(_again_and_again(house, "noise", _make_noise))
            twins = group.create_task(_again_and_again(house, "twins", be_twins))
        assert (await house.over()).finished
        assert {message["type"] for message in good.heard} <= USUAL
        asked = len(good.of_type("request"))
    assert ladder.faults("liar") == 3 * [("illegal", "malformed")]
    found = ladder.transcript()
    seat = found.header.players.index("good")
    assert [d.by for d in found.decisions if d.seat == seat] == asked * ["answer"]
    assert liar.result()[4408] > 0, "too many messages in vain"
    assert noise.result()[4400] > 10
    assert twins.result()[4409] > 10
