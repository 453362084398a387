"""What can be read off a view: odds, income, sites, distances, longest road, trade rates.

Pure functions for bots and commentators. Cards by resource are tuples in the order of
RESOURCES. Odds are in ways out of the 36 that two dice fall, so a count of 36 is one card a
roll. Sets of ids come as ascending tuples.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import comb, fsum
from typing import TypeAlias

from msgspec.structs import astuple

from engine.pioneers import roads
from engine.pioneers.actions import RESOURCES, Bundle
from engine.pioneers.board import (
    ALL_VERTICES,
    CLOSED_BY,
    GENERIC_PORT,
    HEX_VERTICES,
    PORT_AT,
    STEPS,
    VERTEX_COUNT,
    bits,
    mask_of,
)
from engine.pioneers.glimpse import PioneersMemory
from engine.pioneers.trading import MAX_OFFERS
from engine.pioneers.view import HexTile, PioneersView

Cards: TypeAlias = tuple[int, int, int, int, int]

#            brick, lumber, wool, grain, ore
ROAD: Cards = (1, 1, 0, 0, 0)
SETTLEMENT: Cards = (1, 1, 1, 1, 0)
CITY: Cards = (0, 0, 0, 2, 3)
DEV_CARD: Cards = (0, 0, 1, 1, 1)

_INDEX = {name: r for r, name in enumerate(RESOURCES)}
NEVER = 256.0  # rolls, more than a match has
_SOONEST = 0.5  # rolls, for what cannot be paid now


def cards(bundle: Bundle) -> Cards:
    """A bundle as a tuple."""
    return astuple(bundle)


def ways(token: int | None) -> int:
    """In how many of 36 ways two dice give `token`; 0 for the desert."""
    return 0 if token is None else 6 - abs(7 - token)


@lru_cache(maxsize=64)
def vertex_odds(hexes: tuple[HexTile, ...]) -> tuple[Cards, ...]:
    """By vertex: the cards of each resource that a settlement there collects in 36 rolls."""
    odds = [[0] * len(RESOURCES) for _ in range(VERTEX_COUNT)]
    for tile, ring in zip(hexes, HEX_VERTICES, strict=True):
        if tile.resource != "desert":
            for vertex in ring:
                odds[vertex][_INDEX[tile.resource]] += ways(tile.token)
    return tuple((b, lu, w, g, o) for b, lu, w, g, o in odds)


def income(view: PioneersView, seat: int) -> Cards:
    """The cards of each resource that a seat collects in 36 rolls, the bandit where it is."""
    odds = vertex_odds(view.hexes)
    total = [0] * len(RESOURCES)
    for towns, yields in ((view.settlements[seat], 1), (view.cities[seat], 2)):
        for vertex in towns:
            for r, count in enumerate(odds[vertex]):
                total[r] += yields * count
    tile = view.hexes[view.bandit]
    if tile.resource != "desert":
        total[_INDEX[tile.resource]] -= ways(tile.token) * stake(view, seat, view.bandit)
    b, lu, w, g, o = total
    return b, lu, w, g, o


def stake(view: PioneersView, seat: int, hex_: int) -> int:
    """How many cards a seat collects when a hex pays: 1 per settlement, 2 per city."""
    ring = HEX_VERTICES[hex_]
    settlements, cities = view.settlements[seat], view.cities[seat]
    return sum((v in settlements) + 2 * (v in cities) for v in ring)


def trade_rates(view: PioneersView, seat: int) -> Cards:
    """How many cards of each resource the bank takes from a seat for one of another."""
    ports = 0
    for vertex in (*view.settlements[seat], *view.cities[seat]):
        ports |= PORT_AT[vertex]
    return rates(ports)


@lru_cache(maxsize=64)
def rates(ports: int) -> Cards:
    """The same for a set of ports, as `board.PORT_AT` has them."""
    base = 3 if ports & GENERIC_PORT else 4
    b, lu, w, g, o = (2 if ports >> r & 1 else base for r in range(len(RESOURCES)))
    return b, lu, w, g, o


def own_towns(view: PioneersView, seat: int) -> int:
    """The vertices with a settlement or city of a seat's, as a mask."""
    return mask_of(view.settlements[seat]) | mask_of(view.cities[seat])


def all_towns(view: PioneersView) -> int:
    """The vertices with any settlement or city, as a mask."""
    towns = 0
    for vertices in (*view.settlements, *view.cities):
        towns |= mask_of(vertices)
    return towns


def all_roads(view: PioneersView) -> int:
    """The edges with any road, as a mask."""
    taken = 0
    for edges in view.roads:
        taken |= mask_of(edges)
    return taken


def open_vertices(view: PioneersView) -> int:
    """The vertices, as a mask, where the distance rule lets a settlement stand."""
    free = ALL_VERTICES
    for vertex in bits(all_towns(view)):
        free &= ~CLOSED_BY[vertex]
    return free


def sites(view: PioneersView, seat: int) -> tuple[int, ...]:
    """The vertices where a seat's roads let it settle, its stock of settlements aside."""
    return tuple(bits(open_vertices(view) & roads.touched(mask_of(view.roads[seat]))))


def free_edges(view: PioneersView, seat: int) -> tuple[int, ...]:
    """The edges where a seat may build its next road, its stock of roads aside."""
    own = own_towns(view, seat)
    reach = roads.reachable(mask_of(view.roads[seat]), own, all_towns(view) ^ own)
    return tuple(bits(reach & ~all_roads(view)))


def longest_road(view: PioneersView, seat: int, more: Iterable[int] = ()) -> int:
    """The length of a seat's longest road, with roads on the edges `more` besides."""
    blocked = all_towns(view) ^ own_towns(view, seat)
    return roads.longest_road(mask_of(view.roads[seat]) | mask_of(more), blocked)


