"""Whom to seat next: fewest games first, then close ratings, seats dealt evenly.

`next_table` is a pure function of its arguments and the seed, so that a season can be replayed
and a choice explained. Whoever plays the tables pulls: it asks for the next one whenever there
is room, and says what is known by then.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations
from typing import Protocol

from msgspec import Struct

from ratings.results import Rating


class Form(Protocol):
    """How bots stand: a `Ledger`, or `Standings`."""

    def rating(self, bot: str, version: str | None = None) -> Rating:
        """The rating with which `bot` would enter a match now."""
        ...

    def seat_games(self, bot: str) -> tuple[int, ...]:
        """How many matches that count `bot` has played in each seat."""
        ...


class Candidate(Struct, frozen=True):
    """A bot that could be seated.

    seat_games: its matches in each seat, those in play included.
    free: how many more matches it can play at once, now.
    """

    bot: str
    rating: Rating
    seat_games: tuple[int, ...]
    free: int

    @property
    def games(self) -> int:
        """Its matches, those in play included."""
        return sum(self.seat_games)


def candidates(
    form: Form,
    in_play: Iterable[Sequence[str]],
    free: Mapping[str, int],
    versions: Mapping[str, str] | None = None,
) -> list[Candidate]:
    """The bots in `free`, as they stand after the results and with the tables in play.

    form: a ledger or standings. in_play: the bots of each table in play, in seat order.
    free: free places by bot.
    versions: what the bots play with now, where that is known, else their current versions.
    """
    playing: dict[str, list[int]] = {}
    for table in in_play:
        for seat, bot in enumerate(table):
            playing.setdefault(bot, []).append(seat)
    versions = versions or {}
    found = []
    for bot, places in sorted(free.items()):
        seat_games = list(form.seat_games(bot))
        for seat in playing.get(bot, ()):
            seat_games.extend([0] * (seat + 1 - len(seat_games)))
            seat_games[seat] += 1
        rating = form.rating(bot, versions.get(bot))
        found.append(Candidate(bot, rating, tuple(seat_games), places))
    return found


class Pairing:
    """The pairing of one season; ties are broken by its seed alone."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed

    def next_table(self, candidates: Iterable[Candidate], seats: int) -> tuple[str, ...] | None:
        """The bots of the next table in seat order, or None while too few of them are free.

        The first is the one with the fewest games, in play included; then come, among those
        with the fewest games, the nearest in rating to it. No bot is taken twice.
        """
        free = [candidate for candidate in candidates if candidate.free > 0]
        if len(free) < seats:
            return None
        # The games so far make every table's tie-breaks new ones; no state is needed for that.
        turn = sum(candidate.games for candidate in free)
        free.sort(key=lambda candidate: (candidate.games, self._lot(turn, candidate.bot)))
        first, *others = free
        others.sort(
            key=lambda candidate: (
                candidate.games,
                abs(candidate.rating.mu - first.rating.mu),
                self._lot(turn, candidate.bot),
            )
        )
        return self._deal([first, *others[: seats - 1]], turn)

    def _deal(self, table: Sequence[Candidate], turn: int) -> tuple[str, ...]:
        """Seats as even as can be: least in total where each bot has sat already."""

        def sat(order: Sequence[Candidate]) -> tuple[int, int]:
            counts = [
                candidate.seat_games[seat] if seat < len(candidate.seat_games) else 0
                for seat, candidate in enumerate(order)
            ]
            # Squares: two bots that sit there once more each beat one that sits there twice.
            after = sum(2 * count + 1 for count in counts)
            return after, max(counts)

        drawn = sorted(table, key=lambda candidate: self._lot(turn, candidate.bot))
        best = min(permutations(drawn), key=sat)
        return tuple(candidate.bot for candidate in best)

    def _lot(self, turn: int, bot: str) -> bytes:
        lot = hashlib.blake2b(f"{turn}:{bot}".encode(), key=self._seed[:64], digest_size=8)
        return lot.digest()
