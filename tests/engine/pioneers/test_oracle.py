"""The oracle's own foundations against what the rules publish: ids, ports, draws, roads."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import chain, combinations

import pytest

from engine.chance import Chance
from tests.engine.pioneers import oracle_board as board
from tests.engine.pioneers.oracle import Oracle

PUBLISHED_HEXES = {
    0: [0, 4, 8, 12, 7, 3],
    4: [8, 13, 18, 23, 17, 12],
    9: [18, 24, 30, 35, 29, 23],
    12: [28, 34, 39, 43, 38, 33],
    18: [41, 46, 50, 53, 49, 45],
}
PUBLISHED_PORTS = {
    (0, 3): "generic",
    (11, 16): "brick",
    (33, 38): "generic",
    (47, 51): "lumber",
    (49, 52): "generic",
    (42, 46): "wool",
    (26, 32): "grain",
    (10, 15): "generic",
    (1, 5): "ore",
}


def test_the_lattice_gives_the_published_ids() -> None:
    assert len(board.HEX_VERTICES) == 19
    assert len(board.EDGES) == 72
    assert len(board.COAST) == 30
    assert {vertex for corners in board.HEX_VERTICES for vertex in corners} == set(range(54))
    assert board.EDGES[:2] == [(0, 3), (0, 4)]
    assert {where: board.HEX_VERTICES[where] for where in PUBLISHED_HEXES} == PUBLISHED_HEXES


def test_the_ring_gives_the_published_ports() -> None:
    found = {tuple(port["vertices"]): port["kind"] for port in board.PORTS}
    assert found == PUBLISHED_PORTS


@pytest.mark.parametrize(
    ("stream", "n", "first_bytes"),
    [
        ("steal", 0, "89c46960db961523"),
        ("steal", 1, "0c719a6db1661757"),
        ("dice", 0, "464a5d742e9c9bff"),
        ("dice", 1, "dd26b75756a16cd4"),
        ("deck", 0, "980880ac2902b7ef"),
    ],
)
def test_draws_are_the_hmac_that_openssl_computes(stream: str, n: int, first_bytes: str) -> None:
    """printf dice:0:0 | openssl dgst -sha256 -mac HMAC -macopt hexkey:00… (64 zeros)."""
    number = int(first_bytes, 16)
    for below in (1, 2, 6, 7, 25, 1 << 32):
        assert board.draw(bytes(32), stream, n, below) == number % below
        assert Chance(bytes(32)).draw(stream, n, below) == number % below


def test_a_number_past_the_last_whole_multiple_is_drawn_again() -> None:
    """Below 2^63 + 1 nearly half of all numbers are refused, so k > 0 occurs at once."""
    below = (1 << 63) + 1
    drawn = [board.draw(bytes(32), "dice", n, below) for n in range(64)]
    assert drawn == [Chance(bytes(32)).draw("dice", n, below) for n in range(64)]
    plain = [board.draw(bytes(32), "dice", n, 1 << 64) for n in range(64)]
    again = sum(number >= below for number in plain)
    assert 20 < again < 44
    assert [number for number in drawn if number in plain] == [x for x in plain if x < below]


def test_a_board_seed_shapes_the_layout_alone() -> None:
    ours = Oracle.deal(4, bytes(32), board_seed=bytes([1] * 32))
    same = Oracle.deal(4, bytes(32))
    board_only = Oracle.deal(4, bytes([1] * 32))
    assert ours.s["hexes"] == board_only.s["hexes"] != same.s["hexes"]
    assert ours.s["deck"] == same.s["deck"] != board_only.s["deck"]


def test_the_longest_walk_is_the_largest_set_of_roads_that_euler_allows() -> None:
    """Another way to the same number: a set of roads is one walk if it hangs together and at
    most two vertices have an odd number of them, where a blocked vertex comes apart into one
    vertex per road."""
    rng = random.Random(5)
    centre = [edge for edge in range(72) if set(board.EDGES[edge]) & {12, 17, 23, 18, 13, 8, 29}]
    for _ in range(40):
        roads = rng.sample(centre, rng.randrange(1, 11))
        blocked = frozenset(rng.sample([12, 17, 23, 18, 13, 8, 29], rng.randrange(3)))
        found = board.longest_trail(frozenset(roads), blocked)
        sizes = [len(part) for part in subsets(roads) if is_one_walk(part, blocked)]
        assert found == max(sizes), (roads, blocked)


def subsets(roads: list[int]) -> Iterator[tuple[int, ...]]:
    return chain.from_iterable(combinations(roads, size) for size in range(1, len(roads) + 1))


def is_one_walk(roads: tuple[int, ...], blocked: frozenset[int]) -> bool:
    ends = {
        road: {(vertex, road if vertex in blocked else -1) for vertex in board.EDGES[road]}
        for road in roads
    }
    degrees = Counter(end for pair in ends.values() for end in pair)
    reached = set(ends[roads[0]])
    for _ in roads:
        reached |= {end for pair in ends.values() if pair & reached for end in pair}
    return len(reached) == len(degrees) and sum(n % 2 for n in degrees.values()) <= 2
