"""What all formats share: sets of matches, and the pull interface.

A scheduler holds its rules and a seed, and no state: what it says depends on the situation alone.
Whoever plays the matches asks for the next one whenever there is room, until it is `over`.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Sequence

from ratings.field import Seating, Situation


class Scheduler(ABC):
    """The rules by which a season is paired."""

    def __init__(self, seats: int | Sequence[int], seed: bytes) -> None:
        """seats: how many seats a match has; several numbers where the format may choose.

        seed: decides whatever else would be arbitrary. Raises ValueError for less than 2 seats.
        """
        sizes = (seats,) if isinstance(seats, int) else tuple(seats)
        if not sizes or min(sizes) < 2:
            raise ValueError(f"a match has at least 2 seats, not {seats}")
        self.sizes = tuple(sorted(set(sizes), reverse=True))
        self._key = hashlib.blake2b(seed, digest_size=32).digest()

    def next_table(self, situation: Situation, *, new_sets: bool = True) -> Seating | None:
        """The next match, or None while there is none (or ever; see `over`).

        A set that was begun is gone on with before another one is. new_sets: False to bring
        those to their end, and begin no more.
        """
        for set_id, match_set in situation.undealt.items():
            if all(situation.free[bot] > 0 for bot in match_set.bots):
                return Seating(set_id, next(match_set.left()))
        return self._new_set(situation) if new_sets else None

    @abstractmethod
    def over(self, situation: Situation) -> bool:
        """Whether all that the format asks for has been played, as far as the bots are there."""

    @abstractmethod
    def planned(self, situation: Situation) -> int | None:
        """How many matches the season has in all; None where that is open."""

    @abstractmethod
    def _new_set(self, situation: Situation) -> Seating | None:
        """The first match of another set, or None while none can begin."""

    def lot(self, *about: object) -> bytes:
        """A draw for something that has a name; equal names, equal draws."""
        text = "\0".join(map(str, about))
        return hashlib.blake2b(text.encode(), key=self._key, digest_size=8).digest()

    def lots(self, about: str, bots: Sequence[str]) -> list[str]:
        """The bots in an order that is drawn for `about`."""
        return sorted(bots, key=lambda bot: (self.lot(about, bot), bot))


def numbered(situation: Situation) -> str:
    """An id for a set that is only numbered."""
    number = len(situation.sets) + 1
    # A set whose only match was lost leaves no trace, so that a count may come twice.
    while f"s{number:05}" in situation.sets:
        number += 1
    return f"s{number:05}"


def split(bots: int, sizes: Sequence[int]) -> list[int]:
    """The sizes of tables for `bots`: all seated where that can be, then as large as can be.

    sizes: largest first. Where not all can sit, as few as possible are left over.
    """
    best: list[int] = []
    for largest in range(bots // sizes[0], -1, -1):
        left = bots - largest * sizes[0]
        rest = split(left, sizes[1:]) if len(sizes) > 1 else []
        tables = [sizes[0]] * largest + rest
        if sum(tables) == bots:
            return tables
        if sum(tables) > sum(best):
            best = tables
    return best
