"""Where to settle in set-up: odds, variety, ports, and room to grow."""

from __future__ import annotations

from collections.abc import Sequence

from engine.pioneers.actions import Setup
from engine.pioneers.analysis import (
    Cards,
    all_roads,
    income,
    open_vertices,
    rates,
    vertex_odds,
)
from engine.pioneers.board import CLOSED_BY, EDGES, EDGES_AT, PORT_AT, bits
from engine.pioneers.view import PioneersView

# What one way in 36 is worth, by resource: brick and lumber open the island, ore and grain win.
_WEIGHTS: tuple[float, ...] = (1.0, 1.0, 0.8, 1.1, 1.1)
_NEW_RESOURCE = 1.5  # for each resource that was not collected before
_PORT_SHARE = 0.08  # of a 2:1 or 3:1 port, for each way that it would trade better


def best_setup(view: PioneersView) -> Setup:
    """The settlement and the road for a seat asked `setup`."""
    assert view.seat is not None
    odds = vertex_odds(view.hexes)
    collected = income(view, view.seat)
    free = open_vertices(view)
    settlement = max(bits(free), key=lambda vertex: _site_value(odds[vertex], collected, vertex))
    with_it = _sum(collected, odds[settlement])
    left = free & ~CLOSED_BY[settlement]
    taken = all_roads(view)
    road = max(
        (edge for edge in EDGES_AT[settlement] if not taken >> edge & 1),
        key=lambda edge: _outlook(odds, with_it, left, settlement, edge),
    )
    return Setup(settlement=settlement, road=road)


def _site_value(odds: Cards, collected: Cards, vertex: int) -> float:
    value = 0.0
    for weight, count, before in zip(_WEIGHTS, odds, collected, strict=True):
        value += weight * count
        if count and not before:
            value += _NEW_RESOURCE
    if PORT_AT[vertex]:
        both = _sum(odds, collected)
        value += _PORT_SHARE * sum(
            count * (4 - rate) for count, rate in zip(both, rates(PORT_AT[vertex]), strict=True)
        )
    return value


def _outlook(
    odds: Sequence[Cards], collected: Cards, free: int, settlement: int, edge: int
) -> float:
    """The value of the best site that a road on `edge` brings one road further away."""
    low, high = EDGES[edge]
    far = high if low == settlement else low
    beyond = bits(CLOSED_BY[far] & free)
    return max((_site_value(odds[vertex], collected, vertex) for vertex in beyond), default=0.0)


def _sum(a: Cards, b: Cards) -> Cards:
    brick, lumber, wool, grain, ore = (x + y for x, y in zip(a, b, strict=True))
    return brick, lumber, wool, grain, ore
