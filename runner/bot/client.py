"""Plays a bot against a server: the socket, the clock and the tasks around `Session`."""

from __future__ import annotations

import asyncio
import inspect
import ipaddress
import logging
import re
import ssl
import time
from collections.abc import Coroutine
from typing import Any
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import (
    ConnectionClosed,
    InvalidHandshake,
    InvalidMessage,
    InvalidStatus,
    InvalidURI,
)
from websockets.typing import Subprotocol

from engine.game import Action
from runner import protocol as wire
from runner.bot import effects
from runner.bot.bot import Bot
from runner.bot.desk import Desk, Raised
from runner.bot.request import Request
from runner.bot.retry import Refused, Retries, check_close, check_status
from runner.bot.session import Session
from runner.bot.table import Table

LOG = logging.getLogger("runner.bot")

PATIENCE_S = 600.0
_OPEN_TIMEOUT_S = 10.0
_CLOSE_TIMEOUT_S = 2.0
_MAX_MESSAGE_BYTES = 16 * 1024 * 1024
_OK = 1000
_NO_CLOSE_FRAME = 1006
# What else is in a token cannot stand in a header, and the error about it would show the token.
_TOKEN = re.compile(r"[!-~]+")


async def play(
    bot: type[Bot],
    url: str,
    token: str,
    *,
    max_matches: int | None = None,
    patience_s: float = PATIENCE_S,
    retries: Retries | None = None,
) -> None:
    """Play a whole season; returns when the server says that it is over.

    url: ws:// or wss:// address of the server's play endpoint, without user, password or query,
    as logs show it. token: what the season issued.
    max_matches: matches at once, `bot.max_matches` if left out.
    patience_s: how many seconds to go on trying without once being welcomed.

    Lost connections are taken up again. Raises Refused when that would not help: a token that is
    unknown or can be none, a bot that is not entered, a second process with the same token,
    patience at its end.
    """
    if not _TOKEN.fullmatch(token):
        raise Refused("the token has a space, a line break or another character that none has")
    _check_url(url)
    if bot.inline and inspect.getmembers(bot, inspect.iscoroutinefunction):
        raise TypeError(f"{bot.__name__}.inline is for plain methods, and some are `async def`")
    refused: Refused | None = None
    try:
        async with asyncio.TaskGroup() as tasks:
            client = _Client(bot, url, token, tasks, Session(bot, max_matches))
            try:
                await client.play(patience_s, retries or Retries())
            except Refused as error:  # not from within the group, which would wrap it
                refused = error
            await client.finish_calls()
            raise _Ended
    except* _Ended:
        pass
    if refused is not None:
        raise refused


class _Ended(Exception):
    """Ends the task group, and with it author's code that still thinks about a decision."""


