"""One bot, and strangers, send bytes that nobody meant; the others play on and notice nothing."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from runner import protocol as wire
from tests.bots.honest import honest
from tests.holds.attack.mutate import mutants
from tests.holds.attack.targets import FRAMES, HANDSHAKE
from tests.runner.ladder import Ladder

CASES = 150
ROUNDS = [[0], [1]] * 20


@pytest.mark.parametrize("token", ["its own", "none that is known"])
async def test_nobody_else_notices(token: str, tmp_path: Path) -> None:
    """Whole frames and broken ones, with and without a good handshake, on real sockets."""
    names = ("ann", "bob", "eve")
    ladder = Ladder(tmp_path, names, seats=2, rounds=ROUNDS, matches=6, start_with=2)
    known = ladder.tokens["eve"] if token == "its own" else "x" * 43
    handshake = HANDSHAKE.replace(b"TOKEN", known.encode())
    good = [handshake + frame for frame in FRAMES]
    async with ladder.run() as house:
        players = [await house.connect(name) for name in ("ann", "bob")]
        playing = asyncio.gather(*map(honest, players))
        for case in mutants(good, seed=7, count=CASES):
            await _say(house.url, case)
        # Whatever eve has a part in ends by itself: she is too late, or never came.
        eve = await house.connect("eve")
        await asyncio.gather(playing, honest(eve))
        assert (await house.over()).finished
        assert all(bot.of_type("strike") == [] for bot in players)
        assert all(bot.of_type("error") == [] for bot in players)


async def _say(url: str, case: bytes) -> None:
    async with _connection(url) as (reader, writer):
        writer.write(case[: len(case) // 2])
        await asyncio.sleep(0)
        writer.write(case[len(case) // 2 :])
        writer.write_eof()
        await reader.read()


@contextlib.asynccontextmanager
async def _connection(url: str) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    host, port = url.removeprefix("ws://").removesuffix(wire.PATH).split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        with contextlib.suppress(ConnectionError):
            yield reader, writer
    finally:
        writer.transport.abort()
