"""The field of a season as a scheduler sees it: who is in it, who is free, who has met whom.

`History` is a fold over the results that count, `Situation` adds what is in play. Both hold facts
alone; what follows from them is each format's business.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Protocol

from msgspec import Struct

from ratings.lines import Line
from ratings.probation import RECENT_MATCHES, on_probation
from ratings.results import MatchResult, Rating, SeatResult

# How many sets with the same opponent count as recent.
RECENT_SETS = 8


class Entrant(Struct, frozen=True):
    """A bot that the season is open to.

    owner: bots of one owner never sit at one table; "" is nobody's. anchor: a reference bot that
    keeps the scale in place.
    """

    bot: str
    owner: str = ""
    anchor: bool = False


class Seating(Struct, frozen=True):
    """The next match: its bots in seat order, and the set of matches that it belongs to."""

    set_id: str
    bots: tuple[str, ...]


class Played(Struct, frozen=True):
    """A match of a set: its bots in seat order, and how they came out."""

    bots: tuple[str, ...]
    placements: tuple[int, ...]
    scores: tuple[int, ...]


class MatchSet:
    """The matches of a set: the same bots, seats rotated so that each sits in each seat once."""

    __slots__ = ("bots", "dealt", "number", "played")

    def __init__(self, number: int, bots: tuple[str, ...]) -> None:
        """number: counts sets in the order in which they were first seen."""
        self.number = number
        self.bots = bots
        self.played: list[Played] = []
        self.dealt: set[tuple[str, ...]] = set()

    @property
    def complete(self) -> bool:
        """Whether every rotation has a result that counts."""
        return len({match.bots for match in self.played}) == len(self.bots)

    def left(self) -> Iterator[tuple[str, ...]]:
        """The seat orders that are neither played nor in play."""
        for order in rotations(self.bots):
            if order not in self.dealt:
                yield order


class Ratings(Protocol):
    """Whoever knows ratings: a `Ledger`, `Standings` or `Lines`."""

    def rating(self, bot: str, version: str | None = None) -> Rating:
        """The rating with which `bot` would enter a match now."""
        ...


class History:
    """What results say that matters for pairing. Fed in ledger order."""

    def __init__(self) -> None:
        self.sets: dict[str, MatchSet] = {}
        self.open: dict[str, MatchSet] = {}
        self.games: Counter[str] = Counter()
        self.last_set: dict[str, int] = {}
        self.opponents: dict[str, Counter[str]] = {}
        self.recent: dict[str, deque[tuple[str, ...]]] = {}
        self.probation: set[str] = set()
        self._resigned: dict[Line, deque[bool]] = {}

    def add(self, result: MatchResult) -> None:
        """Take in the next result that counts."""
        bots = tuple(seat.bot for seat in result.seats)
        placements = tuple(seat.placement for seat in result.seats)
        match_set = self._set(result, bots)
        match_set.played.append(Played(bots, placements, tuple(s.score for s in result.seats)))
        match_set.dealt.add(bots)
        if match_set.complete:
            self.open.pop(result.set_id or result.match, None)
        for seat in result.seats:
            self.games[seat.bot] += 1
            self._note(seat)

    def has(self, seating: Seating) -> bool:
        """Whether the match of `seating` has a result that counts."""
        known = self.sets.get(seating.set_id)
        return known is not None and seating.bots in known.dealt

    def add_void(self, result: MatchResult) -> None:
        """Take in a result that does not count: its set is known, and has it yet to play."""
        self._set(result, tuple(seat.bot for seat in result.seats))

    def _note(self, seat: SeatResult) -> None:
        """Put a bot on probation that keeps resigning; each version has a record of its own."""
        line = Line(seat.bot, seat.version)
        resigned = self._resigned.setdefault(line, deque(maxlen=RECENT_MATCHES))
        resigned.append(seat.resigned)
        if on_probation(resigned):
            self.probation.add(seat.bot)
        else:
            self.probation.discard(seat.bot)

    def _set(self, result: MatchResult, bots: tuple[str, ...]) -> MatchSet:
        # A match without a set is one of its own, which is never completed.
        known = self.sets.get(result.set_id or result.match)
        if known is not None:
            return known
        new = MatchSet(len(self.sets) + 1, bots)
        self.sets[result.set_id or result.match] = new
        if result.set_id:
            self.open[result.set_id] = new
        for bot in bots:
            others = tuple(other for other in bots if other != bot)
            self.last_set[bot] = new.number
            self.opponents.setdefault(bot, Counter()).update(others)
            self.recent.setdefault(bot, deque(maxlen=RECENT_SETS)).append(others)
        return new


class Situation:
    """What is known when the next table is asked for. Immutable by agreement."""

    def __init__(
        self,
        entrants: Mapping[str, Entrant],
        history: History,
        ratings: Ratings,
        in_play: Sequence[Seating] = (),
        free: Mapping[str, int] | None = None,
        versions: Mapping[str, str] | None = None,
        out: Collection[str] = (),
        contested: Collection[str] = (),
    ) -> None:
        """entrants: all bots of the season by name, in a fixed order.

        in_play: the tables in play, in the order in which they were dealt. One that has its
        result already is over: whoever plays it may hear of that a moment later.
        free: free places by connected bot; a bot that is connected and full has 0. None: all
        entrants have many. versions: what connected bots play with, where it is known.
        out: bots that have left the season and will not come back.
        contested: bots whose order is what the season still waits for (see `ratings.stopping`).
        """
        self.entrants = entrants
        self.history = history
        self.out = frozenset(out)
        self.contested = frozenset(contested)
        self.in_play = tuple(seating for seating in in_play if not history.has(seating))
        self.free = dict.fromkeys(self.entrants, 1 << 16) if free is None else free
        self._ratings = ratings
        self._versions = versions or {}

    def rating(self, bot: str) -> Rating:
        """The rating of `bot` in the version it plays with."""
        return self._ratings.rating(bot, self._versions.get(bot))

    @cached_property
    def sets(self) -> dict[str, MatchSet]:
        """All sets that were begun, those with matches in play included."""
        return self.history.sets | self.unfinished

    @cached_property
    def unfinished(self) -> dict[str, MatchSet]:
        """The sets that are not complete, in the order in which they began."""
        sets: dict[str, MatchSet] = {}
        for set_id, known in self.history.open.items():
            sets[set_id] = copy = MatchSet(known.number, known.bots)
            copy.played, copy.dealt = known.played, set(known.dealt)
        for seating in self.in_play:
            if seating.set_id not in sets:
                number = len(self.history.sets) + len(sets) + 1
                sets[seating.set_id] = MatchSet(number, seating.bots)
            sets[seating.set_id].dealt.add(seating.bots)
        return sets

    @cached_property
    def games(self) -> Counter[str]:
        """Matches by bot, those in play included."""
        games = Counter(self.history.games)
        for seating in self.in_play:
            games.update(seating.bots)
        return games

    @property
    def going_on(self) -> bool:
        """Whether a begun set can still be completed, now or when its bots are back."""
        return any(self.out.isdisjoint(known.bots) for known in self.unfinished.values())

    @cached_property
    def undealt(self) -> dict[str, MatchSet]:
        """Unfinished sets with a match yet to deal, all of whose bots are there."""
        return {
            set_id: match_set
            for set_id, match_set in self.unfinished.items()
            if next(match_set.left(), None) is not None
            and all(bot in self.free and bot not in self.out for bot in match_set.bots)
        }

    @cached_property
    def places(self) -> dict[str, int]:
        """Places for a new set by bot, in the order of the entrants; only bots that have one.

        One place is kept for every set that a bot has begun and that could go on.
        """
        kept: Counter[str] = Counter()
        for match_set in self.undealt.values():
            kept.update(match_set.bots)
        free, out = self.free, self.out
        places = {bot: free[bot] for bot in self.entrants if free.get(bot, 0) > 0}
        for bot, sets in kept.items():
            if bot in places:
                places[bot] -= sets
        return {bot: left for bot, left in places.items() if left > 0 and bot not in out}

    @cached_property
    def anchors(self) -> frozenset[str]:
        """The bots that keep the scale in place."""
        return frozenset(bot for bot, entrant in self.entrants.items() if entrant.anchor)

    def alike(self, bots: Iterable[str]) -> bool:
        """Whether two of `bots` have the same owner."""
        owners = [owner for bot in bots if (owner := self.owner(bot))]
        return len(set(owners)) < len(owners)

    def owner(self, bot: str) -> str:
        """The owner of `bot`, "" where it has none."""
        entrant = self.entrants.get(bot)
        return "" if entrant is None else entrant.owner


def rotations(bots: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The seat orders of a set: everybody moves one seat on from match to match."""
    return [bots[n:] + bots[:n] for n in range(len(bots))]
