"""What a seat's prospects are made of, as numbers: sites, income, hand, standing.

Each group is a pure function of the facts that decide it. Numbers are scaled so that most are
between 0 and 1, which makes their weights comparable; `weights` says what each is worth. Their
names, in order, are in SITES, INCOME, HAND and STANDING.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

from engine.pioneers.actions import RESOURCES
from engine.pioneers.analysis import (
    CITY,
    DEV_CARD,
    ROAD,
    SETTLEMENT,
    Cards,
    rates,
    rolls_until,
    ways,
)
from engine.pioneers.board import GENERIC_PORT, HEXES_AT, STEPS, VERTEX_COUNT, bits
from engine.pioneers.building import MAX_CITIES, MAX_SETTLEMENTS
from engine.pioneers.cards import counts
from engine.pioneers.devcards import (
    KNIGHT,
    LARGEST_ARMY_MINIMUM,
    VICTORY_POINT,
    dev_total,
    held,
)
from engine.pioneers.state import DISCARD_ABOVE, WINNING_POINTS, State
from runner.bots.facts import HandFacts, IncomeFacts, SiteFacts, StandingFacts

Numbers: TypeAlias = tuple[float, ...]

_FARTHEST = 2  # roads to a site that counts
_SITE_COSTS: tuple[Cards, ...] = tuple(
    tuple(s + roads * r for s, r in zip(SETTLEMENT, ROAD, strict=True))  # type: ignore[misc]
    for roads in range(_FARTHEST + 1)
)
_NO_CARDS: Cards = (0, 0, 0, 0, 0)
_HALF_SOON = 4.0  # rolls after which a purchase counts half as much as at once
_BEGINNING = WINNING_POINTS - 2  # points that are missing after set-up
_FIRST_POINTS = 3  # below, where nobody stays for long, points are not told apart
_PILE = 3  # cards of a kind that a city or a trade at a port may take; others are `more`
_BIG_HAND = 15  # cards; there are hardly ever more, so nothing can be learnt of those

SITES = tuple(f"{what}_{roads}" for roads in range(_FARTHEST + 1) for what in ("best", "sites"))
INCOME = (
    *RESOURCES,
    *(f"any_{name}" for name in RESOURCES),
    *("total", "total_early", "blocked"),
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
    *("safe", "at_risk"),
)
STANDING = (
    *(f"points_{points}" for points in range(_FIRST_POINTS, WINNING_POINTS + 1)),
    *("settlements", "cities", "no_settlements_left"),
    *("knights_held", "other_dev_cards", "hidden_points", "knights"),
    *("army", "army_lead", "army_reach"),
    *("longest_road", "road_length", "road_lead"),
    *("next", "after_next", "last"),
)


def sites(facts: SiteFacts) -> tuple[Numbers, int | None]:
    """By the roads to them: the odds of the best site, how many there are.

    Also the roads to the nearest one, None where none is near.
    """
    odds = vertex_ways(facts.lands, facts.tokens)
    reached = new = facts.touched | facts.towns
    here = facts.open & facts.touched
    nearest: int | None = None
    numbers: list[float] = []
    for roads in range(_FARTHEST + 1):
        if roads:
            new = _one_road_on(new & ~facts.blocked, facts.taken, reached)
            reached |= new
            here = facts.open & new
        found = [odds[vertex] for vertex in bits(here)]
        if found and nearest is None:
            nearest = roads
        numbers += (max(found, default=0) / 10, min(len(found), 3) / 3)
    return tuple(numbers), nearest


def income(facts: IncomeFacts) -> Numbers:
    """What the towns collect, what it buys how soon from an empty hand, ports.

    The early ones count less and less as points are made.
    """
    per_36, steady = _steady(facts)
    ports, early = facts.ports, facts.missing / _BEGINNING
    total = sum(per_36) / 20
    city, settlement, dev_card, road = (
        _soon(_NO_CARDS, cost, steady, rates(ports)) for cost in (CITY, SETTLEMENT, DEV_CARD, ROAD)
    )
    return (
        *(count / 10 for count in per_36),
        *(float(count > 0) for count in per_36),
        *(total, total * early, facts.blocked / 5),
        *(city, settlement, dev_card, road),
        *(city * early, settlement * early, dev_card * early),
        float(ports & GENERIC_PORT > 0),
        *(count / 10 if ports >> r & 1 else 0.0 for r, count in enumerate(per_36)),
    )


def hand(facts: HandFacts, earned: IncomeFacts) -> Numbers:
    """How soon the hand pays for things, with the income; the cards; what a 7 would take.

    sooner, later: of city and settlement, whichever is.
    """
    cards = counts(facts.hand)
    _, steady = _steady(earned)
    rate, missing = rates(earned.ports), earned.missing
    city = _soon(cards, CITY, steady, rate) if facts.city else 0.0
    settlement = 0.0 if facts.site is None else _soon(cards, _SITE_COSTS[facts.site], steady, rate)
    dev_card = _soon(cards, DEV_CARD, steady, rate) if facts.dev_card else 0.0
    sooner, later = max(city, settlement), min(city, settlement)
    size = sum(cards)
    return (
        *(city, settlement, dev_card, _soon(cards, ROAD, steady, rate)),
        *(sooner, later),
        sooner if missing == 1 else 0.0,
        sooner if missing == 2 else 0.0,
        dev_card if missing <= 2 else 0.0,
        *(min(count, _PILE) / _PILE for count in cards),
        *(max(0, min(count, 2 * _PILE) - _PILE) / _PILE for count in cards),
        min(size, DISCARD_ABOVE) / DISCARD_ABOVE,
        max(0, min(size, _BIG_HAND) - DISCARD_ABOVE) / 4,
    )


def standing(facts: StandingFacts) -> Numbers:
    """Points, pieces, dev cards, awards, whose turn comes when.

    army_reach: by how much the knights, with those held, would exceed what the award asks.
    """
    cards = facts.dev_cards
    knights, hidden = held(cards, KNIGHT), held(cards, VICTORY_POINT)
    rivals = facts.knights - facts.army_lead
    reach = facts.knights + knights - max(rivals, LARGEST_ARMY_MINIMUM - 1)
    points = min(facts.points, WINNING_POINTS)
    return (
        *(float(points == p) for p in range(_FIRST_POINTS, WINNING_POINTS + 1)),
        facts.settlements / MAX_SETTLEMENTS,
        facts.cities / MAX_CITIES,
        float(facts.settlements == MAX_SETTLEMENTS),
        *(min(knights, 3) / 3, (dev_total(cards) - knights - hidden) / 2, hidden / 3),
        facts.knights / 3,
        *(float(facts.army), _within(facts.army_lead, 3), _within(reach, 3)),
        *(float(facts.longest_road), facts.road_length / 10, _within(facts.road_lead, 4)),
        *(float(facts.order == turns) for turns in (1, 2, 3)),
    )


def numbers(s: State, seat: int) -> Numbers:
    """All numbers of a seat, in the order of SITES, INCOME, HAND, STANDING."""
    site, nearest = sites(SiteFacts.of(s, seat))
    earned = IncomeFacts.of(s, seat)
    return (
        *site,
        *income(earned),
        *hand(HandFacts.of(s, seat, nearest), earned),
        *standing(StandingFacts.of(s, seat)),
    )


@lru_cache(maxsize=64)
def vertex_ways(lands: tuple[int, ...], tokens: tuple[int, ...]) -> tuple[int, ...]:
    """By vertex: how many cards a settlement there collects in 36 rolls, whichever they are."""
    return tuple(
        sum(ways(tokens[h]) for h in HEXES_AT[vertex] if lands[h] >= 0)
        for vertex in range(VERTEX_COUNT)
    )


def _steady(facts: IncomeFacts) -> tuple[Cards, Numbers]:
    """Cards in 36 rolls; and less half of what the bandit keeps back, for it will move on."""
    cards, blocked = counts(facts.per_36), facts.blocked
    if not blocked:
        return cards, cards
    return cards, tuple(count - blocked / 2 * (r == facts.land) for r, count in enumerate(cards))


def _soon(cards: Cards, cost: Cards, steady: Numbers, rate: Cards) -> float:
    """1 for what can be paid now, 1/2 for what takes four rolls, and so on down to 0."""
    return _HALF_SOON / (_HALF_SOON + rolls_until(cards, cost, steady, rate))


def _within(lead: int, most: int) -> float:
    """-1 … 1 for leads of `-most` to `most`, and no more for others."""
    return max(-most, min(most, lead)) / most


def _one_road_on(vertices: int, taken: int, reached: int) -> int:
    """The vertices that one more road leads to from `vertices`, beyond those `reached`."""
    beyond = 0
    for vertex in bits(vertices):
        for edge, _, far in STEPS[vertex]:
            if not (edge & taken or far & reached):
                beyond |= far
    return beyond
