"""Logging: one line of JSON per event, to a file of the season."""

from __future__ import annotations

from pathlib import Path
from typing import TextIO

import structlog


def log_to(path: Path) -> TextIO:
    """Send all structlog events to `path` as JSON Lines. Close the returned file in the end."""
    path.parent.mkdir(parents=True, exist_ok=True)
    file = path.open("a", encoding="utf-8")
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
        logger_factory=structlog.WriteLoggerFactory(file=file),
        cache_logger_on_first_use=False,
    )
    return file
