"""`Request`: one decision to make, as the author's code sees it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import msgspec

from engine.game import Action, Game, Memory


class Request:
    """A decision that is waited for.

    match: the match's id. seat: the seat that decides. kind: what is asked.
    view: what the seat may know, as the game's `view_type`.
    memory: what the seat has to remember besides, as the game's `memory` makes it.
    number: how many decisions this bot object was asked before in this match; a request that
        is asked again after a crash of the server keeps its number.
    deadline: on the clock of `time.monotonic`, seconds; from then on the kit plays the default.
    deadline_ms: what the server gave when it asked, milliseconds.
    settled: True once an answer has gone out; code that is still thinking can stop.
    """

    __slots__ = (
        "_game",
        "_game_type",
        "deadline",
        "deadline_ms",
        "id",
        "kind",
        "match",
        "memory",
        "number",
        "seat",
        "settled",
        "view",
    )

    def __init__(
        self,
        *,
        id: int,  # noqa: A002 - the protocol's own word
        match: str,
        seat: int,
        kind: str,
        view: Any,
        number: int,
        deadline: float,
        deadline_ms: int,
        game: type[Game],
        memory: Memory,
    ) -> None:
        self.id = id
        self.match = match
        self.seat = seat
        self.kind = kind
        self.view = view
        self.number = number
        self.deadline = deadline
        self.deadline_ms = deadline_ms
        self.settled = False
        self._game_type = game
        self.memory: Any = memory
        self._game: Game | None = None

    def __repr__(self) -> str:
        return f"<request {self.id}: {self.kind} in match {self.match}>"

    @property
    def left(self) -> float:
        """Seconds until the kit plays the default; negative once it has."""
        return self.deadline - time.monotonic()

    def game(self) -> Game:
        """The match as the seat knows it, hidden facts blank; one object per request."""
        if self._game is None:
            self._game = self._game_type.from_view(self.kind, self.view, self.memory)
        return self._game

    def legal(self) -> Sequence[Action]:
        """Every legal answer, in a fixed order (for free-form offers a finite subset).

        It can be long, and a game may make its members on demand: index it rather than copy it.
        """
        return self.game().legal(self.seat)

    def default(self) -> Action:
        """What the engine plays for a seat that does not answer."""
        # A game of its own: late author code may be busy with the other one in its thread.
        game = self._game_type.from_view(self.kind, self.view, self.memory)
        return game.default(self.seat)

    def check(self, action: Action) -> None:
        """Raise MalformedAction or IllegalAction, as the server would, unless `action` is legal."""
        game = self.game()
        game.check(self.seat, game.decode(self.seat, msgspec.json.encode(action)))
