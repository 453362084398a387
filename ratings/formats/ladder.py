"""Ladder: open-ended; every next set is made by `ratings.pairing`."""

from __future__ import annotations

from collections.abc import Sequence

from ratings import pairing
from ratings.field import Seating, Situation
from ratings.formats.scheduler import Scheduler, numbered
from ratings.skill import Skill


class Ladder(Scheduler):
    """Sets between the bots that need them most; what ends the season is not its business."""

    def __init__(self, seats: int | Sequence[int], seed: bytes, skill: Skill) -> None:
        """skill: the rating model of the season."""
        super().__init__(seats, seed)
        self._skill = skill

    def over(self, situation: Situation) -> bool:  # noqa: ARG002
        return False

    def planned(self, situation: Situation) -> int | None:  # noqa: ARG002
        return None

    def _new_set(self, situation: Situation) -> Seating | None:
        set_id = numbered(situation)
        for size in self.sizes:
            table = pairing.choose(situation, size, self._skill, self.lot(set_id))
            if table is not None:
                return Seating(set_id, tuple(self.lots(set_id, table)))
        return None
