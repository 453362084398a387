"""Piles, against the definition of what fits and a search over all piles."""

from __future__ import annotations

from itertools import permutations, product

from hypothesis import given
from hypothesis import strategies as st

from engine.program.cards import NAME_OF
from engine.program.piles import CREDITS_FIRST, overflow, paid, stored
from engine.program.resources import Resources
from engine.program.traits import Traits, traits_of

STORES = [NAME_OF.index(name) for name in ("Grain Silo", "Vault", "Warehouse", "Shack")]
STORES += [number + 1 for number in STORES]
TOWNS = st.lists(st.sampled_from(STORES), unique=True).map(tuple)
SMALL = st.tuples(*[st.integers(0, 6)] * 3)


def fits(traits: Traits, pile: tuple[int, int, int]) -> bool:
    """What lies above a kind's own room has to fit the room for any kind."""
    own = traits.room_food, traits.room_credits, traits.room_responses
    above = [max(0, held - room) for held, room in zip(pile, own, strict=True)]
    return sum(above) <= traits.room


@given(TOWNS, st.tuples(*[st.integers(0, 16)] * 3))
def test_a_pile_fits_as_the_edition_says(town: tuple[int, ...], pile: tuple[int, int, int]) -> None:
    traits = traits_of(0, town)
    assert (overflow(traits, *pile) <= 0) == fits(traits, pile)


@given(TOWNS, SMALL, SMALL, st.sampled_from([*permutations(range(3))]))
def test_a_gain_is_stored_as_far_as_it_fits_in_the_order_of_kinds(
    town: tuple[int, ...],
    held: tuple[int, int, int],
    gained: tuple[int, int, int],
    order: tuple[int, int, int],
) -> None:
    traits = traits_of(0, town)
    after = stored(traits, held, gained, order)
    possible = [
        pile
        for pile in product(*(range(h, h + g + 1) for h, g in zip(held, gained, strict=True)))
        if fits(traits, (pile[0], pile[1], pile[2]))
    ]
    if possible:
        assert after == max(possible, key=lambda pile: [pile[kind] for kind in order])
    else:
        own = traits.room_food, traits.room_credits, traits.room_responses
        kept = [max(h, min(h + g, r)) for h, g, r in zip(held, gained, own, strict=True)]
        assert list(after) == kept, "over capacity, a kind's own room can still take some of it"


@given(SMALL, SMALL)
def test_a_cost_is_paid_with_food_before_responses(
    pile: tuple[int, int, int], cost: tuple[int, int, int]
) -> None:
    food, credits_, responses = pile
    ways = [
        (food - cost[0] + stand_in, credits_ - cost[1], responses - cost[2] - stand_in)
        for stand_in in range(cost[0] + 1)
    ]
    possible = [rest for rest in ways if min(rest) >= 0]
    expected = max(possible, key=lambda rest: rest[2], default=None)
    assert paid(pile, Resources(*cost)) == expected


def test_credits_come_first_by_default() -> None:
    assert stored(traits_of(0, ()), (0, 0, 0), (4, 4, 4), CREDITS_FIRST) == (0, 4, 2)
