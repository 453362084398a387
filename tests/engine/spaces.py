"""For each game the bounded action space: every action of a kind, legal or not.

What a game documents as left out of `legal` (endless things such as free text or big offers) is
left out here too, so that `legal` must be exactly what `check` allows of the space.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

import msgspec

from engine.game import Action, Game
from tests.engine.pioneers.oracle_space import space
from tests.engine.program.space import space as program


@lru_cache(maxsize=1 << 8)
def _pioneers_actions(kind: str, hand: tuple[tuple[str, int], ...]) -> list[Action]:
    from engine.pioneers.actions import KINDS

    as_type: Any = KINDS[kind]
    return [msgspec.convert(action, as_type) for action in space(kind, dict(hand))]


def pioneers(game: Game, seat: int) -> Iterable[Action]:
    """Of offers, the open ones of one card for one; discards up to one card too many."""
    view: Any = game.view(seat)
    kind = game.pending()[seat]
    hand = msgspec.structs.asdict(view.hand) if kind == "discard" else {}
    return _pioneers_actions(kind, tuple(hand.items()))


SPACES: dict[str, Callable[[Game, int], Iterable[Action]]] = {
    "pioneers": pioneers,
    "pioneers-program": program,
}
