"""Piles of tokens: what they pay for, what a town can store, what is lost when it is full.

Some room is for one kind alone, by cards that store it; the rest is for any. A pile fits when
what lies above each kind's own room fits the room for any. Where kinds compete for the last room,
credits come first, then responses, then food.
"""

from __future__ import annotations

from engine.program.resources import Resources
from engine.program.traits import Traits

# (food, credits, responses)
Pile = tuple[int, int, int]
Order = tuple[int, int, int]

FOOD, CREDITS, RESPONSES = 0, 1, 2
CREDITS_FIRST: Order = (CREDITS, RESPONSES, FOOD)


def overflow(traits: Traits, food: int, credits_: int, responses: int) -> int:
    """How many tokens do not fit; not positive where all do."""
    return (
        max(0, food - traits.room_food)
        + max(0, credits_ - traits.room_credits)
        + max(0, responses - traits.room_responses)
        - traits.room
    )


def stored(traits: Traits, held: Pile, gained: Pile, order: Order = CREDITS_FIRST) -> Pile:
    """The pile after a gain: what is held stays, what does not fit of the gain is lost.

    order: the kinds, the one that gets the last room first.
    """
    pile = list(held)
    free = max(0, -overflow(traits, *held))
    typed = (traits.room_food, traits.room_credits, traits.room_responses)
    for kind in order:
        own = min(gained[kind], max(0, typed[kind] - pile[kind]))
        other = min(gained[kind] - own, free)
        free -= other
        pile[kind] += own + other
    return pile[0], pile[1], pile[2]


def paid(pile: Pile, cost: Resources) -> Pile | None:
    """The pile after a cost, responses standing in where food runs out; None: it is too small."""
    short = max(0, cost.food - pile[FOOD])
    rest = pile[CREDITS] - cost.credits, pile[RESPONSES] - cost.responses - short
    if min(rest) < 0:
        return None
    return pile[FOOD] - cost.food + short, *rest
