"""What is played next, and when the season is over: a config's format, asked for its plan.

Everything here runs on the ledger's thread: with thousands of bots a choice takes a while.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from msgspec import Struct

from ratings.field import Entrant, Seating, Situation
from ratings.formats import Gauntlet, Knockout, Ladder, RoundRobin, Scheduler, Swiss
from ratings.ledger import Ledger
from ratings.lines import Line
from ratings.skill import Skill
from ratings.stopping import (
    Criterion,
    Evidence,
    Rules,
    contested,
    criteria,
    decided,
    due,
    evidence,
)
from runner.config import Config

MS_PER_HOUR = 3_600_000


class Plan(Struct, frozen=True):
    """What to do next. over: nothing more, and nothing is in play. wanted: how many matches the
    season has in all, where that is known. criteria: how far each stopping rule is."""

    seating: Seating | None
    over: bool
    wanted: int | None
    criteria: tuple[Criterion, ...]


class Schedule:
    """The format of a season and its stopping rules."""

    def __init__(
        self, config: Config, skill: Skill, seed: bytes, now_ms: Callable[[], int]
    ) -> None:
        """seed: decides what would be arbitrary. now_ms: the wall clock, Unix milliseconds."""
        stop = config.stop
        self._rules = Rules(
            stop.matches, stop.hours, stop.rank_confidence, stop.top, stop.indifference
        )
        self._skill = skill
        self._scheduler = scheduler_of(config, skill, seed)
        self._entrants = {bot.name: Entrant(bot.name, bot.owner, bot.anchor) for bot in config.bots}
        self._now_ms = now_ms
        self._first_ms: int | None = None
        self._evidence: Evidence | None = None

    def plan(
        self,
        ledger: Ledger,
        in_play: Sequence[Seating] = (),
        free: Mapping[str, int] | None = None,
        versions: Mapping[str, str] | None = None,
        out: Collection[str] = (),
    ) -> Plan:
        """The next match, as things stand. See `ratings.field.Situation` for what is asked."""
        judged = self._criteria(ledger, out)
        situation = Situation(
            self._entrants,
            ledger.history,
            ledger,
            in_play,
            free,
            versions,
            out,
            contested(self._rules, self._evidence),
        )
        wanted = self._scheduler.planned(situation)
        most = self._rules.matches
        if most is not None:
            wanted = most if wanted is None else min(wanted, most)
            if ledger.matches_played + len(situation.in_play) >= most:
                return Plan(None, not in_play, wanted, judged)
        enough = decided(judged)
        seating = self._scheduler.next_table(situation, new_sets=not enough)
        ended = self._scheduler.over(situation) or (enough and not situation.undealt)
        return Plan(seating, ended and not in_play, wanted, judged)

    def _criteria(self, ledger: Ledger, out: Collection[str]) -> tuple[Criterion, ...]:
        rules, matches = self._rules, ledger.matches_played
        if rules.rank_confidence is not None and due(matches, self._evidence):
            lines = [
                Line(row.bot, row.version)
                for row in ledger.standings()
                if row.bot in self._entrants and row.bot not in out
            ]
            # Here, not above: scipy takes a second and 60 MiB, which most seasons never need.
            from ratings.fit import fit

            found = fit(ledger.results(), self._skill.settings, replicates=0)
            self._evidence = evidence(found, lines, rules)
        return criteria(rules, matches, self._hours(ledger), self._evidence)

    def _hours(self, ledger: Ledger) -> float:
        """Since the first match began that is in the ledger."""
        if self._first_ms is None:
            first = next(ledger.results(), None)
            if first is None:
                return 0.0
            self._first_ms = first.started_ms
        return (self._now_ms() - self._first_ms) / MS_PER_HOUR


def scheduler_of(config: Config, skill: Skill, seed: bytes) -> Scheduler:
    """The scheduler that a config's format names."""
    sizes, form = config.season.sizes, config.format
    if form.kind == "ladder":
        return Ladder(sizes, seed, skill)
    if form.kind == "knockout":
        return Knockout(sizes, seed)
    if form.kind == "swiss":
        assert form.rounds is not None
        return Swiss(sizes, seed, form.rounds)
    if form.kind == "gauntlet":
        assert form.challenger is not None
        return Gauntlet(sizes, seed, form.challenger, form.rounds or 1)
    return RoundRobin(sizes, seed, form.rounds or 1)
