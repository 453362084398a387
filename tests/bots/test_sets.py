"""Seasons in sets: the same bots on the same board, everybody in every seat exactly once."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from pathlib import Path

from tests.bots.honest import honest
from tests.runner.ladder import Ladder

NAMES = ("ann", "bob", "cat")
MATCHES = 36


async def test_every_set_is_played_once_however_many_matches_run_at_once(tmp_path: Path) -> None:
    ladder = Ladder(tmp_path, NAMES, rounds=[[0, 1, 2]], matches=MATCHES, concurrent_matches=8)
    async with ladder.run() as house:
        bots = [await house.connect(name, maxMatches=8) for name in NAMES]
        await asyncio.gather(*map(honest, bots))
        assert (await house.over()).finished
    orders = defaultdict(list)
    for result in ladder.results():
        orders[result.set_id].append(tuple(seat.bot for seat in result.seats))
    assert len(orders) == MATCHES // len(NAMES)
    for seats in orders.values():
        first = seats[0]
        assert sorted(seats) == sorted(first[n:] + first[:n] for n in range(len(first)))
