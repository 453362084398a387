"""Rating lines: one belief per build of a bot, folded from results in ledger order.

A bot that plays in another `version` starts a line of its own: the mean of its current line is
inherited, the uncertainty is that of a new bot. A build that comes back goes on with the line it
had, because the same build has the same strength, and because matches of two builds can overlap:
one that began before a change of version may end after it. The current line of a bot is that of
its match that started last.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple, Self

from ratings.results import MatchResult, Rated, Rating
from ratings.skill import Skill


class Line(NamedTuple):
    """A bot in one of its versions."""

    bot: str
    version: str


class _Latest(NamedTuple):
    started_ms: int
    version: str


class _Before(NamedTuple):
    """What `apply` changed for one line: its rating and its bot's latest match until then."""

    rating: Rating | None
    latest: _Latest | None


class _Step(NamedTuple):
    """A match as far as ratings need it, and what it replaced, so that it can be taken back."""

    match: str
    started_ms: int
    placements: tuple[tuple[Line, int], ...]
    before: tuple[_Before, ...]


class Lines:
    """The ratings after some results. Results come in ledger order, each once."""

    def __init__(self, skill: Skill) -> None:
        self._skill = skill
        self._ratings: dict[Line, Rating] = {}
        self._latest: dict[str, _Latest] = {}
        self._now: dict[str, Rating] = {}
        self._versions: dict[str, list[str]] = {}
        self._courses: dict[Line, list[Rating]] = {}
        self._steps: list[_Step] = []

    def versions(self, bot: str) -> tuple[str, ...]:
        """The versions that `bot` has played with, in the order of their first results."""
        return tuple(self._versions.get(bot, ()))

    def course(self, line: Line) -> tuple[Rating, ...]:
        """The rating of `line` after each of its matches, oldest first."""
        return tuple(self._courses.get(line, ()))

    def current(self, bot: str) -> Line | None:
        """The current line of `bot`; None before its first result."""
        latest = self._latest.get(bot)
        return None if latest is None else Line(bot, latest.version)

    def rating(self, bot: str, version: str | None = None) -> Rating:
        """The rating `bot` would enter a match with, now, in `version` (None: its current one).

        A version that has not played has the mean of the current line and a new bot's sigma.
        """
        now = self._now.get(bot)
        if now is None:
            return self._skill.new()
        if version is None or version == self._latest[bot].version:
            return now
        return self._ratings.get(Line(bot, version)) or self._skill.new(now.mu)

    def ratings(self) -> dict[str, Rating]:
        """The current rating of every bot that has played, by name, sorted by name."""
        return dict(sorted(self._now.items()))

    def all(self) -> Mapping[Line, Rating]:
        """Every line's rating, in the order of their first results."""
        return dict(self._ratings)

    def rate(self, result: MatchResult) -> tuple[Rated, ...]:
        """What `result` does to the ratings, in seat order; nothing is changed yet."""
        return self._rate(_placements(result))

    def apply(self, result: MatchResult, rated: Iterable[Rated]) -> None:
        """Take over what `rate` said, or what a ledger has stored of it."""
        self._apply(result.match, result.started_ms, _placements(result), rated)

    def without(self, match: str) -> Lines:
        """The ratings as if `match` had never been played; KeyError if it has not."""
        lines = self._copy()
        redo: list[_Step] = []
        while True:
            if not lines._steps:
                raise KeyError(match)
            step = lines._take_back()
            if step.match == match:
                break
            redo.append(step)
        for step in reversed(redo):
            rated = lines._rate(step.placements)
            lines._apply(step.match, step.started_ms, step.placements, rated)
        return lines

    def changes(self, after: Lines) -> tuple[Rated, ...]:
        """How lines differ in `after`, sorted by bot and version; lines that it lost left out."""
        return tuple(
            Rated(line.bot, self._ratings[line], rating, line.version)
            for line, rating in sorted(after._ratings.items())
            if self._ratings[line] != rating
        )

    @classmethod
    def fold(cls, results: Iterable[MatchResult], skill: Skill) -> Self:
        """The ratings after all of `results`, from nothing."""
        lines = cls(skill)
        for result in results:
            lines.apply(result, lines.rate(result))
        return lines

    def _rate(self, placements: tuple[tuple[Line, int], ...]) -> tuple[Rated, ...]:
        before = {line.bot: self.rating(*line) for line, _ in placements}
        after = self._skill.rate(before, {line.bot: place for line, place in placements})
        return tuple(
            Rated(line.bot, before[line.bot], after[line.bot], line.version)
            for line, _ in placements
        )

    def _apply(
        self,
        match: str,
        started_ms: int,
        placements: tuple[tuple[Line, int], ...],
        rated: Iterable[Rated],
    ) -> None:
        replaced = []
        for (line, _), change in zip(placements, rated, strict=True):
            before = _Before(self._ratings.get(line), self._latest.get(line.bot))
            replaced.append(before)
            if before.rating is None:
                self._versions.setdefault(line.bot, []).append(line.version)
            self._ratings[line] = change.after
            self._courses.setdefault(line, []).append(change.after)
            if before.latest is None or started_ms >= before.latest.started_ms:
                self._latest[line.bot] = _Latest(started_ms, line.version)
            self._now[line.bot] = self._ratings[Line(line.bot, self._latest[line.bot].version)]
        self._steps.append(_Step(match, started_ms, placements, tuple(replaced)))

    def _take_back(self) -> _Step:
        step = self._steps.pop()
        for (line, _), before in zip(step.placements, step.before, strict=True):
            self._courses[line].pop()
            if before.rating is None:
                del self._ratings[line]
                self._versions[line.bot].pop()
            else:
                self._ratings[line] = before.rating
            if before.latest is None:
                del self._latest[line.bot], self._now[line.bot]
            else:
                self._latest[line.bot] = before.latest
                self._now[line.bot] = self._ratings[Line(line.bot, before.latest.version)]
        return step

    def _copy(self) -> Lines:
        lines = Lines(self._skill)
        lines._ratings = dict(self._ratings)
        lines._latest = dict(self._latest)
        lines._now = dict(self._now)
        lines._versions = {bot: list(versions) for bot, versions in self._versions.items()}
        lines._courses = {line: list(course) for line, course in self._courses.items()}
        lines._steps = list(self._steps)
        return lines


def _placements(result: MatchResult) -> tuple[tuple[Line, int], ...]:
    return tuple((Line(seat.bot, seat.version), seat.placement) for seat in result.seats)
