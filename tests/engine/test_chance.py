"""Provable chance against another implementation of what the protocol says."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.chance import SEED_BYTES, Chance, commitment, derive_seed

SEED = bytes(range(32))
seeds = st.binary(min_size=SEED_BYTES, max_size=SEED_BYTES)
names = st.text(max_size=80)


def published(seed: bytes, stream: str, n: int, below: int) -> int:
    """A draw as a bot author would check it, from the protocol's text and the standard library."""
    k = 0
    while True:
        digest = hmac.new(seed, f"{stream}:{n}:{k}".encode(), hashlib.sha256).digest()
        x = int.from_bytes(digest[:8], "big")
        if x < 2**64 - (2**64 % below):
            return x % below
        k += 1


@given(seeds, names, st.integers(0, 10**9), st.integers(1, 2**64))
def test_a_draw_is_what_the_protocol_says(seed: bytes, stream: str, n: int, below: int) -> None:
    assert Chance(seed).draw(stream, n, below) == published(seed, stream, n, below)


def test_draws_that_bots_in_other_languages_can_check() -> None:
    """The digest of the first draw, worked out by hand: HMAC-SHA256(00…1f, "dice:0:0")."""
    chance = Chance(SEED)
    first = hmac.digest(SEED, b"dice:0:0", "sha256")
    assert chance.draw("dice", 0, 6) == int.from_bytes(first[:8], "big") % 6
    assert [chance.draw("dice", n, 6) for n in range(12)] == [
        published(SEED, "dice", n, 6) for n in range(12)
    ]


@pytest.mark.parametrize("below", [2**63 + 1, 2**64 - 1, 3 * 2**61, 2**64])
def test_numbers_past_the_last_multiple_are_drawn_again(below: int) -> None:
    """Just above a half, every second x is refused, so that k goes far beyond 0."""
    chance, refused = Chance(SEED), 0
    for n in range(200):
        first = int.from_bytes(hmac.digest(SEED, f"big:{n}:0".encode(), "sha256")[:8], "big")
        refused += first >= 2**64 - 2**64 % below
        drawn = chance.draw("big", n, below)
        assert drawn == published(SEED, "big", n, below)
        assert 0 <= drawn < below
    if below == 2**63 + 1:
        assert refused > 50


def test_one_is_drawn_without_choice() -> None:
    assert {Chance(SEED).draw("any", n, 1) for n in range(50)} == {0}


@pytest.mark.parametrize("below", [0, -1, -6, 2**64 + 1, 2**65])
def test_there_is_nothing_to_draw_below_zero_or_past_64_bits(below: int) -> None:
    with pytest.raises(ValueError, match=str(below)):
        Chance(SEED).draw("any", 0, below)


@pytest.mark.parametrize("size", [0, 16, 31, 33, 64])
def test_a_seed_has_32_bytes(size: int) -> None:
    with pytest.raises(ValueError, match=f"not {size}"):
        Chance(bytes(size))


def test_a_draw_depends_on_its_arguments_alone() -> None:
    chance = Chance(SEED)
    plain = [chance.draw("dice", n, 6) for n in range(100)]
    shuffled = {n: chance.draw("dice", n, 6) for n in reversed(range(100))}
    for n in range(100):
        chance.draw("steal", n, 5)  # one seat's theft never shifts the dice
    assert [shuffled[n] for n in range(100)] == plain
    assert [chance.draw("dice", n, 6) for n in range(100)] == plain
    assert [Chance(SEED).draw("dice", n, 6) for n in range(100)] == plain


def test_streams_and_seeds_differ() -> None:
    draws = {
        tuple(Chance(seed).draw(stream, n, 2**64) for n in range(4))
        for seed in (SEED, bytes(32))
        for stream in ("dice", "steal", "dice ", "dice:0", "")
    }
    assert len(draws) == 10


def test_draws_are_uniform() -> None:
    """Chi-square over a die: 5 degrees of freedom, the bound is passed once in 10^9 seeds."""
    throws = 6000
    counts = Counter(Chance(SEED).draw("dice", n, 6) for n in range(throws))
    expected = throws / 6
    assert sum((counts[face] - expected) ** 2 / expected for face in range(6)) < 52


def fisher_yates(seed: bytes, stream: str, items: list[int], first: int = 0) -> list[int]:
    """A shuffle from the last place down, as the protocol has it."""
    shuffled = list(items)
    for n, last in enumerate(range(len(items) - 1, 0, -1), first):
        other = published(seed, stream, n, last + 1)
        shuffled[last], shuffled[other] = shuffled[other], shuffled[last]
    return shuffled


@given(seeds, st.lists(st.integers(), max_size=40), st.integers(0, 100))
def test_a_shuffle_is_fisher_yates_from_the_last_place_down(
    seed: bytes, items: list[int], first: int
) -> None:
    shuffled = list(items)
    after = Chance(seed).shuffle("deck", shuffled, first)
    assert shuffled == fisher_yates(seed, "deck", items, first)
    assert after == first + max(0, len(items) - 1), "the next draw that nobody has used"


def test_shuffles_can_follow_each_other_in_one_stream() -> None:
    one, two = list(range(19)), list(range(18))
    chance = Chance(SEED)
    chance.shuffle("board", two, chance.shuffle("board", one))
    assert one == fisher_yates(SEED, "board", list(range(19)))
    assert two == fisher_yates(SEED, "board", list(range(18)), 18)


def test_every_order_comes_up() -> None:
    orders = set()
    for n in range(400):
        items = [0, 1, 2, 3]
        Chance(derive_seed(SEED, str(n))).shuffle("deck", items)
        orders.add(tuple(items))
    assert len(orders) == 24


def test_commitment_is_plain_sha256() -> None:
    assert commitment(SEED) == hashlib.sha256(SEED).hexdigest()
    assert commitment(SEED) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


def test_a_match_has_the_hmac_of_its_id_as_seed() -> None:
    expected = hmac.new(SEED, b"m000001", hashlib.sha256).digest()
    assert derive_seed(SEED, "m000001") == expected
    assert len({derive_seed(SEED, f"m{n}") for n in range(100)}) == 100
