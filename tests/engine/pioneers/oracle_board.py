"""The oracle's board and dice: the lattice, the ports and the HMAC draws, written out naively.

Nothing here imports the engine: this is a second derivation of the same published rules.
"""

from __future__ import annotations

import hashlib
import hmac
from functools import lru_cache
from typing import Any

RESOURCES = ("brick", "lumber", "wool", "grain", "ore")
DEV_CARDS = ("knight", "victory_point", "roadworks", "windfall", "embargo")
DEV_COUNTS = {"knight": 14, "victory_point": 5, "roadworks": 2, "windfall": 2, "embargo": 2}
HEX_COUNTS = {"brick": 3, "lumber": 4, "wool": 4, "grain": 4, "ore": 3, "desert": 1}
TOKENS = [2, 3, 3, 4, 4, 5, 5, 6, 6, 8, 8, 9, 9, 10, 10, 11, 11, 12]

ROW_LENGTHS = (3, 4, 5, 4, 3)
ROW_SHIFTS = (2, 1, 0, 1, 2)
CORNERS = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))

RING_PLACES = (0, 3, 7, 10, 13, 17, 20, 23, 27)
PORT_KINDS = (
    "generic",
    "brick",
    "generic",
    "lumber",
    "generic",
    "wool",
    "grain",
    "generic",
    "ore",
)


def _corner_points() -> list[list[tuple[int, int]]]:
    """Per hex, its six corners as lattice points (x, y)."""
    result = []
    for row, length in enumerate(ROW_LENGTHS):
        for column in range(length):
            x, y = 2 * column + ROW_SHIFTS[row], 3 * row
            result.append([(x + dx, y + dy) for dx, dy in CORNERS])
    return result


_POINTS = sorted({p for corners in _corner_points() for p in corners}, key=lambda p: (p[1], p[0]))

HEX_VERTICES = [[_POINTS.index(point) for point in corners] for corners in _corner_points()]


def _sides(corners: list[int]) -> list[tuple[int, int]]:
    pairs = [(corners[i], corners[(i + 1) % 6]) for i in range(6)]
    return [(min(pair), max(pair)) for pair in pairs]


EDGES = sorted({side for corners in HEX_VERTICES for side in _sides(corners)})


def edges_at(vertex: int) -> list[int]:
    """The ids of the edges that touch `vertex`, ascending."""
    return [edge for edge, ends in enumerate(EDGES) if vertex in ends]


def neighbours(vertex: int) -> list[int]:
    """The vertices one edge away from `vertex`."""
    return [a if b == vertex else b for a, b in (EDGES[edge] for edge in edges_at(vertex))]


def edge_between(a: int, b: int) -> int:
    """The id of the edge between two vertices; ValueError if there is none."""
    return EDGES.index((min(a, b), max(a, b)))


def _coast_ring() -> list[tuple[int, int]]:
    """The coastal edges in walking order, from the lowest one towards its higher vertex."""
    all_sides = [side for corners in HEX_VERTICES for side in _sides(corners)]
    coast = [edge for edge in EDGES if all_sides.count(edge) == 1]
    ring = [coast[0]]
    at = coast[0][1]
    while len(ring) < len(coast):
        (onward,) = [edge for edge in coast if at in edge and edge not in ring]
        at = onward[0] if onward[1] == at else onward[1]
        ring.append(onward)
    return ring


COAST = _coast_ring()
PORTS = [
    {"kind": kind, "vertices": list(COAST[place])}
    for kind, place in zip(PORT_KINDS, RING_PLACES, strict=True)
]


def draw(seed: bytes, stream: str, n: int, below: int) -> int:
    """The n-th draw of a stream: the first acceptable of its numbers k = 0, 1, …"""
    k = 0
    while True:
        mac = hmac.new(seed, f"{stream}:{n}:{k}".encode("ascii"), hashlib.sha256).digest()
        x = int.from_bytes(mac[:8], "big")
        if x < 2**64 - (2**64 % below):
            return x % below
        k += 1


def shuffled(seed: bytes, stream: str, items: list[Any], n: int = 0) -> list[Any]:
    """Fisher-Yates from the last place down; the n-th draw settles the last place."""
    result = list(items)
    for place in range(len(result) - 1, 0, -1):
        other = draw(seed, stream, n, place + 1)
        result[place], result[other] = result[other], result[place]
        n += 1
    return result


def layout(board_seed: bytes) -> list[dict[str, Any]]:
    """The 19 hexes: resources shuffled first, then the tokens over what is no desert."""
    resources = [name for name, count in HEX_COUNTS.items() for _ in range(count)]
    resources = shuffled(board_seed, "board", resources)
    tokens = shuffled(board_seed, "board", TOKENS, n=len(resources) - 1)
    hexes: list[dict[str, Any]] = []
    for resource in resources:
        token = None if resource == "desert" else tokens.pop(0)
        hexes.append({"resource": resource, "token": token})
    return hexes


def dice(seed: bytes, turn: int) -> list[int]:
    """The roll of turn 1, 2, …; the stream counts turns from 0."""
    return [1 + draw(seed, "dice", 2 * (turn - 1) + i, 6) for i in (0, 1)]


@lru_cache(maxsize=200_000)
def longest_trail(roads: frozenset[int], blocked: frozenset[int]) -> int:
    """The most roads in one walk that uses no road twice, by trying every walk.

    A walk may begin or end at a vertex in `blocked` (an opponent's town) but not pass it.
    """

    def walk(at: int, used: frozenset[int]) -> int:
        if used and at in blocked:
            return len(used)
        lengths = [len(used)]
        for edge in roads - used:
            a, b = EDGES[edge]
            if at == a:
                lengths.append(walk(b, used | {edge}))
            elif at == b:
                lengths.append(walk(a, used | {edge}))
        return max(lengths)

    starts = {vertex for edge in roads for vertex in EDGES[edge]}
    return max((walk(start, frozenset()) for start in starts), default=0)
