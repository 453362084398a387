"""What a seat's prospects are made of, as numbers: sites, income, hand, standing.

Each of the four groups depends on a few facts of a state alone and is a pure function of them, so
that it can be kept: between two states that a bot compares, most of them are the same. Numbers
are scaled to about 0 … 1. `weights.py` says what each is worth.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple, TypeAlias

from engine.pioneers.actions import RESOURCES
from engine.pioneers.analysis import CITY, DEV_CARD, ROAD, SETTLEMENT, Cards, rates, rolls_until
from engine.pioneers.board import GENERIC_PORT, HEX_MASK, HEXES_AT, STEPS, VERTEX_COUNT, bits
from engine.pioneers.building import MAX_CITIES, MAX_SETTLEMENTS
from engine.pioneers.cards import counts
from engine.pioneers.determinize import collected
from engine.pioneers.devcards import (
    KNIGHT,
    LARGEST_ARMY_MINIMUM,
    VICTORY_POINT,
    dev_total,
    held,
)
from engine.pioneers.roads import LONGEST_ROAD_MINIMUM
from engine.pioneers.state import WINNING_POINTS, State

Numbers: TypeAlias = tuple[float, ...]

_FARTHEST = 2  # roads to a site that counts
_SITE_COSTS: tuple[Cards, ...] = tuple(
    tuple(s + roads * r for s, r in zip(SETTLEMENT, ROAD, strict=True))  # type: ignore[misc]
    for roads in range(_FARTHEST + 1)
)
_NO_CARDS: Cards = (0, 0, 0, 0, 0)
_WAYS = (0, 0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1)  # of two dice, by their sum

SITES = tuple(f"{what}_{roads}" for roads in range(_FARTHEST + 1) for what in ("best", "sites"))
INCOME = (
    *RESOURCES,
    *(f"any_{name}" for name in RESOURCES),
    "total",
    "total_early",
    "blocked",
    *("city", "settlement", "dev_card", "road"),
    *("city_early", "settlement_early", "dev_card_early"),
    "generic_port",
    *(f"{name}_port" for name in RESOURCES),
)
HAND = (
    *("city", "settlement", "dev_card", "road"),
    *("sooner", "later", "last_point", "second_last_point", "late_dev_card"),
    *(f"first_{name}" for name in RESOURCES),
    *(f"more_{name}" for name in RESOURCES),
    "safe",
    "at_risk",
)
STANDING = (
    *(f"points_{points}" for points in range(3, WINNING_POINTS + 1)),
    *("settlements", "cities", "no_settlements_left"),
    *("knights_held", "other_dev_cards", "hidden_points", "knights"),
    *("army", "army_lead", "army_reach"),
    *("longest_road", "road_length", "road_lead"),
    *("next", "after_next", "last"),
)


class SiteFacts(NamedTuple):
    """What decides where a seat can settle; sets of vertices and edges are masks."""

    lands: tuple[int, ...]
    tokens: tuple[int, ...]
    touched: int
    towns: int
    taken: int
    blocked: int
    open: int


class IncomeFacts(NamedTuple):
    """What decides what a seat collects. blocked: ways that the bandit costs, of `land`."""

    per_36: int
    land: int
    blocked: int
    ports: int
    missing: int


class HandFacts(NamedTuple):
    """What a hand is good for. site: roads to the nearest site, None where there is none."""

    hand: int
    city: bool
    site: int | None
    dev_card: bool


class StandingFacts(NamedTuple):
    """Points and what makes them; leads are over the best opponent, order is from the one
    whose turn it is."""

    points: int
    settlements: int
    cities: int
    dev_cards: int
    knights: int
    army: bool
    army_lead: int
    longest_road: bool
    road_length: int
    road_lead: int
    order: int


def site_facts(s: State, seat: int) -> SiteFacts:
    """Read off a state."""
    own = s.own[seat]
    return SiteFacts(s.lands, s.tokens, s.touch[seat], own, s.taken, s.towns ^ own, s.open)


def income_facts(s: State, seat: int, points: int) -> IncomeFacts:
    """Read off a state; points: the seat's true ones."""
    h = s.bandit
    land, blocked = s.lands[h], 0
    here = s.own[seat] & HEX_MASK[h]
    if here and land >= 0:
        pieces = here.bit_count() + (s.own_cities[seat] & here).bit_count()
        blocked = pieces * _WAYS[s.tokens[h]]
    missing = max(1, WINNING_POINTS - points)
    return IncomeFacts(collected(s, seat), land if blocked else 0, blocked, s.ports[seat], missing)


