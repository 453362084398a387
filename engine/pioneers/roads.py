"""Road networks: where a seat may build on, and its longest road.

A longest road is a trail: no edge twice, vertices as often as one likes. A vertex with an
opponent's town (`blocked`) ends a trail that arrives there, and may begin one.
"""

from __future__ import annotations

from engine.pioneers.board import EDGE_MASK_AT, EDGES, ENDS_MASK, STEPS, bits

LONGEST_ROAD_MINIMUM = 5


def _walk(vertex: int, unused: int, blocked: int) -> int:
    """Length of the longest trail that leaves `vertex` over edges of `unused`."""
    best = 0
    for edge, far, far_bit in STEPS[vertex]:
        if unused & edge:
            length = 1 if blocked & far_bit else 1 + _walk(far, unused ^ edge, blocked)
            if length > best:
                best = length
    return best


def touched(roads: int) -> int:
    """The vertices at the ends of `roads`."""
    vertices = 0
    for edge in bits(roads):
        vertices |= ENDS_MASK[edge]
    return vertices


def longest_road(roads: int, blocked: int) -> int:
    """Length of the longest trail in `roads`."""
    return max((_walk(v, roads, blocked) for v in bits(touched(roads))), default=0)


def longest_with(edge: int, roads: int, blocked: int, before: int) -> int:
    """`longest_road(roads, blocked)`, given that it was `before` without `edge`.

    Only trails through the new edge can be longer.
    """
    rest = roads ^ (1 << edge)
    a, b = EDGES[edge]
    # A trail cannot go on at an end that is blocked or has no other road. So if there is such
    # an end, the trail through the edge starts there, and one walk from the other end is all.
    if blocked >> a & 1 or not rest & EDGE_MASK_AT[a]:
        a, b = b, a
    elif not (blocked >> b & 1 or not rest & EDGE_MASK_AT[b]):
        return longest_road(roads, blocked)
    through = 1 if blocked >> a & 1 else 1 + _walk(a, rest, blocked)
    return through if through > before else before


def reachable(roads: int, towns: int, blocked: int) -> int:
    """The edges, free or not, that a seat's network touches: where its next road may go.

    A road goes on from its ends, save through an opponent's town.
    """
    edges = 0
    for vertex in bits((touched(roads) | towns) & ~blocked):
        edges |= EDGE_MASK_AT[vertex]
    return edges


def holder_of_longest(lengths: list[int], holder: int | None) -> int | None:
    """Who holds the longest road, after lengths changed while `holder` held it."""
    best = max(lengths)
    if best < LONGEST_ROAD_MINIMUM:
        return None
    if holder is not None and lengths[holder] == best:
        return holder
    return lengths.index(best) if lengths.count(best) == 1 else None
