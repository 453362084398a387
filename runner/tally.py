"""What is counted over many matches.

Tallies are whole numbers and nothing else, so that those of any parts, added up in any order,
are exactly the tally of the whole. What follows from them is worked out in `runner.summary`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from engine.game import Outcome
from runner.local import Played

# A first place shared by k seats is 1/k of a win each: a whole number of these for any table.
WIN_PARTS = math.lcm(*range(1, 13))


@dataclass(slots=True)
class Sums:
    """Count, sum and sum of squares of whole numbers."""

    count: int = 0
    total: int = 0
    squares: int = 0

    def add(self, value: int) -> None:
        """Take in one value."""
        self.count += 1
        self.total += value
        self.squares += value * value

    def merge(self, other: Sums) -> None:
        """Take in all values of `other`."""
        self.count += other.count
        self.total += other.total
        self.squares += other.squares


@dataclass(slots=True)
class Record:
    """How the places of a player, or of a seat, did.

    placed: how often first, second, … points, placements: over matches, one value each, the sum
    over the places. Two places of one player in a match are not independent (only one can win),
    so that matches, not places, are what errors are worked out from.
    """

    places: int
    placed: list[int]
    win_parts: int = 0
    points: Sums = field(default_factory=Sums)
    placements: Sums = field(default_factory=Sums)

    def add(self, outcome: Outcome, seats: Iterable[int]) -> None:
        """Take in the places at `seats` of one match."""
        points = placements = 0
        firsts = outcome.placements.count(1)
        for seat in seats:
            placement = outcome.placements[seat]
            self.placed[placement - 1] += 1
            placements += placement
            points += outcome.scores[seat]
            if placement == 1:
                self.win_parts += WIN_PARTS // firsts
        self.points.add(points)
        self.placements.add(placements)

    def merge(self, other: Record) -> None:
        """Take in the matches of `other`."""
        self.placed = [a + b for a, b in zip(self.placed, other.placed, strict=True)]
        self.win_parts += other.win_parts
        self.points.merge(other.points)
        self.placements.merge(other.placements)


class Tally:
    """The counts over some matches of the same players.

    players: by name, with as many places as the name has in a match. seats: by seat.
    turns, decisions: how many matches took so many. reasons: how many ended so.
    """

    __slots__ = ("decisions", "matches", "players", "reasons", "seats", "turns")

    def __init__(self, players: Sequence[str]) -> None:
        """players: the name at each place of a match."""
        n = len(players)
        self.matches = 0
        self.players = {name: Record(places, [0] * n) for name, places in Counter(players).items()}
        self.seats = [Record(1, [0] * n) for _ in players]
        self.turns: Counter[int] = Counter()
        self.decisions: Counter[int] = Counter()
        self.reasons: Counter[str] = Counter()

    @property
    def actions(self) -> int:
        """The decisions of all matches together."""
        return sum(length * matches for length, matches in self.decisions.items())

    def add(self, played: Played, seated: Sequence[str]) -> None:
        """Take in one match. seated: the players' names by seat."""
        self.matches += 1
        for name, record in self.players.items():
            record.add(played.outcome, (i for i, other in enumerate(seated) if other == name))
        for seat, record in enumerate(self.seats):
            record.add(played.outcome, (seat,))
        self.turns[played.turns] += 1
        self.decisions[played.decisions] += 1
        self.reasons[played.outcome.reason] += 1

    def merge(self, other: Tally) -> None:
        """Take in the matches of `other`, which has the same players."""
        self.matches += other.matches
        for name, record in self.players.items():
            record.merge(other.players[name])
        for mine, theirs in zip(self.seats, other.seats, strict=True):
            mine.merge(theirs)
        self.turns += other.turns
        self.decisions += other.decisions
        self.reasons += other.reasons
