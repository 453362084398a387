"""An event loop's timers and turns on a clock that stands still until a test moves it."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable
from itertools import count
from typing import Any, cast


class _Handle:
    def __init__(self, callback: Callable[..., object], args: tuple[Any, ...]) -> None:
        self._callback = callback
        self._args = args
        self._cancelled = False

    def cancel(self) -> None:
        self._cancelled = True

    def run(self) -> None:
        if not self._cancelled:
            self._callback(*self._args)


class FakeLoop:
    """Turns as asyncio takes them: poll, then timers, then everything that was ready by then."""

    def __init__(self) -> None:
        self.now = 1000.0
        self._ready: list[_Handle] = []
        self._timers: list[tuple[float, int, _Handle]] = []
        self._arrived: list[_Handle] = []
        self._order = count()

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """Itself, for code that asks for a loop and uses no more of it than there is here."""
        return cast(asyncio.AbstractEventLoop, self)

    def time(self) -> float:
        """The clock."""
        return self.now

    def call_soon(self, callback: Callable[..., object], *args: Any) -> _Handle:
        self._ready.append(_Handle(callback, args))
        return self._ready[-1]

    def call_later(self, delay: float, callback: Callable[..., object], *args: Any) -> _Handle:
        handle = _Handle(callback, args)
        heapq.heappush(self._timers, (self.now + delay, next(self._order), handle))
        return handle

    def arrives(self, callback: Callable[..., object], *args: Any) -> None:
        """Something lies in a socket's buffer: the next poll finds it."""
        self._arrived.append(_Handle(callback, args))

    def turn(self) -> None:
        """One turn of the loop."""
        self._ready += self._arrived
        self._arrived = []
        while self._timers and self._timers[0][0] <= self.now:
            self._ready.append(heapq.heappop(self._timers)[2])
        ready, self._ready = self._ready, []
        for handle in ready:
            handle.run()

    def advance(self, seconds: float) -> None:
        """Let time pass, with a loop that does everything in time."""
        end = self.now + seconds
        while True:
            while self._ready or self._arrived or self._due(self.now):
                self.turn()
            if not self._due(end):
                break
            self.now = self._timers[0][0]
        self.now = end

    def stall(self, seconds: float) -> None:
        """Let time pass while the loop stands still."""
        self.now += seconds

    def _due(self, when: float) -> bool:
        return bool(self._timers) and self._timers[0][0] <= when
