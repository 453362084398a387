"""Which offers a bot has made in this turn: none is made twice, for it would be refused again."""

from __future__ import annotations

from collections.abc import Hashable


class Tried:
    """The offers made in the turn that was last asked about."""

    def __init__(self) -> None:
        self._turn = 0
        self._made: set[Hashable] = set()

    def begin(self, turn: int) -> None:
        """Forget what was offered in turns before `turn`."""
        if turn != self._turn:
            self._turn = turn
            self._made.clear()

    def add(self, offer: Hashable) -> None:
        """Take note of an offer."""
        self._made.add(offer)

    def __contains__(self, offer: object) -> bool:
        return offer in self._made
