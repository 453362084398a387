"""What is fuzzed, as functions of bytes: they return, or raise what is a fault of ours.

Used with the seeded mutator in the tests, and with atheris by `python -m tests.holds.attack.fuzz`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias, cast

from msgspec import Raw
from websockets.frames import Frame, Opcode

from engine.catalog import GAMES
from engine.game import Action, ActionError, Game
from runner import protocol as wire
from runner.bots import PLAYS
from runner.clock import CLOCK, LoopWatch
from runner.config import ConfigError, load
from runner.connection import Connection
from runner.deadlines import Deadlines
from runner.door import Door, Limits
from runner.gateway import Gateway
from runner.meters import Meters
from runner.player import Player
from runner.session import Accepted, Fault, Session, Verdict
from runner.tokens import TokenBook
from tests.engine.pioneers.matches import decisions
from tests.runner.faketime import FakeLoop

Target: TypeAlias = Callable[[bytes], None]


def _require(holds: object, what: str) -> None:
    if not holds:
        raise AssertionError(what)


def _raise(error: Exception) -> None:
    raise error


class Messages:
    """A session with one open request after another, for messages of a bot that is in."""

    def __init__(self, _: Path) -> None:
        self._game = GAMES["pioneers"].deal(4, bytes(32), {})
        self._session = Session()
        self._settled: list[Verdict] = []
        self._now = 0.0

    def __call__(self, data: bytes) -> None:
        """Deal with `data` as one frame: one verdict at most, always a value."""
        frame = wire.Request(-1, "m000001", "pioneers", 0, "setup", 1000, Raw(b"{}"))
        self._settled.clear()
        self._now += 1.0
        request = self._session.ask(frame, self._now, self._judge, self._settled.append, _raise)
        # Examples are about request 7: an answer to it is one to this request, too.
        for place in (b'"id": 7', b'"id":7'):
            data = data.replace(place, b'"id":%d' % request.id)
        reply = self._session.receive(data, self._now)
        assert len(self._settled) <= 1
        assert (reply is None) == bool(self._settled)
        for verdict in self._settled:
            assert isinstance(verdict, Accepted | Fault)
            if isinstance(verdict, Fault):
                wire.encode(verdict.message)
        if reply is not None:
            message = wire.decode_server_message(reply.frame)
            assert isinstance(message, wire.Error)
            assert len(reply.frame) < 4096, "an error is not as long as what it is about"
            assert reply.close in (None, wire.CLOSE_MALFORMED, wire.CLOSE_TOO_MANY)
        self._session.expire(request)
        self._session._expired.clear()

    def _judge(self, raw: Raw) -> Action:
        action = self._game.decode(0, raw)
        self._game.check(0, action)
        return action


class Actions:
    """What the game makes of an action of each kind."""

    def __init__(self, _: Path) -> None:
        asked: dict[str, tuple[Game, int]] = {}
        for number in range(20):
            for game, _decided in decisions(number, 4):
                for seat, kind in game.pending().items():
                    if kind not in asked:
                        asked[kind] = (game.copy(), seat)
            if asked.keys() == GAMES["pioneers"].kinds.keys():
                break
        assert asked.keys() == GAMES["pioneers"].kinds.keys()
        self._asked = tuple(asked.values())

    def __call__(self, data: bytes) -> None:
        """Decode and check `data` wherever it could be an answer."""
        for game, seat in self._asked:
            try:
                game.check(seat, game.decode(seat, data))
            except ActionError as error:
                _require(error.code and str(error), "an error says what is wrong")


class Wire:
    """A socket's bytes, from the first one on: a whole gateway without a network."""

    def __init__(self, folder: Path) -> None:
        fake = FakeLoop()
        self._loop = fake.loop
        tokens = TokenBook(folder)
        watch = LoopWatch(self._loop, CLOCK)
        deadlines = Deadlines(self._loop, watch)
        self.player = Player("ann", Session(), self._loop, deadlines, lambda: None)
        self.token = tokens.issue("ann")
        self.gateway = Gateway(
            self._loop,
            {"ann": self.player},
            Door(tokens, "test", Limits(100, 100)),
            Meters(),
            season="test",
            commitment="00" * 32,
        )

    def __call__(self, data: bytes) -> None:
        """Let a connection say `data` after its handshake, in two reads, and end."""
        transport = Transport()
        connection = Connection(self._loop, self.gateway)
        connection.connection_made(cast(asyncio.BaseTransport, transport))
        connection.data_received(HANDSHAKE.replace(b"TOKEN", self.token.encode()))
        half = len(data) // 2
        for part in (data[:half], data[half:]):
            if not transport.ended:
                connection.data_received(part)
        if not transport.ended:
            connection.eof_received()
        connection.connection_lost(None)
        assert not self.player.connected
        assert self.gateway._connections == {}
        assert len(connection._fragments) <= 1001
        for seconds in (5.0, 20.0):
            cast(FakeLoop, self._loop).advance(seconds)


