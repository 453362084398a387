"""Reference bots, written against the kit alone: opponents to measure a bot of one's own by.

python -m runner.bots NAME
"""

from __future__ import annotations

import importlib

from runner.bot import Bot

# Module and class, imported only when asked for: a bot should not wait for the others' code.
_BOTS = {
    "greedy": ("runner.bots.greedy", "Greedy"),
    "random": ("runner.bots.random_bot", "RandomBot"),
}

NAMES = tuple(_BOTS)


def find(name: str) -> type[Bot]:
    """The reference bot called `name`. Raises ValueError that lists the known ones."""
    if name not in _BOTS:
        raise ValueError(f"unknown bot {name!r}; reference bots: {', '.join(NAMES)}")
    module, class_name = _BOTS[name]
    bot: type[Bot] = getattr(importlib.import_module(module), class_name)
    return bot
