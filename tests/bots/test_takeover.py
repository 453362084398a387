"""A bot that connects twice: the newer connection takes over."""

from __future__ import annotations

from pathlib import Path

from tests.bots.duel import DECISIONS, duel
from tests.bots.honest import honest
from tests.runner.ladder import House
from tests.runner.rawbot import RawBot


async def test_the_newer_connection_takes_over(tmp_path: Path) -> None:
    async def twice(house: House, bot: RawBot) -> None:
        request = await bot.hear("request")
        bot.socket.transport.pause_reading()
        newer = await house.dial("ann")
        welcome = await newer.hello()
        assert (welcome["resumed"], welcome["openRequests"]) == (True, 1)
        await newer.hear("match_start")
        assert (await newer.hear())["id"] == request["id"]
        # The older one is not listened to any more, even before it knows.
        await bot.answer(request, number=9)
        assert await newer.barrier() == []
        bot.socket.transport.resume_reading()
        assert await bot.closed() == (4409, "replaced by a newer connection")
        assert [message["type"] for message in bot.heard].count("request") == 1
        await newer.answer(request, number=2)
        await honest(newer)
        assert len(newer.of_type("error")) == 1, "that of the barrier"
        assert len(newer.of_type("request")) == DECISIONS

    ladder = await duel(tmp_path, twice)
    assert ladder.faults("ann") == []
    actions = [bytes(d.action) for d in ladder.transcript().decisions]
    assert b'{"number":2}' in actions
    assert b'{"number":9}' not in actions


async def test_a_chain_of_takeovers(tmp_path: Path) -> None:
    async def many(house: House, bot: RawBot) -> None:
        request = await bot.hear("request")
        for _ in range(10):
            newer = await house.connect("ann")
            assert (await bot.closed())[0] == 4409
            assert (await newer.hear("request"))["id"] == request["id"]
            bot = newer
        await bot.answer(request, number=1)
        await honest(bot)

    assert (await duel(tmp_path, many)).faults("ann") == []


async def test_a_refused_connection_takes_nothing_over(tmp_path: Path) -> None:
    async def refused_twin(house: House, bot: RawBot) -> None:
        request = await bot.hear("request")
        twin = await house.dial("ann")
        await twin.hello(protocol=2)
        assert (await twin.closed())[0] == 4400
        silent_twin = await house.dial("ann")
        await bot.answer(request, number=1)
        await honest(bot)
        await silent_twin.socket.close()

    assert (await duel(tmp_path, refused_twin)).faults("ann") == []
