"""The rating table's numbers: a fold over results in ledger order.

A bot's row is about its current line (see `ratings.lines`): rating, games, placements, strikes
and times are those of the version it plays with now. Older versions are listed by name. Seats
are numbered from 0 in data and from 1 in means and tables, as people count them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Literal, TypeAlias

from msgspec import Struct

from ratings.latency import Latencies
from ratings.lines import Line, Lines
from ratings.probation import RECENT_MATCHES, on_probation
from ratings.results import MatchResult, Rated, Rating, SeatResult
from ratings.skill import Skill

Status: TypeAlias = Literal["", "provisional", "probation"]

TREND_MATCHES = 10


class Standing(Struct, frozen=True, rename="camel"):
    """One row of the table.

    rank: 1 is first; bots with the same rating share the better number.
    version: of the current line; earlier: the versions before it, oldest first.
    rating: mu - 3 sigma. games: rated matches of this line.
    placements: how often it came first, second, …; as many numbers as the largest match has seats.
    mean_seat: 1 is the first seat. strikes: by reason, sorted by reason. resigned: matches.
    p50_ms, p99_ms: answer times that half and 99 % of the answers kept; None without answers.
    trend: what the last ten matches did to the rating; None before there are as many.
    status: "provisional" while too little is known, "probation" while it keeps resigning, or "".
    """

    rank: int
    bot: str
    version: str
    earlier: tuple[str, ...]
    rating: float
    mu: float
    sigma: float
    games: int
    placements: tuple[int, ...]
    mean_seat: float
    strikes: Mapping[str, int]
    resigned: int
    decisions: int
    p50_ms: float | None
    p99_ms: float | None
    trend: float | None
    status: Status


class _Record:
    """What one line has done so far."""

    def __init__(self) -> None:
        self.games = 0
        self.placements: Counter[int] = Counter()
        self.seats = 0
        self.strikes: Counter[str] = Counter()
        self.resigned = 0
        self.decisions = 0
        self.latencies: Counter[int] = Counter()
        self.resigned_by_match: dict[str, bool] = {}

    def count(self, match: str, seat: int, result: SeatResult, times: int) -> None:
        """Add one match, or with `times` -1 take it out again."""
        self.games += times
        if times > 0:
            self.resigned_by_match[match] = result.resigned
        else:
            del self.resigned_by_match[match]
        self.placements[result.placement] += times
        self.seats += times * (seat + 1)
        self.resigned += times * result.resigned
        self.decisions += times * result.decisions
        for reason, count in result.strikes.items():
            self.strikes[reason] += times * count
        for bucket, count in result.latencies.counts.items():
            self.latencies[bucket] += times * count


class Standings:
    """The state of a season after some results: ratings and counts. Fed in ledger order."""

    def __init__(self, skill: Skill) -> None:
        self._skill = skill
        self.lines = Lines(skill)
        self.matches = 0
        self._records: dict[Line, _Record] = {}
        self._seat_games: dict[str, Counter[int]] = {}
        self._sizes: Counter[int] = Counter()

    def add(self, result: MatchResult, rated: Iterable[Rated] | None = None) -> None:
        """Take in the next result; `rated` is what it did to the ratings, where that is known."""
        self.lines.apply(result, self.lines.rate(result) if rated is None else rated)
        self._count(result, 1)

    def remove(self, result: MatchResult, lines: Lines | None = None) -> None:
        """Take out a result that was added; `lines` is `self.lines.without(result.match)`."""
        self.lines = self.lines.without(result.match) if lines is None else lines
        self._count(result, -1)

    def _count(self, result: MatchResult, times: int) -> None:
        self.matches += times
        self._sizes[len(result.seats)] += times
        for seat, seat_result in enumerate(result.seats):
            line = Line(seat_result.bot, seat_result.version)
            self._records.setdefault(line, _Record()).count(result.match, seat, seat_result, times)
            self._seat_games.setdefault(seat_result.bot, Counter())[seat] += times

    def seat_games(self, bot: str) -> tuple[int, ...]:
        """How many rated matches `bot` has played in each seat, all its versions together."""
        games = self._seat_games.get(bot)
        return tuple(games[seat] for seat in range(max(games) + 1)) if games else ()

    def rating(self, bot: str, version: str | None = None) -> Rating:
        """See `Lines.rating`."""
        return self.lines.rating(bot, version)

    def rows(self) -> tuple[Standing, ...]:
        """The table, best rating first; equal ratings by name."""
        rated = sorted((-rating.value, bot, rating) for bot, rating in self.lines.ratings().items())
        rows: list[Standing] = []
        for place, (_, bot, rating) in enumerate(rated, start=1):
            line = self.lines.current(bot)
            assert line is not None
            tied = rows and rows[-1].rating == rating.value
            rows.append(self._row(rows[-1].rank if tied else place, line, rating))
        return tuple(rows)

    def _row(self, rank: int, line: Line, rating: Rating) -> Standing:
        record = self._records[line]
        latencies = Latencies({bucket: n for bucket, n in record.latencies.items() if n})
        largest = max(size for size, matches in self._sizes.items() if matches)
        return Standing(
            rank=rank,
            bot=line.bot,
            version=line.version,
            earlier=tuple(
                version for version in self.lines.versions(line.bot) if version != line.version
            ),
            rating=rating.value,
            mu=rating.mu,
            sigma=rating.sigma,
            games=record.games,
            placements=tuple(record.placements[place] for place in range(1, largest + 1)),
            mean_seat=record.seats / record.games,
            strikes={reason: n for reason, n in sorted(record.strikes.items()) if n},
            resigned=record.resigned,
            decisions=record.decisions,
            p50_ms=latencies.percentile(0.5),
            p99_ms=latencies.percentile(0.99),
            trend=_trend(self.lines.course(line)),
            status=self._status(rating, record),
        )

    def _status(self, rating: Rating, record: _Record) -> Status:
        latest = islice(reversed(record.resigned_by_match.values()), RECENT_MATCHES)
        if on_probation(list(latest)):
            return "probation"
        return "provisional" if self._skill.provisional(rating) else ""


def _trend(course: Sequence[Rating]) -> float | None:
    if len(course) <= TREND_MATCHES:
        return None
    return course[-1].value - course[-1 - TREND_MATCHES].value


def standings(results: Iterable[MatchResult], skill: Skill) -> tuple[Standing, ...]:
    """The table after `results`, which are in ledger order and count all of them."""
    state = Standings(skill)
    for result in results:
        state.add(result)
    return state.rows()
