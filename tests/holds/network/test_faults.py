"""Cuts, stalls, half-open sockets, single bytes, resets: whose fault is whose."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from runner import protocol as wire
from tests.bots.duel import BRIEF_MS, DECISIONS, duel
from tests.bots.honest import honest
from tests.holds.network.proxy import Proxy, bad_network
from tests.runner.ladder import House
from tests.runner.rawbot import RawBot


async def through(proxy: Proxy, house: House, ladder_token: str) -> RawBot:
    """A bot that comes over the bad network, and is in."""
    bot = house.keep(await RawBot.dial(proxy.url, ladder_token))
    welcome = await bot.hello()
    assert welcome["type"] == "welcome", welcome
    return bot


def _token(house: House, name: str = "ann") -> str:
    return house._ladder.tokens[name]


async def lost(bot: RawBot) -> None:
    """Listen until the connection is gone."""
    with contextlib.suppress(ConnectionClosed):
        while True:
            await bot.hear("nothing ever")


async def test_cut_off_at_every_request_and_back_again(tmp_path: Path) -> None:
    """Before the answer, and right behind it: neither costs anything."""

    async def play(house: House, bot: RawBot) -> None:
        async with bad_network(house.url) as proxy:
            asked: list[int] = []
            for _ in range(DECISIONS):
                bot = await through(proxy, house, _token(house))
                request = await bot.hear("request")
                proxy.wires[-1].reset()
                await lost(bot)
                bot = await through(proxy, house, _token(house))
                again = await bot.hear("request")
                assert again["id"] == request["id"], "an open request comes again as it was"
                assert again["deadlineMs"] <= request["deadlineMs"]
                asked.append(again["id"])
                await bot.answer(again, number=2)
                if len(asked) < DECISIONS:
                    # The barrier says that the answer has arrived; only then is the line cut.
                    await bot.barrier()
                    proxy.wires[-1].reset()
                    await lost(bot)
            assert asked == sorted(set(asked))
            await honest(bot)

    ladder = await duel(tmp_path, play)
    assert ladder.faults("ann") == []
    actions = [bytes(d.action) for d in ladder.transcript().decisions]
    assert actions.count(b'{"number":2}') == DECISIONS


async def test_a_stall_shorter_than_the_deadline_costs_nothing(tmp_path: Path) -> None:
    async def play(house: House, bot: RawBot) -> None:
        async with bad_network(house.url) as proxy:
            bot = await through(proxy, house, _token(house))
            request = await bot.hear("request")
            proxy.wires[-1].flows.clear()
            await bot.answer(request, number=3)
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(bot.hear("request"), 0.1)
            proxy.wires[-1].flows.set()
            await honest(bot)

    ladder = await duel(tmp_path, play)
    assert ladder.faults("ann") == []


async def test_a_stall_longer_than_the_deadline_is_the_bots_own(tmp_path: Path) -> None:
    """The server's clock decides, and what had not arrived was late; the others see nothing."""

    async def play(house: House, bot: RawBot) -> None:
        async with bad_network(house.url) as proxy:
            bot = await through(proxy, house, _token(house))
            request = await bot.hear("request")
            proxy.wires[-1].flows.clear()
            await bot.answer(request, number=3)
            await asyncio.sleep(2 * BRIEF_MS / 1000)
            proxy.wires[-1].flows.set()
            strike = await bot.hear("strike")
            assert (strike["id"], strike["reason"]) == (request["id"], "timeout")
            error = await bot.hear("error")
            assert (error["code"], error["id"]) == ("late_answer", request["id"])
            await honest(bot)

    ladder = await duel(tmp_path, play, deadline_ms=BRIEF_MS)
    faults = ladder.faults("ann")
    assert 1 <= len(faults) <= 3
    assert set(faults) == {("timeout", "timeout")}


async def test_a_bot_that_is_gone_without_a_word_can_come_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half-open: both ends believe in a connection that carries nothing any more."""
    monkeypatch.setattr(wire, "PING_SECONDS", 0.05)

    async def play(house: House, bot: RawBot) -> None:
        async with bad_network(house.url) as proxy:
            bot = await through(proxy, house, _token(house))
            request = await bot.hear("request")
            proxy.wires[-1].lost = True
            await bot.answer(request, number=9)  # goes nowhere
            await proxy.wires[-1].given_up.wait()
            back = await house.connect("ann")
            assert (await back.hear("request"))["id"] == request["id"]
            await back.answer(request, number=1)
            await honest(back)

    ladder = await duel(tmp_path, play)
    assert ladder.faults("ann") == []
    assert b'{"number":9}' not in [bytes(d.action) for d in ladder.transcript().decisions]


async def test_one_byte_at_a_time(tmp_path: Path) -> None:
    async def play(house: House, bot: RawBot) -> None:
        async with bad_network(house.url) as proxy:
            bot = await through(proxy, house, _token(house))
            proxy.wires[-1].byte_by_byte = True
            await honest(bot)

    ladder = await duel(tmp_path, play)
    assert ladder.faults("ann") == []


async def test_a_handshake_one_byte_at_a_time(tmp_path: Path) -> None:
    async def play(house: House, bot: RawBot) -> None:
        async with bad_network(house.url) as proxy:
            proxy.byte_by_byte = True
            slow = house.keep(await RawBot.dial(proxy.url, _token(house)))
            assert (await slow.hello())["type"] == "welcome"
            await honest(slow)

    assert (await duel(tmp_path, play)).faults("ann") == []


FRAME = b'{"id": 00, "action": {"number": 5}}'
HEAD = 2 + 4  # of a masked frame of less than 126 bytes


async def test_resets_in_the_middle_of_an_answer(tmp_path: Path) -> None:
    """At every byte of the frame: an answer counts whole or not at all."""

    async def play(house: House, bot: RawBot) -> None:
        async with bad_network(house.url) as proxy:
            for size in range(1, HEAD + len(FRAME)):
                bot = await through(proxy, house, _token(house))
                request = await bot.hear("request")
                proxy.wires[-1].reset_after = size
                await bot.send(FRAME.replace(b"00", b"%2d" % request["id"]))
                await lost(bot)
            bot = await house.connect("ann")
            assert (await bot.hear("request"))["id"] == request["id"]
            await bot.answer(request, number=1)
            await honest(bot)

    ladder = await duel(tmp_path, play)
    assert ladder.faults("ann") == []
    assert b'{"number":5}' not in [bytes(d.action) for d in ladder.transcript().decisions]


async def test_cuts_in_the_middle_of_a_request(tmp_path: Path) -> None:
    async def play(house: House, bot: RawBot) -> None:
        async with bad_network(house.url) as proxy:
            for size in (1, 2, 4, 9, 40, 120):
                bot = house.keep(await RawBot.dial(proxy.url, _token(house)))
                proxy.wires[-1].cut_after = size
                await bot.send({"type": "hello"})
                await lost(bot)
                assert len(bot.of_type("request")) == 0
            await honest(await house.connect("ann"))

    assert (await duel(tmp_path, play)).faults("ann") == []


async def test_a_bot_that_never_comes_back_is_struck_and_nobody_else(tmp_path: Path) -> None:
    async def play(house: House, bot: RawBot) -> None:
        async with bad_network(house.url) as proxy:
            bot = await through(proxy, house, _token(house))
            await bot.hear("request")
            proxy.wires[-1].reset()
            await lost(bot)
            await house.over()

    ladder = await duel(tmp_path, play, deadline_ms=BRIEF_MS)
    assert ladder.faults("ann") == 3 * [("timeout", "timeout")]
