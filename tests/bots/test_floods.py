"""Bots that send too much, or do not read what they are sent."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from runner import connection
from runner import protocol as wire
from tests.bots.duel import duel
from tests.bots.honest import honest
from tests.runner.ladder import House, Ladder
from tests.runner.rawbot import RawBot

IN_VAIN: dict[str, Callable[[int], str]] = {
    "answers of nothing": lambda n: f'{{"id": {1000 + n}, "error": "x"}}',
    "hellos": lambda n: '{"type": "hello"}',
    "unknown types": lambda n: f'{{"type": "t{n}"}}',
    "no ids": lambda n: '{"action": 1}',
}


@pytest.mark.parametrize("message", IN_VAIN.values(), ids=IN_VAIN)
async def test_more_than_fifty_messages_in_vain(
    message: Callable[[int], str], tmp_path: Path
) -> None:
    async def flood(house: House, bot: RawBot) -> None:
        request = await bot.hear("request")
        await bot.send(*(message(n) for n in range(wire.IDLE_MESSAGES)))
        for _ in range(wire.IDLE_MESSAGES):
            await bot.hear("error")
        await bot.answer(request, number=2)
        await bot.hear("request")  # fifty are borne, and an answer is not counted
        await bot.send(message(wire.IDLE_MESSAGES))
        assert await bot.closed() == (4408, "too many messages in vain")
        assert len(bot.of_type("error")) == wire.IDLE_MESSAGES + 1
        back = await house.connect("ann")
        await back.send(message(0))
        assert (await back.hear("error"))["code"]
        await honest(back)

    ladder = await duel(tmp_path, flood)
    assert ladder.faults("ann") == []


async def test_a_flood_of_duplicates(tmp_path: Path) -> None:
    async def insist(house: House, bot: RawBot) -> None:
        request = await bot.hear("request")
        for _ in range(1 + wire.IDLE_MESSAGES + 1):
            await bot.answer(request, number=4)
        assert (await bot.closed())[0] == 4408
        assert {error["code"] for error in bot.of_type("error")} == {"duplicate_answer"}
        await honest(await house.connect("ann"))

    ladder = await duel(tmp_path, insist)
    assert ladder.faults("ann") == []


async def test_a_flood_in_one_packet(tmp_path: Path) -> None:
    """What comes behind the message that was one too many is not dealt with."""

    async def burst(house: House, bot: RawBot) -> None:
        request = await bot.hear("request")
        for _ in range(10 * wire.IDLE_MESSAGES):
            bot.socket.protocol.send_text(b'{"id": 1000, "error": "x"}')
        bot.socket.protocol.send_text(b'{"id": %d, "action": {"number": 9}}' % request["id"])
        bot.socket.send_data()
        assert (await bot.closed())[0] == 4408
        assert len(bot.of_type("error")) == wire.IDLE_MESSAGES + 1
        back = await house.connect("ann")
        assert (await back.hear("request"))["id"] == request["id"]
        await back.answer(request, number=1)
        await honest(back)

    ladder = await duel(tmp_path, burst)
    assert ladder.faults("ann") == []
    assert b'{"number":9}' not in [bytes(d.action) for d in ladder.transcript().decisions]


async def test_a_flood_of_pings(tmp_path: Path) -> None:
    async def ping(house: House, bot: RawBot) -> None:
        await bot.hear("request")
        pongs = [await bot.socket.ping() for _ in range(wire.IDLE_MESSAGES)]
        await asyncio.gather(*pongs)
        await bot.socket.ping()
        assert await bot.closed() == (4408, "too many pings")
        await honest(await house.connect("ann"))

    assert (await duel(tmp_path, ping)).faults("ann") == []


async def test_fifty_messages_in_vain_are_forgotten_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire, "IDLE_WINDOW_SECONDS", 0.0)

    async def patient_flood(house: House, bot: RawBot) -> None:
        await bot.hear("request")
        for _ in range(3 * wire.IDLE_MESSAGES):
            await bot.send('{"id": 1000, "error": "x"}')
            await bot.hear("error")
        back = await house.connect("ann")
        await honest(back)

    assert (await duel(tmp_path, patient_flood)).faults("ann") == []


# More than all buffers of the operating system and the runner's own bound can hold.
BIG_TEXT, MANY = 60_000 * "x", 300


@pytest.mark.parametrize("reads_at_last", [True, False])
async def test_a_bot_that_does_not_read_is_thrown_out(
    reads_at_last: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One seat talks and talks, the other wants to be told everything and does not listen."""
    # How long a peer may take to notice that it was closed.
    monkeypatch.setattr(connection, "CLOSE_SECONDS", 60.0 if reads_at_last else 0.01)
    ladder = Ladder(tmp_path, rounds=[*([1] for _ in range(MANY)), [0, 1]])
    async with ladder.run() as house:
        bots = {name: await house.connect(name) for name in ladder.tokens}
        start = await bots["ann"].hear("match_start")
        deaf_name, talker_name = start["players"]
        deaf = await house.connect(deaf_name, events=True)
        talker = bots[talker_name]
        for _ in range(MANY):
            await talker.answer(await talker.hear("request"), number=1, text=BIG_TEXT)
        last = await talker.hear("request")
        if reads_at_last:
            assert await deaf.closed() == (4408, "does not read what it is sent")
            assert 0 < len(deaf.of_type("event")) < MANY
            assert deaf.of_type("request") == []
        else:
            # It may still read what the operating system holds; then the connection is gone.
            assert (await deaf.closed())[0] in (1006, 4408)
        back = await house.connect(deaf_name)
        await back.answer(await back.hear("request"), number=1)
        await talker.answer(last, number=1)
        await asyncio.gather(back.closed(), talker.closed())
        assert (await house.over()).finished
    assert ladder.faults(deaf_name) == []