def hand_facts(s: State, seat: int, site: int | None) -> HandFacts:
    """Read off a state; site: as `sites` gives it."""
    settlements = len(s.settlements[seat])
    return HandFacts(
        s.hands[seat],
        settlements > 0 and len(s.cities[seat]) < MAX_CITIES,
        site if settlements < MAX_SETTLEMENTS else None,
        bool(s.deck),
    )


def dev_cards(s: State, seat: int) -> int:
    """All unplayed dev cards of a seat, packed."""
    return s.dev[seat] + s.bought if seat == s.current else s.dev[seat]


def standing_facts(s: State, seat: int, points: int, cards: int) -> StandingFacts:
    """Read off a state; points: the seat's true ones; cards: its dev cards, packed."""
    knights, lengths = s.knights, s.lengths
    most_knights = longest = 0
    for other in range(s.n):
        if other != seat:
            most_knights = max(most_knights, knights[other])
            longest = max(longest, lengths[other])
    return StandingFacts(
        points,
        len(s.settlements[seat]),
        len(s.cities[seat]),
        cards,
        knights[seat],
        s.largest_army == seat,
        knights[seat] - most_knights,
        s.longest_road == seat,
        lengths[seat],
        lengths[seat] - max(longest, LONGEST_ROAD_MINIMUM - 1),
        (seat - s.current) % s.n,
    )


def sites(facts: SiteFacts) -> tuple[Numbers, int | None]:
    """Settlement sites by the roads to them: the best one's odds, how many; how far the nearest."""
    lands, tokens, touched, towns, taken, blocked, open_ = facts
    odds = _odds(lands, tokens)
    reached = new = touched | towns
    here = open_ & touched
    nearest: int | None = None
    numbers: list[float] = []
    for roads in range(_FARTHEST + 1):
        if roads:
            new = _one_road_on(new & ~blocked, taken, reached)
            reached |= new
            here = open_ & new
        found = [odds[vertex] for vertex in bits(here)]
        if found and nearest is None:
            nearest = roads
        numbers += (max(found, default=0) / 10, min(len(found), 3) / 3)
    return tuple(numbers), nearest


def income(facts: IncomeFacts) -> Numbers:
    """What the towns collect, what it will buy how soon, ports."""
    per_36, steady = steady_income(facts.per_36, facts.land, facts.blocked)
    ports, early = facts.ports, facts.missing / 8
    total = sum(per_36) / 20
    city, settlement, dev_card, road = (
        _soon(_NO_CARDS, cost, steady, rates(ports)) for cost in (CITY, SETTLEMENT, DEV_CARD, ROAD)
    )
    return (
        *(ways / 10 for ways in per_36),
        *(float(ways > 0) for ways in per_36),
        *(total, total * early, facts.blocked / 5),
        *(city, settlement, dev_card, road),
        *(city * early, settlement * early, dev_card * early),
        float(ports & GENERIC_PORT > 0),
        *(ways / 10 if ports >> r & 1 else 0.0 for r, ways in enumerate(per_36)),
    )


