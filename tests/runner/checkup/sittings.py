"""What came of seasons, made up."""

from __future__ import annotations

from typing import Any

import msgspec

from runner.checkup.relay import Frame
from runner.checkup.table import Sitting
from runner.tryout.report import Account


def frame(at: float = 0.0, *, from_bot: bool = False, **message: Any) -> Frame:
    """A frame with these fields at a time in seconds."""
    return Frame(from_bot, 0, msgspec.json.encode(message).decode(), message, at)


def request(id_: int, at: float = 0.0, deadline_ms: int = 1000) -> Frame:
    """A request of the server's."""
    return frame(at, type="request", id=id_, deadlineMs=deadline_ms)


def answer(id_: Any, at: float = 0.0) -> Frame:
    """An answer of the bot's."""
    return frame(at, from_bot=True, id=id_, action={})


def strike(id_: int, at: float = 0.0, reason: str = "timeout") -> Frame:
    """A strike for a request."""
    return frame(at, type="strike", id=id_, reason=reason)


def sitting(*frames: Frame, errors: tuple[tuple[int, str], ...] = (), **more: Any) -> Sitting:
    """What came of a season in which these frames went through."""
    return Sitting(frames, 1, Account(0, {}, ()), "exited with code 0", errors, **more)
