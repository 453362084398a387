"""The engine behind wire JSON, so that tables and the oracle can be held against it."""

from __future__ import annotations

from typing import Any

import msgspec

from engine.game import ActionError
from engine.pioneers import Pioneers, Position

Json = dict[str, Any]


def wire(struct: Any) -> Any:
    """What a struct is as JSON."""
    return msgspec.json.decode(msgspec.json.encode(struct))


class Played:
    """One match of the engine; actions, views, events, outcome and position are wire JSON."""

    def __init__(self, game: Pioneers) -> None:
        self.game = game

    @classmethod
    def load(cls, position: Json) -> Played:
        raw = msgspec.json.encode(position)
        return cls(Pioneers.from_position(msgspec.json.decode(raw, type=Position)))

    def pending(self) -> dict[int, str]:
        return dict(self.game.pending())

    def read(self, seat: int, action: Any) -> Any:
        return self.game.decode(seat, msgspec.json.encode(action))

    def refusal(self, seat: int, action: Any) -> str | None:
        try:
            self.game.check(seat, self.read(seat, action))
        except ActionError as error:
            return str(error)
        return None

    def default(self, seat: int) -> Json:
        return dict(wire(self.game.default(seat)))

    def advance(self, actions: dict[int, Json]) -> list[Json]:
        read = {seat: self.read(seat, action) for seat, action in actions.items()}
        return [wire(event) for event in self.game.advance(read)]

    def outcome(self) -> Json | None:
        outcome = self.game.outcome()
        return None if outcome is None else dict(wire(outcome))

    def view(self, seat: int | None) -> Json:
        return dict(wire(self.game.view(seat)))

    def position(self) -> Json:
        return dict(wire(self.game.position()))
