"""Pioneers: a resource game for 3 or 4 seats on an island of 19 hexes."""

from engine.pioneers.position import Position
from engine.pioneers.rules import Pioneers
from engine.pioneers.view import PioneersView

__all__ = ["Pioneers", "PioneersView", "Position"]
