"""Weighing what may follow from a state for one of its seats."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.game import Action
from engine.pioneers import Pioneers
from engine.pioneers.state import State
from runner.bots.chances import strength, success

WON = 1.0  # the success of having won: more than any estimate


class Judge:
    """Weighs what may follow from a state for one seat of it.

    strengths: by seat, in the state itself; stay: the seat's success if nothing is done.
    """

    def __init__(self, s: State, seat: int, strengths: Sequence[float] | None = None) -> None:
        """strengths: where they are known already."""
        self.state = s
        self.seat = seat
        self.strengths = strengths or [strength(s, other) for other in range(s.n)]
        self.stay = success(self.strengths, seat)

    def after(self, s: State, changed: Iterable[int]) -> float:
        """The success in `s`, which follows; the seats `changed` stand otherwise there."""
        if s.kind == "over":
            return WON
        strengths = list(self.strengths)
        for seat in changed:
            strengths[seat] = strength(s, seat)
        return success(strengths, self.seat)

    def own(self, s: State) -> float:
        """The success in `s`, where only the seat itself stands otherwise."""
        return self.after(s, (self.seat,))

    def all(self, s: State) -> float:
        """The success in `s`, where any seat may stand otherwise."""
        return self.after(s, range(s.n))


def played(s: State, actions: Iterable[Action]) -> State:
    """The state after actions of the seat whose turn it is, or after the one that wins."""
    new = s.copy()
    game = Pioneers(new)
    for action in actions:
        if new.kind == "over":
            break
        game.advance({new.current: action})
    return new
