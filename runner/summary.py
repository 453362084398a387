"""What follows from a tally: shares, means and their 95 % confidence intervals."""

from __future__ import annotations

import math
import statistics
from collections import Counter

from msgspec import Struct
from scipy.special import ndtri, stdtrit

from runner.tally import WIN_PARTS, Record, Sums, Tally

CONFIDENCE = 0.95
_UPPER = (1 + CONFIDENCE) / 2


class Estimate(Struct, frozen=True):
    """A value with its confidence interval; no interval where one match says nothing of it."""

    value: float
    low: float | None
    high: float | None


class Line(Struct, frozen=True):
    """How a player did at its `places` in each match, or a seat at its one.

    wins: first places, one shared by k seats as 1/k. even: the share of wins of a place by chance.
    win_rate: wins per place. placed: how often first, second, … placement, score: means per place.
    """

    places: int
    wins: float
    even: float
    win_rate: Estimate
    placed: tuple[int, ...]
    placement: Estimate
    score: Estimate


class Length(Struct, frozen=True):
    """How long matches were, in some unit."""

    mean: Estimate
    median: float
    shortest: int
    longest: int


class Summary(Struct, frozen=True):
    """All that a tally says. players: by name. seats: from seat 0. reasons: shares of matches."""

    matches: int
    players: dict[str, Line]
    seats: tuple[Line, ...]
    turns: Length
    decisions: Length
    reasons: dict[str, float]


def summarize(tally: Tally) -> Summary:
    """What `tally`, of one match or more, says."""
    return Summary(
        matches=tally.matches,
        players={name: _line(record, tally) for name, record in tally.players.items()},
        seats=tuple(_line(record, tally) for record in tally.seats),
        turns=_length(tally.turns),
        decisions=_length(tally.decisions),
        reasons={reason: n / tally.matches for reason, n in sorted(tally.reasons.items())},
    )


def mean(sums: Sums, places: int = 1) -> Estimate:
    """The mean per place of values that are sums over `places`, its interval by Student's t."""
    n = sums.count
    middle = sums.total / n / places
    if n < 2:
        return Estimate(middle, None, None)
    # Whole numbers until the last moment, so that nothing cancels out.
    variance = (n * sums.squares - sums.total**2) / (n * (n - 1))
    margin = float(stdtrit(n - 1, _UPPER)) * math.sqrt(variance / n) / places
    return Estimate(middle, middle - margin, middle + margin)


def share(part: float, n: int) -> Estimate:
    """A probability that came out as `part` of n trials, with Wilson's score interval.

    Unlike the normal approximation it stays within 0 and 1, and has a width where the share is 0
    or 1 (E. B. Wilson, 1927).
    """
    p = part / n
    z = float(ndtri(_UPPER))
    scale = 1 + z * z / n
    middle = (p + z * z / (2 * n)) / scale
    margin = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / scale
    return Estimate(p, max(0.0, middle - margin), min(1.0, middle + margin))


def _line(record: Record, tally: Tally) -> Line:
    wins = record.win_parts / WIN_PARTS
    # At most one of a player's places wins a match: whether one did is the trial. (With a shared
    # first place a trial comes out in part, which only makes the interval a little too wide.)
    won = share(wins, tally.matches)
    assert won.low is not None
    assert won.high is not None
    places = record.places
    return Line(
        places=places,
        wins=wins,
        even=1 / len(tally.seats),
        win_rate=Estimate(won.value / places, won.low / places, won.high / places),
        placed=tuple(record.placed),
        placement=mean(record.placements, places),
        score=mean(record.points, places),
    )


def _length(lengths: Counter[int]) -> Length:
    sums = Sums()
    for length, matches in lengths.items():
        sums.count += matches
        sums.total += matches * length
        sums.squares += matches * length * length
    return Length(
        mean=mean(sums),
        median=statistics.median(lengths.elements()),
        shortest=min(lengths),
        longest=max(lengths),
    )
