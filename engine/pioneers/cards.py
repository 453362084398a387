"""Hands of resource cards, each packed into one int, and what a hand allows.

A hand is five lanes of 13 bits, one per resource in the order of RESOURCES: 12 bits for the
count and a guard bit that is always clear. Adding, paying and comparing whole hands are then
single operations on ints, and hands are immutable, so that a copied game shares them.

The lanes cannot overflow: two hexes share a token at most, three towns fit around a hex, so a
roll pays 12 cards at most, 200 rolls 2400; set-up pays 24 and windfalls 4.
"""

from __future__ import annotations

from functools import lru_cache

from engine.pioneers.actions import RESOURCES, Bundle

LANE_BITS = 13
LANE = (1 << LANE_BITS) - 1
MOST_CARDS = 2428  # in all hands together, see above
SHIFTS: tuple[int, ...] = tuple(LANE_BITS * r for r in range(len(RESOURCES)))
UNITS: tuple[int, ...] = tuple(1 << shift for shift in SHIFTS)
_MOST_IN_LANE = LANE >> 1
_GUARDS = sum((_MOST_IN_LANE + 1) << shift for shift in SHIFTS)

BRICK, LUMBER, WOOL, GRAIN, ORE = UNITS
ROAD_COST = BRICK + LUMBER
SETTLEMENT_COST = BRICK + LUMBER + WOOL + GRAIN
CITY_COST = 3 * ORE + 2 * GRAIN
DEV_CARD_COST = ORE + WOOL + GRAIN


def total(hand: int) -> int:
    """How many cards a hand holds."""
    # A lane's weight is a power of 2^13, which leaves 1 when divided by 2^13 - 1: so the
    # remainder is the sum of the lanes, as casting out nines is for decimal digits.
    return hand % LANE


def covers(hand: int, need: int) -> bool:
    """Whether `hand` holds at least `need` of every resource."""
    # A lane that holds too few borrows its guard bit, and nothing from its neighbour.
    return ((hand | _GUARDS) - need) & _GUARDS == _GUARDS


def counts(hand: int) -> tuple[int, int, int, int, int]:
    """Cards per resource."""
    return (
        hand & LANE,
        hand >> 13 & LANE,
        hand >> 26 & LANE,
        hand >> 39 & LANE,
        hand >> 52,
    )


def pack(bundle: Bundle) -> int:
    """A bundle as a hand. A count beyond any hand's becomes one that no hand covers."""
    most = _MOST_IN_LANE
    return (
        min(bundle.brick, most)
        + (min(bundle.lumber, most) << 13)
        + (min(bundle.wool, most) << 26)
        + (min(bundle.grain, most) << 39)
        + (min(bundle.ore, most) << 52)
    )


@lru_cache(maxsize=1 << 14)
def unpack(hand: int) -> Bundle:
    """A hand as a bundle."""
    return Bundle(*counts(hand))


def spell(hand: int) -> str:
    """A hand in words: "2 brick, 1 ore", or "no cards"."""
    return spell_bundle(unpack(hand))


def spell_bundle(bundle: Bundle) -> str:
    """A bundle in words: "2 brick, 1 ore", or "no cards"."""
    named = ((getattr(bundle, name), name) for name in RESOURCES)
    return ", ".join(f"{count} {name}" for count, name in named if count) or "no cards"


def spell_held(hand: int, need: int) -> str:
    """What `hand` holds of the resources in `need`: "0 brick, 2 lumber"."""
    return ", ".join(
        f"{held} {name}"
        for held, wanted, name in zip(counts(hand), counts(need), RESOURCES, strict=True)
        if wanted
    )