def hand(facts: HandFacts, earned: IncomeFacts) -> Numbers:
    """How soon the hand pays for things, with the income; the cards; what a 7 would take."""
    cards = counts(facts.hand)
    _, steady = steady_income(earned.per_36, earned.land, earned.blocked)
    rate, missing = rates(earned.ports), earned.missing
    city = _soon(cards, CITY, steady, rate) if facts.city else 0.0
    settlement = 0.0 if facts.site is None else _soon(cards, _SITE_COSTS[facts.site], steady, rate)
    dev_card = _soon(cards, DEV_CARD, steady, rate) if facts.dev_card else 0.0
    sooner, later = max(city, settlement), min(city, settlement)
    held_cards = sum(cards)
    return (
        *(city, settlement, dev_card, _soon(cards, ROAD, steady, rate)),
        *(sooner, later),
        sooner if missing == 1 else 0.0,
        sooner if missing == 2 else 0.0,
        dev_card if missing <= 2 else 0.0,
        *(min(count, 3) / 3 for count in cards),
        *(max(0, min(count, 6) - 3) / 3 for count in cards),
        min(held_cards, 7) / 7,
        max(0, held_cards - 7) / 4,
    )


def standing(facts: StandingFacts) -> Numbers:
    """Points, pieces, dev cards, awards, whose turn comes when."""
    cards = facts.dev_cards
    knights, points = held(cards, KNIGHT), held(cards, VICTORY_POINT)
    rivals = facts.knights - facts.army_lead
    reach = facts.knights + knights - max(rivals, LARGEST_ARMY_MINIMUM - 1)
    shown = min(facts.points, WINNING_POINTS)
    return (
        *(float(shown == p) for p in range(3, WINNING_POINTS + 1)),
        *(facts.settlements / 5, facts.cities / 4, float(facts.settlements == MAX_SETTLEMENTS)),
        *(min(knights, 3) / 3, (dev_total(cards) - knights - points) / 2, points / 3),
        facts.knights / 3,
        *(float(facts.army), _clamp(facts.army_lead, 3) / 3, _clamp(reach, 3) / 3),
        *(float(facts.longest_road), facts.road_length / 10, _clamp(facts.road_lead, 4) / 4),
        *(float(facts.order == turns) for turns in (1, 2, 3)),
    )


def numbers(s: State, seat: int) -> list[float]:
    """All numbers of a seat, in the order of SITES, INCOME, HAND, STANDING."""
    cards = dev_cards(s, seat)
    points = s.scores[seat] + held(cards, VICTORY_POINT)
    site, nearest = sites(site_facts(s, seat))
    earned = income_facts(s, seat, points)
    return [
        *site,
        *income(earned),
        *hand(hand_facts(s, seat, nearest), earned),
        *standing(standing_facts(s, seat, points, cards)),
    ]


@lru_cache(maxsize=1 << 12)
def steady_income(per_36: int, land: int, blocked: int) -> tuple[Cards, Numbers]:
    """Cards in 36 rolls, and the same with half of what the bandit costs: it will move on."""
    cards = counts(per_36)
    if not blocked:
        return cards, cards
    return cards, tuple(ways - blocked / 2 * (r == land) for r, ways in enumerate(cards))


def _soon(hand: Cards, cost: Cards, steady: Numbers, rate: Cards) -> float:
    """1 for what can be paid now, 1/2 for what takes four rolls, and so on down to 0."""
    return 4 / (4 + rolls_until(hand, cost, steady, rate))


def _clamp(lead: int, most: int) -> int:
    return max(-most, min(most, lead))


def _one_road_on(vertices: int, taken: int, reached: int) -> int:
    """The vertices that one more road leads to from `vertices`, beyond those `reached`."""
    beyond = 0
    for vertex in bits(vertices):
        for edge, _, far in STEPS[vertex]:
            if not (edge & taken or far & reached):
                beyond |= far
    return beyond


@lru_cache(maxsize=64)
def _odds(lands: tuple[int, ...], tokens: tuple[int, ...]) -> tuple[int, ...]:
    """By vertex: in how many ways of 36 a card comes in."""
    return tuple(
        sum(_WAYS[tokens[h]] for h in HEXES_AT[vertex] if lands[h] >= 0)
        for vertex in range(VERTEX_COUNT)
    )