class Greeting(Wire):
    """A socket's bytes before any handshake."""

    def __call__(self, data: bytes) -> None:
        transport = Transport()
        connection = Connection(self._loop, self.gateway)
        connection.connection_made(cast(asyncio.BaseTransport, transport))
        connection.data_received(data)
        if not transport.ended:
            connection.eof_received()
        connection.connection_lost(None)
        assert self.gateway._connections == {}
        cast(FakeLoop, self._loop).advance(10.0)


class Transport:
    """Where a connection writes to; nobody reads it."""

    def __init__(self) -> None:
        self.ended = False
        self.written = 0
        self._eof = False

    def get_extra_info(self, name: str) -> Any:
        return ("192.0.2.1", 4711) if name == "peername" else None

    def write(self, data: bytes) -> None:
        if self._eof:
            raise RuntimeError("Cannot call write() after write_eof()")
        self.written += len(data)
        assert self.written < 1 << 22

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        self._eof = True

    def get_write_buffer_size(self) -> int:
        return 0

    def abort(self) -> None:
        self.ended = True

    def close(self) -> None:
        self.ended = True


class Configs:
    """A season file."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "season.toml"

    def __call__(self, data: bytes) -> None:
        self._path.write_bytes(data)
        try:
            loaded = load(self._path, games=GAMES, builtins=PLAYS)
        except ConfigError as error:
            _require(error.message, "an error says what is wrong")
            _require(str(error).startswith(str(self._path)), "an error names the file")
        else:
            _require(loaded.data.is_absolute(), "where the data is does not depend on where we are")


HANDSHAKE = (
    b"GET /play HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Protocol: pioneers.v1\r\nAuthorization: Bearer TOKEN\r\n\r\n"
)


def _frame(opcode: Opcode, data: bytes, *, fin: bool = True) -> bytes:
    return Frame(opcode, data, fin).serialize(mask=True)


MESSAGES = (
    b'{"type": "hello", "protocol": 1, "client": "x", "version": "1", "maxMatches": 4}',
    b'{"id": 7, "action": {"settlement": 5, "road": 6}}',
    b'{"id": 7, "action": {"settlement": 3, "road": 4}, "type": "answer", "more": [1, {"a": 2}]}',
    b'{"id": 7, "error": "why not"}',
    b'{"type": "answer", "id": 3, "action": null}',
    b'{"id": 99999, "action": {}}',
)
ACTIONS = (
    b'{"settlement": 5, "road": 6}',
    b'{"type": "end_turn"}',
    b'{"type": "build_road", "edge": 3}',
    b'{"type": "offer_trade", "give": {"brick": 1}, "get": {"ore": 2}, "to": [1, 2]}',
    b'{"type": "bank_trade", "give": "brick", "get": "ore"}',
    b'{"type": "play_windfall", "resources": ["ore", "ore"]}',
    b'{"discard": {"brick": 2, "ore": 2}}',
    b'{"hex": 4, "victim": 1}',
    b'{"accept": true}',
)
FRAMES = (
    _frame(Opcode.TEXT, MESSAGES[0]),
    _frame(Opcode.TEXT, MESSAGES[0]) + _frame(Opcode.TEXT, MESSAGES[1]),
    _frame(Opcode.TEXT, MESSAGES[0][:20], fin=False) + _frame(Opcode.CONT, MESSAGES[0][20:]),
    _frame(Opcode.TEXT, MESSAGES[0]) + _frame(Opcode.PING, b"x"),
    _frame(Opcode.TEXT, MESSAGES[0]) + _frame(Opcode.TEXT, b"x" * 70_000),
    _frame(Opcode.TEXT, MESSAGES[0]) + _frame(Opcode.BINARY, b"\x00\x01"),
    _frame(Opcode.TEXT, MESSAGES[0]) + _frame(Opcode.CLOSE, b"\x03\xe8bye"),
)


def _configs() -> tuple[bytes, ...]:
    folder = Path(__file__).parents[3] / "configs"
    return tuple(path.read_bytes() for path in sorted(folder.glob("*.toml")))


# By name: what makes the target, given an empty folder, and examples of what it should be told.
TARGETS: Mapping[str, tuple[Callable[[Path], Target], tuple[bytes, ...]]] = {
    "messages": (Messages, MESSAGES),
    "actions": (Actions, ACTIONS),
    "frames": (Wire, FRAMES),
    "handshakes": (Greeting, (HANDSHAKE, *(HANDSHAKE + frame for frame in FRAMES))),
    "configs": (Configs, _configs()),
}
