"""The case tables under `cases/`, held against the engine and against the oracle."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from engine.game import ActionError
from engine.pioneers import Pioneers, Position
from tests.engine.pioneers import oracle_cases as cases

ALL = [
    pytest.param(case, id=f"{group}: {case['title']}")
    for group in cases.groups()
    for case in cases.read(group)
]


class Played:
    """The engine behind the wire JSON that the tables speak."""

    def __init__(self, position: dict[str, Any]) -> None:
        raw = json.dumps(position).encode()
        self.game = Pioneers.from_position(msgspec.json.decode(raw, type=Position))

    def pending(self) -> dict[int, str]:
        return dict(self.game.pending())

    def read(self, seat: int, action: Any) -> Any:
        return self.game.decode(seat, json.dumps(action).encode())

    def refusal(self, seat: int, action: Any) -> str | None:
        try:
            self.game.check(seat, self.read(seat, action))
        except ActionError as error:
            return str(error)
        return None

    def default(self, seat: int) -> dict[str, Any]:
        return dict(wire(self.game.default(seat)))

    def advance(self, actions: dict[int, dict[str, Any]]) -> list[dict[str, Any]]:
        read = {seat: self.read(seat, action) for seat, action in actions.items()}
        return [wire(event) for event in self.game.advance(read)]

    def outcome(self) -> dict[str, Any] | None:
        outcome = self.game.outcome()
        return None if outcome is None else wire(outcome)

    def view(self, seat: int | None) -> dict[str, Any]:
        return dict(wire(self.game.view(seat)))

    def position(self) -> dict[str, Any]:
        return dict(wire(self.game.position()))


def wire(struct: Any) -> Any:
    return json.loads(msgspec.json.encode(struct))


@pytest.mark.parametrize("case", ALL)
def test_the_engine_does_what_the_case_says(case: dict[str, Any]) -> None:
    cases.verify(case, Played(cases.build(case)))
