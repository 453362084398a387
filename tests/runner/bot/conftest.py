"""Makes the toy game known to the kit."""

from __future__ import annotations

import pytest

from engine import catalog
from tests.runner.bot.toy import Toy


@pytest.fixture(autouse=True)
def _toy_in_catalog(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(catalog.GAMES, Toy.id, Toy)
