"""A season that is stopped in the middle and run again: nothing is lost, nothing is asked twice."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import msgspec
import pytest

from runner import farewell
from runner.dealer import SeasonError
from runner.vault import PUBLIC
from tests.bots.honest import honest
from tests.runner.ladder import House, Ladder
from tests.runner.rawbot import RawBot

ROUNDS = [[0], [1]] * 3 + [[0, 1]]


async def _seated(house: House, ladder: Ladder) -> list[RawBot]:
    """The bots of the one match that is played, by seat."""
    bots = {name: await house.connect(name) for name in ladder.tokens}
    starts = await asyncio.gather(*(bot.hear("match_start") for bot in bots.values()))
    return [bots[name] for name in starts[0]["players"]]


async def _told_to_come_back(bot: RawBot) -> None:
    """The bot is told that the server goes away, and when to come back, and is closed."""
    assert await bot.hear("goodbye") == {
        "type": "goodbye",
        "reason": "server going away",
        "retryMs": 2000,
    }
    assert (await bot.closed())[0] == 1001


def _unpublish(ladder: Ladder) -> None:
    """Take back what a runner that died before the end of its season has not said yet."""
    path = ladder.loaded.data / PUBLIC
    public = msgspec.json.decode(path.read_bytes())
    del public["secret"]
    path.write_bytes(msgspec.json.encode(public))


async def test_a_match_goes_on_from_its_last_settled_decision(tmp_path: Path) -> None:
    ladder = Ladder(tmp_path, rounds=ROUNDS)
    async with ladder.run() as house:
        seated = await _seated(house, ladder)
        for number, seat in enumerate((0, 1, 0)):
            await seated[seat].answer(await seated[seat].hear("request"), number=number)
        pending = await seated[1].hear("request")
        house.stop()
        await asyncio.gather(*map(_told_to_come_back, seated))
        assert not (await house.over()).finished
    journal = ladder.playing().read_bytes()
    assert len(journal.splitlines()) == 1 + 3
    assert ladder.results() == []

    async with ladder.run() as house:
        seated = await _seated(house, ladder)
        again = await seated[1].hear("request")
        assert again["id"] > pending["id"], "ids are never used again"
        assert again["view"] == pending["view"]
        await seated[1].answer(pending, number=9)
        assert (await seated[1].hear("error"))["code"] == "late_answer"
        await seated[1].answer(again, number=3)
        await asyncio.gather(*map(honest, seated))
        assert (await house.over()).finished
    assert not ladder.playing().exists()
    assert ladder.faults("ann") == []
    found = ladder.transcript()
    whole = (ladder.loaded.data / "transcripts" / "m000001.jsonl").read_bytes()
    assert whole.startswith(journal), "what was settled stays as it was"
    actions = [bytes(d.action) for d in found.decisions]
    assert actions[:4] == [b'{"number":%d}' % n for n in (0, 1, 2, 3)]
    for seat in (0, 1):
        ids = [d.id for d in found.decisions if d.seat == seat and d.id is not None]
        assert ids == sorted(set(ids))
    (result,) = ladder.results()
    assert sum(seat.decisions for seat in result.seats) == len(found.decisions) == 8
    assert [sum(seat.latencies.counts.values()) for seat in result.seats] == [4, 4]


async def test_of_a_step_that_is_half_settled_only_the_rest_is_asked(tmp_path: Path) -> None:
    ladder = Ladder(tmp_path, rounds=[[0, 1], [0, 1]])
    async with ladder.run() as house:
        seated = await _seated(house, ladder)
        await seated[1].hear("request")
        await seated[0].answer(await seated[0].hear("request"), number=8)
        assert await seated[0].barrier() == []  # the answer has been read and written
        house.stop()
        assert not (await house.over()).finished
    assert len(ladder.playing().read_bytes().splitlines()) == 1 + 1

    async with ladder.run() as house:
        seated = await _seated(house, ladder)
        request = await seated[1].hear("request")
        assert request["view"]["round"] == 0
        assert await seated[0].barrier() == [], "this seat has answered"
        await seated[1].answer(request, number=2)
        assert (await seated[0].hear("request"))["view"]["round"] == 1
        await seated[0].answer(seated[0].of_type("request")[0], number=1)
        await honest(seated[1])
        assert (await house.over()).finished
    actions = [(d.seat, bytes(d.action)) for d in ladder.transcript().decisions]
    assert actions[:2] == [(0, b'{"number":8}'), (1, b'{"number":2}')]
    assert ladder.faults("ann") == []


async def test_strikes_and_resignation_survive(tmp_path: Path) -> None:
    ladder = Ladder(tmp_path, rounds=[[0, 1]] * 5)
    async with ladder.run() as house:
        seated = await _seated(house, ladder)
        for _ in range(2):
            await seated[0].answer(await seated[0].hear("request"), number=7)
            await seated[1].answer(await seated[1].hear("request"), number=1)
        await seated[0].hear("request")
        house.stop()
        await house.over()

    async with ladder.run() as house:
        seated = await _seated(house, ladder)
        await seated[0].answer(await seated[0].hear("request"), number=7)
        strike = await seated[0].hear("strike")
        assert (strike["strikes"], strike["resigned"]) == (3, True)
        await seated[1].answer(await seated[1].hear("request"), number=1)
        await seated[1].hear("request")
        house.stop()
        await house.over()

    async with ladder.run() as house:
        seated = await _seated(house, ladder)
        await honest(seated[1])
        assert (await house.over()).finished
        assert seated[0].of_type("request") == []
    name = ladder.transcript().header.players[0]
    assert ladder.faults(name) == 3 * [("illegal", "no_sevens")]


async def test_many_stops_and_no_match_is_played_twice(tmp_path: Path) -> None:
    names = ("ann", "bob", "cat")
    ladder = Ladder(
        tmp_path, names, seats=2, rounds=[[0], [1]] * 2, matches=9, concurrent_matches=3
    )
    ids: dict[str, list[int]] = {name: [] for name in names}
    runs, finished = 0, False
    while not finished:
        runs += 1
        async with ladder.run() as house:
            finished = await _answer_some(house, ids)
    assert runs > 3
    results = ladder.results()
    assert sorted(result.match for result in results) == [f"m{n:06d}" for n in range(1, 10)]
    assert list((ladder.loaded.data / "playing").iterdir()) == []
    for result in results:
        assert ladder.faults(result.seats[0].bot, result.match) == []
    for name in names:
        assert ids[name] == sorted(set(ids[name])), f"{name} has seen an id twice"


async def _answer_some(house: House, ids: dict[str, list[int]], budget: int = 7) -> bool:
    """Play until `budget` requests were answered, then stop; says whether the season is over."""
    bots = {name: await house.connect(name, maxMatches=3) for name in ids}

    async def play(name: str) -> None:
        nonlocal budget
        while (message := await bots[name].hear("request", "goodbye"))["type"] == "request":
            ids[name].append(message["id"])
            await bots[name].answer(message, number=1)
            budget -= 1
            if budget == 0:
                house.stop()

    await asyncio.gather(*map(play, bots))
    return (await house.over()).finished


async def test_a_season_that_is_over_is_not_opened_again(tmp_path: Path) -> None:
    ladder = Ladder(tmp_path, rounds=[[0, 1]])
    async with ladder.run() as house:
        await asyncio.gather(*[honest(await house.connect(name)) for name in ladder.tokens])
        assert (await house.over()).finished
    async with ladder.run() as house:
        report = await house.over()
        assert report.finished
        assert {standing.bot for standing in report.standings} == {"ann", "bob"}
    assert len(ladder.results()) == 1


async def test_no_match_begins_once_the_season_is_stopped(tmp_path: Path) -> None:
    """The stop comes while the next table is being looked for."""
    ladder = Ladder(tmp_path, rounds=[[0, 1]])
    async with ladder.run() as house:
        ledger_may_go_on = threading.Event()
        blocked = asyncio.create_task(house.running.books.use(lambda _: ledger_may_go_on.wait()))
        for name in ladder.tokens:
            await house.connect(name)
        house.stop()
        await asyncio.sleep(0)  # the stop reaches the season before the ledger answers
        ledger_may_go_on.set()
        await blocked
        assert not (await house.over()).finished
    assert list((ladder.loaded.data / "playing").iterdir()) == []


async def test_a_line_that_was_half_written_is_dropped(tmp_path: Path) -> None:
    ladder = Ladder(tmp_path, rounds=ROUNDS)
    await _stop_after_one_decision(ladder)
    whole = ladder.playing().read_bytes()
    with ladder.playing().open("ab") as journal:
        journal.write(b'{"type":"decision","n":1,"seat":1,"kind":"say","act')
    async with ladder.run() as house:
        seated = await _seated(house, ladder)
        assert (await seated[1].hear("request"))["view"]["round"] == 1
        await seated[1].answer(seated[1].of_type("request")[0], number=1)
        await asyncio.gather(*map(honest, seated))
        assert (await house.over()).finished
    assert ladder.faults("ann") == []
    finished = (ladder.loaded.data / "transcripts" / "m000001.jsonl").read_bytes()
    assert finished.startswith(whole)


async def test_a_match_whose_header_was_half_written_never_began(tmp_path: Path) -> None:
    ladder = Ladder(tmp_path, rounds=ROUNDS)
    ladder.playing().parent.mkdir(parents=True)
    ladder.playing().write_bytes(b'{"type":"header","match":"m00')
    async with ladder.run() as house:
        await asyncio.gather(*[honest(await house.connect(name)) for name in ladder.tokens])
        assert (await house.over()).finished
    assert [result.match for result in ladder.results()] == ["m000001"]


async def test_a_match_that_was_over_but_not_in_the_ledger(tmp_path: Path) -> None:
    ladder = Ladder(tmp_path, rounds=[[0, 1]])
    async with ladder.run() as house:
        await asyncio.gather(*[honest(await house.connect(name)) for name in ladder.tokens])
        assert (await house.over()).finished
    (result,) = ladder.results()
    finished = ladder.loaded.data / "transcripts" / "m000001.jsonl"
    content = finished.read_bytes()
    finished.rename(ladder.playing())
    for file in ladder.loaded.data.glob("ledger.sqlite*"):
        file.unlink()
    _unpublish(ladder)

    async with ladder.run() as house:
        bots = [await house.connect(name) for name in ladder.tokens]
        await asyncio.gather(*(bot.closed() for bot in bots))
        assert (await house.over()).finished
        assert bots[0].of_type("request") == bots[1].of_type("request") == []
    assert finished.read_bytes() == content
    assert ladder.results() == [result]


async def test_a_match_in_the_ledger_whose_transcript_was_not_moved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(farewell, "FAREWELL_SECONDS", 0.0)  # nobody comes for it
    ladder = Ladder(tmp_path, rounds=[[0, 1]])
    async with ladder.run() as house:
        await asyncio.gather(*[honest(await house.connect(name)) for name in ladder.tokens])
        assert (await house.over()).finished
    finished = ladder.loaded.data / "transcripts" / "m000001.jsonl"
    finished.rename(ladder.playing())
    _unpublish(ladder)
    async with ladder.run() as house:
        assert (await house.over()).finished
    assert ladder.faults("ann") == []
    assert len(ladder.results()) == 1


DAMAGE = {
    "a line that is no JSON": (b'"action":{"number"', b'"action":{{"number"', "line 2"),
    "a decision is missing": (b'"n":0', b'"n":1', "line 2"),
    "a seat that is not asked": (b'"seat":0', b'"seat":1', "line 2"),
    "an illegal action": (b'"number":1', b'"number":7', "line 2"),
    "another seed": (b'"commitment":"', b'"commitment":"00', "line 1"),
    "other rules": (b'"rounds":[[0],', b'"rounds":[[9],', "line 1"),
}


@pytest.mark.parametrize(("old", "new", "line"), DAMAGE.values(), ids=DAMAGE)
async def test_a_damaged_journal_is_named_and_the_season_does_not_start(
    old: bytes, new: bytes, line: str, tmp_path: Path
) -> None:
    ladder = Ladder(tmp_path, rounds=ROUNDS)
    await _stop_after_one_decision(ladder)
    journal = ladder.playing().read_bytes()
    assert old in journal
    ladder.playing().write_bytes(journal.replace(old, new, 1))
    async with ladder.run() as house:
        with pytest.raises(SeasonError, match="m000001") as error:
            await house.over()
    assert "damaged" in str(error.value)
    assert line in str(error.value)


async def test_a_bot_that_left_the_config_is_missed(tmp_path: Path) -> None:
    ladder = Ladder(tmp_path, rounds=ROUNDS)
    await _stop_after_one_decision(ladder)
    other = Ladder(tmp_path, ("ann", "eve"), rounds=ROUNDS)
    async with other.run() as house:
        with pytest.raises(SeasonError, match=r"m000001.*bob"):
            await house.over()


async def test_a_bot_that_does_not_come_back_is_not_waited_for_forever(tmp_path: Path) -> None:
    ladder = Ladder(tmp_path, rounds=ROUNDS)
    await _stop_after_one_decision(ladder)
    hasty = Ladder(tmp_path, rounds=ROUNDS, rejoin_seconds=0.01, deadline_ms=50)
    async with hasty.run() as house:
        assert (await house.over()).finished
    found = ladder.transcript()
    assert [d.by for d in found.decisions][:2] == ["answer", "timeout"]


async def _stop_after_one_decision(ladder: Ladder) -> None:
    async with ladder.run() as house:
        seated = await _seated(house, ladder)
        await seated[0].answer(await seated[0].hear("request"), number=1)
        await seated[1].hear("request")
        house.stop()
        await house.over()
    assert len(ladder.playing().read_bytes().splitlines()) == 1 + 1
