"""Several seats asked at once: side by side, each by itself, and nobody told before the end."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.bots.duel import BRIEF_MS, DEFAULT
from tests.runner.ladder import House, Ladder
from tests.runner.rawbot import RawBot

NAMES = ("ann", "bob", "cat", "dan")


async def _seated(house: House, names: tuple[str, ...] = NAMES) -> list[RawBot]:
    """The bots by seat, each with events and its first request taken."""
    bots = {name: await house.connect(name, events=True) for name in names}
    start = await bots[names[0]].hear("match_start")
    seated = [bots[name] for name in start["players"]]
    for bot in seated:
        if bot is not bots[names[0]]:
            await bot.hear("match_start")
    return seated


async def test_nobody_learns_anything_before_all_are_settled(tmp_path: Path) -> None:
    ladder = Ladder(tmp_path, NAMES, rounds=[[0, 1, 2, 3], [0]])
    async with ladder.run() as house:
        seated = await _seated(house)
        requests = [await bot.hear("request") for bot in seated]
        for seat in (2, 0, 3):  # in any order
            await seated[seat].answer(requests[seat], number=seat)
            for bot in seated:
                assert await bot.barrier() == [], "neither who was asked nor who has answered"
        await seated[1].answer(requests[1], number=1)
        for bot in seated:
            events = [(await bot.hear("event"))["event"] for _ in range(4)]
            # Seat order, whatever the order of the answers.
            assert [(event["seat"], event["number"]) for event in events] == [
                (0, 0),
                (1, 1),
                (2, 2),
                (3, 3),
            ]
        await seated[0].answer(await seated[0].hear("request"), number=1)
        assert (await house.over()).finished
    found = ladder.transcript()
    assert [decision.seat for decision in found.decisions] == [2, 0, 3, 1, 0]
    assert all(decision.by == "answer" for decision in found.decisions)


async def test_a_fault_is_told_at_once_and_to_its_seat_alone(tmp_path: Path) -> None:
    ladder = Ladder(tmp_path, NAMES[:3], rounds=[[0, 1, 2]])
    async with ladder.run() as house:
        seated = await _seated(house, NAMES[:3])
        requests = [await bot.hear("request") for bot in seated]
        await seated[1].answer(requests[1], number=7)
        strike = await seated[1].hear("strike")
        assert (strike["code"], strike["applied"]) == ("no_sevens", DEFAULT)
        for bot in seated:
            assert await bot.barrier() == []
        for seat in (0, 2):
            await seated[seat].answer(requests[seat], number=1)
        events = [(await seated[0].hear("event"))["event"] for _ in range(3)]
        assert [event["number"] for event in events] == [1, 0, 1]
        assert (await house.over()).finished
    name = ladder.transcript().header.players[1]
    assert ladder.faults(name) == [("illegal", "no_sevens")]


async def test_views_of_one_step_are_all_taken_before_it(tmp_path: Path) -> None:
    ladder = Ladder(tmp_path, NAMES[:3], rounds=[[0, 1, 2]])
    async with ladder.run() as house:
        seated = await _seated(house, NAMES[:3])
        requests = [await bot.hear("request") for bot in seated]
        for seat, request in enumerate(requests):
            assert request["view"] == {
                "seat": seat,
                "round": 0,
                "scores": [0, 0, 0],
                "resigned": [False, False, False],
            }
            await seated[seat].answer(request, number=1)
        assert (await house.over()).finished


async def test_a_seat_that_lets_time_run_out_holds_up_only_the_step(tmp_path: Path) -> None:
    """Answers of others count although the step is settled long after them."""
    ladder = Ladder(tmp_path, NAMES[:3], rounds=[[0, 1, 2]] * 2, deadline_ms=BRIEF_MS)
    async with ladder.run() as house:
        seated = await _seated(house, NAMES[:3])
        for _ in range(2):
            for seat in (0, 2):
                await seated[seat].answer(await seated[seat].hear("request"), number=5)
            await seated[1].hear("strike")
        assert (await house.over()).finished
        assert seated[0].of_type("strike") == seated[2].of_type("strike") == []
    found = ladder.transcript()
    assert [(d.seat, d.by) for d in found.decisions if d.seat == 1] == 2 * [(1, "timeout")]
    assert ladder.faults(found.header.players[1]) == 2 * [("timeout", "timeout")]


async def test_all_seats_can_fail_at_once(tmp_path: Path) -> None:
    ladder = Ladder(tmp_path, NAMES, rounds=[[0, 1, 2, 3]] * 4, deadline_ms=BRIEF_MS)
    async with ladder.run() as house:
        seated = await _seated(house)
        for strikes in (1, 2, 3):
            for bot in seated:
                assert (await bot.hear("strike"))["strikes"] == strikes
        for bot in seated:
            assert (await bot.hear("match_end"))["placements"] == [1, 1, 1, 1]
        assert (await house.over()).finished
    assert [d.by for d in ladder.transcript().decisions] == 12 * ["timeout"] + 4 * ["resigned"]


async def test_requests_of_two_matches_are_open_at_once(tmp_path: Path) -> None:
    ladder = Ladder(tmp_path, rounds=[[0, 1]], matches=2)
    async with ladder.run() as house:
        ann = await house.connect("ann", maxMatches=2)
        bob = await house.connect("bob", maxMatches=2)
        requests = [await ann.hear("request"), await ann.hear("request")]
        assert {request["match"] for request in requests} == {"m000001", "m000002"}
        assert [request["id"] for request in requests] == [0, 1]
        for request in reversed(requests):  # in any order
            await ann.answer(request, number=request["id"])
        theirs = [await bob.hear("request"), await bob.hear("request")]
        await asyncio.gather(*(bob.answer(request, number=3) for request in theirs))
        assert (await house.over()).finished
    for match, number in (("m000001", 0), ("m000002", 1)):
        found = ladder.transcript(match)
        seat = found.header.players.index("ann")
        (mine,) = (d for d in found.decisions if d.seat == seat)
        assert (mine.id, bytes(mine.action)) == (number, b'{"number":%d}' % number)
