"""The gateway: listens, has the door decide who connects, and pumps sessions."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping
from typing import Any

import structlog

from runner import protocol as wire
from runner.connection import Connection
from runner.door import Door, Refusal, read_hello, token_of
from runner.handshake import Handshake
from runner.meters import Meters
from runner.player import Player
from runner.tokens import TokenError, digest

log: Any = structlog.get_logger()


class Gateway:
    """All connections of a season. It owns the listening sockets and nothing of the matches."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        players: Mapping[str, Player],
        door: Door,
        meters: Meters,
        *,
        season: str,
        commitment: str,
    ) -> None:
        self._loop = loop
        self._players = players
        self._door = door
        self._meters = meters
        self._season = season
        self._commitment = commitment
        self._connections: dict[Connection, Player | None] = {}
        self._handshakes: dict[Connection, Handshake] = {}
        self._changes_seen = 0
        self._gone = asyncio.Event()
        self._servers: list[asyncio.Server] = []

    @property
    def listening(self) -> bool:
        """Whether bots can connect."""
        return any(server.is_serving() for server in self._servers)

    async def open(self, host: str, port: int, tls: ssl.SSLContext | None = None) -> int:
        """Listen, there too; returns the port, chosen by the system for 0. Raises OSError."""

        def accepted() -> asyncio.Protocol:
            connection = Connection(self._loop, self)
            return connection if tls is None else Handshake(self._loop, tls, self, connection)

        server = await self._loop.create_server(accepted, host, port, backlog=1024)
        self._servers.append(server)
        return int(server.sockets[0].getsockname()[1])

    async def close(self, reason: str, code: int, retry_ms: int | None = None) -> None:
        """Say goodbye to every bot, close every connection, and wait until they are gone."""
        for server in self._servers:
            server.close()
        for handshake in list(self._handshakes.values()):
            await handshake.give_up()
        goodbye = wire.Goodbye(reason, retry_ms)
        for connection, player in list(self._connections.items()):
            if player is not None:
                connection.send(wire.encode(goodbye))
            connection.close(code, reason)
        while self._connections:
            self._gone.clear()
            await self._gone.wait()

    def knocked(self, handshake: Handshake) -> bool:
        """A connection that has to agree on TLS first; says whether there is room for it."""
        self._door.arrive(handshake.address)
        if self._door.overrun(handshake.address):
            self._door.leave(handshake.address)
            self._meters.refusals[wire.CLOSE_FULL] += 1
            return False
        self._handshakes[handshake.inside] = handshake
        return True

    def failed(self, handshake: Handshake) -> None:
        """A handshake is over; unless it has made a connection, that was all."""
        if self._handshakes.pop(handshake.inside, None) is not None:
            self._door.leave(handshake.address)

    def made(self, connection: Connection) -> None:
        """A connection, before anything has come over it."""
        self._connections[connection] = None
        handshake = self._handshakes.pop(connection, None)
        if handshake is None:
            self._door.arrive(connection.address)
        else:
            connection.address = handshake.address  # by which it is counted already
        self._meters.connections += 1
        if self._door.overrun(connection.address):
            self._meters.refusals[wire.CLOSE_FULL] += 1
            connection.close(wire.CLOSE_FULL, "too many connections")

    def opened(self, connection: Connection) -> None:
        """A connection has done its handshake: it is let in, or told that the house is full."""
        if self._door.full(connection.address):
            self._meters.refusals[wire.CLOSE_FULL] += 1
            connection.close(wire.CLOSE_FULL, "too many connections")

    def received(self, connection: Connection, data: bytes, now: float) -> None:
        """A message: the greeting, or something for the bot's session."""
        player = self._connections[connection]
        if player is None:
            self._greet(connection, data, now)
            return
        reply = player.session.receive(data, now)
        if reply is not None:
            connection.send(reply.frame)
            if reply.close is not None:
                self._meters.refusals[reply.close] += 1
                connection.close(reply.close, reply.reason)

    def lost(self, connection: Connection) -> None:
        """A connection is gone."""
        player = self._connections.pop(connection)
        self._door.leave(connection.address)
        if player is not None:
            player.detach(connection)
        self._gone.set()

    def expel_revoked(self) -> None:
        """Close the connections of bots whose tokens have been revoked since the last call."""
        try:
            changes = self._door.changes()
            if changes == self._changes_seen:
                return
            self._changes_seen = changes
            for connection, player in list(self._connections.items()):
                if player is not None and self._door.owner(connection.credential) != player.name:
                    self._meters.refusals[wire.CLOSE_UNKNOWN_TOKEN] += 1
                    connection.close(wire.CLOSE_UNKNOWN_TOKEN, "token revoked")
        except TokenError as error:
            log.error("tokens cannot be read", error=str(error))

    def _greet(self, connection: Connection, data: bytes, now: float) -> None:
        try:
            hello = read_hello(data)
            player = self._door.recognise(
                hello, connection.authorization, connection.address, self._players, now
            )
        except Refusal as refusal:
            self._meters.refusals[refusal.close] += 1
            connection.send(wire.encode(wire.Error(refusal.code, refusal.message)))
            connection.close(refusal.close, refusal.code)
            return
        self._connections[connection] = player
        connection.credential = digest(token_of(hello, connection.authorization))
        connection.greeted()
        player.attach(connection, hello, self._season, self._commitment)
