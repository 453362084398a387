"""What a finished match says about its bots: the facts that the ledger keeps.

Games, bots and matches are names here; nothing in this package knows what was played.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from ratings.latency import Latencies


class Timing(Struct, frozen=True):
    """Where the answer times of one kind of decision went.

    queue: ready to be asked until written to the socket. wire: the network's part, estimated.
    bot: the rest, which is the bot's own thinking.
    """

    queue: Latencies
    wire: Latencies
    bot: Latencies


class SeatResult(Struct, frozen=True, rename="camel"):
    """How one seat of a match came out.

    bot: its name in the season; version: the build it said it was, "" if it said nothing.
    placement: 1 is first, ties share. score: the game's own points.
    strikes: by reason ("timeout", "illegal", "error"); reasons that did not occur are absent.
    decisions: how many decisions were settled for the seat, defaults included.
    latencies: answer times of the decisions that the bot answered.
    timings: the same times by kind of decision and by part; may be left out.
    """

    bot: str
    version: str
    placement: int
    score: int
    strikes: Mapping[str, int]
    resigned: bool
    decisions: int
    latencies: Latencies
    timings: Mapping[str, Timing] = {}


class MatchResult(Struct, frozen=True, rename="camel"):
    """One finished match; `seats` are in seat order. Times are Unix milliseconds.

    set_id: the set of matches (same bots, same board, seats rotated) that it belongs to, or "".
    transcript: SHA-256 of the match's transcript file, hex; it ties the file to the ledger.
    Raises ValueError, naming the match and the field, for a result that no match can have.
    """

    match: str
    game: str
    reason: str
    started_ms: int
    ended_ms: int
    seats: tuple[SeatResult, ...]
    set_id: str = ""
    transcript: str = ""

    def __post_init__(self) -> None:
        if not self.match:
            raise ValueError("a result needs the id of its match")
        if len(self.seats) < 2:
            raise ValueError(f"match {self.match}: a result has at least 2 seats")
        bots = [seat.bot for seat in self.seats]
        if "" in bots or len(set(bots)) < len(bots):
            raise ValueError(f"match {self.match}: each seat needs a bot of its own, not {bots}")
        placements = [seat.placement for seat in self.seats]
        for placement in placements:
            better = sum(other < placement for other in placements)
            if placement != better + 1:
                raise ValueError(
                    f"match {self.match}: placements count from 1 and ties share the better "
                    f"number (1, 2, 2, 4), not {placements}"
                )


class Rating(Struct, frozen=True):
    """A TrueSkill belief: mean and standard deviation."""

    mu: float
    sigma: float

    @property
    def value(self) -> float:
        """The number that tables rank by: mu - 3 sigma."""
        return self.mu - 3 * self.sigma


class Rated(Struct, frozen=True):
    """What a match did to the rating of one bot, in the version it played with."""

    bot: str
    before: Rating
    after: Rating
    version: str = ""
