"""What a finished match says about its bots: the facts that the ledger keeps.

Games, bots and matches are names here; nothing in this package knows what was played.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from ratings.latency import Latencies


class SeatResult(Struct, frozen=True, rename="camel"):
    """How one seat of a match came out.

    bot: its name in the season; version: the build it said it was, "" if it said nothing.
    placement: 1 is first, ties share. score: the game's own points.
    strikes: by reason ("timeout", "illegal", "error"); reasons that did not occur are absent.
    decisions: how many decisions were settled for the seat, defaults included.
    latencies: answer times of the decisions that the bot answered.
    """

    bot: str
    version: str
    placement: int
    score: int
    strikes: Mapping[str, int]
    resigned: bool
    decisions: int
    latencies: Latencies


class MatchResult(Struct, frozen=True, rename="camel"):
    """One finished match; `seats` are in seat order. Times are Unix milliseconds."""

    match: str
    game: str
    reason: str
    started_ms: int
    ended_ms: int
    seats: tuple[SeatResult, ...]


class Rating(Struct, frozen=True):
    """A TrueSkill belief: mean and standard deviation."""

    mu: float
    sigma: float

    @property
    def value(self) -> float:
        """The number that tables rank by: mu - 3 sigma."""
        return self.mu - 3 * self.sigma


class Rated(Struct, frozen=True):
    """What a match did to one bot's rating."""

    bot: str
    before: Rating
    after: Rating
