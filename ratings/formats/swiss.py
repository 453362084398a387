"""Swiss system: a fixed number of rounds, in each of which near equals meet, and never again.

A round pairs everybody by the points so far, from the top down. In each round a bot scores the
share of opponents that it beat in its set. Where not all can sit, the lowest who have not sat out
yet sit out and score a half.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from msgspec import Struct

from ratings.field import Seating, Situation
from ratings.formats import near_equals
from ratings.formats.rounds import points, round_id, rounds, settled
from ratings.formats.scheduler import Scheduler, split

# Two bots of one owner at a table are worse than any number of repeats.
_ONE_OWNER = 1000


class Score(Struct, frozen=True):
    """How a bot stands in the tournament: points, and rounds that it sat out."""

    bot: str
    points: Fraction
    sat_out: int


class Swiss(Scheduler):
    """`rounds` rounds; no two bots meet twice, and none of one owner at all, while avoidable."""

    def __init__(self, seats: int | Sequence[int], seed: bytes, rounds: int) -> None:
        """Raises ValueError for no rounds."""
        super().__init__(seats, seed)
        if rounds < 1:
            raise ValueError(f"a Swiss tournament has at least 1 round, not {rounds}")
        self.rounds = rounds

    def over(self, situation: Situation) -> bool:
        number, _ = self._round(situation)
        few = not self._seatable(self._field(situation))
        return not situation.in_play and (number > self.rounds or few)

    def planned(self, situation: Situation) -> int | None:
        tables = split(len(self._field(situation)), self.sizes)
        return self.rounds * sum(tables)

    def scores(self, situation: Situation) -> list[Score]:
        """The order of the tournament so far, best first; equals in an order that is drawn."""
        number, _ = self._round(situation)
        return self._scores(situation, number)

    def _new_set(self, situation: Situation) -> Seating | None:
        number, waiting = self._round(situation)
        if number > self.rounds or not self._seatable(waiting):
            return None
        standing = [score.bot for score in self._scores(situation, number)]
        met = self._met(situation)
        tables = self._pair([bot for bot in standing if bot in waiting], met, situation)
        for table in tables:
            if all(bot in situation.places for bot in table):
                begun = len(rounds(situation).get(number, {}))
                set_id = round_id(number, begun + 1)
                return Seating(set_id, tuple(self.lots(set_id, table)))
        return None

    def _field(self, situation: Situation) -> list[str]:
        return [bot for bot in situation.entrants if bot not in situation.out]

    def _seatable(self, waiting: Sequence[str]) -> bool:
        return bool(split(len(waiting), self.sizes))

    def _round(self, situation: Situation) -> tuple[int, list[str]]:
        """The round that is under way, from 1, and the bots that wait for a table in it.

        One more than all, with everybody waiting, when the last round is over.
        """
        number, waiting = 1, self._field(situation)
        for number, sets in rounds(situation).items():
            seated = {bot for match_set in sets.values() for bot in match_set.bots}
            waiting = [bot for bot in self._field(situation) if bot not in seated]
            done = all(settled(set_id, match_set, situation) for set_id, match_set in sets.items())
            if not done or self._seatable(waiting):
                return number, waiting
        return (number + 1, self._field(situation)) if rounds(situation) else (1, waiting)

    def _scores(self, situation: Situation, before: int) -> list[Score]:
        """The order after the rounds before number `before`."""
        total = dict.fromkeys(situation.entrants, Fraction(0))
        out: Counter[str] = Counter()
        for number, sets in rounds(situation).items():
            if number >= before:
                break
            scored: dict[str, Fraction] = {}
            for match_set in sets.values():
                scored.update(points(match_set))
            for bot in total:
                out[bot] += bot not in scored
                total[bot] += scored.get(bot, Fraction(1, 2))
        return sorted(
            (Score(bot, total[bot], out[bot]) for bot in self._field(situation)),
            key=lambda score: (-score.points, self.lot("order", before, score.bot)),
        )

    def _met(self, situation: Situation) -> Counter[frozenset[str]]:
        return Counter(
            frozenset(pair)
            for sets in rounds(situation).values()
            for match_set in sets.values()
            for pair in combinations(match_set.bots, 2)
        )

    def _pair(
        self, order: list[str], met: Counter[frozenset[str]], situation: Situation
    ) -> list[tuple[str, ...]]:
        """Tables for all who wait, `order` best first."""
        sizes = split(len(order), self.sizes)
        sat_out = {score.bot: score.sat_out for score in self.scores(situation)}
        lowest_first = sorted(order, key=lambda bot: (sat_out[bot], -order.index(bot)))
        sitting_out = lowest_first[: len(order) - sum(sizes)]
        playing = [bot for bot in order if bot not in sitting_out]

        def clash(one: str, other: str) -> int:
            return met[frozenset((one, other))] + _ONE_OWNER * situation.alike((one, other))

        return near_equals.seat(playing, sizes, clash)
