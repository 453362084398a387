"""The door: listens, finds out who connects, and hands greeted bots to their players."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping

import msgspec

from runner import protocol as wire
from runner.connection import Connection
from runner.player import Player
from runner.session import UNREADABLE, clip
from runner.tokens import TokenBook

_BEARER = "bearer "


class Refusal(Exception):
    """A greeting that does not let the bot in: what to tell it, and the close code."""

    def __init__(self, close: int, code: str, message: str) -> None:
        super().__init__(close, code, message)
        self.close = close
        self.code = code
        self.message = message


def read_hello(data: bytes) -> wire.Hello:
    """A bot's first message. Raises Refusal."""
    try:
        hello = wire.decode_hello(data)
        said = wire.decode_probe(data).type
    except msgspec.ValidationError as error:
        raise Refusal(wire.CLOSE_MALFORMED, "bad_hello", clip(f"hello: {error}")) from error
    except UNREADABLE as error:
        text = f"a frame is one JSON object: {error}"
        raise Refusal(wire.CLOSE_MALFORMED, "malformed_frame", clip(text)) from error
    if said != "hello":
        text = "hello: the first message has the type 'hello'"
        raise Refusal(wire.CLOSE_MALFORMED, "bad_hello", text)
    if hello.protocol != wire.VERSION:
        text = f"this server speaks protocol {wire.VERSION}, not {hello.protocol}"
        raise Refusal(wire.CLOSE_MALFORMED, "unsupported_protocol", text)
    return hello


def token_of(hello: wire.Hello, authorization: str | None) -> str:
    """The token of a greeting, from the header or the message. Raises Refusal."""
    if authorization is not None and authorization[: len(_BEARER)].lower() == _BEARER:
        return authorization[len(_BEARER) :].strip()
    if hello.token is not None:
        return hello.token
    text = "a token is needed: `Authorization: Bearer …` or `token` in hello"
    raise Refusal(wire.CLOSE_UNKNOWN_TOKEN, "no_token", text)


class Gateway:
    """All connections of a season. It owns the listening socket and nothing of the matches."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        players: Mapping[str, Player],
        tokens: TokenBook,
        *,
        season: str,
        commitment: str,
        max_connections: int,
    ) -> None:
        self._loop = loop
        self._players = players
        self._tokens = tokens
        self._season = season
        self._commitment = commitment
        self._max_connections = max_connections
        self._connections: dict[Connection, Player | None] = {}
        self._gone = asyncio.Event()
        self._server: asyncio.Server | None = None

    async def open(self, host: str, port: int, tls: ssl.SSLContext | None = None) -> int:
        """Listen; returns the port, which the system chooses for 0. Raises OSError."""
        self._server = await self._loop.create_server(
            self._connect, host, port, ssl=tls, backlog=1024
        )
        return int(self._server.sockets[0].getsockname()[1])

    async def close(self, reason: str, code: int, retry_ms: int | None = None) -> None:
        """Say goodbye to every bot, close every connection, and wait until they are gone."""
        if self._server is not None:
            self._server.close()
        goodbye = wire.Goodbye(reason, retry_ms)
        for connection, player in list(self._connections.items()):
            if player is not None:
                connection.send(wire.encode(goodbye))
            connection.close(code, reason)
        while self._connections:
            self._gone.clear()
            await self._gone.wait()

    def opened(self, connection: Connection) -> None:
        """A connection has done its handshake: it is let in, or told that the house is full."""
        if len(self._connections) > self._max_connections:
            connection.close(wire.CLOSE_FULL, "too many connections")

    def received(self, connection: Connection, data: bytes, now: float) -> None:
        """A message: the greeting, or something for the bot's session."""
        player = self._connections[connection]
        if player is None:
            self._greet(connection, data)
            return
        reply = player.session.receive(data, now)
        if reply is not None:
            connection.send(reply.frame)
            if reply.close is not None:
                connection.close(reply.close, reply.reason)

    def lost(self, connection: Connection) -> None:
        """A connection is gone."""
        player = self._connections.pop(connection, None)
        if player is not None:
            player.detach(connection)
        self._gone.set()

    def _connect(self) -> Connection:
        connection = Connection(self._loop, self)
        self._connections[connection] = None
        return connection

    def _greet(self, connection: Connection, data: bytes) -> None:
        try:
            hello = read_hello(data)
            player = self._recognise(token_of(hello, connection.authorization))
        except Refusal as refusal:
            connection.send(wire.encode(wire.Error(refusal.code, refusal.message)))
            connection.close(refusal.close, refusal.code)
            return
        self._connections[connection] = player
        connection.greeted()
        player.attach(connection, hello, self._season, self._commitment)

    def _recognise(self, token: str) -> Player:
        name = self._tokens.find(token)
        if name is None:
            text = "this token is unknown or was revoked"
            raise Refusal(wire.CLOSE_UNKNOWN_TOKEN, "unknown_token", text)
        player = self._players.get(name)
        if player is None:
            text = f"{name!r} is not entered in the season {self._season!r}"
            raise Refusal(wire.CLOSE_NOT_ENTERED, "not_entered", text)
        return player
