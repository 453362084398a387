"""Prospects: worked by hand, and against plain definitions on views of random matches."""

from __future__ import annotations

import pytest

from engine.pioneers.actions import RESOURCES, Bundle
from engine.pioneers.analysis import (
    CITY,
    DEV_CARD,
    ROAD,
    SETTLEMENT,
    Distances,
    income,
    longest_road,
    open_vertices,
    rolls_until,
    stake,
    trade_rates,
    vertex_odds,
    ways,
)
from engine.pioneers.board import (
    CLOSED_BY,
    EDGES,
    EDGES_AT,
    GENERIC_PORT,
    HEX_VERTICES,
    VERTEX_COUNT,
    bits,
)
from engine.pioneers.cards import GRAIN, ORE, WOOL, pack
from engine.pioneers.devcards import DEV_UNITS, KNIGHT, ROADWORKS, VICTORY_POINT
from engine.pioneers.state import WINNING_POINTS
from engine.pioneers.view import PioneersView
from runner.bots import prospects
from runner.bots.facts import HandFacts, IncomeFacts, SiteFacts, StandingFacts
from runner.bots.prospects import HAND, INCOME, SITES, STANDING
from tests.runner.bots.states import state_of, turns

ALL = (
    *(f"site {name}" for name in SITES),
    *(f"income {name}" for name in INCOME),
    *(f"hand {name}" for name in HAND),
    *(f"standing {name}" for name in STANDING),
)


# By hand


def test_income_by_hand() -> None:
    # 6 ways of grain and 3 of ore; the bandit keeps back 2 of the grain, of which half counts.
    facts = IncomeFacts(6 * GRAIN + 3 * ORE, RESOURCES.index("grain"), 2, GENERIC_PORT, 4)
    named = dict(zip(INCOME, prospects.income(facts), strict=True))
    assert [named[name] for name in ("grain", "ore", "wool")] == pytest.approx([0.6, 0.3, 0])
    assert (named["any_ore"], named["any_wool"]) == (1, 0)
    assert named["total"] == pytest.approx(9 / 20)
    assert named["total_early"] == pytest.approx(9 / 20 / 2)
    assert named["blocked"] == pytest.approx(2 / 5)
    assert (named["generic_port"], named["grain_port"]) == (1, 0)
    # A city: 5 ways of grain steadily, so 2 come in 14.4 rolls, when 1.2 of 3 ore are there; from
    # then on every third grain is an ore too: 1.8 missing at (3 + 5 / 3) / 36 a roll, 13.886 more.
    rolls = 14.4 + 1.8 * 36 / (3 + 5 / 3)
    assert named["city"] == pytest.approx(4 / (4 + rolls))
    assert named["city_early"] == pytest.approx(named["city"] / 2)


def test_a_hand_by_hand() -> None:
    earned = IncomeFacts(6 * GRAIN + 6 * ORE, 0, 0, 0, 1)
    facts = HandFacts(2 * ORE + 2 * GRAIN + 5 * WOOL, city=True, site=None, dev_card=True)
    named = dict(zip(HAND, prospects.hand(facts, earned), strict=True))
    # The bank gives the third ore for four of the wool.
    assert named["city"] == named["sooner"] == named["last_point"] == 1
    assert named["settlement"] == named["later"] == 0
    assert named["second_last_point"] == 0
    assert named["dev_card"] == named["late_dev_card"] == 1
    assert named["first_wool"] == 1
    assert named["more_wool"] == pytest.approx(2 / 3)
    assert named["first_ore"] == pytest.approx(2 / 3)
    assert named["more_ore"] == named["first_brick"] == 0
    assert named["safe"] == 1
    assert named["at_risk"] == pytest.approx(2 / 4)
    none = dict(zip(HAND, prospects.hand(facts._replace(dev_card=False), earned), strict=True))
    assert none["dev_card"] == none["late_dev_card"] == 0


def test_standing_by_hand() -> None:
    cards = 2 * DEV_UNITS[KNIGHT] + DEV_UNITS[VICTORY_POINT] + DEV_UNITS[ROADWORKS]
    facts = StandingFacts(
        points=6,
        settlements=5,
        cities=0,
        dev_cards=cards,
        knights=1,
        army=False,
        army_lead=-2,
        longest_road=False,
        road_length=4,
        road_lead=-1,
        order=2,
    )
    named = dict(zip(STANDING, prospects.standing(facts), strict=True))
    assert [named[f"points_{points}"] for points in (3, 5, 6, 7)] == [0, 0, 1, 0]
    assert (named["settlements"], named["cities"], named["no_settlements_left"]) == (1, 0, 1)
    assert named["knights_held"] == pytest.approx(2 / 3)
    assert named["other_dev_cards"] == pytest.approx(1 / 2)
    assert named["hidden_points"] == named["knights"] == pytest.approx(1 / 3)
    # Another seat has 3 knights: with those held it would be drawn level with, not exceeded.
    assert (named["army"], named["army_reach"]) == (0, 0)
    assert named["army_lead"] == pytest.approx(-2 / 3)
    assert (named["longest_road"], named["road_length"]) == (0, 0.4)
    assert named["road_lead"] == pytest.approx(-1 / 4)
    assert (named["next"], named["after_next"], named["last"]) == (0, 1, 0)


