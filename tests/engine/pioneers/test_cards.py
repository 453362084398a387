"""Packed hands do what lists of five counts would."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.pioneers import cards
from engine.pioneers.actions import Bundle
from engine.pioneers.bandit import default_discard, must_discard
from engine.pioneers.legal import discards

piles = st.lists(st.integers(0, 480), min_size=5, max_size=5)
small_piles = st.lists(st.integers(0, 4), min_size=5, max_size=5)


def pack(counts: list[int]) -> int:
    return cards.pack(Bundle(*counts))


@settings(deadline=None)
@given(piles)
def test_packing_loses_nothing(counts: list[int]) -> None:
    hand = pack(counts)
    assert list(cards.counts(hand)) == counts
    assert cards.unpack(hand) == Bundle(*counts)
    assert cards.total(hand) == sum(counts)


@settings(deadline=None)
@given(piles, piles)
def test_sums_and_comparisons_are_by_resource(a: list[int], b: list[int]) -> None:
    assert cards.counts(pack(a) + pack(b)) == tuple(x + y for x, y in zip(a, b, strict=True))
    assert cards.covers(pack(a), pack(b)) == all(x >= y for x, y in zip(a, b, strict=True))


@settings(deadline=None)
@given(piles, st.integers(cards.MOST_CARDS + 1, 2**53 - 1), st.integers(0, 4))
def test_no_hand_covers_more_than_there_can_be(counts: list[int], huge: int, lane: int) -> None:
    wanted = [0] * 5
    wanted[lane] = huge
    assert not cards.covers(pack(counts), pack(wanted))


@settings(deadline=None)
@given(small_piles)
def test_discards_are_every_bundle_of_the_right_size(counts: list[int]) -> None:
    hand = pack(counts)
    due = sum(counts) // 2 if sum(counts) > 7 else 0
    assert must_discard(hand) == due
    listed = [move.discard for move in discards(hand)]
    a, b, c, d, e = (range(n + 1) for n in counts)
    expected = [
        Bundle(v, w, x, y, z)
        for v in a
        for w in b
        for x in c
        for y in d
        for z in e
        if v + w + x + y + z == due
    ]
    assert listed == expected
    assert len(discards(hand)) == len(expected)
    assert default_discard(hand).discard in expected


def test_a_huge_hand_has_its_discards_counted_not_stored() -> None:
    moves = discards(pack([480, 480, 480, 480, 480]))
    assert len(moves) > 10**9
    assert sum(cards.counts(cards.pack(moves[len(moves) // 2].discard))) == 1200
    assert moves[-1].discard.brick == 480


def test_the_default_discard_takes_from_the_largest_pile_ties_in_resource_order() -> None:
    # 5 wool, 4 ore, 1 brick: wool to 4, wool (first of the tie) to 3, ore to 3, wool to 2, ore.
    assert default_discard(pack([1, 0, 5, 0, 4])).discard == Bundle(wool=3, ore=2)
    assert default_discard(pack([2, 2, 2, 2, 0])).discard == Bundle(1, 1, 1, 1, 0)
