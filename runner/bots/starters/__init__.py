"""What `pioneers bot new` writes: a bot to begin with, for each game that has one of its own.

A starter is a module of this package, called like the game with `_` for `-`; it is copied as it
stands. Games without one get `generic`, in which `{game}` and `{kinds}` are filled in.
"""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable

from engine.game import Game

_GENERIC = "generic.py"


def has_own(game: type[Game]) -> bool:
    """Whether `game` has a starter of its own."""
    return _own(game).is_file()


def source(game: type[Game]) -> str:
    """The text of a new bot for `game`."""
    if has_own(game):
        return _own(game).read_text(encoding="utf-8")
    kinds = ", ".join(f"`{kind}`" for kind in game.kinds)
    text = (files(__name__) / _GENERIC).read_text(encoding="utf-8")
    return text.replace("{game}", game.id).replace("{kinds}", kinds)


def _own(game: type[Game]) -> Traversable:
    return files(__name__) / f"{game.id.replace('-', '_')}.py"
