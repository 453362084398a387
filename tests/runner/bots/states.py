"""States to weigh: in the middle of random matches, and near the end."""

from __future__ import annotations

from collections.abc import Iterator

from engine.pioneers import Pioneers
from engine.pioneers.state import State
from tests.engine.pioneers.matches import decisions


def state_of(game: Pioneers) -> State:
    """The game's own state: not to be changed."""
    return game._state


def turns(number: int, seats: int, every: int) -> Iterator[Pioneers]:
    """A random match, at every so manyth decision of a turn."""
    asked = 0
    for game, _ in decisions(number, seats):
        if "turn" in game.pending().values():
            asked += 1
            if asked % every == 0:
                yield game
