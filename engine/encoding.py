"""The contract of an encoding: a game's decisions as numbers, for programs that learn.

A decision is made of one or more *choices*, each an index into one fixed list for the whole game.
Most actions are a single choice. Where there would be thousands of actions, or no end of them, an
action is spelled out by several choices one after the other, and only the last of them settles
the decision. What a seat sees is a list of whole numbers of fixed length, from its view alone.

Everything here is pure: plain numbers, no state, no chance.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from msgspec import Struct

from engine.game import Action


class Block(Struct, frozen=True):
    """A run of indices that belong together.

    size: how many. meaning: what the first, second, … of them stand for. most: the largest value
    that an observation can have there (0 is the smallest); without meaning for choices.
    """

    name: str
    size: int
    meaning: str
    most: int = 1


class Layout:
    """Blocks one after the other, from index 0."""

    __slots__ = ("blocks", "size", "starts")

    def __init__(self, blocks: Sequence[Block]) -> None:
        self.blocks = tuple(blocks)
        ends = list(accumulate(block.size for block in blocks))
        self.size = ends[-1]
        self.starts = {
            block.name: end - block.size for block, end in zip(blocks, ends, strict=True)
        }

    def name(self, index: int) -> str:
        """An index in words: the block, and the place in it where it has several.

        IndexError for one that is not in the layout.
        """
        if not 0 <= index < self.size:
            raise IndexError(index)
        starts = list(self.starts.values())
        block = self.blocks[bisect_right(starts, index) - 1]
        return block.name if block.size == 1 else f"{block.name} {index - self.starts[block.name]}"


class Encoding(ABC):
    """How one game is encoded; has no state.

    choices: the list of all choices. fields: what an observation is made of.
    made: the choices already made of a decision that takes several.
    """

    __slots__ = ()

    choices: Layout
    fields: Layout

    @abstractmethod
    def options(
        self, kind: str, view: Any, legal: Sequence[Action], made: Sequence[int]
    ) -> Sequence[int]:
        """The choices that may follow `made`, ascending; never empty for a decision to be made.

        kind: what the seat of `view` is asked. legal: its legal actions.
        """

    @abstractmethod
    def action(self, kind: str, view: Any, made: Sequence[int]) -> Action | None:
        """The action that `made` spells, None where it takes another choice.

        made: choices, each taken from the `options` after those before.
        """

    @abstractmethod
    def observe(self, kind: str | None, view: Any, memory: Any, made: Sequence[int]) -> array[int]:
        """What the seat of `view` sees and remembers: the values of `fields`, as 16-bit numbers.

        kind: what the seat is asked, None for nothing. memory: the game's, of this seat.
        """
