"""A bot that sends frames which are no messages: thrown out, and welcome to come back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bots.duel import duel
from tests.bots.honest import honest
from tests.runner.ladder import House
from tests.runner.rawbot import RawBot

GARBAGE = {
    "text": b"hello, world",
    "nothing": b"",
    "half an object": b'{"id": 0, "action": {"number": 1}',
    "two objects": b'{"id": 0, "error": "x"} {"id": 0, "error": "x"}',
    "a list": b'[{"id": 0, "action": {"number": 1}}]',
    "a string": b'"id"',
    "null": b"null",
    "a byte order mark": b'\xef\xbb\xbf{"id": 0, "error": "x"}',
    "no UTF-8": b"\xff\xfe",
    "a bare word in the action": b'{"id": 0, "action": nothing}',
    "half a surrogate pair": b'{"id": 0, "action": {"number": 1, "text": "\\ud800"}}',
    "a control character": b'{"id": 0, "action": "\x01"}',
    "nesting without end": b'{"id": 0, "action": ' + 60_000 * b"[",
    "deep nesting": b'{"id": 0, "action": ' + 30_000 * b"[" + 30_000 * b"]" + b"}",
    "deep nesting of a field that is ignored": b'{"id": 0, "x": '
    + 30_000 * b"["
    + 30_000 * b"]"
    + b"}",
    "a deeply nested id": b'{"id": ' + 30_000 * b"[" + 30_000 * b"]" + b"}",
}


@pytest.mark.parametrize("frame", GARBAGE.values(), ids=GARBAGE)
async def test_garbage_costs_the_connection_and_no_strike(frame: bytes, tmp_path: Path) -> None:
    async def garbage(house: House, bot: RawBot) -> None:
        request = await bot.hear("request")
        await bot.send(frame)
        error = await bot.hear("error")
        assert error["code"] == "malformed_frame"
        assert len(error["message"]) < 1000
        assert await bot.closed() == (4400, "malformed frame")
        back = await house.connect("ann")
        assert (await back.hear("request"))["id"] == request["id"]
        await back.answer(request, number=3)
        await honest(back)

    ladder = await duel(tmp_path, garbage)
    assert ladder.faults("ann") == []


async def test_a_binary_frame_is_malformed(tmp_path: Path) -> None:
    async def binary(house: House, bot: RawBot) -> None:
        await bot.hear("request")
        await bot.socket.send(b'{"id": 0, "action": {"number": 1}}', text=False)
        code, reason = await bot.closed()
        assert code == 4400
        assert "text" in reason
        await honest(await house.connect("ann"))

    assert (await duel(tmp_path, binary)).faults("ann") == []


async def test_after_garbage_nothing_more_is_read(tmp_path: Path) -> None:
    """An answer behind a malformed frame, in the same packet, does not count."""

    async def garbage_then_answer(house: House, bot: RawBot) -> None:
        request = await bot.hear("request")
        bot.socket.protocol.send_text(b"garbage")
        bot.socket.protocol.send_text(b'{"id": 0, "action": {"number": 9}}')
        bot.socket.send_data()
        assert (await bot.closed())[0] == 4400
        back = await house.connect("ann")
        await back.answer(await back.hear("request"), number=2)
        assert back.of_type("request")[0]["id"] == request["id"]
        await honest(back)

    ladder = await duel(tmp_path, garbage_then_answer)
    assert ladder.faults("ann") == []
    found = ladder.transcript()
    seat = found.header.players.index("ann")
    first = next(decision for decision in found.decisions if decision.seat == seat)
    assert bytes(first.action) == b'{"number":2}'


DEEP_ENOUGH_TO_BE_READ_AND_HARDLY_PRINTED = range(900, 1010, 5)


async def test_no_depth_of_nesting_hurts_the_server(tmp_path: Path) -> None:
    """Between what is easily read and what is refused lies nothing that breaks."""

    async def probe_depths(house: House, bot: RawBot) -> None:
        for depth in DEEP_ENOUGH_TO_BE_READ_AND_HARDLY_PRINTED:
            nest = b"[" * depth + b"]" * depth
            prober = await house.connect("ann")
            await prober.send(b'{"type": ' + nest + b"}")
            answer = await prober.hear("error")
            assert answer["code"] in ("unknown_type", "malformed_frame")
        await honest(await house.connect("ann"))

    assert (await duel(tmp_path, probe_depths)).faults("ann") == []
