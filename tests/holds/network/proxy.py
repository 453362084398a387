"""A bad network between bots and runner: a proxy that does to a connection what a test asks."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

CHUNK = 65_536


class Wire:
    """One connection through the proxy. What is not asked for otherwise passes as it comes."""

    def __init__(self) -> None:
        self.flows = asyncio.Event()
        """Cleared: bytes stay where they are, in both directions."""
        self.flows.set()
        self.lost = False
        """True: both ends stay open, and whatever they send is gone."""
        self.byte_by_byte = False
        self.reset_after: int | None = None
        """The connection is reset once so many more bytes of the bot's have passed."""
        self.cut_after: int | None = None
        """The same for bytes of the runner's."""
        self.gone = asyncio.Event()
        self.given_up = asyncio.Event()
        """Set once the runner has ended its side."""
        self._writers: list[asyncio.StreamWriter] = []

    def reset(self) -> None:
        """End both connections at once, without a goodbye: a TCP reset."""
        if self.gone.is_set():
            return
        for writer in self._writers:
            sock = writer.get_extra_info("socket")
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()
        self.gone.set()

    async def _pump(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, from_bot: bool
    ) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(CHUNK):
                await self.flows.wait()
                if self.lost:
                    continue
                left = self.reset_after if from_bot else self.cut_after
                if left is not None and len(data) >= left:
                    writer.write(data[:left])
                    await writer.drain()
                    self.reset()
                    return
                if left is not None and from_bot:
                    self.reset_after = left - len(data)
                elif left is not None:
                    self.cut_after = left - len(data)
                if self.byte_by_byte:
                    for place in range(len(data)):
                        writer.write(data[place : place + 1])
                        await writer.drain()
                        # A turn of the loop for each byte: nothing may be put together again.
                        await asyncio.sleep(0)
                else:
                    writer.write(data)
                    await writer.drain()
        if not from_bot:
            self.given_up.set()
        if not self.lost:
            writer.close()


class Proxy:
    """Where bots connect instead; `wires` are the connections so far, in order."""

    def __init__(self, target: str) -> None:
        address = urlsplit(target)
        assert address.hostname is not None
        assert address.port is not None
        self._target = (address.hostname, address.port)
        self._path = address.path
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.wires: list[Wire] = []
        self.byte_by_byte = False
        """Whether new connections carry single bytes from the first one on."""

    @property
    def url(self) -> str:
        """Where bots connect."""
        assert self._server is not None
        host, port = self._server.sockets[0].getsockname()[:2]
        return f"ws://{host}:{port}{self._path}"

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        there, back = await asyncio.open_connection(*self._target)
        for end in (writer, back):
            end.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        wire = Wire()
        wire.byte_by_byte = self.byte_by_byte
        wire._writers = [writer, back]
        self.wires.append(wire)
        try:
            await asyncio.gather(
                wire._pump(reader, back, from_bot=True), wire._pump(there, writer, from_bot=False)
            )
        finally:
            for end in wire._writers:
                end.transport.abort()
            wire.gone.set()
            self._tasks.discard(task)

    @asynccontextmanager
    async def _opened(self) -> AsyncIterator[Proxy]:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, backlog=512)
        try:
            yield self
        finally:
            self._server.close()
            for wire in self.wires:
                wire.flows.set()
                wire.reset()
            await asyncio.gather(*self._tasks, return_exceptions=True)


def bad_network(target: str) -> contextlib.AbstractAsyncContextManager[Proxy]:
    """A proxy in front of `target` for as long as the block lasts."""
    return Proxy(target)._opened()
