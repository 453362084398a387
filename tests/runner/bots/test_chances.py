from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.pioneers.cards import UNITS
from runner.bots import chances, prospects, weights
from runner.bots.chances import Hands, strength, success
from tests.runner.bots.states import state_of, turns

# Not so far apart that a probability is rounded to 1, which nothing can raise.
tables = st.lists(st.floats(-8, 8), min_size=3, max_size=4)


@given(tables)
def test_what_all_strive_for_adds_up(strengths: list[float]) -> None:
    """One seat comes first, and each pair of seats has one that leaves the other behind."""
    shares = [success(strengths, seat) for seat in range(len(strengths))]
    assert all(0 < share <= 1 for share in shares)
    assert math.fsum(shares) == pytest.approx(0.5 + 0.5 * len(strengths) / 2)


@given(tables, st.floats(-50, 50))
def test_only_differences_count(strengths: list[float], more: float) -> None:
    moved = [value + more for value in strengths]
    assert success(moved, 0) == pytest.approx(success(strengths, 0), rel=1e-6)


@given(tables, st.floats(0.01, 3), st.data())
def test_own_strength_helps_and_that_of_others_harms(
    strengths: list[float], more: float, data: st.DataObject
) -> None:
    seat = data.draw(st.integers(0, len(strengths) - 1))
    before = success(strengths, 0)
    after = success([value + more * (s == seat) for s, value in enumerate(strengths)], 0)
    assert after > before if seat == 0 else after < before


@given(tables)
def test_the_stronger_expects_more(strengths: list[float]) -> None:
    by_success = sorted(range(len(strengths)), key=lambda seat: success(strengths, seat))
    in_order = [strengths[seat] for seat in by_success]
    assert in_order == pytest.approx(sorted(strengths), abs=1e-6)


def test_by_hand() -> None:
    # Twice as strong as either of two: first in 1 of 2 matches, ahead of each in 2 of 3.
    assert success([math.log(2), 0.0, 0.0], 0) == pytest.approx(0.5 * 1 / 2 + 0.5 * 2 / 3)


@pytest.mark.parametrize("number", range(3))
def test_strength_is_the_weighted_sum_of_prospects(number: int) -> None:
    by_hand = [
        *(weights.SITES[name] for name in prospects.SITES),
        *(weights.INCOME[name] for name in prospects.INCOME),
        *(weights.HAND[name] for name in prospects.HAND),
        *(weights.STANDING[name] for name in prospects.STANDING),
    ]
    seen = 0
    for game in turns(number, 4, every=25):
        s = state_of(game)
        for seat in range(s.n):
            numbers = prospects.numbers(s, seat)
            expected = sum(a * b for a, b in zip(by_hand, numbers, strict=True))
            assert strength(s, seat) == pytest.approx(expected)
            seen += 1
    assert seen > 20


def test_hands_are_worth_what_they_make_of_a_state() -> None:
    seen = 0
    for game in turns(5, 4, every=40):
        for seat in range(4):
            s = state_of(game).copy()
            before, hands = strength(s, seat), Hands(s, seat)
            hand = s.hands[seat] + 2 * UNITS[seat] + UNITS[4]
            s.hands[seat] = hand
            assert hands.gain(hand) == pytest.approx(strength(s, seat) - before, abs=1e-9)
            seen += 1
    assert seen > 12


def test_a_weight_that_fits_no_prospect_is_named() -> None:
    with pytest.raises(ValueError, match="colour"):
        chances._in_order(("best_0", "sites_0"), {"best_0": 1.0, "colour": 2.0})
