"""A server that does what a test tells it, over a real socket, and a bot that plays there."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any

from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from runner import protocol as wire
from runner.bot import Bot, play
from runner.bot.retry import Retries
from tests.runner.bot import messages


class Peer:
    """One connection of the bot, as the server sees it."""

    def __init__(self, socket: ServerConnection) -> None:
        self.socket = socket
        request = socket.request
        assert request is not None
        self.authorization = request.headers.get("Authorization")

    async def greet(self, **fields: Any) -> dict[str, Any]:
        """Take the hello and answer it with a welcome."""
        hello = messages.read(await self.socket.recv())
        await self.send(messages.welcome(**fields))
        return hello

    async def send(self, *frames: bytes) -> None:
        for frame in frames:
            await self.socket.send(frame, text=True)

    async def answer(self) -> dict[str, Any]:
        """The next message of the bot."""
        return messages.read(await self.socket.recv())

    async def end(self, code: int = 1000, reason: str = "") -> None:
        await self.socket.close(code, reason)

    async def season_over(self) -> None:
        await self.send(messages.goodbye("season over"))
        await self.end()


class Server:
    """Hands each connection to the test that waits for it."""

    def __init__(self) -> None:
        self.url = ""
        self.refuse_with: list[HTTPStatus] = []
        self._peers: asyncio.Queue[Peer] = asyncio.Queue()

    async def peer(self) -> Peer:
        """The bot's next connection."""
        return await self._peers.get()

    async def handle(self, socket: ServerConnection) -> None:
        peer = Peer(socket)
        await self._peers.put(peer)
        await socket.wait_closed()

    def admit(self, socket: ServerConnection, _: Request) -> Response | None:
        return socket.respond(self.refuse_with.pop(0), "") if self.refuse_with else None


@asynccontextmanager
async def scripted_server(
    *subprotocols: str, tls: ssl.SSLContext | None = None
) -> AsyncIterator[Server]:
    """subprotocols: what the server speaks, the play protocol if left out. tls: its certificate."""
    server = Server()
    speaks = subprotocols or (wire.SUBPROTOCOL,)
    async with serve(
        server.handle,
        "127.0.0.1",
        0,
        subprotocols=[Subprotocol(name) for name in speaks],
        select_subprotocol=lambda _, offered: next((s for s in offered if s in speaks), None),
        process_request=server.admit,
        close_timeout=1,
        ssl=tls,
    ) as listening:
        port = listening.sockets[0].getsockname()[1]
        server.url = f"ws://127.0.0.1:{port}{wire.PATH}"
        yield server


@asynccontextmanager
async def playing(bot: type[Bot], url: str, **options: Any) -> AsyncIterator[asyncio.Task[None]]:
    """The bot at play; it is stopped at the end if it has not ended by itself."""
    retries = Retries(first_s=0.001, longest_s=0.001)
    async with asyncio.timeout(20):
        task = asyncio.create_task(play(bot, url, "secret", retries=retries, **options))
        try:
            yield task
        finally:
            task.cancel()
            await asyncio.wait((task,))
