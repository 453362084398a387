"""Every test here runs on asyncio's own event loop and on uvloop, which seasons use."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from engine import catalog
from tests.runner.rounds import Rounds


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    factories: dict[str, Callable[[], Any]] = {"asyncio": asyncio.new_event_loop}
    if sys.platform != "win32":
        import uvloop

        factories["uvloop"] = uvloop.new_event_loop
    return factories


@pytest.fixture(autouse=True)
def _rounds_in_catalog() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(catalog.GAMES, Rounds.id, Rounds)
        yield
