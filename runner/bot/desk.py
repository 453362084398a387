"""Where the author's code of one match runs: one call at a time, on the loop or in a thread."""

from __future__ import annotations

import asyncio
import inspect
import queue
import threading
from collections.abc import Callable
from typing import Any, TypeAlias

from engine.game import Action
from runner.bot.bot import Bot
from runner.bot.request import Request


class Raised:
    """What came of a call that raised; a value, so that it ends no task."""

    __slots__ = ("error",)

    def __init__(self, error: BaseException) -> None:
        self.error = error


_Job: TypeAlias = "tuple[Callable[[], Any], asyncio.Future[Any]]"


class Desk:
    """Runs the methods of one bot object, in the order asked, never two at once.

    `async def` methods run on the loop, plain ones in one thread that belongs to the match. The
    thread is a daemon: author's code that never returns cannot keep the process alive.
    """

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._turn = asyncio.Lock()
        self._jobs: queue.SimpleQueue[_Job | None] | None = None
        self._in_thread = False

    @property
    def cancellable(self) -> bool:
        """Whether cancelling the call that runs now would stop the author's code."""
        return not self._in_thread

    async def decide(self, request: Request) -> Action | Raised | None:
        """What the author's code answers; not called at all if `request` is settled by then."""
        async with self._turn:
            if request.settled:
                return None
            self._bot.request = request
            # `Bot.decide` dispatches by kind: look through it to see where the code belongs.
            method: Any = self._bot.decide
            if type(self._bot).decide is Bot.decide:
                method = getattr(self._bot, request.kind, method)
            on_loop = inspect.iscoroutinefunction(method)
            return await self._run(lambda: self._bot.decide(request), on_loop)

    async def call(self, hook: str, arguments: tuple[Any, ...]) -> Raised | None:
        """Call the author's `on_…` method."""
        async with self._turn:
            method = getattr(self._bot, hook)
            on_loop = inspect.iscoroutinefunction(method)
            outcome = await self._run(lambda: method(*arguments), on_loop)
            return outcome if isinstance(outcome, Raised) else None

    async def close(self) -> None:
        """End the thread once everything asked for so far is done."""
        async with self._turn:
            if self._jobs is not None:
                self._jobs.put(None)
                self._jobs = None

    async def _run(self, function: Callable[[], Any], on_loop: bool) -> Any | Raised:
        try:
            value = function() if on_loop else await self._in_own_thread(function)
            return await value if inspect.isawaitable(value) else value
        except Exception as error:
            return Raised(error)

    async def _in_own_thread(self, function: Callable[[], Any]) -> Any:
        loop = asyncio.get_running_loop()
        if self._jobs is None:
            self._jobs = queue.SimpleQueue()
            threading.Thread(
                target=_work,
                args=(self._jobs, loop),
                name=f"match {self._bot.match}",
                daemon=True,
            ).start()
        outcome: asyncio.Future[Any] = loop.create_future()
        self._in_thread = True
        self._jobs.put((function, outcome))
        try:
            value = await outcome
        finally:
            self._in_thread = False
        if isinstance(value, Raised):
            raise value.error
        return value


def _work(jobs: queue.SimpleQueue[_Job | None], loop: asyncio.AbstractEventLoop) -> None:
    while (job := jobs.get()) is not None:
        function, outcome = job
        try:
            value = function()
        except BaseException as error:
            value = Raised(error)
        try:
            loop.call_soon_threadsafe(_resolve, outcome, value)
        except RuntimeError:  # the loop is closed: the bot has stopped and nobody waits
            return


def _resolve(outcome: asyncio.Future[Any], value: Any) -> None:
    if not outcome.done():
        outcome.set_result(value)
