"""A relay between a bot and its server: it reads along, and holds or cuts when it is told to."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from msgspec import Struct
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.typing import Subprotocol

from runner import protocol as wire

_SUBPROTOCOL = Subprotocol(wire.SUBPROTOCOL)
_NO_STATUS = 1005
_LOST = 1006


class Frame(Struct, frozen=True):
    """A frame that went through. text: as it was; message: decoded, None if it is no JSON object.

    connection: the bot's how-manieth, from 0. at: when it came, `time.monotonic` seconds.
    """

    from_bot: bool
    connection: int
    text: str
    message: dict[str, Any] | None
    at: float = 0.0

    @property
    def type(self) -> str:
        """The message's type; an answer need not say it."""
        if self.message is None:
            return ""
        return str(self.message.get("type", "answer"))


Disturb = Callable[["Relay", Frame], Awaitable[None]]


class Relay:
    """Stands where bots connect; `frames` is all that went through, in order."""

    def __init__(self, disturb: Disturb | None = None) -> None:
        """disturb: awaited with each frame of the server's before that is passed on."""
        self.url = ""
        self.frames: list[Frame] = []
        self.connections = 0
        self._target = ""
        self._disturb = disturb
        self._news = asyncio.Condition()
        self._bots: set[ServerConnection] = set()

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Relay]:
        """Listen on a free port of this machine."""
        async with serve(
            self._pass_on,
            "127.0.0.1",
            0,
            # What the bot offers, the server judges.
            subprotocols=[_SUBPROTOCOL],
            select_subprotocol=lambda _, offered: _SUBPROTOCOL if _SUBPROTOCOL in offered else None,
            compression=None,
            max_size=None,
            ping_interval=None,
            close_timeout=1,
        ) as server:
            port = server.sockets[0].getsockname()[1]
            self.url = f"ws://127.0.0.1:{port}{wire.PATH}"
            yield self

    def lead_to(self, url: str) -> None:
        """Pass on what comes from now on to this server."""
        self._target = url

    def cut(self) -> None:
        """Drop the bot's connection without a word."""
        for socket in self._bots:
            socket.transport.abort()

    async def heard(self, what: Callable[[Frame], bool]) -> Frame:
        """The first frame that `what` is true of; waits for it."""
        seen = 0
        async with self._news:
            while True:
                for frame in self.frames[seen:]:
                    if what(frame):
                        return frame
                seen = len(self.frames)
                await self._news.wait()

    async def deserted(self, patience_s: float) -> None:
        """Wait until no bot has been connected for so long."""
        while True:
            async with self._news:
                await self._news.wait_for(lambda: not self._bots)
            try:
                async with asyncio.timeout(patience_s), self._news:
                    await self._news.wait_for(lambda: self._bots)
            except TimeoutError:
                return

    async def _pass_on(self, bot: ServerConnection) -> None:
        number = self.connections
        self.connections += 1
        async with self._news:
            self._bots.add(bot)
            self._news.notify_all()
        code, reason = wire.CLOSE_GOING_AWAY, ""
        try:
            async with self._server_for(bot) as server:
                code, reason = await self._pump(bot, server, number)
        except (OSError, InvalidHandshake, ConnectionClosed):
            reason = "the server is away"
        finally:
            async with self._news:
                self._bots.discard(bot)
                self._news.notify_all()
            await bot.close(code, reason)

    def _server_for(self, bot: ServerConnection) -> connect:
        request = bot.request
        assert request is not None
        authorization = request.headers.get("Authorization")
        return connect(
            self._target,
            additional_headers={} if authorization is None else {"Authorization": authorization},
            subprotocols=[Subprotocol(bot.subprotocol)] if bot.subprotocol else None,
            compression=None,
            max_size=None,
            proxy=None,
            ping_interval=None,
        )

    async def _pump(
        self, bot: ServerConnection, server: ClientConnection, number: int
    ) -> tuple[int, str]:
        """Pass frames both ways until one side closes; the server's close code and reason."""
        waiting: asyncio.Queue[Frame] = asyncio.Queue()

        async def from_bot() -> None:
            async for text in bot:
                await self._note(True, number, text)
                await server.send(text)
            await server.close()

        async def from_server() -> None:
            async for text in server:
                waiting.put_nowait(await self._note(False, number, text))

        async def to_bot() -> None:
            while True:
                frame = await waiting.get()
                if self._disturb is not None:
                    await self._disturb(self, frame)
                await bot.send(frame.text)
                waiting.task_done()

        async with asyncio.TaskGroup() as pumps:
            upwards = pumps.create_task(_until_closed(from_bot()))
            passing = pumps.create_task(_until_closed(to_bot()))
            await _until_closed(from_server())
            if not upwards.done():
                await asyncio.wait(
                    (upwards, pumps.create_task(waiting.join())),
                    return_when=asyncio.FIRST_COMPLETED,
                )
            for task in (upwards, passing):
                task.cancel()
            while not waiting.empty():
                waiting.get_nowait()
                waiting.task_done()
        code = server.close_code
        if code is None or code in (_NO_STATUS, _LOST):
            return wire.CLOSE_GOING_AWAY, ""
        return code, server.close_reason or ""

    async def _note(self, from_bot: bool, connection: int, text: str | bytes) -> Frame:
        shown = text if isinstance(text, str) else text.decode(errors="replace")
        try:
            message = msgspec.json.decode(shown)
        except msgspec.DecodeError:
            message = None
        known = message if isinstance(message, dict) else None
        frame = Frame(from_bot, connection, shown, known, time.monotonic())
        async with self._news:
            self.frames.append(frame)
            self._news.notify_all()
        return frame


async def _until_closed(pump: Awaitable[None]) -> None:
    with contextlib.suppress(ConnectionClosed):
        await pump
