"""The island's geometry: numbered hexes, vertices and edges, and which touches which.

Everything is derived once, at import, from the lattice that the rules lay down; only the row
lengths, the ring positions of the ports and the ports' kinds are facts of the game. A set of
vertices or edges is an int whose bit i stands for id i.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.pioneers.actions import RESOURCES
from engine.pioneers.view import Port

ROWS = (3, 4, 5, 4, 3)
_ROW_INSET = (2, 1, 0, 1, 2)
# Corners of a hex around its centre, clockwise from the top.
_CORNERS = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))

_PORT_POSITIONS = (0, 3, 7, 10, 13, 17, 20, 23, 27)
_PORT_KINDS = (
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


def bits(mask: int) -> Iterator[int]:
    """The ids in a set, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def mask_of(ids: Iterable[int]) -> int:
    """The set of `ids`."""
    mask = 0
    for i in ids:
        mask |= 1 << i
    return mask


def _corner_points() -> list[list[tuple[int, int]]]:
    """The six corners (y, x) of every hex, in hex id order."""
    return [
        [(3 * row + dy, 2 * column + _ROW_INSET[row] + dx) for dx, dy in _CORNERS]
        for row, length in enumerate(ROWS)
        for column in range(length)
    ]


def _coast_ring(edges: tuple[tuple[int, int], ...], coastal: list[int]) -> tuple[int, ...]:
    """The coastal edges in walking order, from the lowest id toward its higher vertex."""
    ring = [coastal[0]]
    vertex = edges[coastal[0]][1]
    while len(ring) < len(coastal):
        edge = next(e for e in coastal if e not in ring and vertex in edges[e])
        low, high = edges[edge]
        vertex = high if vertex == low else low
        ring.append(edge)
    return tuple(ring)


_corners_of = _corner_points()

# Points of the lattice are (y, x); a hex is named by its centre, two steps below its top corner.
VERTEX_POINTS = tuple(sorted({point for corners in _corners_of for point in corners}))
HEX_POINTS = tuple((corners[0][0] + 2, corners[0][1]) for corners in _corners_of)

_vertex_ids = {point: i for i, point in enumerate(VERTEX_POINTS)}
HEX_VERTICES: tuple[tuple[int, ...], ...] = tuple(
    tuple(_vertex_ids[point] for point in corners) for corners in _corners_of
)
_sides = [
    [(min(pair), max(pair)) for pair in zip(ring, ring[1:] + ring[:1], strict=True)]
    for ring in HEX_VERTICES
]
EDGES: tuple[tuple[int, int], ...] = tuple(sorted({side for sides in _sides for side in sides}))

HEX_COUNT = len(HEX_VERTICES)
VERTEX_COUNT = len(_vertex_ids)
EDGE_COUNT = len(EDGES)
ALL_VERTICES = (1 << VERTEX_COUNT) - 1

COAST = _coast_ring(
    EDGES, [e for e, side in enumerate(EDGES) if sum(side in sides for sides in _sides) == 1]
)
PORTS: tuple[Port, ...] = tuple(
    Port(kind=kind, vertices=EDGES[COAST[position]])  # type: ignore[arg-type]
    for kind, position in zip(_PORT_KINDS, _PORT_POSITIONS, strict=True)
)

# Sets as masks, and the same as tuples where a loop needs the ids.
HEX_MASK: tuple[int, ...] = tuple(mask_of(ring) for ring in HEX_VERTICES)
HEXES_AT: tuple[tuple[int, ...], ...] = tuple(
    tuple(h for h, ring in enumerate(HEX_VERTICES) if v in ring) for v in range(VERTEX_COUNT)
)
EDGES_AT: tuple[tuple[int, ...], ...] = tuple(
    tuple(e for e, ends in enumerate(EDGES) if v in ends) for v in range(VERTEX_COUNT)
)
EDGE_MASK_AT: tuple[int, ...] = tuple(mask_of(edges) for edges in EDGES_AT)
ENDS_MASK: tuple[int, ...] = tuple(mask_of(ends) for ends in EDGES)
# The vertex itself and its neighbours: what the distance rule closes around a town.
CLOSED_BY: tuple[int, ...] = tuple(
    mask_of(end for e in edges for end in EDGES[e]) for edges in EDGES_AT
)
# Ways out of a vertex: (edge as a mask, vertex at the other end, that vertex as a mask).
STEPS: tuple[tuple[tuple[int, int, int], ...], ...] = tuple(
    tuple((1 << e, sum(EDGES[e]) - v, 1 << (sum(EDGES[e]) - v)) for e in edges)
    for v, edges in enumerate(EDGES_AT)
)

# A seat's ports are a mask: bit r for the 2:1 port of resource r, GENERIC_PORT for any 3:1.
GENERIC_PORT = 1 << len(RESOURCES)
_PORT_BITS = {"generic": GENERIC_PORT} | {name: 1 << r for r, name in enumerate(RESOURCES)}
PORT_AT: tuple[int, ...] = tuple(
    next((_PORT_BITS[port.kind] for port in PORTS if v in port.vertices), 0)
    for v in range(VERTEX_COUNT)
)
