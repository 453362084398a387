"""The ends of all open requests' times, on one timer.

Requests of a season have the same time to answer, so that their deadlines pass in the order in
which they were asked: a queue and one timer serve them all, where a timer each would be the
dearest part of asking.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import NamedTuple

from runner.clock import CLOCK, Clock, LoopWatch
from runner.session import Fault, Open, Session

# Loops round their timers to milliseconds: one that is set to less goes round and round.
TICK_SECONDS = 0.001


class _Entry(NamedTuple):
    """A request by name only: the queue must not keep what was settled long ago alive."""

    due: float
    id: int
    session: Session
    margin_s: float


class Deadlines:
    """Ends requests that were not answered in time."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, watch: LoopWatch, clock: Clock = CLOCK
    ) -> None:
        self._loop = loop
        self._watch = watch
        self._clock = clock
        # By allowed time, so that entries of one queue are in the order of their ends.
        self._queues: dict[tuple[int, float], deque[_Entry]] = {}

    def add(self, request: Open, session: Session, margin_s: float) -> None:
        """End `request` as a timeout when its deadline, and `margin_s` more, have passed."""
        kind = (request.allowed_ms, margin_s)
        entry = _Entry(request.deadline + margin_s, request.id, session, margin_s)
        queue = self._queues.get(kind)
        if queue is None:
            self._queues[kind] = deque((entry,))
            self._loop.call_later(request.allowed_ms / 1000 + margin_s, self._pass, kind)
            return
        # Answers come long before the timer: what they have settled does not wait for it.
        while queue and queue[0].session.find(queue[0].id) is None:
            queue.popleft()
        queue.append(entry)

    def _pass(self, kind: tuple[int, float]) -> None:
        """The first entry's time is up: see to all whose time is, and wait for the next."""
        queue = self._queues[kind]
        now = self._clock()
        while queue:
            entry = queue[0]
            if entry.due > now and entry.session.find(entry.id) is not None:
                self._loop.call_later(entry.due - now + TICK_SECONDS, self._pass, kind)
                return
            queue.popleft()
            if entry.due <= now and entry.session.find(entry.id) is not None:
                self._look_again(entry)
        del self._queues[kind]

    def _look_again(self, entry: _Entry) -> None:
        # Two more turns of the loop: it polls the sockets in between, so an answer that lay in
        # a buffer when time ran out is read before it is judged to be missing.
        self._loop.call_soon(self._loop.call_soon, self._decide, entry)

    def _decide(self, entry: _Entry) -> None:
        request = entry.session.find(entry.id)
        if request is None:
            return
        stalled = self._watch.stalled(request.sent)
        due = entry.due + stalled if stalled > entry.margin_s else entry.due
        now = self._clock()
        if now < due:
            self._loop.call_later(due - now + TICK_SECONDS, self._look_again, entry)
            return
        entry.session.expire(request)
        ms = (now - request.sent) * 1000
        text = f"no answer within {request.allowed_ms} ms"
        request.settle(Fault("timeout", "timeout", text, ms, now))
