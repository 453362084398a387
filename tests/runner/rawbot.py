"""A bot that speaks the protocol frame by frame, with the plain `websockets` package."""

from __future__ import annotations

import json
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

SUBPROTOCOL = "pioneers.v1"


# An id that no test ever reaches.
NO_ID = 999_999_999


class RawBot:
    """One connection of a bot. `heard` is every message so far, in order."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.heard: list[dict[str, Any]] = []
        self._waiting: list[dict[str, Any]] = []

    @classmethod
    async def dial(
        cls, url: str, token: str | None, *, subprotocols: tuple[str, ...] = (SUBPROTOCOL,)
    ) -> RawBot:
        """Open the WebSocket; nothing is said yet."""
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        socket = await connect(
            url,
            additional_headers=headers,
            subprotocols=[Subprotocol(name) for name in subprotocols] or None,
            compression=None,
            ping_interval=None,
            proxy=None,
            max_size=None,
        )
        return cls(socket)

    async def hello(self, **fields: Any) -> dict[str, Any]:
        """Greet the server; returns its answer, a welcome or an error."""
        await self.send({"type": "hello", "protocol": 1, **fields})
        return await self.hear()

    async def send(self, *messages: dict[str, Any] | str | bytes) -> None:
        """Send messages: structures as JSON, strings and bytes as text frames as they are."""
        for message in messages:
            if isinstance(message, dict):
                message = json.dumps(message)
            await self.socket.send(message, text=True)

    async def answer(self, request: dict[str, Any], **action: Any) -> None:
        """Answer a request."""
        await self.send({"id": request["id"], "action": action})

    async def hear(self, *types: str) -> dict[str, Any]:
        """The oldest message not taken yet, of one of `types` if given; the others wait."""
        while True:
            for index, message in enumerate(self._waiting):
                if not types or message["type"] in types:
                    return self._waiting.pop(index)
            await self._receive()

    async def barrier(self) -> list[dict[str, Any]]:
        """Everything that the server has sent up to now and that was not taken yet.

        Sends a message in vain: all that was said before is answered before its error is.
        """
        await self.send({"id": NO_ID, "error": "barrier"})
        while self._waiting[-1:] == [] or self._waiting[-1].get("id") != NO_ID:
            await self._receive()
        self._waiting.pop()
        return [*self._waiting]

    async def closed(self) -> tuple[int, str]:
        """Listen until the connection is closed; the close code and reason."""
        try:
            while True:
                await self._receive()
        except ConnectionClosed:
            await self.socket.wait_closed()
        return int(self.socket.close_code or 0), self.socket.close_reason or ""

    async def _receive(self) -> None:
        message: dict[str, Any] = json.loads(await self.socket.recv())
        self.heard.append(message)
        self._waiting.append(message)

    async def hang_up(self) -> None:
        """Drop the TCP connection without a word."""
        self.socket.transport.abort()
        await self.socket.wait_closed()

    def of_type(self, type_: str) -> list[dict[str, Any]]:
        """Every message of a type that was heard so far."""
        return [message for message in self.heard if message["type"] == type_]
