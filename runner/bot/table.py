"""One match as the bot sits in it: what is asked, what was answered, what is remembered."""

from __future__ import annotations

import msgspec
from msgspec import Raw

from engine.game import Action, Game
from runner import protocol as wire
from runner.bot.bot import Bot
from runner.bot.request import Request


class _Answered:
    """The last answer, kept until it is certain that the server has it."""

    __slots__ = ("action", "id", "kind", "raw", "view", "view_raw")

    def __init__(self, request: Request, view_raw: Raw, action: Action, raw: Raw) -> None:
        self.id = request.id
        self.kind = request.kind
        self.view = request.view
        self.view_raw = view_raw
        self.action = action
        self.raw = raw

    def frame(self) -> bytes:
        return wire.encode(wire.Answer(self.id, self.raw))


class Table:
    """The bot object of a match, with at most one open request."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.open: Request | None = None
        self.named = True
        """Whether the server has named the match on this connection."""
        self._memory = bot.game.memory()
        self._read_view = msgspec.json.Decoder(bot.game.view_type).decode
        self._decisions = 0
        self._open_view = Raw()
        self._last: _Answered | None = None
        self._came_back = False

    @property
    def game(self) -> type[Game]:
        """The game of the match."""
        return self.bot.game

    def reconnected(self) -> None:
        """A new connection has been welcomed; open requests will be asked again."""
        self.named = False
        self._came_back = True

    def resume(self, message: wire.Request, deadline: float) -> bool:
        """Whether `message` asks again what is being thought about; it goes on till `deadline`."""
        request = self.open
        if request is None:
            return False
        if message.id != request.id and not _same(message, request.kind, self._open_view):
            return False
        self._came_back = False
        request.id = message.id
        request.deadline = deadline
        return True

    def answer_again(self, message: wire.Request) -> bytes | None:
        """The frame with the last answer, where `message` asks for it again.

        Either the connection broke about the answer, and the request comes again as it was; or
        the server restarted without the answer, and asks for the same decision under a new id.
        """
        last = self._last
        if last is None:
            return None
        if message.id != last.id and not (
            self._came_back and _same(message, last.kind, last.view_raw)
        ):
            return None
        self._came_back = False
        last.id = message.id
        return last.frame()

    def ask(self, message: wire.Request, deadline: float) -> Request:
        """A new decision to make. Raises msgspec.DecodeError for a view that cannot be read."""
        self._came_back = False
        if self._last is not None:
            # Only now is it certain that the last answer counted.
            self._memory.note(self._last.kind, self._last.view, self._last.action)
            self._last = None
        view = self._read_view(message.view)
        if not self._decisions:
            self._memory.begin(message.kind, view)
        self.open = Request(
            id=message.id,
            match=message.match,
            seat=message.seat,
            kind=message.kind,
            view=view,
            number=self._decisions,
            deadline=deadline,
            deadline_ms=message.deadline_ms,
            game=self.game,
            memory=self._memory,
        )
        self._open_view = message.view
        self._decisions += 1
        return self.open

    def settle(self, request: Request, action: Action) -> bytes:
        """The frame that answers the open request with `action`."""
        raw = Raw(msgspec.json.encode(action))
        self._last = _Answered(request, self._open_view, action, raw)
        self.abandon()
        return self._last.frame()

    def abandon(self) -> Request | None:
        """Close the open request, if there is one, without an answer."""
        request, self.open = self.open, None
        if request is not None:
            request.settled = True
        return request

    def applied(self, strike: wire.Strike) -> Request | None:
        """Remember what the server played instead; returns the open request, if it was that."""
        if self.open is not None and self.open.id == strike.id:
            self._note(self.open, strike.applied)
            return self.abandon()
        if self._last is not None and self._last.id == strike.id:
            self._note(self._last, strike.applied)
            self._last = None
        return None

    def _note(self, asked: Request | _Answered, applied: Raw) -> None:
        action = msgspec.json.decode(applied, type=self.game.kinds[asked.kind])
        self._memory.note(asked.kind, asked.view, action)


def _same(message: wire.Request, kind: str, view: Raw) -> bool:
    return message.kind == kind and message.view == view
