"""`Bot`: what an author subclasses. One object plays one seat of one match."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import Any, ClassVar, TypeAlias

from engine.game import Action, Game
from runner import protocol as wire
from runner.bot.request import Request

Decided: TypeAlias = Action | Awaitable[Action | None] | None


class Bot:
    """A seat in one match: subclass it and write a method for each decision kind, or `decide`.

    A method is called like the kind (`turn`, `discard`, …), gets the typed view and returns a
    typed action; it is a plain `def` or an `async def`. A kind without a method plays the
    game's default. `decide`, where overridden, gets every request of every game instead.

    Methods of one object never run at the same time. Plain ones run in a thread of the match,
    so that heavy ones hold up neither the connection nor other matches.

    Set before the first call, and not to be changed: `match`, `game`, `seat`, `players` (names
    by seat), `options`, `deadline_ms`; `request` is the request being answered.
    """

    version: ClassVar[str] = ""
    """The build; a bot that comes back with another one starts a new rating line."""

    max_matches: ClassVar[int] = 4
    """How many matches to play at once."""

    events: ClassVar[bool] = False
    """Whether to be sent the public events of each match (`on_event`)."""

    inline: ClassVar[bool] = False
    """Run plain methods on the event loop: for code that takes well under a millisecond.

    Saves the change of thread, but nothing can cut such a method short when it runs late.
    """

    check_actions: ClassVar[bool] = True
    """Play the default in place of an action that the rules forbid, which saves a strike."""

    margin_ms: ClassVar[float] = 50.0
    """How long before the deadline the default goes out (at most a quarter of the time)."""

    def __init__(self, game: type[Game], start: wire.MatchStart) -> None:
        self.game = game
        self.match = start.match
        self.seat = start.seat
        self.players = start.players
        self.options = start.options
        self.deadline_ms = start.deadline_ms
        self.request: Request

    @property
    def name(self) -> str:
        """What the bot is called in this season."""
        return self.players[self.seat]

    def decide(self, request: Request) -> Decided:
        """Answer `request`; None plays the default. Calls the method named like the kind."""
        method = getattr(self, request.kind, None)
        return None if method is None else method(request.view)

    def legal(self) -> Sequence[Action]:
        """The legal actions of the request being answered."""
        return self.request.legal()

    @property
    def memory(self) -> Any:
        """What the view does not say: the game's memory of this seat, as `Game.memory` makes it."""
        return self.request.memory

    def on_start(self) -> Any:
        """Called once, before the first request of the match."""

    def on_event(self, event: Any) -> Any:
        """Called with each public event, where the class says `events = True`."""

    def on_strike(self, strike: wire.Strike) -> Any:
        """Called when a request ended badly; the kit has logged it already."""

    def on_end(self, end: wire.MatchEnd) -> Any:
        """Called last: the placements and scores by seat, and the rating if there is one."""
