"""Views and events as plain text, for people."""

from __future__ import annotations

from typing import Any

from engine.pioneers.view import PioneersView


def draw(view: PioneersView) -> str:
    """A view as lines of plain text: island, seats, hand."""
    lines = [f"turn {view.turn}, seat {view.current} to act"]
    return "\n".join(lines)


def narrate(event: Any) -> str:
    """One event as a sentence."""
    return repr(event)