class Distances:
    """How many roads a seat has yet to build to reach each vertex.

    distance: by vertex; 0 where a road or town of the seat's touches it, None out of reach.
    Roads do not go on through an opponent's town, nor over an opponent's road.
    """

    __slots__ = ("_edge_to", "_from", "distance")

    def __init__(self, view: PioneersView, seat: int) -> None:
        own = own_towns(view, seat)
        blocked = all_towns(view) ^ own
        taken = all_roads(view)
        start = roads.touched(mask_of(view.roads[seat])) | own
        distance: list[int | None] = [None] * VERTEX_COUNT
        self._edge_to = [0] * VERTEX_COUNT
        self._from = [0] * VERTEX_COUNT
        frontier = [*bits(start)]
        for vertex in frontier:
            distance[vertex] = 0
        seen = start
        steps = 0
        while frontier:
            steps += 1
            reached = []
            for vertex in frontier:
                if blocked >> vertex & 1:
                    continue
                for edge, far, far_bit in STEPS[vertex]:
                    if not (edge & taken or far_bit & seen):
                        seen |= far_bit
                        distance[far] = steps
                        self._edge_to[far] = edge.bit_length() - 1
                        self._from[far] = vertex
                        reached.append(far)
            frontier = reached
        self.distance: Sequence[int | None] = distance

    def route(self, vertex: int) -> tuple[int, ...]:
        """The edges to build to `vertex`, first one first. ValueError where it is out of reach."""
        if self.distance[vertex] is None:
            raise ValueError(f"vertex {vertex} is out of reach")
        edges = []
        while self.distance[vertex]:
            edges.append(self._edge_to[vertex])
            vertex = self._from[vertex]
        return tuple(reversed(edges))


def offers_left(view: PioneersView, memory: PioneersMemory) -> int:
    """How many offers the seat may still make in this turn of its own."""
    return MAX_OFFERS - (memory.offers if memory.turn == view.turn else 0)


def may_play_dev_card(view: PioneersView, memory: PioneersMemory) -> bool:
    """Whether the seat has yet to play its one dev card of this turn of its own."""
    return not (memory.dev_played and memory.turn == view.turn)


def covers(hand: Sequence[int], cost: Sequence[int]) -> bool:
    """Whether `hand` holds at least `cost` of every resource."""
    return (
        hand[0] >= cost[0]
        and hand[1] >= cost[1]
        and hand[2] >= cost[2]
        and hand[3] >= cost[3]
        and hand[4] >= cost[4]
    )


def odds_of_holding(wanted: Sequence[int], count: int, weights: Sequence[int]) -> float:
    """How likely `count` unseen cards, each drawn by the weights, cover `wanted`.

    Kinds are taken one by one, as if what a seat holds of one said nothing about another.
    """
    odds = 1.0
    for need, weight in zip(wanted, weights, strict=True):
        if need:
            share = weight / sum(weights)
            odds *= 1 - fsum(_exactly(k, count, share) for k in range(need))
    return max(0.0, odds)


def _exactly(k: int, n: int, share: float) -> float:
    """The binomial probability of k out of n."""
    return comb(n, k) * share**k * (1 - share) ** (n - k) if k <= n else 0.0


def affordable_with_bank(hand: Cards, cost: Cards, rate: Cards) -> bool:
    """Whether `hand` pays `cost` once what it can spare has been traded with the bank."""
    lacking = 0
    spare = 0
    for held, needed, per_card in zip(hand, cost, rate, strict=True):
        if held < needed:
            lacking += needed - held
        else:
            spare += (held - needed) // per_card
    return spare >= lacking


def left_after(hand: Cards, cost: Cards, rate: Cards) -> Cards | None:
    """What is left of `hand` once it has paid `cost`, with trades at the bank where it must.

    Each trade gives what most would be left of. None where the hand does not pay.
    """
    kinds = range(len(RESOURCES))
    left = [held - needed for held, needed in zip(hand, cost, strict=True)]
    while min(left) < 0:
        give = max(kinds, key=lambda r: left[r] - rate[r])
        if left[give] < rate[give]:
            return None
        left[give] -= rate[give]
        left[min(kinds, key=left.__getitem__)] += 1
    b, lu, w, g, o = left
    return b, lu, w, g, o


@lru_cache(maxsize=1 << 14)
def rolls_until(hand: Cards, cost: Cards, per_36: tuple[float, ...], rate: Cards) -> float:
    """About how many rolls until a seat can pay `cost`, with `hand` now and trades at the bank.

    per_36: what the seat collects in 36 rolls. An estimate from mean income: no luck, no thefts,
    no discards, and trades in parts of cards; at least half a roll for what cannot be paid now.
    NEVER where it takes longer.
    """
    if affordable_with_bank(hand, cost, rate):
        return 0.0
    # What is missing shrinks along a line with bends, one for each resource that begins to be
    # spare, and ever more slowly. Newton's method on such a line meets the root exactly, after
    # one step for each bend that lies before it.
    rolls = 0.0
    for _ in range(len(RESOURCES) + 1):
        missing = speed = 0.0
        for held, needed, ways_, per_card in zip(hand, cost, per_36, rate, strict=True):
            short = needed - held - ways_ * rolls / 36
            share = 1.0 if short > 0 else 1.0 / per_card
            missing += short * share
            speed += ways_ * share
        if missing <= 1e-9:
            break
        if not speed:
            return NEVER
        rolls += 36 * missing / speed
    return min(max(rolls, _SOONEST), NEVER)
