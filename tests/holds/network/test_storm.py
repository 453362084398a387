"""Everybody is cut off, and everybody comes back, at the same moment."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from tests.bots.honest import honest
from tests.holds.network.proxy import bad_network
from tests.holds.network.test_faults import lost, through
from tests.runner.ladder import Ladder
from tests.runner.rawbot import RawBot


async def test_two_hundred_bots_come_back_at_once(tmp_path: Path) -> None:
    """All connections are cut in one moment, three times, in the middle of a hundred matches."""
    names = [f"bot{n}" for n in range(200)]
    rounds = [[0, 1]] * 4
    ladder = Ladder(
        tmp_path,
        names,
        seats=2,
        rounds=rounds,
        matches=100,
        concurrent_matches=100,
        max_connections=500,
    )
    async with ladder.run() as house, bad_network(house.url) as proxy:

        async def connect(name: str) -> RawBot:
            return await through(proxy, house, ladder.tokens[name])

        async def answer_one(bot: RawBot) -> dict[str, Any]:
            request = await bot.hear("request")
            await bot.answer(request, number=1)
            return request

        bots = await asyncio.gather(*map(connect, names))
        for _ in range(3):
            await asyncio.gather(*map(answer_one, bots))
            asked = await asyncio.gather(*(bot.hear("request") for bot in bots))
            for line in proxy.wires:
                line.reset()
            await asyncio.gather(*map(lost, bots))
            bots = await asyncio.gather(*map(connect, names))
            again = await asyncio.gather(*(bot.hear("request") for bot in bots))
            assert [r["id"] for r in again] == [r["id"] for r in asked]
            for bot in bots:
                bot._waiting.append(bot.of_type("request")[-1])
        await asyncio.gather(*map(honest, bots))
        assert (await house.over()).finished
    results = ladder.results()
    assert len(results) == 100
    assert all(not seat.strikes for result in results for seat in result.seats)
