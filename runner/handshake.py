"""TCP connections on which TLS is still being agreed on: counted and bounded from their first byte.

asyncio's servers say nothing of a connection before its TLS handshake is done, so that strangers
who never finish one could hold as many as the system has open files. Here the gateway knows of
each from the start.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from typing import Protocol as Interface
from typing import cast

from runner import protocol as wire
from runner.connection import Connection


class Guard(Interface):
    """Who counts those that are not let in yet."""

    def knocked(self, handshake: Handshake) -> bool:
        """A connection came; says whether there is room for it."""

    def failed(self, handshake: Handshake) -> None:
        """The handshake is over, and nothing came of it unless `inside` was made meanwhile."""


class Handshake(asyncio.Protocol):
    """A TCP connection until TLS is agreed on; `inside` goes on with it then."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        context: ssl.SSLContext,
        guard: Guard,
        inside: Connection,
    ) -> None:
        self._loop = loop
        self._context = context
        self._guard = guard
        self.inside = inside
        self.address = ""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """asyncio calls this."""
        peer = transport.get_extra_info("peername")
        self.address = str(peer[0]) if isinstance(peer, tuple) else ""
        if self._guard.knocked(self):
            self._begin(transport)
        cast(asyncio.Transport, transport).abort()

    def _begin(self, transport: asyncio.BaseTransport) -> None:
        try:
            # A loop can add TLS to a transport, too, but may have read from that by then.
            self._socket: socket.socket | None = duplicate(transport)
        except OSError:  # no more open files
            self._guard.failed(self)
        else:
            self._task = self._loop.create_task(self._agree())

    async def give_up(self) -> None:
        """End a handshake that is under way."""
        self._task.cancel()
        await asyncio.wait((self._task,))
        if self._socket is not None:  # the task had not begun
            self._socket.close()
            self._guard.failed(self)

    async def _agree(self) -> None:
        connection, self._socket = self._socket, None
        assert connection is not None
        try:
            await self._loop.connect_accepted_socket(
                lambda: self.inside,
                connection,
                ssl=self._context,
                ssl_handshake_timeout=wire.HELLO_SECONDS,
            )
        except OSError:  # errors of TLS are such, too
            return
        finally:
            self._guard.failed(self)


def duplicate(transport: asyncio.BaseTransport) -> socket.socket:
    """The socket of a transport, which stays open when the transport is closed. Raises OSError."""
    copied: socket.socket = transport.get_extra_info("socket").dup()
    return copied
