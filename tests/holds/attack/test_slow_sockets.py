"""Floods and slowness that carry no message: each ends in the code that the protocol names."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from runner import connection
from runner import protocol as wire
from tests.bots.duel import duel
from tests.bots.honest import honest
from tests.holds.attack.test_tls import TlsLadder, encrypted
from tests.runner.ladder import SECRET, House, Ladder
from tests.runner.rawbot import RawBot


async def test_pieces_of_a_message_without_end(tmp_path: Path) -> None:
    """Empty pieces never reach the bound of a frame's size."""

    async def crumble(house: House, bot: RawBot) -> None:
        await bot.hear("request")
        protocol = bot.socket.protocol
        protocol.send_text(b'{"id": 0, ', fin=False)
        for _ in range(connection.MAX_FRAGMENTS + 1):
            protocol.send_continuation(b"", fin=False)
        bot.socket.send_data()
        assert await bot.closed() == (4413, "a message in too many pieces")
        await honest(await house.connect("ann"))

    assert (await duel(tmp_path, crumble)).faults("ann") == []


async def test_pongs_that_nobody_asked_for(tmp_path: Path) -> None:
    async def pong(house: House, bot: RawBot) -> None:
        request = await bot.hear("request")
        for _ in range(wire.IDLE_MESSAGES):
            await bot.socket.pong(b"I am still here")
        await bot.answer(request, number=1)
        await bot.hear("request")  # so many are borne
        for _ in range(2):  # the first may be taken for the answer to the runner's own ping
            await bot.socket.pong(b"and here")
        assert await bot.closed() == (4408, "too many pings")
        await honest(await house.connect("ann"))

    assert (await duel(tmp_path, pong)).faults("ann") == []


@pytest.mark.parametrize(
    "said", [b"", b"G", b"GET /play HTTP/1.1\r\nHost: x\r\n", b"\x16\x03\x01\x02\x00"]
)
async def test_strangers_who_are_slow_are_shown_out(
    said: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire, "HELLO_SECONDS", 0.1)
    ladder = Ladder(tmp_path, rounds=[[0, 1]])
    async with ladder.run() as house:
        host, port = house.url.removeprefix("ws://").removesuffix(wire.PATH).split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(said)
        with contextlib.suppress(ConnectionError):
            assert b"101 Switching" not in await reader.read()
        writer.close()


async def test_a_header_without_end(tmp_path: Path) -> None:
    ladder = Ladder(tmp_path, rounds=[[0, 1]])
    async with ladder.run() as house:
        host, port = house.url.removeprefix("ws://").removesuffix(wire.PATH).split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        with contextlib.suppress(ConnectionError):
            writer.write(b"GET /play HTTP/1.1\r\nX: ")
            for _ in range(200):
                writer.write(b"x" * 10_000)
                await writer.drain()
            writer.write_eof()
            assert b"101 Switching" not in await reader.read()
        writer.close()
        bots = [await house.connect(name) for name in ladder.tokens]
        await asyncio.gather(*map(honest, bots))
        assert (await house.over()).finished


async def test_a_bot_that_does_not_read_over_tls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What waits to be encrypted waits, too."""
    monkeypatch.setattr(connection, "CLOSE_SECONDS", 0.01)
    monkeypatch.setattr(wire, "MAX_QUEUED_BYTES", 200_000)
    ladder = TlsLadder(tmp_path, rounds=[*([1] for _ in range(300)), [0, 1]])
    async with ladder.run() as house:
        bots = {name: await encrypted(house, ladder, name) for name in ladder.tokens}
        start = await bots["ann"].hear("match_start")
        deaf_name, talker_name = start["players"]
        deaf = await encrypted(house, ladder, deaf_name, events=True)
        deaf.socket.transport.pause_reading()
        talker = bots[talker_name]
        for _ in range(300):
            await talker.answer(await talker.hear("request"), number=1, text=50_000 * "x")
        last = await talker.hear("request")
        deaf.socket.transport.resume_reading()
        with contextlib.suppress(ConnectionClosed):
            while True:
                await deaf.hear("nothing ever")
        assert len(deaf.of_type("event")) < 300
        back = await encrypted(house, ladder, deaf_name)
        await back.answer(await back.hear("request"), number=1)
        await talker.answer(last, number=1)
        await asyncio.gather(back.closed(), talker.closed())
        assert (await house.over()).finished
    assert ladder.faults(deaf_name) == []


@pytest.mark.parametrize(
    "path", ["/playing/m000001.jsonl", "/transcripts/", "/logs/runner.jsonl", "/secret", "/metrics"]
)
async def test_nothing_of_a_match_can_be_read_at_the_bots_door(path: str, tmp_path: Path) -> None:
    ladder = Ladder(tmp_path, rounds=[[0], [1]])
    async with ladder.run() as house:
        bots = [await house.connect(name) for name in ladder.tokens]
        await asyncio.gather(*(bot.hear("match_start") for bot in bots))
        assert ladder.playing().exists()
        host, port = house.url.removeprefix("ws://").removesuffix(wire.PATH).split(":")
        for root in ("", "/play/..", "/play/../../data"):
            reader, writer = await asyncio.open_connection(host, int(port))
            writer.write(f"GET {root}{path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
            answer = await reader.read()
            assert answer.startswith((b"HTTP/1.1 404 ", b"HTTP/1.1 426 ", b"HTTP/1.1 400 "))
            assert b"commitment" not in answer
            assert SECRET.encode() not in answer
            writer.close()


def test_the_files_of_a_match_in_play_are_the_organisers_alone(tmp_path: Path) -> None:
    from runner.journal import JournalStore

    store = JournalStore(tmp_path)
    store.open("m000001").close()
    assert (tmp_path / "playing").stat().st_mode & 0o077 == 0
    assert (tmp_path / "playing" / "m000001.jsonl").stat().st_mode & 0o077 == 0