def test_sites_by_hand() -> None:
    """A road from a settlement to a neighbour on an island where all pays grain on a 6."""
    town = HEX_VERTICES[9][0]  # of the hex in the middle
    road = EDGES_AT[town][0]
    end = sum(EDGES[road]) - town
    facts = SiteFacts(
        lands=(RESOURCES.index("grain"),) * 19,
        tokens=(6,) * 19,
        touched=1 << town | 1 << end,
        towns=1 << town,
        taken=1 << road,
        blocked=0,
        open=((1 << VERTEX_COUNT) - 1) & ~CLOSED_BY[town],
    )
    numbers, nearest = prospects.sites(facts)
    named = dict(zip(SITES, numbers, strict=True))
    # The distance rule closes both ends of the road, and all around the town; a road further on
    # from its end, two sites are open.
    assert nearest == 1
    assert (named["best_0"], named["sites_0"]) == (0, 0)
    assert named["best_1"] == pytest.approx(15 / 10)
    assert named["sites_1"] == pytest.approx(2 / 3)
    shut, nearest = prospects.sites(facts._replace(open=0))
    assert not any(shut)
    assert nearest is None


# By definition


def slow(view: PioneersView, seat: int, hand: Bundle, missing: int) -> dict[str, float]:
    """Some of the numbers, worked out of a spectator's view and a seat's hand."""
    odds = [sum(cards) for cards in vertex_odds(view.hexes)]
    distances = Distances(view, seat).distance
    free = open_vertices(view)
    named: dict[str, float] = {}
    near = []
    for roads in range(3):
        # A vertex in a town of one's own is at distance 0 and not open.
        found = [odds[v] for v in bits(free) if distances[v] == roads]
        near += [roads] if found else []
        named[f"site best_{roads}"] = max(found, default=0) / 10
        named[f"site sites_{roads}"] = min(3, len(found)) / 3
    tile = view.hexes[view.bandit]
    blocked = stake(view, seat, view.bandit) * ways(tile.token)
    r = 0 if tile.resource == "desert" else RESOURCES.index(tile.resource)
    net = list(income(view, seat))
    gross = [count + blocked * (q == r) for q, count in enumerate(net)]
    steady = tuple(count + blocked / 2 * (q == r) for q, count in enumerate(net))
    rate = trade_rates(view, seat)
    named["income total"] = sum(gross) / 20
    named["income blocked"] = blocked / 5
    for q, name in enumerate(RESOURCES):
        named[f"income {name}"] = gross[q] / 10
        named[f"income {name}_port"] = gross[q] / 10 if rate[q] == 2 else 0
    cards = tuple(getattr(hand, name) for name in RESOURCES)
    for group, held in (("income", (0,) * 5), ("hand", cards)):
        costs = {"city": CITY, "settlement": SETTLEMENT, "dev_card": DEV_CARD, "road": ROAD}
        if group == "hand":
            if not view.settlements[seat] or len(view.cities[seat]) == 4:
                del costs["city"]
            if not view.dev_deck:
                del costs["dev_card"]
            if not near or len(view.settlements[seat]) == 5:
                del costs["settlement"]
            else:
                roads = near[0]
                costs["settlement"] = (1 + roads, 1 + roads, 1, 1, 0)
        for what in ("city", "settlement", "dev_card", "road"):
            soon = 0.0
            if what in costs:
                soon = 1 / (1 + rolls_until(held, costs[what], steady, rate) / 4)
            named[f"{group} {what}"] = soon
    others = [other for other in range(view.seats) if other != seat]
    named["standing army_lead"] = max(
        -1, min(1, (view.knights[seat] - max(view.knights[o] for o in others)) / 3)
    )
    named["standing army"] = view.awards.largest_army == seat
    named["standing longest_road"] = view.awards.longest_road == seat
    lead = longest_road(view, seat) - max(4, *(longest_road(view, o) for o in others))
    named["standing road_lead"] = max(-1, min(1, lead / 4))
    for points in range(3, 10):
        named[f"standing points_{points}"] = WINNING_POINTS - missing == points
    return named


@pytest.mark.parametrize("number", range(4))
def test_as_defined(number: int) -> None:
    compared = 0
    for game in turns(number, 3 + number % 2, every=9):
        s = state_of(game)
        for seat in range(s.n):
            view = game.view(seat)
            assert view.hand is not None
            assert view.my_score is not None
            missing = WINNING_POINTS - view.my_score
            named = dict(zip(ALL, prospects.numbers(s, seat), strict=True))
            for name, number_ in slow(view, seat, view.hand, missing).items():
                assert named[name] == pytest.approx(float(number_)), (name, seat, view)
                compared += 1
    assert compared > 4000


def test_hands_of_any_size_have_numbers() -> None:
    earned = IncomeFacts(ORE, 0, 0, 0, 8)
    large = pack(Bundle(brick=400, lumber=400, wool=400, grain=400, ore=400))
    named = dict(zip(HAND, prospects.hand(HandFacts(large, True, 0, True), earned), strict=True))
    assert max(named.values()) == named["at_risk"] == 2
