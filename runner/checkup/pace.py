"""How quickly a bot answers, read from what passes by on the wire."""

from __future__ import annotations

from collections.abc import Callable

from runner.bot import Bot
from runner.checkup.relay import Frame

ENOUGH_SLOW = 5
# What a clock may be short by.
_TICK_MS = 1.0


def too_slow(taken_ms: float, allowed_ms: float) -> bool:
    """Whether an answer came when the kit would have played the default, or later."""
    return taken_ms >= allowed_ms - min(Bot.margin_ms, allowed_ms / 4) - _TICK_MS


class Pace:
    """Counts answers that came when their time was all but over, or not at all.

    The kit's default, which goes out `Bot.margin_ms` before the deadline, is such an answer.
    """

    def __init__(self, since: Callable[[], bool] = lambda: True) -> None:
        """since: says whether requests count by now."""
        self.slow = 0
        self.times_ms: list[float] = []
        self._since = since
        self._asked: dict[int, tuple[float, float]] = {}

    def note(self, frame: Frame) -> bool:
        """Take in the next frame; says whether there were enough slow answers to know."""
        message = frame.message
        if message is not None and isinstance(id_ := message.get("id"), int):
            if not frame.from_bot and frame.type == "request":
                if self._since():
                    self._asked[id_] = (frame.at, message["deadlineMs"])
            elif not frame.from_bot and frame.type == "strike":
                if self._asked.pop(id_, None) is not None and message["reason"] == "timeout":
                    self.slow += 1
            elif frame.from_bot and frame.type == "answer" and id_ in self._asked:
                self._answered(frame.at, *self._asked.pop(id_))
        return self.slow >= ENOUGH_SLOW

    def _answered(self, now: float, asked: float, allowed_ms: float) -> None:
        taken_ms = (now - asked) * 1000
        self.times_ms.append(taken_ms)
        if too_slow(taken_ms, allowed_ms):
            self.slow += 1
