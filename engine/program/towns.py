"""Cards that come into a town and leave it."""

from __future__ import annotations

from engine.game import Event
from engine.program.decks import discard
from engine.program.state import State


def enter_town(s: State, seat: int, card: int, events: list[Event]) -> None:
    """A card takes its place behind the others."""
    p = s.players[seat]
    p.town = (*p.town, card)
    s.refresh(seat, events)


def leave_town(s: State, seat: int, card: int, events: list[Event]) -> None:
    """A card goes to its discard pile; its points go with it."""
    p = s.players[seat]
    p.town = tuple([other for other in p.town if other != card])
    discard(s, card)
    s.refresh(seat, events)
