"""What every test may count on."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest
import structlog


@pytest.fixture(autouse=True)
def _logging_of_its_own() -> Iterator[None]:
    """A command or a bot that is run in this process sets up logging for all of it: undo that."""
    kit = logging.getLogger("runner.bot")
    level = kit.level
    structlog.reset_defaults()
    yield
    kit.setLevel(level)
    structlog.reset_defaults()
    structlog.contextvars.clear_contextvars()
