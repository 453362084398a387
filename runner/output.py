"""What a program that the runner started says: read as it comes, and kept within bounds."""

from __future__ import annotations

import asyncio
import contextlib
import os
from pathlib import Path
from typing import Any, Self, cast

import structlog

log: Any = structlog.get_logger()

# Of one file; there are two for each bot.
MAX_LOG_BYTES = 10_000_000
# Who says more waits in its own write until there is room in the pipe; nobody else does.
BYTES_PER_SECOND = 1 << 20

_STDOUT = 1


class BoundedLog:
    """The last that a program said: `path`, and before that one full file, `path` and `.1`.

    What cannot be written, as on a full disk, is dropped: a log is not worth a season.
    """

    def __init__(self, path: Path) -> None:
        """Go on with `path`, created if need be. Raises OSError."""
        self._path = path
        self._older = path.with_name(f"{path.name}.1")
        self._well = True
        self._open()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._fd)

    def write(self, data: bytes) -> None:
        """Append what was said, in a fresh file if this one would be too long."""
        try:
            if self._size and self._size + len(data) > MAX_LOG_BYTES:
                self._turn_over()
            self._size += os.write(self._fd, data)
            self._well = True
        except OSError as error:
            if self._well:
                log.warning("output is lost", path=str(self._path), error=error.strerror)
            self._well = False

    def _open(self) -> None:
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
        self._fd = os.open(self._path, flags, 0o600)
        self._size = os.fstat(self._fd).st_size

    def _turn_over(self) -> None:
        full = self._fd
        with contextlib.suppress(FileNotFoundError):  # somebody took it away
            self._path.replace(self._older)
        self._open()
        os.close(full)


class Output(asyncio.SubprocessProtocol):
    """Takes down what a process says, at a bounded rate, and notes its end.

    exited: set when the process has ended. fell_silent: set when nobody can say anything any
    more, which may be later where the process has left children behind.
    """

    def __init__(self, into: BoundedLog) -> None:
        self._into: BoundedLog | None = into
        self._loop = asyncio.get_running_loop()
        self._resuming: asyncio.TimerHandle | None = None
        # When what was said so far would have been said at the rate that is allowed.
        self._worked_off = 0.0
        self.exited = asyncio.Event()
        self.fell_silent = asyncio.Event()

    def close(self) -> None:
        """Take down nothing more."""
        self._into = None
        self._resume()

    # asyncio calls these.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        process = cast(asyncio.SubprocessTransport, transport)
        self._pipe = cast(asyncio.ReadTransport, process.get_pipe_transport(_STDOUT))

    def pipe_data_received(self, fd: int, data: bytes) -> None:  # noqa: ARG002
        if self._into is None:
            return
        self._into.write(data)
        self._resume()
        now = self._loop.time()
        self._worked_off = max(self._worked_off, now) + len(data) / BYTES_PER_SECOND
        self._pipe.pause_reading()
        self._resuming = self._loop.call_at(self._worked_off, self._resume)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:  # noqa: ARG002
        self._resume()
        self.fell_silent.set()

    def process_exited(self) -> None:
        # What is left is in the pipe.
        self._worked_off = 0.0
        self._resume()
        self.exited.set()

    def _resume(self) -> None:
        if self._resuming is not None:
            self._resuming.cancel()
            self._resuming = None
            self._pipe.resume_reading()
