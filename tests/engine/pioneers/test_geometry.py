"""The derived island, against the tables of the rules."""

from __future__ import annotations

import pytest

from engine.pioneers import board

# Each hex's six vertices in corner order, as the rules print them.
HEX_TABLE = """
0: 0 4 8 12 7 3        10: 19 25 31 36 30 24
1: 1 5 9 13 8 4        11: 20 26 32 37 31 25
2: 2 6 10 14 9 5       12: 28 34 39 43 38 33
3: 7 12 17 22 16 11    13: 29 35 40 44 39 34
4: 8 13 18 23 17 12    14: 30 36 41 45 40 35
5: 9 14 19 24 18 13    15: 31 37 42 46 41 36
6: 10 15 20 25 19 14   16: 39 44 48 51 47 43
7: 16 22 28 33 27 21   17: 40 45 49 52 48 44
8: 17 23 29 34 28 22   18: 41 46 50 53 49 45
9: 18 24 30 35 29 23
"""

PORT_TABLE = [
    ("generic", (0, 3)),
    ("brick", (11, 16)),
    ("generic", (33, 38)),
    ("lumber", (47, 51)),
    ("generic", (49, 52)),
    ("wool", (42, 46)),
    ("grain", (26, 32)),
    ("generic", (10, 15)),
    ("ore", (1, 5)),
]


def hex_table() -> dict[int, tuple[int, ...]]:
    table: dict[int, list[int]] = {}
    for word in HEX_TABLE.split():
        if word.endswith(":"):
            vertices = table.setdefault(int(word[:-1]), [])
        else:
            vertices.append(int(word))
    return {h: tuple(vertices) for h, vertices in sorted(table.items())}


def test_there_are_19_hexes_54_vertices_and_72_edges() -> None:
    assert (board.HEX_COUNT, board.VERTEX_COUNT, board.EDGE_COUNT) == (19, 54, 72)


def test_hexes_have_the_vertices_of_the_table() -> None:
    assert dict(enumerate(board.HEX_VERTICES)) == hex_table()


def test_edges_are_the_sides_in_order() -> None:
    sides = {
        tuple(sorted((ring[i], ring[(i + 1) % 6])))
        for ring in hex_table().values()
        for i in range(6)
    }
    assert tuple(sorted(sides)) == board.EDGES
    assert board.EDGES[:2] == ((0, 3), (0, 4))
    assert board.EDGES[15] == (9, 14)


def test_the_coast_is_a_ring_of_30_edges_from_edge_0_toward_vertex_3() -> None:
    of_one_hex = [
        e
        for e, (a, b) in enumerate(board.EDGES)
        if sum(a in ring and b in ring for ring in hex_table().values()) == 1
    ]
    assert sorted(board.COAST) == of_one_hex
    assert len(board.COAST) == 30
    assert board.COAST[0] == 0
    walked = [board.EDGES[e] for e in board.COAST]
    assert 3 in walked[1]
    for side, after in zip(walked, walked[1:] + walked[:1], strict=True):
        assert len({*side} & {*after}) == 1


def test_ports_lie_where_the_table_says() -> None:
    assert [(port.kind, port.vertices) for port in board.PORTS] == PORT_TABLE
    with_port = {v for _, vertices in PORT_TABLE for v in vertices}
    assert {v for v, port in enumerate(board.PORT_AT) if port} == with_port


@pytest.mark.parametrize("vertex", range(54))
def test_neighbour_tables_agree(vertex: int) -> None:
    edges = [e for e, ends in enumerate(board.EDGES) if vertex in ends]
    far = sorted(sum(board.EDGES[e]) - vertex for e in edges)
    assert 2 <= len(edges) <= 3
    assert list(board.EDGES_AT[vertex]) == edges
    assert list(board.bits(board.EDGE_MASK_AT[vertex])) == edges
    assert list(board.bits(board.CLOSED_BY[vertex])) == sorted([vertex, *far])
    assert [(e, v, b) for e, v, b in board.STEPS[vertex]] == [
        (1 << e, sum(board.EDGES[e]) - vertex, 1 << (sum(board.EDGES[e]) - vertex)) for e in edges
    ]
    assert board.HEXES_AT[vertex] == tuple(h for h, ring in hex_table().items() if vertex in ring)


def test_masks_hold_the_ids_they_stand_for() -> None:
    for h, ring in hex_table().items():
        assert list(board.bits(board.HEX_MASK[h])) == sorted(ring)
    for edge, ends in enumerate(board.EDGES):
        assert tuple(board.bits(board.ENDS_MASK[edge])) == ends
    assert list(board.bits(board.mask_of([5, 71, 0]))) == [0, 5, 71]
