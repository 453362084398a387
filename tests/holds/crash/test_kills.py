"""The runner is killed over and over, and the season comes out as if it never had been."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.holds.crash.seasons import KilledSeason, assert_same

# Each place at which a kill could tear something in two. Those of the clock come first, while all
# matches are still to be played: on a fast machine the season would be over before them.
EVERYWHERE = [
    "start:0.1",
    "clock:0.02",
    "rename:1:before",
    "write:1:before",
    "write:1:half",
    "write:1:after",
    "write:7:half",
    "write:40:after",
    "insert:2:after",
    "commit:1:before",
    "commit:1:after",
    "rename:2:before",
    "rename:2:after",
]


async def _played(season: KilledSeason, kills: list[str]) -> None:
    async with season.bots():
        for kill_at in kills:
            await season.kill(kill_at)
        await season.finish()


@pytest.mark.slow
async def test_a_season_that_was_killed_everywhere_comes_out_the_same(tmp_path: Path) -> None:
    whole = KilledSeason(tmp_path / "whole", matches=8)
    killed = KilledSeason(tmp_path / "killed", matches=8)
    await _played(whole, [])
    await _played(killed, EVERYWHERE)
    assert_same(killed.told(), whole.told())


async def test_with_many_matches_at_once_each_is_whole(tmp_path: Path) -> None:
    """Who meets whom is then up to the clock; that nothing is lost or doubled is not."""
    season = KilledSeason(tmp_path / "season", matches=12, concurrent=4)
    await _played(season, ["clock:0.1", "write:30:half", "commit:2:after", "rename:3:before"])
    _whole(season, 12)


@pytest.mark.slow
async def test_bots_of_the_runners_own_die_with_it_and_play_on(tmp_path: Path) -> None:
    season = KilledSeason(tmp_path / "season", matches=6, builtin="greedy", concurrent=2)
    await _played(season, ["clock:0.1", "write:20:half", "commit:1:before"])
    _whole(season, 6)


def _whole(season: KilledSeason, matches: int) -> None:
    told = season.told()
    assert sorted(match for match, *_ in told.matches) == [f"m{n + 1:06d}" for n in range(matches)]
    assert all(by == "answer" for seat in told.actions.values() for _, _, by in seat)


SEASON = 60  # matches; each takes a few hundredths of a second


def _at_random(kills: int) -> list[str]:
    """So many kills: half of them at moments of the clock, half in the middle of something."""
    draw = random.Random(5)
    orders = [f"clock:{draw.uniform(0.0, 0.08):.3f}" for _ in range(kills * 3 // 8)]
    orders += [f"start:{draw.uniform(0.05, 0.5):.3f}" for _ in range(kills // 8)]
    orders += [
        f"write:{draw.randint(1, 60)}:{draw.choice(['before', 'half', 'after'])}"
        for _ in range(kills // 4)
    ]
    orders += [f"commit:1:{draw.choice(['before', 'during', 'after'])}" for _ in range(kills // 16)]
    orders += [
        f"insert:{draw.randint(1, 6)}:{draw.choice(['before', 'after'])}"
        for _ in range(kills // 16)
    ]
    orders += [
        f"rename:{draw.randint(1, 2)}:{draw.choice(['before', 'after'])}"
        for _ in range(kills - len(orders))
    ]
    draw.shuffle(orders)
    return orders


async def _killed_until_over(season: KilledSeason, orders: list[str]) -> list[str]:
    """Play a season, killed as `orders` say; returns those that it was over too soon for."""
    async with season.bots():
        for n, order in enumerate(orders):
            if not await season.struck(order):
                return orders[n:]
        await season.finish()
    return []


@pytest.mark.slow
async def test_two_hundred_kills_at_random(tmp_path: Path) -> None:
    """The same season over and over, until all have struck: how many it takes is up to the
    machine, since a faster one plays more between two kills."""
    orders = _at_random(200)
    whole = KilledSeason(tmp_path / "whole", matches=SEASON)
    await _played(whole, [])
    expected = whole.told()
    while orders:
        killed = KilledSeason(tmp_path / f"before-{len(orders)}", matches=SEASON)
        left = await _killed_until_over(killed, orders)
        assert len(left) < len(orders), f"a season without a kill: {orders[0]}"
        assert_same(killed.told(), expected)
        orders = left
