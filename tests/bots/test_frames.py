"""Frames of all sizes, whole and in pieces."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from runner import protocol as wire
from tests.bots.duel import duel
from tests.bots.honest import honest
from tests.runner.ladder import House
from tests.runner.rawbot import RawBot


def _padded(request: dict[str, Any], number: int, size: int) -> str:
    """An answer of exactly `size` bytes."""
    text = json.dumps({"id": request["id"], "action": {"number": number}, "padding": ""})
    padded = text[:-2] + (size - len(text)) * "x" + text[-2:]
    assert len(padded) == size
    return padded


async def test_the_biggest_frame_that_is_allowed(tmp_path: Path) -> None:
    async def big(house: House, bot: RawBot) -> None:
        await bot.send(_padded(await bot.hear("request"), 5, wire.MAX_FRAME_BYTES))
        await honest(bot)

    ladder = await duel(tmp_path, big)
    assert ladder.faults("ann") == []
    assert b'{"number":5}' in [bytes(d.action) for d in ladder.transcript().decisions]


@pytest.mark.parametrize("size", [wire.MAX_FRAME_BYTES + 1, 10_000_000])
async def test_a_frame_that_is_too_big(size: int, tmp_path: Path) -> None:
    async def too_big(house: House, bot: RawBot) -> None:
        request = await bot.hear("request")
        # The server closes while a long frame is still on its way.
        with contextlib.suppress(ConnectionClosed):
            await bot.send(_padded(request, 5, size))
        assert (await bot.closed())[0] == 4413
        back = await house.connect("ann")
        assert (await back.hear("request"))["id"] == request["id"]
        await back.answer(request, number=2)
        await honest(back)

    ladder = await duel(tmp_path, too_big)
    assert ladder.faults("ann") == []
    assert b'{"number":5}' not in [bytes(d.action) for d in ladder.transcript().decisions]


async def test_an_answer_in_fragments(tmp_path: Path) -> None:
    async def in_pieces(house: House, bot: RawBot) -> None:
        request = await bot.hear("request")
        text = f'{{"id": {request["id"]}, "action": {{"number": 6, "text": "ü"}}}}'.encode()
        protocol = bot.socket.protocol
        protocol.send_text(text[:1], fin=False)
        for place in range(1, len(text)):
            # One byte at a time, the umlaut in halves, a ping and an empty piece in between.
            protocol.send_continuation(text[place : place + 1], fin=False)
        protocol.send_ping(b"still there?")
        protocol.send_continuation(b"", fin=False)
        protocol.send_continuation(b"", fin=True)
        bot.socket.send_data()
        await honest(bot)
        assert bot.of_type("error") == []

    ladder = await duel(tmp_path, in_pieces)
    assert ladder.faults("ann") == []
    actions = [json.loads(bytes(d.action)) for d in ladder.transcript().decisions]
    assert {"number": 6, "text": "ü"} in actions


async def test_fragments_that_are_too_big_together(tmp_path: Path) -> None:
    async def pile_up(house: House, bot: RawBot) -> None:
        request = await bot.hear("request")
        half = _padded(request, 5, wire.MAX_FRAME_BYTES + 1).encode()
        protocol = bot.socket.protocol
        protocol.send_text(half[: len(half) // 2], fin=False)
        protocol.send_continuation(half[len(half) // 2 :], fin=True)
        bot.socket.send_data()
        assert (await bot.closed())[0] == 4413
        await honest(await house.connect("ann"))

    assert (await duel(tmp_path, pile_up)).faults("ann") == []


async def test_binary_in_fragments_is_malformed(tmp_path: Path) -> None:
    async def binary_pieces(house: House, bot: RawBot) -> None:
        await bot.hear("request")
        bot.socket.protocol.send_binary(b'{"id": 0, ', fin=False)
        bot.socket.protocol.send_continuation(b'"error": "x"}', fin=True)
        bot.socket.send_data()
        assert (await bot.closed())[0] == 4400
        await honest(await house.connect("ann"))

    assert (await duel(tmp_path, binary_pieces)).faults("ann") == []


async def test_a_message_that_is_never_finished_is_no_message(tmp_path: Path) -> None:
    """A bot may begin a frame, hang up, and begin anew."""

    async def break_off(house: House, bot: RawBot) -> None:
        request = await bot.hear("request")
        bot.socket.protocol.send_text(b'{"id": 0, "action"', fin=False)
        bot.socket.send_data()
        await bot.hang_up()
        back = await house.connect("ann")
        assert (await back.hear("request"))["id"] == request["id"]
        await back.answer(request, number=1)
        await honest(back)

    assert (await duel(tmp_path, break_off)).faults("ann") == []


async def test_bytes_that_are_no_websocket_frames(tmp_path: Path) -> None:
    """What breaks the WebSocket protocol itself is closed by its own codes, without a strike."""

    async def noise(house: House, bot: RawBot) -> None:
        await bot.hear("request")
        bot.socket.transport.write(b"\xff" * 64)
        assert (await bot.closed())[0] == 1002
        await honest(await house.connect("ann"))

    assert (await duel(tmp_path, noise)).faults("ann") == []
