"""One bot's conversation in a season as a pure state machine: no socket, no clock, no task.

It knows which requests are open, gives out their ids, and says what an incoming frame means.
It outlives connections: a bot that comes back finds its open requests here.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import TypeAlias

import msgspec
from msgspec import UNSET, Raw, Struct

from engine.game import Action, ActionError
from runner import protocol as wire

Judge: TypeAlias = Callable[[Raw], Action]

MAX_REASON = 500
REMEMBERED_IDS = 10_000
# What the decoder raises for bytes that it cannot read; the last for nesting without end.
UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class Accepted(Struct, frozen=True):
    """The bot's own legal action, `ms` milliseconds after it was asked, at the time `at`."""

    action: Action
    ms: float
    at: float


class Fault(Struct, frozen=True):
    """No legal action came: why, in the protocol's words, and what the bot sent, if JSON."""

    reason: wire.StrikeReason
    code: str
    message: str
    ms: float
    at: float
    answer: Raw | None = None


Verdict: TypeAlias = Accepted | Fault


class Open:
    """A request that waits for its answer. Times are seconds of one monotonic clock."""

    __slots__ = (
        "allowed_ms",
        "deadline",
        "fail",
        "frame",
        "id",
        "judge",
        "match",
        "sent",
        "settle",
    )

    def __init__(
        self,
        frame: wire.Request,
        sent: float,
        judge: Judge,
        settle: Callable[[Verdict], None],
        fail: Callable[[Exception], None],
    ) -> None:
        """frame: complete; its `deadline_ms` is the whole time allowed."""
        self.id = frame.id
        self.match = frame.match
        self.frame = frame
        self.sent = sent
        self.allowed_ms = frame.deadline_ms
        self.deadline = sent + frame.deadline_ms / 1000
        self.judge = judge
        self.settle = settle
        self.fail = fail

    def encode(self, now: float) -> bytes:
        """The request as a frame; `deadlineMs` is what is left at `now`."""
        self.frame.deadline_ms = max(0, int((self.deadline - now) * 1000))
        return wire.encode(self.frame)


class Reply(Struct, frozen=True):
    """What to send back for a frame, and the close code if that was the last straw."""

    frame: bytes
    close: int | None = None
    reason: str = ""


class Session:
    """The requests of one bot in one season, across its matches and connections."""

    def __init__(self, first_id: int = 0) -> None:
        self._first_id = first_id
        self._next_id = first_id
        self._open: dict[int, Open] = {}
        # Ids settled without an answer, the oldest first.
        self._expired: dict[int, None] = {}
        self._idle: deque[float] = deque(maxlen=wire.IDLE_MESSAGES + 1)

    @property
    def next_id(self) -> int:
        """The id that the next request will have."""
        return self._next_id

    def open_requests(self) -> Iterator[Open]:
        """Every request that waits for an answer, oldest first."""
        return iter(self._open.values())

    def find(self, id: int) -> Open | None:  # noqa: A002
        """The open request with this id, or None."""
        return self._open.get(id)

    def connected(self) -> None:
        """A new connection begins: what the old one sent in vain is forgotten."""
        self._idle.clear()

    def ask(
        self,
        frame: wire.Request,
        sent: float,
        judge: Judge,
        settle: Callable[[Verdict], None],
        fail: Callable[[Exception], None],
    ) -> Open:
        """Open a request; its id is put into `frame`. `settle` is called once, or never if
        the request expires. `fail` is called instead where the judge itself breaks."""
        frame.id = self._next_id
        self._next_id += 1
        request = Open(frame, sent, judge, settle, fail)
        self._open[request.id] = request
        return request

    def expire(self, request: Open) -> bool:
        """Close a request without an answer. False if it was settled already."""
        if self._open.pop(request.id, None) is None:
            return False
        self._expired[request.id] = None
        if len(self._expired) > REMEMBERED_IDS:
            del self._expired[next(iter(self._expired))]
        return True

    def receive(self, data: bytes, now: float) -> Reply | None:
        """Take one frame of the bot's, arrived at `now`; an answer settles its request."""
        try:
            answer = wire.decode_answer(data)
        except UNREADABLE as error:
            return self._misread(data, error, now)
        request = self._open.pop(answer.id, None)
        if request is None:
            return self._unexpected(answer.id, now)
        try:
            verdict = _verdict(request, answer, now)
        except Exception as error:
            # A fault of the game's, not of the bot's: the match hears of it, not the connection.
            request.fail(error)
        else:
            request.settle(verdict)
        return None

    def _misread(self, data: bytes, error: Exception, now: float) -> Reply | None:
        """A frame that is not an answer: say why, or settle the request that it names."""
        try:
            probe = wire.decode_probe(data)
        except UNREADABLE:
            message = wire.Error("malformed_frame", clip(f"a frame is one JSON object: {error}"))
            return Reply(wire.encode(message), wire.CLOSE_MALFORMED, "malformed frame")
        if probe.type == "hello":
            return self._in_vain(wire.Error("unexpected_hello", "you are welcome already"), now)
        if probe.type != "answer":
            text = f"a bot sends 'hello' once and then answers; unknown type {probe.type!r}"
            return self._in_vain(wire.Error("unknown_type", clip(text)), now)
        if not isinstance(probe.id, int) or isinstance(probe.id, bool):
            return self._in_vain(wire.Error("bad_message", clip(str(error))), now)
        request = self._open.pop(probe.id, None)
        if request is None:
            return self._unexpected(probe.id, now)
        ms = (now - request.sent) * 1000
        request.settle(Fault("illegal", "malformed", clip(str(error)), ms, now, Raw(data)))
        return None

    def _unexpected(self, id: int, now: float) -> Reply:  # noqa: A002
        if not self._first_id <= id < self._next_id:
            if 0 <= id < self._first_id:
                error = wire.Error("late_answer", "asked before the server was restarted", id)
            else:
                error = wire.Error("unknown_request", "no request has ever had this id", id)
        elif id in self._expired:
            error = wire.Error("late_answer", "the request was settled without you", id)
        else:
            error = wire.Error("duplicate_answer", "the first answer counts", id)
        return self._in_vain(error, now)

    def _in_vain(self, error: wire.Error, now: float) -> Reply:
        """A message that answered nothing; too many of them end the connection."""
        idle = self._idle
        idle.append(now)
        if len(idle) > wire.IDLE_MESSAGES and now - idle[0] <= wire.IDLE_WINDOW_SECONDS:
            return Reply(wire.encode(error), wire.CLOSE_TOO_MANY, "too many messages in vain")
        return Reply(wire.encode(error))


def _verdict(request: Open, answer: wire.Answer, now: float) -> Verdict:
    """What an answer to an open request comes to."""
    ms = (now - request.sent) * 1000
    if answer.error is not UNSET:
        return Fault("error", "gave_up", clip(answer.error), ms, now)
    if answer.action is UNSET:
        text = "an answer has an `action` or an `error`"
        return Fault("illegal", "malformed", text, ms, now)
    try:
        return Accepted(request.judge(answer.action), ms, now)
    except ActionError as error:
        return Fault("illegal", error.code, clip(error.message), ms, now, answer.action)


def clip(text: str) -> str:
    """Text that came from a bot, cut to a length that can be kept."""
    return text if len(text) <= MAX_REASON else text[: MAX_REASON - 1] + "…"
