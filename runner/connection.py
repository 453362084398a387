"""One WebSocket of one bot: the websockets library's protocol object, pumped by asyncio.

The library's own connection class queues frames before anybody sees when they came. Here the
bytes go straight from the socket into its Sans-I/O protocol, so arrival is stamped before
anything is decoded or queued, and a message costs no task and no queue.
"""

from __future__ import annotations

import asyncio
import http
from collections import deque
from collections.abc import Sequence
from typing import Protocol as Interface
from typing import cast

from websockets.exceptions import NegotiationError
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol

from runner import protocol as wire
from runner.clock import CLOCK, Clock

CLOSE_SECONDS = 5.0
# Of one message. The frames have a bound together, but empty ones would never reach it.
MAX_FRAGMENTS = 1000
MESSAGE_TOO_BIG = 1009


class Handler(Interface):
    """Who deals with what comes over a connection."""

    def made(self, connection: Connection) -> None:
        """A connection came; nothing has come over it yet."""

    def opened(self, connection: Connection) -> None:
        """The handshake is done; the bot has not said anything yet."""

    def received(self, connection: Connection, data: bytes, now: float) -> None:
        """A whole text message came at `now`."""

    def lost(self, connection: Connection) -> None:
        """The connection is gone, whoever ended it."""


class _ServerProtocol(ServerProtocol):
    """The library's protocol with the play protocol's own code for frames that are too big."""

    def fail(self, code: int, reason: str = "") -> None:
        super().fail(wire.CLOSE_TOO_BIG if code == MESSAGE_TOO_BIG else code, reason)


def _select_subprotocol(_: ServerProtocol, offered: Sequence[Subprotocol]) -> Subprotocol | None:
    if not offered:
        return None
    ours = Subprotocol(wire.SUBPROTOCOL)
    if ours in offered:
        return ours
    raise NegotiationError(f"this server speaks {wire.SUBPROTOCOL}")


