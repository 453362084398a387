"""The games that can be played, by id."""

from __future__ import annotations

from engine.game import Game
from engine.pioneers import Pioneers

GAMES: dict[str, type[Game]] = {game.id: game for game in (Pioneers,)}


def find(game_id: str) -> type[Game]:
    """The game called `game_id`. Raises ValueError that lists the known ones."""
    try:
        return GAMES[game_id]
    except KeyError:
        known = ", ".join(sorted(GAMES))
        raise ValueError(f"unknown game {game_id!r}; known games: {known}") from None
