"""Random matches for tests: played to the end, seen at every decision."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from engine.game import Action
from engine.program import Program
from engine.program.actions import Market, Plan, PlayCard, Research, UpgradeHq
from engine.program.cards import ID_OF, NAME_OF


def seed_bytes(number: int) -> bytes:
    """A match seed from a number."""
    return random.Random(number).randbytes(32)


def choose(game: Program, rng: random.Random) -> dict[int, Action]:
    """A legal action for each pending seat, keener on doing something than uniform choice would
    be, so that towns grow, points are made, and every kind of decision occurs."""
    actions: dict[int, Action] = {}
    for seat in game.pending():
        moves = game.legal(seat)
        pick: Sequence[Action] = moves
        for keen, share in KEEN:
            wanted = [move for move in moves if isinstance(move, keen) and not wasted(move)]
            if wanted and rng.random() < share:
                pick = wanted
                break
        actions[seat] = pick[rng.randrange(len(pick))]
    return actions


def wasted(move: Action) -> bool:
    """Whether a move plays a card of which something comes from the hand alone."""
    return isinstance(move, PlayCard) and move.card in REACTIONS


REACTIONS = {
    card
    for card, name in zip(ID_OF, NAME_OF, strict=True)
    if name in ("Reinforced Walls", "Flare Gun")
}

# What is chosen first with which probability, wherever it can be chosen at all.
KEEN: tuple[tuple[type[Action], float], ...] = (
    (UpgradeHq, 0.9),
    (Research, 0.6),
    (PlayCard, 0.5),
    (Plan, 0.4),
    (Market, 0.4),
)


def decisions(number: int, seats: int) -> Iterator[tuple[Program, dict[int, Action]]]:
    """The match of seed `number`, before each advance, with the actions that come next.

    The last item is the finished match, with no actions.
    """
    rng = random.Random(number)
    game = Program.deal(seats, seed_bytes(number))
    while game.pending():
        actions = choose(game, rng)
        yield game, actions
        game.advance(actions)
    yield game, {}
