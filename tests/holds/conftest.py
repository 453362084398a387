"""Tests here run on uvloop, as seasons do; those of the network on asyncio's loop, too."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from engine import catalog
from tests.runner.rounds import Rounds

# What these test depends on how an event loop reads, writes, and closes.
ON_BOTH_LOOPS = {"test_faults", "test_output", "test_raw_bytes", "test_slow_sockets", "test_tls"}


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    plain: dict[str, Callable[[], Any]] = {"asyncio": asyncio.new_event_loop}
    if sys.platform == "win32":
        return plain
    import uvloop

    faster = {"uvloop": uvloop.new_event_loop}
    return plain | faster if item.path.stem in ON_BOTH_LOOPS else faster


@pytest.fixture(autouse=True)
def _rounds_in_catalog() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(catalog.GAMES, Rounds.id, Rounds)
        yield
