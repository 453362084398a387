"""Gauntlet: one bot against the field."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ratings.field import Seating, Situation
from ratings.formats.scheduler import Scheduler, numbered


class Gauntlet(Scheduler):
    """One bot meets every other one in at least `rounds` sets, some in one more.

    Bots of the challenger's owner are no opponents.
    """

    def __init__(
        self, seats: int | Sequence[int], seed: bytes, challenger: str, rounds: int = 1
    ) -> None:
        """seats: only the largest number is used. Raises ValueError for no rounds."""
        super().__init__(seats, seed)
        if rounds < 1:
            raise ValueError(f"a gauntlet has at least 1 round, not {rounds}")
        self.challenger = challenger
        self.rounds = rounds

    def over(self, situation: Situation) -> bool:
        if situation.in_play or situation.going_on:
            return False
        opponents, met = self._opponents(situation), self._met(situation)
        gone = self.challenger not in situation.entrants or self.challenger in situation.out
        few = len(opponents) < self.sizes[0] - 1
        return gone or few or all(met[bot] >= self.rounds for bot in opponents)

    def planned(self, situation: Situation) -> int | None:
        opponents = len(self._opponents(situation))
        sets = -(-opponents * self.rounds // (self.sizes[0] - 1))
        return sets * self.sizes[0]

    def _new_set(self, situation: Situation) -> Seating | None:
        """The opponents that have met the challenger least, who have met each other least."""
        met, places = self._met(situation), situation.places
        opponents = [bot for bot in self._opponents(situation) if bot in places]
        due = [bot for bot in self._opponents(situation) if met[bot] < self.rounds]
        if not due or self.challenger not in places:
            return None
        together = Counter(
            frozenset((one, other))
            for match_set in situation.sets.values()
            for one in match_set.bots
            for other in match_set.bots
            if one < other
        )
        draw = {bot: self.lot("opponent", met[bot], bot) for bot in opponents}
        table = [self.challenger]
        while len(table) < self.sizes[0]:
            fitting = [
                bot
                for bot in opponents
                if bot not in table and (not situation.alike([*table, bot]) or self._odd(situation))
            ]
            if not fitting:
                return None
            table.append(
                min(
                    fitting,
                    key=lambda bot: (
                        met[bot],
                        sum(together[frozenset((bot, other))] for other in table[1:]),
                        draw[bot],
                    ),
                )
            )
        return Seating(numbered(situation), tuple(self.lots(numbered(situation), table)))

    def _odd(self, situation: Situation) -> bool:
        """Whether the opponents have too few owners to keep each owner's bots apart."""
        opponents = self._opponents(situation)
        owners = {situation.owner(bot) or f"\0{bot}" for bot in opponents}
        return len(owners) < self.sizes[0] - 1

    def _opponents(self, situation: Situation) -> list[str]:
        return [
            bot
            for bot in situation.entrants
            if bot != self.challenger
            and bot not in situation.out
            and not situation.alike((bot, self.challenger))
        ]

    def _met(self, situation: Situation) -> Counter[str]:
        return Counter(
            bot
            for match_set in situation.sets.values()
            if self.challenger in match_set.bots
            for bot in match_set.bots
        )
