"""Knockout: tables of four play a set each, and the best two go on, until one table is left.

The draw of the first round is by lot. Later rounds spread those who did best over the tables, so
that they meet late. Where the bots do not fill tables, the first in the order have a bye; where
too few are left for a last table, the best of those who went out come back for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct

from ratings.field import MatchSet, Seating, Situation
from ratings.formats.rounds import game_scores, points, round_id, rounds, settled
from ratings.formats.scheduler import Scheduler, split

GO_ON = 2


class Place(Struct, frozen=True):
    """How far a bot came: the last round it was in, and the share of opponents beaten in it."""

    bot: str
    round: int
    points: Fraction


class _Round(Struct):
    number: int
    bots: list[str]
    sets: dict[str, MatchSet]
    final: bool


class Knockout(Scheduler):
    """Sets at tables of the largest size; two bots of a table go on."""

    def over(self, situation: Situation) -> bool:
        last = self._rounds(situation)[-1]
        return not situation.in_play and last.final and self._done(last, situation)

    def planned(self, situation: Situation) -> int | None:
        bots = sum(bot not in situation.out for bot in situation.entrants)
        matches = 0
        while bots > self.sizes[0]:
            tables = split(bots, self.sizes)
            matches += sum(tables)
            bots += GO_ON * len(tables) - sum(tables)
        return matches + (max(bots, self.sizes[-1]) if bots > 1 else 0)

    def places(self, situation: Situation) -> list[Place]:
        """All bots, the furthest first; who sat at one table in the order of its set."""
        furthest: dict[str, Place] = {}
        orders: dict[str, int] = {}
        for round_ in self._rounds(situation):
            for bot in round_.bots:
                furthest[bot] = Place(bot, round_.number, Fraction(1))
            for set_id, match_set in round_.sets.items():
                scored = points(match_set)
                for place, bot in enumerate(self._order(set_id, match_set, situation)):
                    furthest[bot] = Place(bot, round_.number, scored[bot])
                    orders[bot] = place
        return sorted(
            furthest.values(),
            key=lambda place: (-place.round, orders.get(place.bot, 0), -place.points),
        )

    def _new_set(self, situation: Situation) -> Seating | None:
        last = self._rounds(situation)[-1]
        for table in self._tables(last, situation):
            if all(bot in situation.places for bot in table):
                set_id = round_id(last.number, len(last.sets) + 1)
                return Seating(set_id, tuple(self.lots(set_id, table)))
        return None

    def _rounds(self, situation: Situation) -> list[_Round]:
        """All rounds up to the one that is under way, which is the last."""
        begun = rounds(situation)
        bots = self.lots("draw", list(situation.entrants))
        found = [self._round(1, bots, begun.get(1, {}))]
        while not found[-1].final and self._done(found[-1], situation):
            bots = self._next(found[-1], situation)
            number = found[-1].number + 1
            found.append(self._round(number, bots, begun.get(number, {})))
        return found

    def _round(self, number: int, bots: list[str], sets: dict[str, MatchSet]) -> _Round:
        return _Round(number, bots, sets, final=len(bots) <= self.sizes[0])

    def _done(self, round_: _Round, situation: Situation) -> bool:
        return not self._tables(round_, situation) and all(
            settled(set_id, match_set, situation) for set_id, match_set in round_.sets.items()
        )

    def _tables(self, round_: _Round, situation: Situation) -> list[list[str]]:
        """The tables of a round that have yet to begin.

        What is left of a table that lost a bot before it began is put together with the like.
        """
        sizes = split(len(round_.bots), self.sizes)
        seated = {bot for match_set in round_.sets.values() for bot in match_set.bots}
        tables, left = [], []
        for table in _spread(round_.bots[len(round_.bots) - sum(sizes) :], sizes):
            waiting = [bot for bot in table if bot not in seated and bot not in situation.out]
            if waiting == table:
                tables.append(table)
            else:
                left += waiting
        return tables + _spread(left, split(len(left), self.sizes))

    def _next(self, round_: _Round, situation: Situation) -> list[str]:
        """Who plays the next round, those who did best first."""
        seated: set[str] = set()
        placed: list[list[str]] = []
        for set_id, match_set in round_.sets.items():
            seated.update(match_set.bots)
            order = self._order(set_id, match_set, situation)
            placed.append([bot for bot in order if bot not in situation.out])
        byes = [bot for bot in round_.bots if bot not in seated and bot not in situation.out]
        scored = {
            bot: share
            for match_set in round_.sets.values()
            for bot, share in points(match_set).items()
        }

        def best(rank: int) -> list[str]:
            bots = [order[rank] for order in placed if len(order) > rank]
            return sorted(bots, key=lambda bot: (-scored[bot], self.lot(round_.number, bot)))

        going_on = byes + [bot for rank in range(GO_ON) for bot in best(rank)]
        most = max((len(order) for order in placed), default=0)
        for rank in range(GO_ON, most):
            missing = self.sizes[-1] - len(going_on)
            going_on += best(rank)[: max(0, missing)]
        return going_on

    def _order(self, set_id: str, match_set: MatchSet, situation: Situation) -> list[str]:
        """The bots of a set, best first: by opponents beaten, the game's points, then a draw.

        Bots that have left the season come last.
        """
        scored, scores = points(match_set), game_scores(match_set)
        return sorted(
            match_set.bots,
            key=lambda bot: (
                bot in situation.out,
                -scored[bot],
                -scores[bot],
                self.lot("tie", set_id, bot),
            ),
        )


def _spread(bots: Sequence[str], sizes: Sequence[int]) -> list[list[str]]:
    """Bots, best first, spread over tables: one to each from the first to the last, and back.

    Those that are more than fit are left out.
    """
    tables: list[list[str]] = [[] for _ in sizes]
    waiting = iter(bots[: sum(sizes)])
    ahead = True
    while any(len(table) < size for table, size in zip(tables, sizes, strict=True)):
        for n in range(len(tables)) if ahead else reversed(range(len(tables))):
            if len(tables[n]) < sizes[n]:
                tables[n].append(next(waiting))
        ahead = not ahead
    return tables
