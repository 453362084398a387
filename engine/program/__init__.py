"""The Pioneers Program: a game of towns and cards for 3 or 4 seats."""

from engine.program.position import Position
from engine.program.rules import Program
from engine.program.view import ProgramView

__all__ = ["Position", "Program", "ProgramView"]
