"""Random matches for tests: played to the end, seen at every decision."""

from __future__ import annotations

import random
from collections.abc import Iterator

from engine.game import Action
from engine.pioneers import Pioneers
from engine.pioneers.actions import EndTurn, OfferTrade


def seed_bytes(number: int) -> bytes:
    """A match seed from a number."""
    return random.Random(number).randbytes(32)


def choose(game: Pioneers, rng: random.Random) -> dict[int, Action]:
    """A legal action for each pending seat, keener on building than uniform choice would be, so
    that matches are won and every action occurs."""
    actions: dict[int, Action] = {}
    for seat in game.pending():
        moves = game.legal(seat)
        keen = [move for move in moves if not isinstance(move, EndTurn | OfferTrade)]
        pick = keen if keen and rng.random() < 0.7 else moves
        actions[seat] = pick[rng.randrange(len(pick))]
    return actions


def decisions(number: int, seats: int) -> Iterator[tuple[Pioneers, dict[int, Action]]]:
    """The match of seed `number`, before each advance, with the actions that come next.

    The last item is the finished match, with no actions.
    """
    rng = random.Random(number)
    game = Pioneers.deal(seats, seed_bytes(number))
    while game.pending():
        actions = choose(game, rng)
        yield game, actions
        game.advance(actions)
    yield game, {}
