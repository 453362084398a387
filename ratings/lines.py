"""Rating lines: one belief per build of a bot, folded from results in ledger order.

A bot that plays in another `version` starts a line of its own: the mean of its current line is
inherited, the uncertainty is that of a new bot. A build that comes back goes on with the line it
had, because the same build has the same strength, and because matches of two builds can overlap:
one that began before a change of version may end after it. The current line of a bot is that of
its match that started last.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ratings.results import MatchResult, Rated, Rating
from ratings.skill import Skill


class Line(NamedTuple):
    """A bot in one of its versions."""

    bot: str
    version: str


class _Current(NamedTuple):
    started_ms: int
    version: str


class Lines:
    """The ratings after some results. Results come in ledger order, each once."""

    def __init__(self, skill: Skill) -> None:
        self._skill = skill
        self._ratings: dict[Line, Rating] = {}
        self._current: dict[str, _Current] = {}
        self._versions: dict[str, list[str]] = {}

    def versions(self, bot: str) -> tuple[str, ...]:
        """The versions that `bot` has played with, in the order of their first results."""
        return tuple(self._versions.get(bot, ()))

    def current(self, bot: str) -> Line | None:
        """The current line of `bot`; None before its first result."""
        current = self._current.get(bot)
        return None if current is None else Line(bot, current.version)

    def rating(self, bot: str, version: str | None = None) -> Rating:
        """The rating `bot` would enter a match with, now, in `version` (None: its current one).

        A version that has not played has the mean of the current line and a new bot's sigma.
        """
        current = self._current.get(bot)
        if current is None:
            return self._skill.new()
        known = self._ratings.get(Line(bot, current.version if version is None else version))
        if known is not None:
            return known
        return self._skill.new(self._ratings[Line(bot, current.version)].mu)

    def ratings(self) -> dict[str, Rating]:
        """The current rating of every bot that has played, by name, sorted by name."""
        return {bot: self.rating(bot) for bot in sorted(self._current)}

    def all(self) -> Mapping[Line, Rating]:
        """Every line's rating, in the order of their first results."""
        return dict(self._ratings)

    def rate(self, result: MatchResult) -> tuple[Rated, ...]:
        """What `result` does to the ratings, in seat order; nothing is changed yet."""
        before = {seat.bot: self.rating(seat.bot, seat.version) for seat in result.seats}
        after = self._skill.rate(before, {seat.bot: seat.placement for seat in result.seats})
        return tuple(
            Rated(seat.bot, before[seat.bot], after[seat.bot], seat.version)
            for seat in result.seats
        )

    def apply(self, result: MatchResult, rated: Iterable[Rated]) -> None:
        """Take over what `rate` said, or what a ledger has stored of it."""
        for change in rated:
            line = Line(change.bot, change.version)
            if line not in self._ratings:
                self._versions.setdefault(line.bot, []).append(line.version)
            self._ratings[line] = change.after
            latest = self._current.get(line.bot)
            if latest is None or result.started_ms >= latest.started_ms:
                self._current[line.bot] = _Current(result.started_ms, line.version)

    @classmethod
    def fold(cls, results: Iterable[MatchResult], skill: Skill) -> Lines:
        """The ratings after all of `results`, from nothing."""
        lines = cls(skill)
        for result in results:
            lines.apply(result, lines.rate(result))
        return lines