class _Client:
    def __init__(
        self, bot: type[Bot], url: str, token: str, tasks: asyncio.TaskGroup, session: Session
    ) -> None:
        self._inline = bot.inline
        self._url = url
        self._token = token
        self._tasks = tasks
        self._session = session
        self._socket: ClientConnection | None = None
        self._desks: dict[Table, Desk] = {}
        self._decisions: dict[Request, asyncio.Task[None]] = {}
        self._calls: set[asyncio.Task[None]] = set()

    async def play(self, patience_s: float, retries: Retries) -> None:
        """Connect, and come back, until the season is over."""
        welcomed = time.monotonic()
        while True:
            try:
                trouble = await self._connection()
            except (OSError, InvalidHandshake, InvalidURI) as error:
                trouble = _not_connected(error, self._url)
            if trouble is None:
                return
            if self._session.welcomed:
                retries.succeeded()
                welcomed = time.monotonic()
            elif time.monotonic() - welcomed > patience_s:
                raise Refused(f"not welcomed for {patience_s:.0f} s: {trouble}")
            delay_s = retries.delay_s(self._session.retry_ms / 1000)
            LOG.warning("%s; trying again in %.1f s", trouble, delay_s)
            await asyncio.sleep(delay_s)

    async def finish_calls(self) -> None:
        """Give the last `on_end` methods a moment to finish."""
        if self._calls:
            await asyncio.wait(self._calls, timeout=_CLOSE_TIMEOUT_S)

    async def _connection(self) -> str | None:
        """One connection from hello to close: None if the season is over, else what happened."""
        session = self._session
        hello = session.connecting()
        async with connect(
            self._url,
            additional_headers={"Authorization": f"Bearer {self._token}"},
            subprotocols=[Subprotocol(wire.SUBPROTOCOL)],
            compression=None,
            proxy=None if _is_loopback(self._url) else True,
            open_timeout=_OPEN_TIMEOUT_S,
            close_timeout=_CLOSE_TIMEOUT_S,
            ping_interval=wire.PING_SECONDS,
            ping_timeout=wire.PONG_SECONDS,
            max_size=_MAX_MESSAGE_BYTES,
        ) as socket:
            if socket.subprotocol != wire.SUBPROTOCOL:
                raise Refused(f"{self._url} does not speak {wire.SUBPROTOCOL}")
            self._socket = socket
            try:
                # Even if this comes too late, what the server has said is still to be read.
                await self._send(hello)
                while True:
                    frame = await socket.recv(decode=False)
                    for effect in session.receive(frame, time.monotonic()):
                        await self._do(effect)
            except ConnectionClosed as closed:
                end = closed.rcvd
            except asyncio.CancelledError:
                await socket.close(wire.CLOSE_GOING_AWAY, "the bot is being stopped")
                raise
            finally:
                self._socket = None
        code, reason = (_NO_CLOSE_FRAME, "") if end is None else (end.code, end.reason)
        check_close(code, reason, session.error, session.welcomed)
        if code == _OK and session.over:
            return None
        return f"the connection closed with {code} {reason}".rstrip()

    async def _do(self, effect: effects.Effect) -> None:
        match effect:
            case effects.Decide(table, request):
                if self._inline:
                    await self._send(self._decide_inline(table, request))
                else:
                    task = self._tasks.create_task(self._decide(table, request))
                    self._decisions[request] = task
                    task.add_done_callback(lambda _: self._decisions.pop(request))
            case effects.Send(frame):
                await self._send(frame)
            case effects.Abandon(request):
                if request in self._decisions:
                    self._decisions[request].cancel()
            case effects.Call(table, hook, arguments):
                if self._inline:
                    _call_inline(table.bot, hook, arguments)
                else:
                    self._soon(self._call(table, hook, arguments))
            case effects.Leave(table):
                if table in self._desks:
                    self._soon(self._desks.pop(table).close())

    def _soon(self, call: Coroutine[Any, Any, None]) -> None:
        task = self._tasks.create_task(call)
        self._calls.add(task)
        task.add_done_callback(self._calls.discard)

    def _desk(self, table: Table) -> Desk:
        desk = self._desks.get(table)
        if desk is None:
            desk = self._desks[table] = Desk(table.bot)
        return desk

    async def _decide(self, table: Table, request: Request) -> None:
        """Answer `request` in time, whatever the author's code does."""
        desk = self._desk(table)
        call = self._tasks.create_task(desk.decide(request))
        try:
            # The deadline moves when the server asks again after a restart.
            while not call.done() and (left := request.left) > 0:
                await asyncio.wait((call,), timeout=left)
            await self._send(self._outcome(table, request, call))
            if not call.done() and not desk.cancellable:
                await asyncio.wait((call,))
                LOG.warning("%r: the code was done %.0f ms late", request, -request.left * 1000)
        finally:
            # A thread cannot be stopped: its call keeps the desk until it is done.
            if not call.done() and desk.cancellable:
                call.cancel()

    def _outcome(
        self, table: Table, request: Request, call: asyncio.Task[Action | Raised | None]
    ) -> bytes | None:
        if not call.done():
            return self._session.late(table, request)
        if call.cancelled():
            return self._session.failed(table, request, asyncio.CancelledError())
        value = call.result()
        if isinstance(value, Raised):
            return self._session.failed(table, request, value.error)
        return self._session.answer(table, request, value)

    def _decide_inline(self, table: Table, request: Request) -> bytes | None:
        table.bot.request = request
        try:
            action = table.bot.decide(request)
        except Exception as error:
            return self._session.failed(table, request, error)
        if request.left < 0:
            LOG.error("%r: inline code was done %.0f ms late", request, -request.left * 1000)
        return self._session.answer(table, request, action)

    async def _call(self, table: Table, hook: str, arguments: tuple[Any, ...]) -> None:
        raised = await self._desk(table).call(hook, arguments)
        if raised is not None:
            LOG.error("%s raised", hook, exc_info=raised.error)

    async def _send(self, frame: bytes | None) -> None:
        if frame is None or self._socket is None:
            return  # the session keeps the answer for when the server asks again
        try:
            await self._socket.send(frame, text=True)
        except ConnectionClosed:
            # The receiving side sees it too, and knows what to do.
            LOG.debug("the connection closed under an answer")


def _call_inline(bot: Bot, hook: str, arguments: tuple[Any, ...]) -> None:
    try:
        getattr(bot, hook)(*arguments)
    except Exception:
        LOG.exception("%s raised", hook)


def _check_url(url: str) -> None:
    """Raise Refused, without the address, where it holds what no log may show."""
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise Refused(f"the URL is not the address of a server: {error}") from None
    if parts.username is not None or parts.password is not None or parts.query:
        raise Refused(
            "the URL has a user, a password or a query (`…@` or `?…`), which would be logged: "
            "leave it out; the token goes into a variable of its own"
        )


def _not_connected(error: Exception, url: str) -> str:
    """What went wrong, where another try makes sense; else raise Refused."""
    match error:
        case InvalidURI():
            raise Refused(f"{url!r} is not the address of a server: {error}")
        case InvalidStatus():
            check_status(error.response.status_code)
        case ssl.SSLCertVerificationError():
            raise Refused(f"{url}: {error.verify_message}")
    hint = ""
    secure = urlsplit(url).scheme == "wss"
    # What comes of speaking TLS to a port that does not, and the other way round.
    if secure and isinstance(error, ssl.SSLError | ConnectionResetError):
        hint = " (has the server TLS? If not, the address begins with ws://)"
    elif not secure and isinstance(error, InvalidMessage):
        hint = " (has the server TLS? Then the address begins with wss://)"
    return f"cannot connect to {url}: {str(error) or type(error).__name__}{hint}"


def _is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname
    try:
        return host == "localhost" or ipaddress.ip_address(host or "").is_loopback
    except ValueError:
        return False
