"""Frames that a server would send, for a bot in seat 1 of matches of the toy game."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Raw, Struct

from runner import protocol as wire
from tests.runner.bot.toy import Toy, ToyView


def welcome(*, season: str = "s", resumed: bool = False, open_requests: int = 0) -> bytes:
    return wire.encode(wire.Welcome(1, "me", season, "00", resumed, open_requests))


def match_start(match: str = "m1", *, game: str = Toy.id, deadline_ms: int = 20_000) -> bytes:
    return wire.encode(
        wire.MatchStart(match, game, 1, ("other", "me"), deadline_ms, "00", {"rounds": 3})
    )


def request(
    id: int,  # noqa: A002
    kind: str = "pick",
    *,
    match: str = "m1",
    below: int = 5,
    deadline_ms: int = 20_000,
) -> bytes:
    view = Raw(msgspec.json.encode(ToyView(seat=1, below=below)))
    return wire.encode(wire.Request(id, match, Toy.id, 1, kind, deadline_ms, view))


def strike(
    id: int,  # noqa: A002
    applied: Struct,
    *,
    match: str = "m1",
    reason: wire.StrikeReason = "illegal",
    strikes: int = 1,
) -> bytes:
    raw = Raw(msgspec.json.encode(applied))
    return wire.encode(
        wire.Strike(match, id, reason, "forbidden", "that is forbidden", strikes, False, raw)
    )


def match_end(match: str = "m1") -> bytes:
    rating = wire.RatingChange(0.0, 1.5)
    return wire.encode(wire.MatchEnd(match, "done", (2, 1), (3, 7), "ab" * 32, rating))


def event(what: str, match: str = "m1") -> bytes:
    return wire.encode(wire.MatchEvent(match, Raw(msgspec.json.encode({"what": what}))))


def error(code: str, message: str = "") -> bytes:
    return wire.encode(wire.Error(code, message))


def goodbye(reason: str, retry_ms: int | None = None) -> bytes:
    return wire.encode(wire.Goodbye(reason, retry_ms))


def read(frame: bytes | str) -> dict[str, Any]:
    """What the bot sent."""
    message: dict[str, Any] = msgspec.json.decode(frame)
    return message
