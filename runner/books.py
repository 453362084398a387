"""The ledger as the event loop may use it: every call runs on one thread of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from ratings.ledger import Ledger

T = TypeVar("T")


class Books:
    """A ledger behind one thread, so that no query and no fsync ever runs on the loop."""

    def __init__(self, open_ledger: Callable[[], Ledger]) -> None:
        self._open_ledger = open_ledger
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="ledger")
        self._ledger: Ledger | None = None

    async def open(self) -> None:
        """Open the ledger. Raises LedgerError."""
        self._ledger = await self._run(self._open_ledger)

    async def use(self, function: Callable[[Ledger], T]) -> T:
        """Call `function` with the ledger on its thread; raises what the function raises."""
        ledger = self._ledger
        assert ledger is not None, "the ledger is not open"
        return await self._run(lambda: function(ledger))

    async def close(self) -> None:
        """Finish what is under way and close the ledger."""
        if self._ledger is not None:
            await self._run(self._ledger.close)
        self._thread.shutdown(wait=True)

    async def _run(self, function: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, function)
