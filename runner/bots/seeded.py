"""A bot whose chance can be repeated: a stream of its own for each decision."""

from __future__ import annotations

import hashlib
import os
from typing import ClassVar

from engine.chance import Chance
from engine.game import Game
from runner import protocol as wire
from runner.bot import Bot


class SeededBot(Bot):
    """Draws depend on the seed, the bot's name, the match and the decision alone.

    So neither timing nor other matches change what it does, and a season that is played again
    with the same seed gets the same answers.
    """

    seed: ClassVar[str | None] = None
    """Any text; None draws another one for each match."""

    def __init__(self, game: type[Game], start: wire.MatchStart) -> None:
        super().__init__(game, start)
        seed = os.urandom(32).hex() if self.seed is None else self.seed
        # A separator that no name holds keeps ("a", "bc") apart from ("ab", "c").
        key = "\0".join((seed, self.name, start.match))
        self._chance = Chance(hashlib.sha256(key.encode()).digest())

    def draw(self, below: int, n: int = 0) -> int:
        """The n-th draw of the decision being made, uniform over 0 … below - 1."""
        return self._chance.draw(str(self.request.number), n, below)
