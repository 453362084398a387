"""Round robin: every set of bots that fits a table, equally often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb

from ratings.field import Seating, Situation
from ratings.formats.scheduler import Scheduler, numbered

MOST_TABLES = 100_000


class RoundRobin(Scheduler):
    """Every table of bots plays `rounds` sets; those with two bots of one owner are left out."""

    def __init__(self, seats: int | Sequence[int], seed: bytes, rounds: int = 1) -> None:
        """seats: only the largest number is used. Raises ValueError for no rounds."""
        super().__init__(seats, seed)
        if rounds < 1:
            raise ValueError(f"a round robin has at least 1 round, not {rounds}")
        self.rounds = rounds
        # The tables of the latest field, which hardly ever changes: kept for speed alone.
        self._planned: dict[tuple[tuple[str, str], ...], tuple[tuple[str, ...], ...]] = {}

    def over(self, situation: Situation) -> bool:
        return not (situation.in_play or situation.going_on or any(self._due(situation)))

    def planned(self, situation: Situation) -> int | None:
        return len(self._tables(situation)) * self.rounds * self.sizes[0]

    def _new_set(self, situation: Situation) -> Seating | None:
        """The table whose bots have played least so far, in the first round that is not begun."""
        begun = Counter(frozenset(match_set.bots) for match_set in situation.sets.values())
        games, places = situation.games, situation.places
        best: tuple[int, int, int, bytes] | None = None
        chosen: tuple[str, ...] | None = None
        for table in self._tables(situation):
            played = begun[frozenset(table)]
            if played >= self.rounds or not all(bot in places for bot in table):
                continue
            counts = [games[bot] for bot in table]
            key = (played, max(counts), sum(counts))
            if best is None or key <= best[:3]:
                draw = (*key, self.lot("table", *table))
                if best is None or draw < best:
                    best, chosen = draw, table
        if chosen is None:
            return None
        return Seating(numbered(situation), tuple(self.lots("seats", chosen)))

    def _tables(self, situation: Situation) -> Sequence[tuple[str, ...]]:
        """All tables that may be, of the bots that are still there."""
        bots = sorted(bot for bot in situation.entrants if bot not in situation.out)
        key = tuple((bot, situation.owner(bot)) for bot in bots)
        if key not in self._planned:
            tables = comb(len(bots), self.sizes[0])
            if tables > MOST_TABLES:
                raise ValueError(
                    f"a round robin of {len(bots)} bots has {tables} tables; "
                    f"at most {MOST_TABLES} can be planned"
                )
            self._planned = {
                key: tuple(
                    table
                    for table in combinations(bots, self.sizes[0])
                    if not situation.alike(table)
                )
            }
        return self._planned[key]

    def _due(self, situation: Situation) -> Iterator[bool]:
        begun = Counter(frozenset(match_set.bots) for match_set in situation.sets.values())
        for table in self._tables(situation):
            yield begun[frozenset(table)] < self.rounds
