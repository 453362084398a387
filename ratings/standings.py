"""The rating table's numbers: a fold over results in ledger order.

A bot's row is about its current line (see `ratings.lines`): rating, games, placements, strikes
and times are those of the version it plays with now. Older versions are listed by name. Seats
are numbered from 0 in data and from 1 in means and tables, as people count them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from ratings.latency import Latencies
from ratings.lines import Line, Lines
from ratings.results import MatchResult, Rated, Rating, SeatResult
from ratings.skill import Skill


class Standing(Struct, frozen=True, rename="camel"):
    """One row of the table.

    rank: 1 is first; bots with the same rating share the better number.
    version: of the current line; earlier: the versions before it, oldest first.
    rating: mu - 3 sigma. games: rated matches of this line.
    placements: how often it came first, second, …; as many numbers as the largest match has seats.
    mean_seat: 1 is the first seat. strikes: by reason, sorted by reason. resigned: matches.
    p50_ms, p99_ms: answer times that half and 99 % of the answers kept; None without answers.
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


class _Record:
    """What one line has done so far."""

    def __init__(self) -> None:
        self.games = 0
        self.placements: dict[int, int] = {}
        self.seats = 0
        self.strikes: dict[str, int] = {}
        self.resigned = 0
        self.decisions = 0
        self.latencies: dict[int, int] = {}

    def add(self, seat: int, result: SeatResult) -> None:
        self.games += 1
        self.placements[result.placement] = self.placements.get(result.placement, 0) + 1
        self.seats += seat + 1
        for reason, count in result.strikes.items():
            self.strikes[reason] = self.strikes.get(reason, 0) + count
        self.resigned += result.resigned
        self.decisions += result.decisions
        for bucket, count in result.latencies.counts.items():
            self.latencies[bucket] = self.latencies.get(bucket, 0) + count


class Standings:
    """The state of a season after some results: ratings and counts. Fed in ledger order."""

    def __init__(self, skill: Skill) -> None:
        self.lines = Lines(skill)
        self.matches = 0
        self._records: dict[Line, _Record] = {}
        self._seat_games: dict[str, list[int]] = {}
        self._largest = 0

    def add(self, result: MatchResult, rated: Iterable[Rated] | None = None) -> None:
        """Take in the next result; `rated` is what it did to the ratings, where that is known."""
        self.lines.apply(result, self.lines.rate(result) if rated is None else rated)
        self.matches += 1
        self._largest = max(self._largest, len(result.seats))
        for seat, seat_result in enumerate(result.seats):
            line = Line(seat_result.bot, seat_result.version)
            self._records.setdefault(line, _Record()).add(seat, seat_result)
            games = self._seat_games.setdefault(seat_result.bot, [])
            games.extend([0] * (seat + 1 - len(games)))
            games[seat] += 1

    def seat_games(self, bot: str) -> tuple[int, ...]:
        """How many rated matches `bot` has played in each seat, all its versions together."""
        return tuple(self._seat_games.get(bot, ()))

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
        latencies = Latencies(record.latencies)
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
            placements=tuple(
                record.placements.get(placement, 0) for placement in range(1, self._largest + 1)
            ),
            mean_seat=record.seats / record.games,
            strikes=dict(sorted(record.strikes.items())),
            resigned=record.resigned,
            decisions=record.decisions,
            p50_ms=latencies.percentile(0.5),
            p99_ms=latencies.percentile(0.99),
        )


def standings(results: Iterable[MatchResult], skill: Skill) -> tuple[Standing, ...]:
    """The table after `results`, which are in ledger order and count all of them."""
    state = Standings(skill)
    for result in results:
        state.add(result)
    return state.rows()
