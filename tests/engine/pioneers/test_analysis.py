"""The helpers over a view, against the engine's own moves and against plain counting."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache

import pytest
from msgspec.structs import replace

from engine.pioneers import Pioneers, PioneersView
from engine.pioneers import analysis as a
from engine.pioneers.actions import (
    RESOURCES,
    BankTrade,
    BuildRoad,
    BuildSettlement,
    Bundle,
    OfferTrade,
    PlayKnight,
)
from engine.pioneers.board import EDGES, HEX_VERTICES, VERTEX_COUNT, bits
from engine.pioneers.position import Position

RICH = Bundle(brick=9, lumber=9, wool=9, grain=9, ore=9)


def wandering(match: str, seats: int) -> Iterator[Pioneers]:
    """A match in which every seat takes a legal action drawn by a simple hash."""
    game = Pioneers.deal(seats, hashlib.sha256(match.encode()).digest())
    n = 0
    while asked := game.pending():
        yield game
        actions = {}
        for seat in asked:
            legal = game.legal(seat)
            n += 1
            digest = hashlib.sha256(f"{match} {n}".encode()).digest()
            actions[seat] = legal[int.from_bytes(digest[:6], "big") % len(legal)]
        game.advance(actions)


@cache
def turns() -> tuple[tuple[Pioneers, PioneersView], ...]:
    """Some hundred `turn` decisions of seats that could pay for anything."""
    found = []
    for match, seats in (("one", 3), ("two", 4), ("three", 4)):
        for n, game in enumerate(wandering(match, seats)):
            if n % 9 == 0 and "turn" in game.pending().values():
                position: Position = game.position()
                hands = tuple(RICH for _ in range(seats))
                rich = Pioneers.from_position(replace(position, hands=hands))
                found.append((rich, rich.view(position.current)))
    assert len(found) > 200
    return tuple(found)


def seat_of(view: PioneersView) -> int:
    assert view.seat is not None
    return view.seat


def test_ways_add_up_to_36() -> None:
    assert sum(a.ways(total) for total in range(2, 13)) == 36
    assert (a.ways(2), a.ways(7), a.ways(8), a.ways(None)) == (1, 6, 5, 0)


def test_free_edges_are_where_the_engine_lets_a_road_be_built() -> None:
    for game, view in turns():
        if len(view.roads[seat_of(view)]) < 15:
            legal = [m.edge for m in game.legal(seat_of(view)) if isinstance(m, BuildRoad)]
            assert list(a.free_edges(view, seat_of(view))) == legal


def test_sites_are_where_the_engine_lets_a_settlement_be_built() -> None:
    for game, view in turns():
        if len(view.settlements[seat_of(view)]) < 5:
            legal = [m.vertex for m in game.legal(seat_of(view)) if isinstance(m, BuildSettlement)]
            assert list(a.sites(view, seat_of(view))) == legal


def test_trade_rates_are_what_the_bank_takes() -> None:
    for _, view in turns()[::10]:
        for rate, resource in zip(a.trade_rates(view, seat_of(view)), RESOURCES, strict=True):
            other = next(name for name in RESOURCES if name != resource)
            for held, allowed in ((rate, True), (rate - 1, False)):
                trade = BankTrade(give=resource, get=other)
                game = Pioneers.from_view(
                    "turn", replace(view, hand=Bundle(**{resource: held})), Pioneers.memory()
                )
                assert (trade in game.legal(seat_of(view))) is allowed


def test_longest_road_is_what_the_view_says_for_every_seat() -> None:
    for _, view in turns():
        lengths = tuple(a.longest_road(view, seat) for seat in range(view.seats))
        assert lengths == view.road_lengths


def test_longest_road_counts_roads_to_come() -> None:
    for _, view in turns()[::10]:
        seat = seat_of(view)
        for edge in a.free_edges(view, seat):
            built = replace(view, roads=with_road(view, seat, edge))
            assert a.longest_road(view, seat, [edge]) == a.longest_road(built, seat)


def with_road(view: PioneersView, seat: int, edge: int) -> tuple[tuple[int, ...], ...]:
    roads = list(view.roads)
    roads[seat] = tuple(sorted((*roads[seat], edge)))
    return tuple(roads)


def test_income_is_what_the_hexes_pay_in_36_rolls() -> None:
    for _, view in turns()[::10]:
        for seat in range(view.seats):
            expected = dict.fromkeys(RESOURCES, 0)
            for hex_, tile in enumerate(view.hexes):
                if tile.resource != "desert" and hex_ != view.bandit:
                    for vertex in HEX_VERTICES[hex_]:
                        towns = 2 * view.cities[seat].count(vertex)
                        towns += view.settlements[seat].count(vertex)
                        expected[tile.resource] += towns * a.ways(tile.token)
            assert a.income(view, seat) == tuple(expected.values())


def test_distances_agree_with_building_one_road_at_a_time() -> None:
    for _, view in turns()[::25]:
        seat = seat_of(view)
        found = a.Distances(view, seat)
        # Build everything that can be built, wave after wave, and see what is touched when.
        wave, seen = 0, {v for v in range(VERTEX_COUNT) if found.distance[v] == 0}
        touched = {v for edge in view.roads[seat] for v in EDGES[edge]}
        assert seen == touched | {*view.settlements[seat], *view.cities[seat]}
        now = view
        while edges := a.free_edges(now, seat):
            wave += 1
            for edge in edges:
                now = replace(now, roads=with_road(now, seat, edge))
            reached = {v for edge in edges for v in EDGES[edge]} - seen
            assert reached == {v for v in range(VERTEX_COUNT) if found.distance[v] == wave}
            seen |= reached
        assert all(found.distance[v] is None for v in set(range(VERTEX_COUNT)) - seen)


def test_routes_can_be_built_in_their_order_and_end_where_they_should() -> None:
    for _, view in turns()[::25]:
        seat = seat_of(view)
        found = a.Distances(view, seat)
        for vertex in range(VERTEX_COUNT):
            distance = found.distance[vertex]
            if distance is None:
                with pytest.raises(ValueError, match="out of reach"):
                    found.route(vertex)
                continue
            route = found.route(vertex)
            assert len(route) == distance
            now = view
            for edge in route:
                assert edge in a.free_edges(now, seat)
                now = replace(now, roads=with_road(now, seat, edge))
            assert not route or vertex in EDGES[route[-1]]


def test_open_vertices_keep_their_distance() -> None:
    for _, view in turns()[::10]:
        towns = {v for group in (*view.settlements, *view.cities) for v in group}
        assert {*bits(a.all_towns(view))} == towns
        closed = towns | {v for edge in EDGES if towns & {*edge} for v in edge}
        assert {*bits(a.open_vertices(view))} == set(range(VERTEX_COUNT)) - closed


def test_memory_tells_what_is_left_of_the_turn() -> None:
    _, view = turns()[0]
    memory = Pioneers.memory()
    assert (a.offers_left(view, memory), a.may_play_dev_card(view, memory)) == (5, True)
    offer = OfferTrade(give=Bundle(brick=1), get=Bundle(ore=1))
    memory.note("turn", view, offer)
    memory.note("turn", view, PlayKnight())
    assert (a.offers_left(view, memory), a.may_play_dev_card(view, memory)) == (4, False)
    later = replace(view, turn=view.turn + view.seats)
    assert (a.offers_left(later, memory), a.may_play_dev_card(later, memory)) == (5, True)


def test_a_memory_that_begins_in_the_middle_of_a_turn_makes_no_offer_and_plays_no_card() -> None:
    _, view = turns()[0]
    memory = Pioneers.memory()
    memory.begin("turn", view)
    assert (a.offers_left(view, memory), a.may_play_dev_card(view, memory)) == (0, False)
    later = replace(view, turn=view.turn + view.seats)
    assert (a.offers_left(later, memory), a.may_play_dev_card(later, memory)) == (5, True)


FOUR_TO_ONE = (4, 4, 4, 4, 4)


@pytest.mark.parametrize(
    ("hand", "payable"),
    [
        ((0, 0, 0, 2, 3), True),
        ((0, 0, 0, 2, 2), False),
        ((4, 0, 0, 2, 2), True),
        ((3, 3, 3, 2, 2), False),
        ((4, 4, 0, 0, 3), True),
        ((0, 0, 0, 6, 2), True),
        ((0, 0, 0, 5, 2), False),
    ],
)
def test_what_the_bank_makes_payable(hand: a.Cards, payable: bool) -> None:
    assert a.affordable_with_bank(hand, a.CITY, FOUR_TO_ONE) is payable


def test_rolls_until() -> None:
    none: a.Cards = (0, 0, 0, 0, 0)
    assert a.rolls_until(a.CITY, a.CITY, none, FOUR_TO_ONE) == 0
    assert a.rolls_until(none, a.CITY, none, FOUR_TO_ONE) == a.NEVER
    # One ore a roll: three rolls for the ore, eight more for two grain at four to one.
    assert a.rolls_until(none, a.CITY, (0, 0, 0, 0, 36), FOUR_TO_ONE) == pytest.approx(11)
    # Two grain and one ore a roll: three rolls, less what four grain to spare buy.
    assert a.rolls_until(none, a.CITY, (0, 0, 0, 72, 36), FOUR_TO_ONE) == pytest.approx(7 / 3)
    assert a.rolls_until((0, 0, 0, 2, 2), a.CITY, (0, 0, 0, 0, 12), FOUR_TO_ONE) == pytest.approx(3)


def test_rolls_until_counts_what_becomes_spare_on_the_way_from_then_on() -> None:
    # A lumber and an ore a roll, for a road: after 2.5 rolls 1.5 lumber and 2.5 ore are spare,
    # which buy the brick at four to one.
    none: a.Cards = (0, 0, 0, 0, 0)
    assert a.rolls_until(none, a.ROAD, (0, 36, 0, 0, 36), FOUR_TO_ONE) == pytest.approx(2.5)


def test_what_cannot_be_paid_now_takes_half_a_roll_at_least() -> None:
    assert a.rolls_until((0, 1, 0, 0, 0), a.ROAD, (36 * 9, 0, 0, 0, 0), FOUR_TO_ONE) == 0.5


@pytest.mark.parametrize(
    ("hand", "left"),
    [
        ((1, 0, 2, 3, 3), (1, 0, 2, 1, 0)),
        ((5, 6, 0, 2, 2), (5, 2, 0, 0, 0)),
        ((4, 5, 0, 1, 2), (0, 1, 0, 0, 0)),
        ((4, 0, 0, 1, 2), None),
        ((0, 0, 0, 2, 2), None),
    ],
)
def test_what_is_left_once_something_is_paid(hand: a.Cards, left: a.Cards | None) -> None:
    assert a.left_after(hand, a.CITY, FOUR_TO_ONE) == left
    assert a.affordable_with_bank(hand, a.CITY, FOUR_TO_ONE) is (left is not None)


def test_odds_of_holding() -> None:
    even = (1, 1, 1, 1, 1)
    none: a.Cards = (0, 0, 0, 0, 0)
    assert a.odds_of_holding(none, 3, even) == 1
    assert a.odds_of_holding((1, 0, 0, 0, 0), 0, even) == 0
    assert a.odds_of_holding((1, 0, 0, 0, 0), 1, even) == pytest.approx(1 / 5)
    assert a.odds_of_holding((2, 0, 0, 0, 0), 2, even) == pytest.approx(1 / 25)
    assert a.odds_of_holding((0, 1, 0, 0, 0), 2, (3, 1, 0, 0, 0)) == pytest.approx(7 / 16)
    assert a.odds_of_holding((0, 0, 1, 0, 0), 9, (3, 1, 0, 0, 0)) == 0
