"""What is played next, and when the season is over: a config's format, asked for its plan.

Everything here runs on the ledger's thread: with thousands of bots a choice takes a while.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from ratings.field import Entrant, Seating, Situation
from ratings.formats import Gauntlet, Knockout, Ladder, RoundRobin, Scheduler, Swiss
from ratings.ledger import Ledger
from ratings.skill import Skill
from runner.config import Config


class Plan(Struct, frozen=True):
    """What to do next. over: nothing more, and nothing is in play. wanted: how many matches the
    season has in all, where that is known."""

    seating: Seating | None
    over: bool
    wanted: int | None


class Schedule:
    """The format of a season and its stopping rules."""

    def __init__(self, config: Config, skill: Skill, seed: bytes) -> None:
        """seed: decides what would be arbitrary."""
        self._config = config
        self._scheduler = scheduler_of(config, skill, seed)
        self._entrants = {bot.name: Entrant(bot.name, bot.owner, bot.anchor) for bot in config.bots}

    def plan(
        self,
        ledger: Ledger,
        in_play: Sequence[Seating] = (),
        free: Mapping[str, int] | None = None,
        versions: Mapping[str, str] | None = None,
        out: Collection[str] = (),
    ) -> Plan:
        """The next match, as things stand. See `ratings.field.Situation` for what is asked."""
        situation = Situation(self._entrants, ledger.history, ledger, in_play, free, versions, out)
        stop = self._config.stop
        wanted = self._scheduler.planned(situation)
        if stop.matches is not None:
            wanted = stop.matches if wanted is None else min(wanted, stop.matches)
        if stop.matches is not None and ledger.matches_played + len(in_play) >= stop.matches:
            # A match may be in the ledger and still be said to be in play: only when nothing is
            # has the season come to its end for sure.
            return Plan(None, not in_play, wanted)
        over = not in_play and self._scheduler.over(situation)
        return Plan(self._scheduler.next_table(situation), over, wanted)


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
