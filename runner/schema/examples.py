"""Examples from matches: the first telling value of every field, found by playing.

The matches are played with fixed seeds, so that the same source publishes the same examples.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import fields

from engine.chance import SEED_BYTES, Chance
from engine.game import Action, Game
from runner.schema.components import structs_in
from runner.schema.fields import FieldDoc, docs_of

_MATCHES = 20
_TRIES = 8


class Gallery:
    """Examples of one game's structs, by struct and by name in Python, as JSON values."""

    def __init__(self, game: type[Game]) -> None:
        """Play matches of `game` until every field has shown something, or a few have been played.

        Fields whose docs have an example are not waited for.
        """
        self.by_field: dict[tuple[type[Struct], str], Any] = {}
        self.views: dict[str, Struct] = {}
        """By kind of decision: the view of a seat that was asked."""
        self.actions: dict[str, Struct] = {}
        """By kind of decision: an answer to it."""
        self.event: Struct | None = None
        self._wanted = {
            (struct, field.name)
            for struct in structs_in((*game.kinds.values(), game.view_type, game.event_type))
            for field in fields(struct)
            if docs_of(struct).get(field.name, FieldDoc("")).example is UNSET
        }
        self._parts: dict[type[Struct], frozenset[type[Struct]]] = {}
        for number in range(_MATCHES):
            seed = bytes([number]) * SEED_BYTES
            seats = game.seat_counts[-1 - number % len(game.seat_counts)]
            self._play(game.deal(seats, seed), Chance(seed))

    def _play(self, match: Game, chance: Chance) -> None:
        n = 0
        while self._wanted and (asked := match.pending()):
            actions = {}
            for seat, kind in asked.items():
                action = self._choose(match.legal(seat), chance, n, seat)
                view = match.view(seat)
                self.views.setdefault(kind, view)
                self.actions.setdefault(kind, action)
                self._look(view)
                self._look(action)
                actions[seat] = action
            for event in match.advance(actions):
                self.event = self.event or event
                self._look(event)
            n += 1

    def _choose(self, legal: Sequence[Action], chance: Chance, n: int, seat: int) -> Action:
        """Any legal action, but if there is one among a few that has something new, that one."""
        drawn = [
            legal[chance.draw(f"seat {seat} try {attempt}", n, len(legal))]
            for attempt in range(_TRIES)
        ]
        wanted = {struct for struct, _ in self._wanted}
        return next((action for action in drawn if type(action) in wanted), drawn[0])

    def _look(self, value: Any) -> None:
        """Keep what is telling in `value`, and in what it holds."""
        if isinstance(value, Struct):
            kind = type(value)
            # Most structs have shown all that they can after a few decisions.
            if not self._has_news(kind):
                return
            for field in fields(kind):
                inner = getattr(value, field.name)
                if (kind, field.name) in self._wanted:
                    self._keep((kind, field.name), inner)
                self._look(inner)
        elif isinstance(value, tuple):
            for inner in value:
                self._look(inner)
        elif isinstance(value, dict):
            for inner in value.values():
                self._look(inner)

    def _has_news(self, kind: type[Struct]) -> bool:
        if kind not in self._parts:
            self._parts[kind] = frozenset(structs_in((kind,)))
        return any(struct in self._parts[kind] for struct, _ in self._wanted)

    def _keep(self, key: tuple[type[Struct], str], value: Any) -> None:
        example = as_json(value)
        if _telling(example):
            self._wanted.remove(key)
            self.by_field[key] = example
        else:
            self.by_field.setdefault(key, example)


def as_json(value: Any) -> Any:
    """A value as it is on the wire, read again."""
    return msgspec.json.decode(msgspec.json.encode(value))


def _telling(value: Any) -> bool:
    """Whether a value shows what its field is for: there, and not empty or all nought."""
    if isinstance(value, dict):
        return any(map(_telling, value.values()))
    if isinstance(value, list):
        return any(map(_telling, value))
    return isinstance(value, bool) or bool(value)
