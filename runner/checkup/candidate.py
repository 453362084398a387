"""Whom to examine."""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec import Struct

from engine.game import Game
from runner.checkup.table import Table, remote
from runner.config import BotEntry
from runner.tryout.plan import Plan

REJOIN_SECONDS = 10.0
PATIENCE_S = 20.0


class Candidate(Struct, frozen=True):
    """A bot, the game, the time for each decision, and where files go."""

    bot: BotEntry
    game: type[Game]
    deadline_ms: int
    data: Path
    folder: Path

    @property
    def seats(self) -> int:
        """How many sit at a table."""
        return max(self.game.seat_counts)

    @property
    def others(self) -> tuple[str, ...]:
        """The names of the bots beside this one."""
        return tuple(f"other-{n}" for n in range(1, self.seats))

    def with_less_time(self, deadline_ms: int) -> Candidate:
        """The same with at most `deadline_ms` for each decision."""
        return msgspec.structs.replace(self, deadline_ms=min(self.deadline_ms, deadline_ms))

    def table(
        self,
        name: str,
        *,
        seconds: float,
        matches: int = 1,
        deadline_ms: int | None = None,
        several: bool = False,
    ) -> Table:
        """A season with this bot among random ones, ended after so many seconds at the latest."""
        plan = Plan(
            self.game,
            (remote(self.bot), *(BotEntry(name=name, builtin="random") for name in self.others)),
            self.seats,
            matches,
            self.deadline_ms if deadline_ms is None else deadline_ms,
            concurrent_matches=4 if several else 1,
            rejoin_seconds=REJOIN_SECONDS,
        )
        return Table(plan, self.bot, self.data / name, self.folder, PATIENCE_S, seconds)


def entry(bot: BotEntry) -> BotEntry:
    """A bot to be examined, under a name that no other at the table has."""
    return msgspec.structs.replace(bot, name="examined")
