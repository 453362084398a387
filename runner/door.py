"""Who may come in: greetings, tokens, and how many tries and connections an address has."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec
import structlog
from msgspec import Struct

from runner import protocol as wire
from runner.session import UNREADABLE, clip
from runner.tokens import TokenBook, TokenError

log: Any = structlog.get_logger()

Guest = TypeVar("Guest")

FAILED_TRIES = 20
FAILED_TRIES_SECONDS = 60.0
REMEMBERED_ADDRESSES = 10_000
# So many connections beyond a limit are told so; those beyond this are cut off.
SLACK = 32

_BEARER = "bearer "


class Limits(Struct, frozen=True):
    """How many connections there may be at once, in all and from one address."""

    connections: int
    per_address: int


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


class Door:
    """Decides who comes in. Addresses are those that the operating system names."""

    def __init__(self, tokens: TokenBook, season: str, limits: Limits) -> None:
        self._tokens = tokens
        self._season = season
        self._limits = limits
        self._here: Counter[str] = Counter()
        self._failures: dict[str, deque[float]] = {}

    def arrive(self, address: str) -> None:
        """One more connection from `address`."""
        self._here[address] += 1

    def leave(self, address: str) -> None:
        """One less."""
        self._here[address] -= 1
        if not self._here[address]:
            del self._here[address]

    def full(self, address: str) -> bool:
        """Whether a connection from `address` that has arrived is one too many."""
        return (
            self._here.total() > self._limits.connections
            or self._here[address] > self._limits.per_address
        )

    def overrun(self, address: str) -> bool:
        """Whether there are so many connections that one more is not even worth an answer."""
        return (
            self._here.total() > self._limits.connections + SLACK
            or self._here[address] > self._limits.per_address + SLACK
        )

    def changes(self) -> int:
        """Counts the times that tokens were issued or revoked. Raises TokenError."""
        return self._tokens.generation()

    def owner(self, credential: str) -> str | None:
        """Whose token has this hash, or None where it was revoked. Raises TokenError."""
        return self._tokens.owner(credential)

    def recognise(
        self,
        hello: wire.Hello,
        authorization: str | None,
        address: str,
        guests: Mapping[str, Guest],
        now: float,
    ) -> Guest:
        """Which of `guests` this is. Raises Refusal. now: seconds of a monotonic clock."""
        token = token_of(hello, authorization)
        try:
            name = self._tokens.find(token)
        except TokenError as error:
            log.error("tokens cannot be read", error=str(error))
            text = "tokens cannot be checked now; try again later"
            raise Refusal(wire.CLOSE_FULL, "not_now", text) from error
        if name is None:
            # A good token is let in whatever others at its address have tried.
            if self._has_tried_enough(address, now):
                text = f"{FAILED_TRIES} bad tokens within {FAILED_TRIES_SECONDS:.0f} s; wait"
                raise Refusal(wire.CLOSE_UNKNOWN_TOKEN, "too_many_tries", text)
            self._note_failure(address, now)
            text = "this token is unknown or was revoked"
            raise Refusal(wire.CLOSE_UNKNOWN_TOKEN, "unknown_token", text)
        if name not in guests:
            text = f"{name!r} is not entered in the season {self._season!r}"
            raise Refusal(wire.CLOSE_NOT_ENTERED, "not_entered", text)
        return guests[name]

    def _has_tried_enough(self, address: str, now: float) -> bool:
        failures = self._failures.get(address)
        if failures is None or len(failures) < FAILED_TRIES:
            return False
        if now - failures[0] < FAILED_TRIES_SECONDS:
            return True
        del self._failures[address]
        return False

    def _note_failure(self, address: str, now: float) -> None:
        if address not in self._failures and len(self._failures) >= REMEMBERED_ADDRESSES:
            # The address that failed first goes: dicts keep the order of insertion.
            del self._failures[next(iter(self._failures))]
        self._failures.setdefault(address, deque(maxlen=FAILED_TRIES)).append(now)
