"""The runner's own stalls, measured, so that nobody pays for them.

While the event loop stands still nothing is read, so an answer may have been waiting in a
socket, and a bot on the same machine may have stood still too. The time of such stalls is
taken off every deadline that it falls into.
"""

from __future__ import annotations

import asyncio
from collections import deque

BEAT_SECONDS = 0.01
STALL_SECONDS = 0.01
REMEMBERED_STALLS = 1024


class LoopWatch:
    """Watches an event loop by a steady beat; a beat that comes late is a stall."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._stalls: deque[tuple[float, float]] = deque(maxlen=REMEMBERED_STALLS)
        self._due = loop.time() + BEAT_SECONDS
        self._handle: asyncio.TimerHandle | None = None
        self.longest = 0.0
        self.stalls = 0

    def start(self) -> None:
        """Begin to watch. Call `stop` in the end."""
        self._due = self._loop.time() + BEAT_SECONDS
        self._handle = self._loop.call_at(self._due, self._beat)

    def stop(self) -> None:
        """Watch no longer."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def stalled(self, since: float) -> float:
        """Seconds that the loop has stood still after the loop time `since`, so far."""
        now = self._loop.time()
        total = now - max(since, self._due)
        if total < STALL_SECONDS:
            total = 0.0
        for begin, end in reversed(self._stalls):
            if end <= since:
                break
            total += end - max(begin, since)
        return total

    def _beat(self) -> None:
        now = self._loop.time()
        late = now - self._due
        if late >= STALL_SECONDS:
            self._stalls.append((self._due, now))
            self.stalls += 1
            self.longest = max(self.longest, late)
        self._due = now + BEAT_SECONDS
        self._handle = self._loop.call_at(self._due, self._beat)