class Connection(asyncio.Protocol):
    """A connection from its first byte to its last."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, handler: Handler, clock: Clock = CLOCK
    ) -> None:
        self._loop = loop
        self._handler = handler
        self._clock = clock
        self._protocol = _ServerProtocol(
            subprotocols=[Subprotocol(wire.SUBPROTOCOL)],
            select_subprotocol=_select_subprotocol,
            max_size=wire.MAX_FRAME_BYTES,
        )
        self._fragments: list[bytes] = []
        self._pings: deque[float] = deque(maxlen=wire.IDLE_MESSAGES + 1)
        self._awaiting_pong = False
        self._pinged = 0.0
        self.rtt_s = 0.0
        self._open = False
        self._closing = False
        self._flush_is_due = False
        self.address = ""
        self.authorization: str | None = None
        self.credential = ""

    # asyncio calls these.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        peer = transport.get_extra_info("peername")
        self.address = str(peer[0]) if isinstance(peer, tuple) else ""
        self._timer = self._loop.call_later(wire.HELLO_SECONDS, self._no_hello)
        self._handler.made(self)

    def data_received(self, data: bytes) -> None:
        now = self._clock()
        protocol = self._protocol
        protocol.receive_data(data)
        for event in protocol.events_received():
            if isinstance(event, Frame):
                self._on_frame(event, now)
            elif isinstance(event, Request):
                self._on_handshake(event)
        self._flush()

    def eof_received(self) -> None:
        self._protocol.receive_eof()
        self._flush()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self._closing = True
        self._timer.cancel()
        self._handler.lost(self)

    # The handler and the player call these.

    def greeted(self) -> None:
        """The bot has said who it is: from now on it is pinged."""
        self._timer.cancel()
        self._ping()

    def send(self, frame: bytes) -> None:
        """Send one text frame; dropped once the connection is closing.

        Frames go out together when the loop has done what it is at: a frame by itself wakes
        the process at the other end, which is dearer than all else about it.
        A peer that lets more than the protocol's bound pile up is closed.
        """
        if not self._can_speak():
            return
        self._protocol.send_text(frame)
        if not self._flush_is_due:
            self._flush_is_due = True
            self._loop.call_soon(self._flush_frames)

    def close(self, code: int, reason: str) -> None:
        """Begin to close; a peer that does not answer in time is cut off."""
        if not self._open:
            self._transport.abort()
        elif self._can_speak():
            self._protocol.send_close(code, reason)
            self._flush()

    def _can_speak(self) -> bool:
        # A message and the peer's close can come in one read: the protocol object knows of both
        # before the message is dealt with.
        return not self._closing and self._protocol.state is State.OPEN

    def _on_handshake(self, request: Request) -> None:
        protocol = self._protocol
        if protocol.close_rcvd is not None or protocol.eof_sent:
            # It has not waited to be let in, and what it said ended the conversation: there is
            # no state in which an answer could be sent.
            self._closing = True
            self._transport.abort()
            return
        if request.path != wire.PATH:
            text = f"Bots connect to {wire.PATH}; this is {request.path[:100]!r}.\n"
            response = protocol.reject(http.HTTPStatus.NOT_FOUND, text)
        else:
            response = protocol.accept(request)
        protocol.send_response(response)
        if response.status_code == http.HTTPStatus.SWITCHING_PROTOCOLS:
            self._open = True
            # Several headers of that name are as good as none.
            values = request.headers.get_all("Authorization")
            self.authorization = values[0] if len(values) == 1 else None
            self._flush()
            self._handler.opened(self)

    def _on_frame(self, frame: Frame, now: float) -> None:
        opcode = frame.opcode
        if self._closing:
            return
        if opcode is Opcode.TEXT and frame.fin:
            self._handler.received(self, bytes(frame.data), now)
        elif opcode is Opcode.TEXT or (opcode is Opcode.CONT and self._fragments):
            self._fragments.append(bytes(frame.data))
            if len(self._fragments) > MAX_FRAGMENTS:
                self.close(wire.CLOSE_TOO_BIG, "a message in too many pieces")
            elif frame.fin:
                message, self._fragments = b"".join(self._fragments), []
                self._handler.received(self, message, now)
        elif opcode is Opcode.BINARY or opcode is Opcode.CONT:
            self.close(wire.CLOSE_MALFORMED, "malformed frame: messages are text")
        elif opcode is Opcode.PONG:
            if self._awaiting_pong:
                self._awaiting_pong = False
                rtt_s = now - self._pinged
                self.rtt_s = min(self.rtt_s or rtt_s, rtt_s)
            else:
                self._count_ping(now)
        elif opcode is Opcode.PING:
            self._count_ping(now)

    def _count_ping(self, now: float) -> None:
        """A ping, or a pong that nobody asked for: a few are good manners, many are a flood."""
        self._pings.append(now)
        if (
            len(self._pings) > wire.IDLE_MESSAGES
            and now - self._pings[0] <= wire.IDLE_WINDOW_SECONDS
        ):
            self.close(wire.CLOSE_TOO_MANY, "too many pings")

    def _flush_frames(self) -> None:
        self._flush_is_due = False
        if self._closing:
            return
        self._flush()
        if self._transport.get_write_buffer_size() > wire.MAX_QUEUED_BYTES:
            self.close(wire.CLOSE_TOO_MANY, "does not read what it is sent")

    def _flush(self) -> None:
        transport = self._transport
        for data in self._protocol.data_to_send():
            if data:
                transport.write(data)
            elif transport.can_write_eof():
                transport.write_eof()
            else:
                # TLS has no half of a connection to close.
                transport.close()
        if not self._closing and self._protocol.close_expected():
            self._closing = True
            self._timer.cancel()
            self._timer = self._loop.call_later(CLOSE_SECONDS, transport.abort)

    def _no_hello(self) -> None:
        self.close(wire.CLOSE_MALFORMED, "no hello in time")

    def _ping(self) -> None:
        if not self._can_speak():
            return
        if self._awaiting_pong:
            self._transport.abort()
            return
        self._awaiting_pong = True
        self._pinged = self._clock()
        self._protocol.send_ping(b"")
        self._flush()
        self._timer = self._loop.call_later(wire.PING_SECONDS, self._ping)
