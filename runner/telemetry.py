"""Logging: one line of JSON for each match and each fault, and the same for people."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TextIO

import structlog
from structlog.typing import EventDict, WrappedLogger

from ratings.tables import escaped
from runner.files import private_folder


def log_to(path: Path, *, console: bool = False) -> TextIO:
    """Send all events to `path` as JSON Lines. Close the returned file in the end.

    console: show them on standard error too, as people like to read them.
    """
    private_folder(path.parent)
    fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    file = os.fdopen(fd, "a", encoding="utf-8", buffering=1)
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            *((_show,) if console else ()),
            structlog.processors.JSONRenderer(),
        ],
        logger_factory=structlog.WriteLoggerFactory(file=file),
        cache_logger_on_first_use=False,
    )
    return file


_render = structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())


def _show(logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
    # Bots choose their names and some of the messages: nothing of theirs may move the cursor.
    shown = {
        key: escaped(value) if isinstance(value, str) else value for key, value in event.items()
    }
    sys.stderr.write(f"{_render(logger, method, shown)}\n")
    return event
