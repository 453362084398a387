"""The games that can be played, by id."""

from __future__ import annotations

import importlib

from engine.encoding import Encoding
from engine.game import Game
from engine.pioneers import Pioneers
from engine.program import Program

GAMES: dict[str, type[Game]] = {game.id: game for game in (Pioneers, Program)}


def find(game_id: str) -> type[Game]:
    """The game called `game_id`. Raises ValueError that lists the known ones."""
    try:
        return GAMES[game_id]
    except KeyError:
        known = ", ".join(sorted(GAMES))
        raise ValueError(f"unknown game {game_id!r}; known games: {known}") from None


# Modules with an `ENCODING`, imported only when one is asked for: seasons need none.
_ENCODINGS = {Pioneers.id: "engine.pioneers.encoding"}


def encoding(game_id: str) -> Encoding:
    """The encoding of the game called `game_id`. Raises ValueError where there is none."""
    find(game_id)
    if game_id not in _ENCODINGS:
        known = ", ".join(sorted(_ENCODINGS))
        raise ValueError(f"{game_id} has no encoding; games that have one: {known}")
    found: Encoding = importlib.import_module(_ENCODINGS[game_id]).ENCODING
    return found
