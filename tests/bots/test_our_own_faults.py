"""An exception in a game is our own bug: its match is void, and nothing hangs or is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog

from engine.pioneers import Pioneers
from ratings.chain import Void
from runner import app
from runner.audit import audit_season
from runner.dealer import SeasonError
from runner.telemetry import log_to
from tests.bots.honest import honest
from tests.runner.command import ROOT, pioneers, write_config
from tests.runner.ladder import House, Ladder
from tests.runner.rawbot import RawBot
from tests.runner.rounds import Rounds

BOTH = [[0, 1], [0, 1]]


class OurBugError(Exception):
    """What no game should raise."""


class Breaks:
    """Makes a method of a game raise in some of its calls, counted from 0."""

    def __init__(
        self, patch: pytest.MonkeyPatch, game: type, method: str, calls: range | set[int]
    ) -> None:
        self.count = 0
        whole = game.__dict__[method]
        inner = whole.__func__ if isinstance(whole, classmethod) else whole

        def breaking(*arguments: Any, **options: Any) -> Any:
            self.count += 1
            if self.count - 1 in calls:
                raise OurBugError("the dice are gone")
            return inner(*arguments, **options)

        patch.setattr(game, method, classmethod(breaking) if inner is not whole else breaking)


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Path]:
    """Where the runner logs."""
    path = tmp_path / "runner.jsonl"
    with log_to(path):
        yield path
    structlog.reset_defaults()


def voids(ladder: Ladder) -> list[tuple[str, str]]:
    with app.open_ledger(ladder.loaded, create=False) as ledger:
        bodies = [entry.body for entry in ledger.entries()]
    return [(body.match, body.reason) for body in bodies if isinstance(body, Void)]


async def play_on(house: House, ladder: Ladder) -> list[RawBot]:
    """Play honestly as long as the runner does."""
    bots = [await house.connect(name) for name in ladder.tokens]
    await asyncio.gather(*map(honest, bots))
    return bots


def logged(log: Path) -> str:
    """The line about a game that raised."""
    (line,) = [line for line in log.read_text().splitlines() if "the game raised" in line]
    return line


@pytest.mark.parametrize("method", ["advance", "check", "outcome", "pending", "view", "deal"])
async def test_a_match_in_which_the_game_breaks_is_void_and_the_season_goes_on(
    method: str, tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ladder = Ladder(tmp_path, rounds=BOTH, matches=2)
    Breaks(monkeypatch, Rounds, method, {0})
    async with ladder.run() as house:
        bots = await play_on(house, ladder)
        report = await house.over()
    assert (report.finished, report.matches) == (True, 2)
    assert voids(ladder) == [("m000001", "fault: OurBugError: the dice are gone")]
    assert [result.match for result in ladder.results()] == ["m000002", "m000003"]
    for bot in bots:
        assert bot.of_type("strike") == []
        void = [end for end in bot.of_type("match_end") if end["match"] == "m000001"]
        told = [start for start in bot.of_type("match_start") if start["match"] == "m000001"]
        assert len(void) == len(told) == (method != "deal")
        for end in void:
            assert (end["reason"], end["placements"], end["scores"]) == ("fault", [1, 1], [0, 0])
            assert "rating" not in end
    moves = ladder.loaded.data / "transcripts" / "m000001.jsonl"
    assert report.faults == (
        f"match m000001 does not count: the game raised OurBugError: the dice are gone (see "
        f"{moves})",
    )
    assert moves.exists()
    assert not ladder.playing().exists()
    assert audit_season(ladder.loaded, Rounds).departure is None
    for words in (str(moves), "Traceback", "in breaking"):
        assert words in logged(log)


async def test_a_game_that_breaks_again_and_again_ends_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ladder = Ladder(tmp_path, rounds=BOTH)
    with monkeypatch.context() as patch:
        Breaks(patch, Rounds, "advance", range(1000))
        async with ladder.run() as house:
            for bot in await play_on(house, ladder):
                assert (await bot.closed())[0] == 1001, "they are told to come back"
            with pytest.raises(ExceptionGroup) as caught:
                await house.over()
    assert caught.group_contains(SeasonError, match="m000001, m000002, m000003.*OurBugError")
    assert [match for match, _ in voids(ladder)] == ["m000001", "m000002", "m000003"]

    async with ladder.run() as house:  # with the game mended
        await play_on(house, ladder)
        assert (await house.over()).finished
    assert [result.match for result in ladder.results()] == ["m000004"]


async def test_faults_with_a_match_in_between_are_not_again_and_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ladder = Ladder(tmp_path, rounds=[[0]], matches=3)
    Breaks(monkeypatch, Rounds, "advance", {0, 1, 3, 4, 6, 7})
    async with ladder.run() as house:
        await play_on(house, ladder)
        assert (await house.over()).finished
    assert len(voids(ladder)) == 6
    assert [result.match for result in ladder.results()] == ["m000003", "m000006", "m000009"]


async def test_a_journal_that_breaks_the_game_is_void_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a runner leaves it that was killed between a decision and its void match."""
    ladder = Ladder(tmp_path, rounds=BOTH)
    async with ladder.run() as house:
        bots = [await house.connect(name) for name in ladder.tokens]
        for bot in bots:
            await bot.answer(await bot.hear("request"), number=1)
        for bot in bots:
            await bot.hear("request")
    assert ladder.playing().exists()
    Breaks(monkeypatch, Rounds, "advance", {0})
    async with ladder.run() as house:
        await play_on(house, ladder)
        assert (await house.over()).finished
    assert [match for match, _ in voids(ladder)] == ["m000001"]
    assert [result.match for result in ladder.results()] == ["m000002"]


def test_the_command_says_which_match_was_void(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots: dict[str, Any] = {name: {"builtin": "random"} for name in ("ann", "bob", "cat")}
    config = write_config(tmp_path, bots)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    Breaks(monkeypatch, Pioneers, "advance", {20})
    ended = pioneers("season", "run", config)
    assert ended.status == 0
    words = "match m000001 does not count: the game raised OurBugError: the dice are gone"
    assert f"pioneers: {words}" in ended.err
    assert "1 matches count" in ended.out
