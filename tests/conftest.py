"""What every test may count on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import structlog


@pytest.fixture(autouse=True)
def _logging_of_its_own() -> Iterator[None]:
    """A command that is run in this process sets up logging for all of it: undo that."""
    structlog.reset_defaults()
    yield
    structlog.reset_defaults()
    structlog.contextvars.clear_contextvars()
