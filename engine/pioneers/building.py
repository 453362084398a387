"""Building for cards: roads, settlements, cities, and the longest road award."""

from __future__ import annotations

from typing import NoReturn

from engine.game import Event, IllegalAction
from engine.pioneers.actions import BuildCity, BuildRoad, BuildSettlement
from engine.pioneers.board import EDGE_COUNT, EDGE_MASK_AT, VERTEX_COUNT
from engine.pioneers.cards import (
    CITY_COST,
    ROAD_COST,
    SETTLEMENT_COST,
    covers,
    spell,
    spell_held,
)
from engine.pioneers.events import AwardMoved, CityBuilt, RoadBuilt, SettlementBuilt
from engine.pioneers.placing import (
    put_city,
    put_road,
    put_settlement,
    refuse_edge,
    refuse_vertex,
)
from engine.pioneers.roads import holder_of_longest, longest_road, longest_with, reachable
from engine.pioneers.state import AWARD_POINTS, State

MAX_ROADS = 15
MAX_SETTLEMENTS = 5
MAX_CITIES = 4


def check_road(s: State, seat: int, action: BuildRoad) -> None:
    """Raise IllegalAction unless the seat may build this road."""
    edge = action.edge
    if not (0 <= edge < EDGE_COUNT and (s.reach[seat] & ~s.taken) >> edge & 1):
        refuse_edge(s, seat, edge)
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
        refuse_vertex(s, vertex)
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
