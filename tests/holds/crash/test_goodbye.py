"""A runner that was killed before its goodbye says it when it comes back, and only then."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from runner import farewell
from runner.config import BotEntry
from runner.farewell import Callers
from runner.vault import Vault
from tests.bots.honest import honest
from tests.holds.crash.seasons import KilledSeason
from tests.runner.ladder import Ladder

FOR_EVER = 3600.0


async def _over_but_not_told(ladder: Ladder) -> None:
    """Play the season as a runner that is killed right before its goodbye leaves it behind."""
    with pytest.MonkeyPatch.context() as patch:
        # What is written last shows whether the goodbye was said.
        patch.setattr(Vault, "publish", lambda *_: None)
        async with ladder.run() as house:
            await asyncio.gather(*[honest(await house.connect(name)) for name in ladder.tokens])
            assert (await house.over()).finished


async def test_bots_of_a_killed_runner_hear_that_the_season_is_over(tmp_path: Path) -> None:
    season = KilledSeason(tmp_path / "season", matches=1)
    async with season.bots():  # which come back until they are told
        await season.kill("rename:5:after")
        assert len(season.results()) == 1, "it was the last match"
        await season.finish()
    assert len(season.results()) == 1


async def test_the_goodbye_is_said_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(farewell, "FAREWELL_SECONDS", FOR_EVER)
    ladder = Ladder(tmp_path, rounds=[[0, 1]])
    await _over_but_not_told(ladder)
    async with ladder.run() as house:
        bots = [await house.connect(name) for name in ladder.tokens]
        for bot in bots:
            assert (await bot.closed())[0] == 1000
            assert bot.of_type("goodbye") == [{"type": "goodbye", "reason": "season over"}]
        report = await house.over()
    assert (report.finished, report.closed, report.matches) == (True, False, 1)
    async with ladder.run() as house:  # nobody comes, and nobody is waited for
        report = await house.over()
    assert (report.finished, report.closed, report.matches) == (True, True, 1)


async def test_who_does_not_come_is_not_waited_for_for_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(farewell, "FAREWELL_SECONDS", 0.05)
    ladder = Ladder(tmp_path, rounds=[[0, 1]])
    await _over_but_not_told(ladder)
    async with ladder.run() as house:
        report = await house.over()
    assert (report.finished, report.closed) == (True, False)


async def test_ctrl_c_ends_the_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(farewell, "FAREWELL_SECONDS", FOR_EVER)
    ladder = Ladder(tmp_path, rounds=[[0, 1]])
    await _over_but_not_told(ladder)
    async with ladder.run() as house:
        bot = await house.connect("ann")
        house.stop()
        assert (await bot.closed())[0] == 1000
        assert (await house.over()).finished


async def test_nobody_is_waited_for_who_cannot_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(farewell, "FAREWELL_SECONDS", FOR_EVER)
    ladder = Ladder(tmp_path, rounds=[[0, 1]])
    await _over_but_not_told(ladder)
    for name in ladder.tokens:
        ladder.book.revoke(name)
    async with ladder.run() as house:
        assert (await house.over()).finished


def test_who_may_be_dialling_still() -> None:
    remote = BotEntry(name="ann", remote=True)
    builtin = BotEntry(name="bob", builtin="greedy")
    program = BotEntry(name="cat", command=("./cat",))
    assert Callers.of([remote, builtin, program], {"ann": 2}) == Callers(("ann",), True)
    assert Callers.of([remote, builtin], {"ann": 1, "eve": 1}) == Callers(("ann",), False)
    assert not Callers.of([remote, builtin], {"ann": 0})
    assert not Callers.of([builtin], {})
    assert Callers.of([program], {})
