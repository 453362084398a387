"""A season that is over already, but whose last run ended before it could say goodbye.

Bots that were connected then know nothing of the end: they dial until their patience is gone. So
the door is opened once more, for a moment. That everybody was told shows in `season.json`: the
secret is published after the goodbye, and such a season opens no door any more.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping

from msgspec import Struct

from runner.config import BotEntry
from runner.player import Player

# The kit's bots dial at least every 15 s.
FAREWELL_SECONDS = 16.0


class Callers(Struct, frozen=True):
    """Who may be dialling still: remote bots that have tokens, by name; and whether programs.

    programs: those that the run before this one started. Their tokens died with it, so that
    nobody knows who they are: they are turned away, which ends them as well.
    """

    remote: tuple[str, ...]
    programs: bool

    @classmethod
    def of(cls, bots: Iterable[BotEntry], issued: Mapping[str, int]) -> Callers:
        """Those of a season's bots. issued: how many tokens each name has."""
        bots = tuple(bots)
        remote = tuple(bot.name for bot in bots if bot.remote and issued.get(bot.name))
        # Reference bots give up soon by themselves.
        return cls(remote, any(bot.command is not None for bot in bots))

    def __bool__(self) -> bool:
        return self.programs or bool(self.remote)

    async def come(self, players: Mapping[str, Player], stop: asyncio.Event) -> None:
        """Wait until all of them have come, but no longer than is sensible, or than `stop`."""
        ends = (asyncio.ensure_future(self._all(players)), asyncio.ensure_future(stop.wait()))
        try:
            await asyncio.wait(ends, timeout=FAREWELL_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for end in ends:
                end.cancel()

    async def _all(self, players: Mapping[str, Player]) -> None:
        for name in self.remote:
            await players[name].arrived.wait()
        if self.programs:
            await asyncio.Event().wait()  # nobody sees the last of them come
