"""Asking a model within a given time, and what becomes of it where that fails.

A failure costs the decision nothing but the time that was set aside for it. Each cause is told
once, and a model that keeps failing is left alone for a while.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from runner.bots.llm.reply import Reply, UnclearReply, read_reply

LOG = logging.getLogger("runner.bots.llm")

SHORTEST_S = 0.1
FAILURES = 3
PAUSE_S = 30.0


class Message(Struct, frozen=True):
    """One message of a conversation with a model; role: `system` or `user`."""

    role: str
    content: str


class ModelError(Exception):
    """The model did not answer. cause: one of a few phrases; detail: the rest, for people."""

    def __init__(self, cause: str, detail: str) -> None:
        super().__init__(cause, detail)
        self.cause = cause
        self.detail = detail


class Model(Protocol):
    """Something that goes on with a conversation."""

    async def complete(self, messages: Sequence[Message]) -> str:
        """The text that follows `messages`. Takes as long as it likes; raises ModelError."""
        ...


class NoAdvice(Exception):
    """There is no choice of the model's; `cause` says why, in a phrase to count by."""

    def __init__(self, cause: str) -> None:
        super().__init__(cause)
        self.cause = cause


class Breaker:
    """After FAILURES failures in a row, one try every PAUSE_S seconds until one succeeds."""

    def __init__(self) -> None:
        self._in_a_row = 0
        self._again = 0.0

    @property
    def broken(self) -> bool:
        """Whether it has come to that."""
        return self._in_a_row >= FAILURES

    def allows(self, now: float) -> bool:
        """Whether to try at `now`, seconds; taken for the try itself."""
        if not self.broken:
            return True
        if now < self._again:
            return False
        self._again = now + PAUSE_S
        return True

    def failed(self, now: float) -> None:
        """A try came to nothing."""
        self._in_a_row += 1
        self._again = now + PAUSE_S

    def succeeded(self) -> None:
        """A try brought an answer."""
        self._in_a_row = 0


class Adviser:
    """A model, asked by all matches of a process."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._breaker = Breaker()
        self._told: set[str] = set()

    async def choose(self, messages: Sequence[Message], actions: int, seconds: float) -> Reply:
        """Which of `actions` the model chooses. Raises NoAdvice, within `seconds`."""
        if seconds < SHORTEST_S:
            raise self._failure("too little time", f"{seconds * 1000:.0f} ms left")
        if not self._breaker.allows(time.monotonic()):
            raise NoAdvice("left alone")
        text = await self._text(messages, seconds)
        if self._breaker.broken:
            LOG.info("the model answers again")
        self._breaker.succeeded()
        try:
            return read_reply(text, actions)
        except UnclearReply as unclear:
            raise self._failure("unclear answer", f"it {unclear}") from None

    async def _text(self, messages: Sequence[Message], seconds: float) -> str:
        try:
            async with asyncio.timeout(seconds):
                return await self._model.complete(messages)
        except TimeoutError:
            failure = self._failure("no answer in time", f"waited {seconds:.1f} s")
        except ModelError as error:
            failure = self._failure(error.cause, error.detail)
        was_broken = self._breaker.broken
        self._breaker.failed(time.monotonic())
        if self._breaker.broken and not was_broken:
            LOG.warning("%d failures in a row: asking every %.0f s only", FAILURES, PAUSE_S)
        raise failure

    def _failure(self, cause: str, detail: str) -> NoAdvice:
        first = cause not in self._told
        self._told.add(cause)
        LOG.log(
            logging.ERROR if first else logging.DEBUG,
            "the model did not choose: %s (%s)%s",
            cause,
            detail,
            "; told once" if first else "",
        )
        return NoAdvice(cause)
