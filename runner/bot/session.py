"""A bot's side of the conversation as a pure state machine: frames in, effects out.

It knows the matches the bot sits in and what is asked of it, makes the typed requests, turns
actions into frames, falls back to the default, and remembers for each seat what the views do
not say. It outlives connections. Times are `time.monotonic` seconds handed in by the caller.
"""

from __future__ import annotations

import logging
from types import TracebackType
from typing import Any

import msgspec

from engine import catalog
from engine.game import Game
from runner import protocol as wire
from runner.bot.bot import Bot
from runner.bot.effects import Abandon, Call, Decide, Effect, Leave, Send
from runner.bot.names import misspelt
from runner.bot.request import Request
from runner.bot.table import Table

LOG = logging.getLogger("runner.bot")

# What the server says about an answer that lost a race; nothing that an author could mend.
_RACES = frozenset({"duplicate_answer", "unknown_request"})
_KIT = "runner.bot."

DEFAULT_INSTEAD = "playing the default instead"
"""What every line of the log says that tells of an answer which is not the author's."""

OVERDUE = "no answer within"
"""What such a line says where the author's code was late, not wrong."""


class Session:
    """One bot in one season."""

    def __init__(self, bot: type[Bot], max_matches: int | None = None) -> None:
        self._bot = bot
        self._max_matches = bot.max_matches if max_matches is None else max_matches
        self._tables: dict[str, Table] = {}
        self._season: str | None = None
        self.welcomed = False
        self._goodbye: wire.Goodbye | None = None
        self.error: str | None = None
        """The last error that the server told on this connection."""

    @property
    def over(self) -> bool:
        """Whether the server said goodbye for good."""
        return self._goodbye is not None and self._goodbye.retry_ms is None

    @property
    def retry_ms(self) -> int:
        """How many milliseconds the server asked the bot to stay away."""
        return 0 if self._goodbye is None else self._goodbye.retry_ms or 0

    def connecting(self) -> bytes:
        """A new connection begins: the hello to send first. The token goes in the header."""
        self.welcomed = False
        self._goodbye = None
        self.error = None
        return wire.encode(
            wire.Hello(
                client=f"pioneers-kit {self._bot.__name__}",
                version=self._bot.version,
                max_matches=self._max_matches,
                events=self._bot.events,
            )
        )

    def receive(self, frame: bytes, now: float) -> list[Effect]:
        """Take in one frame from the server that arrived at `now`; returns what is to be done."""
        try:
            return self._take(wire.decode_server_message(frame), now)
        except msgspec.DecodeError as error:
            # A newer server may have messages and events that this kit does not know.
            LOG.warning("cannot read a message of the server (%s): %.200r", error, frame)
            return []

    def _take(self, message: wire.ServerMessage, now: float) -> list[Effect]:
        match message:
            case wire.Request():
                return self._request(message, now)
            case wire.MatchStart():
                return self._match_start(message)
            case wire.MatchEnd():
                return self._match_end(message)
            case wire.MatchEvent():
                return self._event(message)
            case wire.Strike():
                return self._strike(message)
            case wire.Welcome():
                return self._welcome(message)
            case wire.Error():
                self._note_error(message)
            case wire.Goodbye():
                LOG.info("the server says goodbye: %s", message.reason)
                self._goodbye = message
        return []

    # Answers

    def answer(self, table: Table, request: Request, action: object) -> bytes | None:
        """The frame that answers `request` with `action`, None where nobody waits any more.

        A missing action, one that is no action of the asked kind, or one that the rules forbid
        is replaced by the default, as `Bot.check_actions` says.
        """
        if request.settled:
            LOG.warning("%r: the answer came %.0f ms late", request, -request.left * 1000)
            return None
        if action is None:
            return self._play_default(table, request)
        try:
            if not isinstance(action, msgspec.Struct):
                raise TypeError(f"{action!r} is not an action of kind {request.kind!r}")
            if table.bot.check_actions:
                request.check(action)
            return table.settle(request, action)
        except Exception as error:
            return self.failed(table, request, error)

    def failed(self, table: Table, request: Request, error: BaseException) -> bytes | None:
        """The author's code, or its action, failed with `error`: the frame with the default."""
        shown = error.with_traceback(_author_frames(error.__traceback__))
        LOG.error("%r: %s: %s", request, _told(error), DEFAULT_INSTEAD, exc_info=shown)
        return None if request.settled else self._play_default(table, request)

    def late(self, table: Table, request: Request) -> bytes | None:
        """The time for `request` is up: the frame with the default."""
        if request.settled:
            return None
        LOG.error(
            "%r: %s %d ms, less the margin: %s",
            request,
            OVERDUE,
            request.deadline_ms,
            DEFAULT_INSTEAD,
        )
        return self._play_default(table, request)

    def _play_default(self, table: Table, request: Request) -> bytes:
        try:
            return table.settle(request, request.default())
        except Exception as error:
            # Not the author's fault: the kit cannot read the view as this game. Say so at once
            # rather than let the deadline pass.
            LOG.exception("%r: cannot work out the default", request)
            table.abandon()
            return _give_up(request.id, f"the kit failed: {_told(error)}")

    # Messages

    def _welcome(self, welcome: wire.Welcome) -> list[Effect]:
        LOG.info("playing as %s in season %s", welcome.bot, welcome.season)
        self.welcomed = True
        gone = [
            match
            for match, table in self._tables.items()
            # The server names every match the bot is in again. One that was not named through
            # a whole connection has ended in the meantime.
            if welcome.season != self._season or not table.named
        ]
        self._season = welcome.season
        effects: list[Effect] = []
        for match in gone:
            table = self._tables.pop(match)
            effects += [*_abandon(table), Leave(table)]
        for table in self._tables.values():
            table.reconnected()
        return effects

    def _match_start(self, start: wire.MatchStart) -> list[Effect]:
        known = self._tables.get(start.match)
        if known is not None:
            known.named = True
            return []
        try:
            game = catalog.find(start.game)
        except ValueError as error:
            LOG.error("match %s: %s: every request will be given up", start.match, error)
            return []
        self._warn_unless_fit(game)
        table = Table(self._seat(game, start))
        self._tables[start.match] = table
        return _hook(table, "on_start")

    def _seat(self, game: type[Game], start: wire.MatchStart) -> Bot:
        try:
            return self._bot(game, start)
        except Exception as error:
            LOG.exception(
                "match %s: %s cannot be made (%s): playing defaults",
                start.match,
                self._bot.__name__,
                _told(error),
            )
            return Bot(game, start)

    def _warn_unless_fit(self, game: type[Game]) -> None:
        bot = self._bot
        if bot.decide is Bot.decide and not any(hasattr(bot, kind) for kind in game.kinds):
            LOG.error(
                "%s has no method for any decision of %s (%s): it plays the defaults",
                bot.__name__,
                game.id,
                ", ".join(game.kinds),
            )
        for name, meant in misspelt(bot, game, catalog.GAMES.values()).items():
            LOG.error(
                "%s.%s is never called: is it to be `%s`? (if not, another name is clearer)",
                bot.__name__,
                name,
                meant,
            )

    def _request(self, message: wire.Request, now: float) -> list[Effect]:
        table = self._tables.get(message.match)
        if table is None:
            LOG.error("request %d is for match %s, not in play", message.id, message.match)
            return [Send(_give_up(message.id, f"not in match {message.match}"))]
        deadline = self._deadline(message, now)
        if table.resume(message, deadline):
            return []
        effects = _abandon(table)
        frame = table.answer_again(message)
        if frame is not None:
            return [*effects, Send(frame)]
        try:
            request = table.ask(message, deadline)
        except msgspec.DecodeError as error:
            LOG.error("request %d: cannot read the view: %s", message.id, error)
            return [*effects, Send(_give_up(message.id, f"cannot read the view: {error}"))]
        return [*effects, Decide(table, request)]

    def _deadline(self, message: wire.Request, now: float) -> float:
        margin_ms = min(self._bot.margin_ms, message.deadline_ms / 4)
        return now + (message.deadline_ms - margin_ms) / 1000

    def _strike(self, strike: wire.Strike) -> list[Effect]:
        LOG.warning(
            "strike %d in match %s, request %d: %s (%s): %s; played instead: %s%s",
            strike.strikes,
            strike.match,
            strike.id,
            strike.reason,
            strike.code,
            strike.message,
            bytes(strike.applied).decode(errors="replace"),
            "; the seat is resigned" if strike.resigned else "",
        )
        table = self._tables.get(strike.match)
        if table is None:
            return []
        request = table.applied(strike)
        effects: list[Effect] = [] if request is None else [Abandon(request)]
        return effects + _hook(table, "on_strike", strike)

    def _event(self, message: wire.MatchEvent) -> list[Effect]:
        table = self._tables.get(message.match)
        if table is None or type(table.bot).on_event is Bot.on_event:
            return []
        event = msgspec.json.decode(message.event, type=table.game.event_type)
        return _hook(table, "on_event", event)

    def _match_end(self, end: wire.MatchEnd) -> list[Effect]:
        table = self._tables.pop(end.match, None)
        if table is None:
            return []
        LOG.info(
            "match %s is over (%s): place %d, score %d%s",
            end.match,
            end.reason,
            end.placements[table.bot.seat],
            end.scores[table.bot.seat],
            "" if end.rating is None else f", rating {end.rating.after:.2f}",
        )
        return [*_abandon(table), *_hook(table, "on_end", end), Leave(table)]

    def _note_error(self, error: wire.Error) -> None:
        self.error = f"{error.code}: {error.message}"
        level = logging.DEBUG if error.code in _RACES else logging.WARNING
        about = "" if error.id is None else f" (request {error.id})"
        LOG.log(level, "the server says%s: %s", about, self.error)


def _abandon(table: Table) -> list[Effect]:
    request = table.abandon()
    return [] if request is None else [Abandon(request)]


def _hook(table: Table, hook: str, *arguments: Any) -> list[Effect]:
    """A call of the author's method, if there is one."""
    if getattr(type(table.bot), hook) is getattr(Bot, hook):
        return []
    return [Call(table, hook, arguments)]


def _give_up(request: int, why: str) -> bytes:
    return wire.encode(wire.Answer(request, error=why))


def _author_frames(traceback: TracebackType | None) -> TracebackType | None:
    """A traceback from where it leaves the kit for the author's code; whole if it never does."""
    frame = traceback
    while frame is not None and frame.tb_frame.f_globals.get("__name__", "").startswith(_KIT):
        frame = frame.tb_next
    return frame or traceback


def _told(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"
