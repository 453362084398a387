"""Placing and building: set-up, roads, settlements, cities, and the longest road award."""

from __future__ import annotations

from typing import NoReturn

from engine.game import Event, IllegalAction
from engine.pioneers.actions import BuildCity, BuildRoad, BuildSettlement, Setup
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
from engine.pioneers.cards import (
    CITY_COST,
    ROAD_COST,
    SETTLEMENT_COST,
    UNITS,
    covers,
    spell,
    spell_held,
)
from engine.pioneers.events import AwardMoved, CityBuilt, Placed, RoadBuilt, SettlementBuilt
from engine.pioneers.roads import holder_of_longest, longest_road, longest_with, reachable
from engine.pioneers.state import AWARD_POINTS, MAX_SEATS, State

MAX_ROADS = 15
MAX_SETTLEMENTS = 5
MAX_CITIES = 4


def check_setup(s: State, seat: int, action: Setup) -> None:
    """Raise IllegalAction unless settlement and road may be placed: the distance rule alone
    governs the settlement, and the road has to touch it."""
    vertex, road = action.settlement, action.road
    if not (0 <= vertex < VERTEX_COUNT and s.open >> vertex & 1):
        _refuse_vertex(s, vertex)
    if not 0 <= road < EDGE_COUNT:
        _refuse_edge(s, seat, road)
    if vertex not in EDGES[road]:
        a, b = EDGES[road]
        raise IllegalAction(
            "not_connected",
            f"edge {road} joins vertices {a} and {b} and does not touch the settlement at {vertex}",
        )
    if s.taken >> road & 1:
        _refuse_edge(s, seat, road)


def place(s: State, action: Setup, events: list[Event]) -> None:
    """Place the current seat's settlement and road, if legal; the second settlement pays."""
    seat = s.current
    check_setup(s, seat, action)
    vertex = action.settlement
    second = bool(s.settlements[seat])
    put_settlement(s, seat, vertex)
    put_road(s, seat, action.road)
    # The two first roads may meet; an award is out of their reach.
    s.lengths[seat] = longest_road(s.own_roads[seat], s.blocked_for(seat))
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


def check_road(s: State, seat: int, action: BuildRoad) -> None:
    """Raise IllegalAction unless the seat may build this road."""
    edge = action.edge
    if not (0 <= edge < EDGE_COUNT and (s.reach[seat] & ~s.taken) >> edge & 1):
        _refuse_edge(s, seat, edge)
    if len(s.roads[seat]) >= MAX_ROADS:
        raise IllegalAction("limit_reached", f"all {MAX_ROADS} of your roads are built")
    if not covers(s.hands[seat], ROAD_COST):
        cannot_afford(s, seat, "a road", ROAD_COST)


def build_road(s: State, action: BuildRoad, events: list[Event]) -> None:
    """Build a road for the current seat, if legal."""
    seat = s.current
    check_road(s, seat, action)
    s.hands[seat] -= ROAD_COST
    add_road(s, seat, action.edge, events)


def add_road(s: State, seat: int, edge: int, events: list[Event]) -> None:
    """Build a checked road, whoever paid for it, and settle the longest road award."""
    put_road(s, seat, edge)
    before = s.lengths[seat]
    length = longest_with(edge, s.own_roads[seat], s.blocked_for(seat), before)
    events.append(RoadBuilt(seat, edge))
    if length != before:
        s.lengths[seat] = length
        award_longest_road(s, events)


def check_settlement(s: State, seat: int, action: BuildSettlement) -> None:
    """Raise IllegalAction unless the seat may build this settlement."""
    vertex = action.vertex
    if not (0 <= vertex < VERTEX_COUNT and (s.open & s.touch[seat]) >> vertex & 1):
        _refuse_vertex(s, vertex)
    if len(s.settlements[seat]) >= MAX_SETTLEMENTS:
        raise IllegalAction("limit_reached", f"all {MAX_SETTLEMENTS} of your settlements are built")
    if not covers(s.hands[seat], SETTLEMENT_COST):
        cannot_afford(s, seat, "a settlement", SETTLEMENT_COST)


def build_settlement(s: State, action: BuildSettlement, events: list[Event]) -> None:
    """Build a settlement for the current seat, if legal; it may cut opponents' roads in two."""
    seat = s.current
    check_settlement(s, seat, action)
    vertex = action.vertex
    s.hands[seat] -= SETTLEMENT_COST
    put_settlement(s, seat, vertex)
    events.append(SettlementBuilt(seat, vertex))
    changed = False
    for other in range(s.n):
        # Only an opponent's trail through this vertex, in and out, can become shorter.
        through = s.own_roads[other] & EDGE_MASK_AT[vertex]
        if other != seat and through:
            blocked = s.blocked_for(other)
            s.reach[other] = reachable(s.own_roads[other], s.own[other], blocked)
            if through & (through - 1):
                length = longest_road(s.own_roads[other], blocked)
                changed |= length != s.lengths[other]
                s.lengths[other] = length
    if changed:
        award_longest_road(s, events)


def check_city(s: State, seat: int, action: BuildCity) -> None:
    """Raise IllegalAction unless the seat may turn its settlement there into a city."""
    vertex = action.vertex
    if vertex not in s.settlements[seat]:
        raise IllegalAction("not_own_settlement", f"vertex {vertex} holds no settlement of yours")
    if len(s.cities[seat]) >= MAX_CITIES:
        raise IllegalAction("limit_reached", f"all {MAX_CITIES} of your cities are built")
    if not covers(s.hands[seat], CITY_COST):
        cannot_afford(s, seat, "a city", CITY_COST)


def build_city(s: State, action: BuildCity, events: list[Event]) -> None:
    """Turn a settlement of the current seat into a city, if legal."""
    seat = s.current
    check_city(s, seat, action)
    s.hands[seat] -= CITY_COST
    put_city(s, seat, action.vertex)
    events.append(CityBuilt(seat, action.vertex))


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


def award_longest_road(s: State, events: list[Event]) -> None:
    """Let the longest road award go where the road lengths now send it."""
    before = s.longest_road
    holder = holder_of_longest(s.lengths, before)
    if holder == before:
        return
    s.longest_road = holder
    if before is not None:
        s.scores[before] -= AWARD_POINTS
    if holder is not None:
        s.scores[holder] += AWARD_POINTS
    about = holder if holder is not None else before
    assert about is not None
    events.append(AwardMoved(about, "longestRoad", holder))


def cannot_afford(s: State, seat: int, thing: str, cost: int) -> NoReturn:
    """Refuse `thing` for want of cards."""
    raise IllegalAction(
        "cannot_afford",
        f"{thing} costs {spell(cost)}; you hold {spell_held(s.hands[seat], cost)}",
    )


def _add_income(s: State, seat: int, vertex: int) -> None:
    """One more card from each hex around `vertex` whenever its token is rolled."""
    for h in HEXES_AT[vertex]:
        if s.lands[h] >= 0:
            s.income[MAX_SEATS * s.tokens[h] + seat] += UNITS[s.lands[h]]


def _refuse_vertex(s: State, vertex: int) -> NoReturn:
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


def _refuse_edge(s: State, seat: int, edge: int) -> NoReturn:
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
