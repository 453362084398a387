"""A bot that hangs up in the middle of a request and comes back."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.bots.duel import BRIEF_MS, DECISIONS, duel
from tests.bots.honest import honest
from tests.runner.ladder import PATIENCE_MS, House, Ladder
from tests.runner.rawbot import RawBot


@pytest.mark.parametrize("politely", [True, False], ids=["close", "reset"])
async def test_the_open_request_waits_with_what_is_left_of_its_time(
    politely: bool, tmp_path: Path
) -> None:
    async def hang_up(house: House, bot: RawBot) -> None:
        start = await bot.hear("match_start")
        request = await bot.hear("request")
        assert request["deadlineMs"] == PATIENCE_MS
        left = PATIENCE_MS - 1
        for _ in range(3):
            if politely:
                await bot.socket.close()
            else:
                await bot.hang_up()
            bot = await house.dial("ann")
            welcome = await bot.hello()
            assert (welcome["resumed"], welcome["openRequests"]) == (True, 1)
            assert await bot.hear() == start
            again = await bot.hear()
            assert again == {**request, "deadlineMs": again["deadlineMs"]}
            assert again["deadlineMs"] <= left
            left = again["deadlineMs"]
        await bot.answer(request, number=8)
        await honest(bot)
        assert bot.of_type("strike") == []
        assert len(bot.of_type("request")) == DECISIONS

    ladder = await duel(tmp_path, hang_up)
    assert ladder.faults("ann") == []
    found = ladder.transcript()
    seat = found.header.players.index("ann")
    first = next(d for d in found.decisions if d.seat == seat)
    assert (first.id, bytes(first.action)) == (0, b'{"number":8}')


async def test_a_bot_that_stays_away_takes_timeouts(tmp_path: Path) -> None:
    async def vanish(house: House, bot: RawBot) -> None:
        await bot.hear("request")
        await bot.hang_up()

    ladder = await duel(tmp_path, vanish, deadline_ms=BRIEF_MS)
    assert ladder.faults("ann") == 3 * [("timeout", "timeout")]


async def test_an_answer_right_before_hanging_up_counts(tmp_path: Path) -> None:
    async def answer_and_close(house: House, bot: RawBot) -> None:
        request = await bot.hear("request")
        bot.socket.protocol.send_text(b'{"id": %d, "action": {"number": 6}}' % request["id"])
        bot.socket.protocol.send_close(1000)
        bot.socket.send_data()
        await bot.closed()
        back = await house.connect("ann")
        assert back.heard[0]["openRequests"] in (0, 1)
        await honest(back)
        assert request["id"] not in [other["id"] for other in back.of_type("request")]

    ladder = await duel(tmp_path, answer_and_close)
    assert ladder.faults("ann") == []
    assert b'{"number":6}' in [bytes(d.action) for d in ladder.transcript().decisions]


async def test_a_request_that_ran_out_meanwhile_is_not_sent_again(tmp_path: Path) -> None:
    ladder = Ladder(tmp_path, rounds=[[0, 1], [0, 1]], deadline_ms=BRIEF_MS)
    async with ladder.run() as house:
        ann, bob = await house.connect("ann"), await house.connect("bob")
        first = await ann.hear("request")
        await ann.hang_up()
        await bob.answer(await bob.hear("request"), number=1)
        # The second round begins when ann's time for the first one is over.
        await bob.answer(await bob.hear("request"), number=1)
        back = await house.connect("ann")
        second = await back.hear("request")
        await back.answer(first, number=1)
        assert (await back.hear("error"))["code"] == "late_answer"
        assert second["id"] == first["id"] + 1
        await back.closed()
        assert (await house.over()).finished
    assert ladder.faults("ann")[0] == ("timeout", "timeout")


async def test_what_a_bot_says_of_itself_counts_from_its_next_match(tmp_path: Path) -> None:
    ladder = Ladder(tmp_path, rounds=[[0, 1]], matches=3, concurrent_matches=2)
    async with ladder.run() as house:
        ann = await house.connect("ann", version="1", maxMatches=1)
        bob = await house.connect("bob", version="9", maxMatches=2)
        first = await ann.hear("request")
        assert [message["match"] for message in await bob.barrier()] == 2 * [first["match"]]
        ann = await house.connect("ann", version="2", maxMatches=2)
        # With room for two matches, a second one begins.
        requests = [await ann.hear("request"), await ann.hear("request")]
        assert len({request["match"] for request in requests}) == 2
        for request in requests:
            await ann.answer(request, number=1)
        async with asyncio.TaskGroup() as group:
            group.create_task(honest(ann))
            group.create_task(honest(bob))
        assert (await house.over()).finished
    for match, version in (("m000001", "1"), ("m000002", "2"), ("m000003", "2")):
        header = ladder.transcript(match).header
        assert dict(zip(header.players, header.versions, strict=True)) == {
            "ann": version,
            "bob": "9",
        }
