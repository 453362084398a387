"""The clock of answer times, and the runner's own stalls, measured so that nobody pays for them.

While the event loop stands still nothing is read, so an answer may have been waiting in a
socket, and a bot on the same machine may have stood still too. The time of such stalls is
taken off every deadline that it falls into.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from typing import TypeAlias

Clock: TypeAlias = Callable[[], float]

# Event loops round their own time to milliseconds or keep that of the last poll, which is not
# good enough for stamps. All times between asking and answering are of this clock, in seconds.
CLOCK: Clock = time.perf_counter

BEAT_SECONDS = 0.01
STALL_SECONDS = 0.01
REMEMBERED_STALLS = 1024


class LoopWatch:
    """Watches an event loop by a steady beat; a beat that comes late is a stall.

    lag: by how many seconds the last beat was late. stalls: how many there were.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, clock: Clock = CLOCK) -> None:
        self._loop = loop
        self._clock = clock
        self._stalls: deque[tuple[float, float]] = deque(maxlen=REMEMBERED_STALLS)
        self._due = clock() + BEAT_SECONDS
        self._handle: asyncio.TimerHandle | None = None
        self.lag = 0.0
        self.stalls = 0

    def start(self) -> None:
        """Begin to watch. Call `stop` in the end."""
        self._wait()

    def stop(self) -> None:
        """Watch no longer."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def stalled(self, since: float) -> float:
        """Seconds that the loop has stood still after the time `since`, so far."""
        total = 0.0
        if self._handle is not None:
            late = self._clock() - max(since, self._due)
            total = late if late >= STALL_SECONDS else 0.0
        for begin, end in reversed(self._stalls):
            if end <= since:
                break
            total += end - max(begin, since)
        return total

    def longest(self, since: float) -> float:
        """Seconds of the longest single stall that ended after the time `since`."""
        return max((end - begin for begin, end in self._stalls if end > since), default=0.0)

    def _wait(self) -> None:
        self._due = self._clock() + BEAT_SECONDS
        self._handle = self._loop.call_later(BEAT_SECONDS, self._beat)

    def _beat(self) -> None:
        now = self._clock()
        self.lag = late = max(0.0, now - self._due)
        if late >= STALL_SECONDS:
            self._stalls.append((self._due, now))
            self.stalls += 1
        self._wait()
