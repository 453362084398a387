"""The runner itself stands still: no bot pays for that."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from tests.bots.duel import BRIEF_MS, duel
from tests.bots.honest import honest
from tests.runner.ladder import House, Ladder
from tests.runner.rawbot import RawBot

STALL_SECONDS = 3 * BRIEF_MS / 1000


def stand_still() -> None:
    """Keep the event loop, the server's and the bots', from doing anything at all."""
    until = time.perf_counter() + STALL_SECONDS
    while time.perf_counter() < until:
        pass


async def test_an_answer_that_lay_in_the_buffer_counts(tmp_path: Path) -> None:
    async def in_time(house: House, bot: RawBot) -> None:
        for _ in range(3):
            await bot.answer(await bot.hear("request"), number=4)
            stand_still()  # long past the deadline, before the server can read
        await honest(bot)
        assert bot.of_type("strike") == []

    ladder = await duel(tmp_path, in_time, deadline_ms=BRIEF_MS)
    assert ladder.faults("ann") == []
    assert b'{"number":4}' in [bytes(d.action) for d in ladder.transcript().decisions]


async def test_time_in_which_the_server_stood_still_is_not_the_bots(tmp_path: Path) -> None:
    async def after_the_stall(house: House, bot: RawBot) -> None:
        for _ in range(3):
            request = await bot.hear("request")
            stand_still()
            await bot.answer(request, number=4)
        await honest(bot)
        assert bot.of_type("strike") == []

    ladder = await duel(tmp_path, after_the_stall, deadline_ms=BRIEF_MS)
    assert ladder.faults("ann") == []


async def test_a_stall_excuses_no_silence(tmp_path: Path) -> None:
    """The bot gets the lost time back, and no more than that."""

    async def silent_all_the_same(house: House, bot: RawBot) -> None:
        await bot.hear("request")
        stand_still()
        assert (await bot.hear("strike"))["reason"] == "timeout"
        await honest(bot)

    ladder = await duel(tmp_path, silent_all_the_same, deadline_ms=BRIEF_MS)
    assert ladder.faults("ann") == [("timeout", "timeout")]
    fault = next(d for d in ladder.transcript().decisions if d.fault is not None)
    assert fault.ms is not None
    assert fault.ms >= BRIEF_MS + 1000 * STALL_SECONDS * 0.9


async def test_all_requests_in_flight_are_spared(tmp_path: Path) -> None:
    names = ("ann", "bob", "cat")
    ladder = Ladder(tmp_path, names, rounds=[[0, 1, 2]] * 3, deadline_ms=BRIEF_MS)
    async with ladder.run() as house:
        bots = [await house.connect(name) for name in names]
        for _ in range(3):
            requests = [await bot.hear("request") for bot in bots]
            await bots[0].answer(requests[0], number=1)
            stand_still()
            await bots[1].answer(requests[1], number=1)
            await bots[2].answer(requests[2], number=1)
        await asyncio.gather(*(bot.closed() for bot in bots))
        assert (await house.over()).finished
    for name in names:
        assert ladder.faults(name) == []


async def test_a_margin_is_time_that_nobody_was_promised(tmp_path: Path) -> None:
    async def past_the_deadline(house: House, bot: RawBot) -> None:
        request = await bot.hear("request")
        assert request["deadlineMs"] == 1
        await asyncio.sleep(0.05)  # time itself is what this is about
        await bot.answer(request, number=4)
        await honest(bot)
        assert bot.of_type("strike") == []

    ladder = await duel(tmp_path, past_the_deadline, deadline_ms=1, margin_ms=60_000)
    assert ladder.faults("ann") == []
    late = next(d for d in ladder.transcript().decisions if bytes(d.action) == b'{"number":4}')
    assert late.ms is not None
    assert late.ms > 1, "past the deadline that was announced"
