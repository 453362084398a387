"""Rewards, worked out by hand."""

from __future__ import annotations

import pytest

pytest.importorskip("pettingzoo")

from engine.game import Outcome
from runner.gym.rewards import by_placement, by_win


@pytest.mark.parametrize(
    ("placements", "placed", "won"),
    [
        ((1, 2, 3, 4), (1, 1 / 3, -1 / 3, -1), (1, -1 / 3, -1 / 3, -1 / 3)),
        ((3, 1, 2), (-1, 1, 0), (-0.5, 1, -0.5)),
        ((1, 2, 2, 4), (1, 0, 0, -1), (1, -1 / 3, -1 / 3, -1 / 3)),
        ((1, 1, 3, 4), (2 / 3, 2 / 3, -1 / 3, -1), (1 / 3, 1 / 3, -1 / 3, -1 / 3)),
        ((1, 1, 1), (0, 0, 0), (0, 0, 0)),
    ],
)
def test_rewards(
    placements: tuple[int, ...], placed: tuple[float, ...], won: tuple[float, ...]
) -> None:
    outcome = Outcome(placements, (0,) * len(placements), "win")
    assert by_placement(outcome) == pytest.approx(placed)
    assert by_win(outcome) == pytest.approx(won)
    assert sum(by_placement(outcome)) == pytest.approx(0)
    assert sum(by_win(outcome)) == pytest.approx(0)
