"""Pieces on the island: placing them in set-up, and what each does to the state."""

from __future__ import annotations

from typing import NoReturn

from engine.game import Event, IllegalAction
from engine.pioneers.actions import Setup
from engine.pioneers.board import (
    CLOSED_BY,
    EDGE_COUNT,
    EDGE_MASK_AT,
    EDGES,
    ENDS_MASK,
    HEXES_AT,
    PORT_AT,
    VERTEX_COUNT,
)
from engine.pioneers.cards import UNITS
from engine.pioneers.events import Placed
from engine.pioneers.roads import longest_with
from engine.pioneers.state import MAX_SEATS, State


def check_setup(s: State, seat: int, action: Setup) -> None:
    """Raise IllegalAction unless settlement and road may be placed: the distance rule alone
    governs the settlement, and the road has to touch it."""
    vertex, road = action.settlement, action.road
    if not (0 <= vertex < VERTEX_COUNT and s.open >> vertex & 1):
        refuse_vertex(s, vertex)
    if not 0 <= road < EDGE_COUNT:
        refuse_edge(s, seat, road)
    if vertex not in EDGES[road]:
        a, b = EDGES[road]
        raise IllegalAction(
            "not_connected",
            f"edge {road} joins vertices {a} and {b} and does not touch the settlement at {vertex}",
        )
    if s.taken >> road & 1:
        refuse_edge(s, seat, road)


def place(s: State, action: Setup, events: list[Event]) -> None:
    """Place the current seat's settlement and road, if legal; the second settlement pays."""
    seat = s.current
    check_setup(s, seat, action)
    vertex = action.settlement
    second = bool(s.settlements[seat])
    put_settlement(s, seat, vertex)
    put_road(s, seat, action.road)
    # The two first roads may meet; an award is out of their reach.
    s.lengths[seat] = longest_with(
        action.road, s.own_roads[seat], s.blocked_for(seat), s.lengths[seat]
    )
    if second:
        s.hands[seat] += harvest(s.lands, vertex)
    s.placed += 1
    events.append(Placed(seat, vertex, action.road))


def harvest(lands: tuple[int, ...], vertex: int) -> int:
    """What a second settlement on `vertex` pays: a card of each adjacent hex but the desert."""
    return sum(UNITS[lands[h]] for h in HEXES_AT[vertex] if lands[h] >= 0)


def snake_seat(placed: int, seats: int) -> int:
    """Who places next in set-up: seats upward, then downward."""
    return placed if placed < seats else 2 * seats - 1 - placed


def put_settlement(s: State, seat: int, vertex: int) -> None:
    """Put a settlement on the island. Opponents' roads are the caller's business."""
    bit = 1 << vertex
    s.towns |= bit
    s.open &= ~CLOSED_BY[vertex]
    s.own[seat] |= bit
    s.settlements[seat] = tuple(sorted((*s.settlements[seat], vertex)))
    s.scores[seat] += 1
    s.ports[seat] |= PORT_AT[vertex]
    s.reach[seat] |= EDGE_MASK_AT[vertex]
    for h in HEXES_AT[vertex]:
        s.seats_on[h] |= 1 << seat
    _add_income(s, seat, vertex)


def put_city(s: State, seat: int, vertex: int) -> None:
    """Put a city in the place of the seat's settlement."""
    s.settlements[seat] = tuple(v for v in s.settlements[seat] if v != vertex)
    s.cities[seat] = tuple(sorted((*s.cities[seat], vertex)))
    s.own_cities[seat] |= 1 << vertex
    s.scores[seat] += 1
    _add_income(s, seat, vertex)


def put_road(s: State, seat: int, edge: int) -> None:
    """Put a road on the island. Its length is the caller's business."""
    bit = 1 << edge
    s.taken |= bit
    s.own_roads[seat] |= bit
    s.roads[seat] = tuple(sorted((*s.roads[seat], edge)))
    s.touch[seat] |= ENDS_MASK[edge]
    blocked = s.blocked_for(seat)
    for end in EDGES[edge]:
        if not blocked >> end & 1:
            s.reach[seat] |= EDGE_MASK_AT[end]


def _add_income(s: State, seat: int, vertex: int) -> None:
    """One more card from each hex around `vertex` whenever its token is rolled."""
    for h in HEXES_AT[vertex]:
        if s.lands[h] >= 0:
            s.income[MAX_SEATS * s.tokens[h] + seat] += UNITS[s.lands[h]]


def refuse_vertex(s: State, vertex: int) -> NoReturn:
    """Say why no settlement may stand on `vertex`."""
    if not 0 <= vertex < VERTEX_COUNT:
        raise IllegalAction("no_such_place", f"there is no vertex {vertex}")
    if s.towns >> vertex & 1:
        raise IllegalAction("occupied", f"vertex {vertex} has a town already")
    near = s.towns & CLOSED_BY[vertex]
    if near:
        raise IllegalAction(
            "distance_rule",
            f"vertex {vertex} is next to the town at vertex {near.bit_length() - 1}",
        )
    raise IllegalAction("not_connected", f"vertex {vertex} touches none of your roads")


def refuse_edge(s: State, seat: int, edge: int) -> NoReturn:
    """Say why the seat's road may not lie on `edge`."""
    if not 0 <= edge < EDGE_COUNT:
        raise IllegalAction("no_such_place", f"there is no edge {edge}")
    if s.taken >> edge & 1:
        raise IllegalAction("occupied", f"edge {edge} has a road already")
    a, b = EDGES[edge]
    if ENDS_MASK[edge] & s.touch[seat] & s.blocked_for(seat):
        raise IllegalAction(
            "not_connected",
            f"edge {edge} ({a}, {b}) meets your network only at an opponent's town, "
            "which no road is built through",
        )
    raise IllegalAction(
        "not_connected", f"edge {edge} ({a}, {b}) does not meet your roads or towns"
    )
