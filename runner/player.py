"""A bot as the matches see it: ask it something, tell it something, wherever it is connected."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

import msgspec

from runner import protocol as wire
from runner.clock import CLOCK, Clock
from runner.deadlines import Deadlines
from runner.session import Judge, Session, Verdict


class Line(Protocol):
    """A connection, as far as a player needs it. rtt_s: of its quickest ping, 0 at first."""

    rtt_s: float

    def send(self, frame: bytes) -> None:
        """Send one text frame, or drop it if the connection is closing."""

    def close(self, code: int, reason: str) -> None:
        """Close the connection."""


class Player:
    """One bot of a season, connected or not. Its session outlives its connections."""

    def __init__(
        self,
        name: str,
        session: Session,
        loop: asyncio.AbstractEventLoop,
        deadlines: Deadlines,
        on_change: Callable[[], None],
        clock: Clock = CLOCK,
    ) -> None:
        """on_change: called whenever the bot comes or goes. `arrived` is set while it is here."""
        self.name = name
        self.version = ""
        self.max_matches = 1
        self.events = False
        self.session = session
        self.arrived = asyncio.Event()
        self._known = False
        self._line: Line | None = None
        self._starts: dict[str, bytes] = {}
        self._loop = loop
        self._deadlines = deadlines
        self._on_change = on_change
        self._clock = clock

    @property
    def connected(self) -> bool:
        """Whether there is a connection to the bot now."""
        return self._line is not None

    @property
    def wire_ms(self) -> float:
        """How long a message and its answer take on the wire, by the quickest ping."""
        return 0.0 if self._line is None else self._line.rtt_s * 1000

    def attach(self, line: Line, hello: wire.Hello, season: str, commitment: str) -> None:
        """Take a greeted connection: an older one is closed, open requests are sent again."""
        old = self._line
        if old is not None:
            old.close(wire.CLOSE_REPLACED, "replaced by a newer connection")
        resumed = self._known or bool(self._starts)
        self._line = line
        self._known = True
        self.arrived.set()
        self.version = hello.version
        self.max_matches = hello.max_matches
        self.events = hello.events
        self.session.connected()
        requests = list(self.session.open_requests())
        line.send(
            wire.encode(
                wire.Welcome(wire.VERSION, self.name, season, commitment, resumed, len(requests))
            )
        )
        for start in self._starts.values():
            line.send(start)
        for request in requests:
            line.send(request.encode(self._clock()))
        self._on_change()

    def detach(self, line: Line) -> None:
        """A connection is gone; nothing changes if another has replaced it."""
        if self._line is line:
            self._line = None
            self.arrived.clear()
            self._on_change()

    def enter(self, start: wire.MatchStart) -> None:
        """The bot takes a seat in a match: told now, and again whenever it comes back."""
        frame = wire.encode(start)
        self._starts[start.match] = frame
        if self._line is not None:
            self._line.send(frame)

    def leave(self, match: str) -> None:
        """The match is over for the bot; its requests that are still open expire."""
        self._starts.pop(match, None)
        for request in list(self.session.open_requests()):
            if request.match == match:
                self.session.expire(request)

    def tell(self, message: msgspec.Struct) -> None:
        """Send a message if the bot is connected; it is not kept for later."""
        if self._line is not None:
            self._line.send(wire.encode(message))

    async def ask(self, frame: wire.Request, judge: Judge, margin_s: float) -> Verdict:
        """Ask one decision and wait for its verdict; faults are values, never exceptions.

        What the judge raises but ActionError is a fault of ours and is raised from here.
        frame: complete but for its id; its `deadline_ms` is the time allowed. margin_s: time
        that is added for the network without being promised.
        """
        verdict: asyncio.Future[Verdict] = self._loop.create_future()

        def settle(value: Verdict) -> None:
            if not verdict.done():
                verdict.set_result(value)

        def fail(error: Exception) -> None:
            if not verdict.done():
                verdict.set_exception(error)

        request = self.session.ask(frame, self._clock(), judge, settle, fail)
        if self._line is not None:
            self._line.send(wire.encode(frame))
        self._deadlines.add(request, self.session, margin_s)
        try:
            return await verdict
        finally:
            self.session.expire(request)
