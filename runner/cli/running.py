"""Running a season from a command: signals, the log, and what went wrong as one sentence."""

from __future__ import annotations

import asyncio
import shutil
import signal
import sys
from collections.abc import Callable, Coroutine
from typing import Any

from ratings.errors import LedgerError
from runner.app import Report, Running, run_season
from runner.cli.output import fail
from runner.config import ConfigError, Loaded
from runner.dealer import SeasonError
from runner.journal import JournalError
from runner.telemetry import log_to
from runner.tokens import TokenError
from runner.vault import VaultError

INTERRUPTED = 130
# SQLite calls a full disk by many names, so that what is left is looked at itself.
FULL_DISK_BYTES = 1 << 20

# What can go wrong outside of this program; anything else is a fault of ours and is raised.
EXPECTED = (
    VaultError,
    LedgerError,
    JournalError,
    SeasonError,
    TokenError,
    OSError,
)


def play(
    loaded: Loaded,
    watch_progress: Callable[[Running], Coroutine[Any, Any, None]],
    *,
    log: bool = False,
) -> Report:
    """Play a season until it is over or a signal stops it; ends with a sentence where it fails.

    log: whether to show on standard error, too, what is logged.
    """
    try:
        with log_to(loaded.data / "logs" / "runner.jsonl", console=log):
            return _run(loaded, watch_progress)
    except ConfigError as error:
        fail(str(error))
    except EXPECTED as error:
        fail(sentence(error) + _room(loaded), 1)
    except BaseExceptionGroup as group:
        unexpected = group.split(EXPECTED)[1]
        if unexpected is not None:
            raise
        reasons = dict.fromkeys(sentence(error) for error in _leaves(group))
        fail("; ".join(reasons) + _room(loaded), 1)


def _room(loaded: Loaded) -> str:
    """What to do about a disk that is full, "" where there is room."""
    try:
        free = shutil.disk_usage(loaded.data).free
    except OSError:
        return ""
    if free >= FULL_DISK_BYTES:
        return ""
    return (
        f"; no space left: {loaded.data} has {free >> 10} KiB; make room, and the same command "
        f"goes on from here"
    )


def _run(loaded: Loaded, watch_progress: Callable[[Running], Coroutine[Any, Any, None]]) -> Report:
    stop = asyncio.Event()

    async def main() -> Report:
        loop = asyncio.get_running_loop()
        if sys.platform != "win32":
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(number, stop.set)
        return await run_season(loaded, stop, watch_progress)

    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        return runner.run(main())


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """How to make the loop that seasons run on; None for asyncio's own."""
    if sys.platform == "win32":
        return None
    import uvloop

    return uvloop.new_event_loop


def sentence(error: BaseException) -> str:
    """What went wrong, for people."""
    if isinstance(error, OSError) and error.strerror:
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror}"
    return str(error)


def _leaves(group: BaseExceptionGroup[BaseException]) -> list[BaseException]:
    leaves: list[BaseException] = []
    for error in group.exceptions:
        leaves += _leaves(error) if isinstance(error, BaseExceptionGroup) else [error]
    return leaves
