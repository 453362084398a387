"""The runner's own stall: its process stands still for a while, and gives nobody a strike."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from engine.pioneers.board import EDGES, EDGES_AT
from tests.holds.crash.seasons import COMMAND, ROOT, KilledSeason
from tests.runner.rawbot import RawBot

DEADLINE_MS = 300
STOPS = 2
STOP_SECONDS = 2 * DEADLINE_MS / 1000


@pytest.mark.parametrize("answers", ["while it stands still", "after it stood still"])
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGSTOP")
async def test_a_runner_that_stands_still_strikes_nobody(answers: str, tmp_path: Path) -> None:
    season = KilledSeason(tmp_path / "season", matches=1, deadline_ms=DEADLINE_MS)
    async with asyncio.timeout(60):
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", COMMAND, "season", "run", str(season.path)),
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=asyncio.subprocess.DEVNULL,
        )
        try:
            bots = await asyncio.gather(*map(_connect, [season] * 4, season.tokens.values()))
            stops = 0
            while stops < STOPS:
                bot, request = await _asked(bots)
                process.send_signal(signal.SIGSTOP)
                if answers.startswith("while"):
                    await _answer(bot, request)
                await asyncio.sleep(STOP_SECONDS)
                process.send_signal(signal.SIGCONT)
                if answers.startswith("after"):
                    await _answer(bot, request)
                stops += 1
            await _asked(bots)
            assert all(bot.of_type("strike") == [] for bot in bots)
            assert all(bot.of_type("error") == [] for bot in bots)
        finally:
            process.kill()
            await process.wait()
            for bot in bots:
                await bot.socket.close()


async def _connect(season: KilledSeason, token: str) -> RawBot:
    while True:
        try:
            bot = await RawBot.dial(season.url, token)
        except OSError:
            await asyncio.sleep(0.05)  # it has not begun to listen
            continue
        assert (await bot.hello())["type"] == "welcome"
        return bot


async def _asked(bots: list[RawBot]) -> tuple[RawBot, dict[str, object]]:
    """The bot that is asked, and what: in the setup it is always just one."""
    hearing = {asyncio.create_task(bot.hear("request", "strike")): bot for bot in bots}
    done, waiting = await asyncio.wait(hearing, return_when=asyncio.FIRST_COMPLETED)
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    (task,) = done
    assert task.result()["type"] == "request", task.result()
    return hearing[task], task.result()


async def _answer(bot: RawBot, request: dict[str, object]) -> None:
    """Settle somewhere: on the first corner that is far enough from all others."""
    view = request["view"]
    assert isinstance(view, dict)
    taken = [vertex for places in view["settlements"] for vertex in places]
    vertex, road = PLACES[len(taken)]
    assert vertex not in taken
    await bot.answer(request, settlement=vertex, road=road)


def _places() -> list[tuple[int, int]]:
    """Corners that are far enough from each other, each with a road that begins there."""
    found: list[tuple[int, int]] = []
    near: set[int] = set()
    for vertex, edges in enumerate(EDGES_AT):
        if vertex not in near:
            found.append((vertex, min(edges)))
            near |= {end for edge in edges for end in EDGES[edge]}
    return found


PLACES = _places()
