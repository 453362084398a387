"""Reference bots, written against the kit alone: opponents to measure a bot of one's own by.

python -m runner.bots NAME
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import NamedTuple

from runner.bot import Bot
from runner.bots.configured import ConfiguredBot


class _Entry(NamedTuple):
    """Where a bot is, and the ids of the games that it plays; None: any game there is.

    settings: what the variables that are meant for it, and no other bot, begin with.
    """

    module: str
    class_name: str
    games: tuple[str, ...] | None
    settings: str | None = None


# Imported only when asked for: a bot should not wait for the others' code.
_BOTS = {
    "greedy": _Entry("runner.bots.greedy", "Greedy", ("pioneers",)),
    "llm": _Entry(
        "runner.bots.llm.bot",
        "LanguageModelBot",
        ("pioneers", "pioneers-program"),
        settings="PIONEERS_LLM_",
    ),
    "planner": _Entry("runner.bots.planner", "Planner", ("pioneers",)),
    "random": _Entry("runner.bots.random_bot", "RandomBot", None),
    "searcher": _Entry("runner.bots.searcher", "Searcher", ("pioneers",)),
    "settler": _Entry("runner.bots.settler", "Settler", ("pioneers-program",)),
    "trader": _Entry("runner.bots.trader", "Trader", ("pioneers",)),
}

NAMES = tuple(_BOTS)

# By name: the ids of the games that the bot plays, None for any game.
PLAYS = {name: entry.games for name, entry in _BOTS.items()}


def find(name: str) -> type[Bot]:
    """The reference bot called `name`. Raises ValueError that lists the known ones."""
    if name not in _BOTS:
        raise ValueError(f"unknown bot {name!r}; reference bots: {', '.join(NAMES)}")
    entry = _BOTS[name]
    bot: type[Bot] = getattr(importlib.import_module(entry.module), entry.class_name)
    return bot


def configured(name: str, environment: Mapping[str, str]) -> type[Bot]:
    """The same, told what it has to know of `environment`.

    Raises SettingsError, naming the variable, where that is missing or makes no sense.
    """
    bot = find(name)
    return bot.configured(environment) if issubclass(bot, ConfiguredBot) else bot


def settings_of(name: str, environment: Mapping[str, str]) -> dict[str, str]:
    """The variables of `environment` that are meant for the known bot `name`."""
    prefix = _BOTS[name].settings
    if prefix is None:
        return {}
    return {key: value for key, value in environment.items() if key.startswith(prefix)}


def names_for(game_id: str) -> tuple[str, ...]:
    """The reference bots that play a game."""
    return tuple(name for name, games in PLAYS.items() if games is None or game_id in games)


def check_plays(name: str, game_id: str) -> None:
    """Raise ValueError, naming those that do, unless the known bot `name` plays the game."""
    able = names_for(game_id)
    if name not in able:
        raise ValueError(f"{name} does not play {game_id}; bots that do: {', '.join(able)}")
