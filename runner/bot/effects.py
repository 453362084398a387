"""What `Session` wants done: values, so that the session itself does nothing but think."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from runner.bot.request import Request
from runner.bot.table import Table


@dataclass(frozen=True, slots=True)
class Send:
    """Write `frame` to the socket."""

    frame: bytes


@dataclass(frozen=True, slots=True)
class Decide:
    """Let the author's code answer `request`, then tell the session what came of it."""

    table: Table
    request: Request


@dataclass(frozen=True, slots=True)
class Abandon:
    """Nobody waits for `request` any more."""

    request: Request


@dataclass(frozen=True, slots=True)
class Call:
    """Call the author's method `hook`."""

    table: Table
    hook: str
    arguments: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Leave:
    """The match is over for this bot; no more calls come for its object."""

    table: Table


Effect: TypeAlias = Send | Decide | Abandon | Call | Leave
