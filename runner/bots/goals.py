"""What a seat could build next in Pioneers, what it is worth, and how soon it can be paid."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import fsum
from typing import Literal, TypeAlias

from engine.pioneers.analysis import (
    CITY,
    DEV_CARD,
    NEVER,
    ROAD,
    SETTLEMENT,
    Cards,
    Distances,
    all_roads,
    all_towns,
    cards,
    income,
    open_vertices,
    own_towns,
    rolls_until,
    trade_rates,
    vertex_odds,
)
from engine.pioneers.board import PORT_AT, bits, mask_of
from engine.pioneers.building import MAX_CITIES, MAX_ROADS, MAX_SETTLEMENTS
from engine.pioneers.roads import longest_road, reachable
from engine.pioneers.state import WINNING_POINTS
from engine.pioneers.view import PioneersView

Build: TypeAlias = Literal["city", "settlement", "road", "dev_card"]

# Weights, in victory points. They were set by reason and a few thousand matches, not fitted.
_FARTHEST_SITE = 3  # roads to a settlement worth thinking about
_SITES = 4  # settlements worth comparing in earnest
_ODDS_VALUE = 0.035  # of one way in 36, for each point that is still missing
_NEW_RESOURCE_VALUE = 0.06  # the same, for a resource not collected so far
_PORT_VALUE = 0.3
_DEV_CARD_VALUE = 0.55
_ARMY_VALUE = 0.25  # more, for each dev card, while the army can be won
_LONGEST_ROAD_VALUE = 2.0
_SHARES = (1.0, 0.5, 0.25)  # of the best goal, the second and the third in a hand's worth
_PATIENCE_ROLLS = 4.0  # keeps what can be had now from being worth infinitely more


@dataclass(frozen=True, slots=True)
class Goal:
    """Something to save for.

    build: what is bought next on the way there; place: its vertex or edge, None for a card.
    price: what that costs. cost: what all of it costs, with the roads on the way.
    value: in victory points, with what it will bring in.
    """

    build: Build
    place: int | None
    price: Cards
    cost: Cards
    value: float
    route: tuple[int, ...] = ()


class Outlook:
    """The goals of the view's seat, with what is needed to weigh a hand by them."""

    def __init__(self, view: PioneersView) -> None:
        """view: a seat's view, not a spectator's."""
        assert view.seat is not None
        assert view.hand is not None
        assert view.my_score is not None
        self.view = view
        self.seat = view.seat
        self.hand = cards(view.hand)
        self.income = income(view, self.seat)
        self.rates = trade_rates(view, self.seat)
        self.missing = max(1, WINNING_POINTS - view.my_score)
        self.goals = self._goals()

    def rolls(self, goal: Goal, hand: Cards) -> float:
        """About how many rolls until `hand` has grown into what `goal` costs."""
        return rolls_until(hand, goal.cost, self.income, self.rates)

    def ranked(self) -> list[Goal]:
        """The goals, the most worthwhile first."""
        scored = [(self._score(goal, self.hand), goal) for goal in self.goals]
        # Stable: goals that score alike stay in the order in which they are listed.
        scored.sort(key=lambda pair: -pair[0])
        return [goal for _, goal in scored]

    def worth(self, hand: Cards) -> float:
        """How good it would be to hold `hand`: for comparing hands of one view."""
        scores = sorted((self._score(goal, hand) for goal in self.goals), reverse=True)
        return fsum(score * share for score, share in zip(scores, _SHARES, strict=False))

    def _score(self, goal: Goal, hand: Cards) -> float:
        rolls = self.rolls(goal, hand)
        return 0.0 if rolls >= NEVER else goal.value / (rolls + _PATIENCE_ROLLS)

    def _goals(self) -> list[Goal]:
        goals = self._cities() + self._settlements() + self._longest_road()
        if self.view.dev_deck:
            goals.append(Goal("dev_card", None, DEV_CARD, DEV_CARD, self._dev_card_value()))
        return goals

    def _points(self, points: float) -> float:
        """The value of points: all that counts when they win the match."""
        return points + (WINNING_POINTS if points >= self.missing else 0)

    def _cities(self) -> list[Goal]:
        view = self.view
        if len(view.cities[self.seat]) >= MAX_CITIES or not view.settlements[self.seat]:
            return []
        odds = vertex_odds(view.hexes)
        best = max(view.settlements[self.seat], key=lambda vertex: sum(odds[vertex]))
        value = self._points(1) + _ODDS_VALUE * self.missing * sum(odds[best])
        return [Goal("city", best, CITY, CITY, value)]

    def _settlements(self) -> list[Goal]:
        view, seat = self.view, self.seat
        if len(view.settlements[seat]) >= MAX_SETTLEMENTS:
            return []
        roads_left = MAX_ROADS - len(view.roads[seat])
        farthest = min(_FARTHEST_SITE, roads_left)
        distances = Distances(view, seat)
        sites = []
        for vertex in bits(open_vertices(view)):
            roads = distances.distance[vertex]
            # A town of one's own is no road: the first settlement needs a road to it.
            if roads is not None and roads <= farthest:
                value = self._points(1) + self._site_value(vertex)
                sites.append((value / (roads + 2), vertex, roads, value))
        sites.sort(key=lambda site: -site[0])
        goals = []
        for _, vertex, roads, value in sites[:_SITES]:
            route = distances.route(vertex)
            cost = _plus(SETTLEMENT, ROAD, roads)
            if route:
                goals.append(Goal("road", route[0], ROAD, cost, value, route))
            else:
                goals.append(Goal("settlement", vertex, SETTLEMENT, cost, value))
        return goals

    def _site_value(self, vertex: int) -> float:
        """What a settlement brings in, in points."""
        value = 0.0
        for count, collected in zip(vertex_odds(self.view.hexes)[vertex], self.income, strict=True):
            if count:
                value += _ODDS_VALUE * self.missing * count
                value += 0 if collected else _NEW_RESOURCE_VALUE * self.missing
        return value + (_PORT_VALUE if PORT_AT[vertex] else 0)

    def _longest_road(self) -> list[Goal]:
        """Roads that win the award, where one or two will do."""
        view, seat = self.view, self.seat
        holder = view.awards.longest_road
        built = len(view.roads[seat])
        if holder == seat or built < 3 or built >= MAX_ROADS:
            return []
        needed = max(5, *(length + 1 for length in view.road_lengths))
        if needed - view.road_lengths[seat] > 2:
            return []
        own = mask_of(view.roads[seat])
        towns = own_towns(view, seat)
        route = extension(own, towns, all_towns(view) ^ towns, all_roads(view), needed)
        if not route or built + len(route) > MAX_ROADS:
            return []
        cost = _plus((0, 0, 0, 0, 0), ROAD, len(route))
        return [Goal("road", route[0], ROAD, cost, self._points(_LONGEST_ROAD_VALUE), route)]

    def _dev_card_value(self) -> float:
        view, seat = self.view, self.seat
        army = view.awards.largest_army
        rivals = max(count for s, count in enumerate(view.knights) if s != seat)
        close = army != seat and rivals <= view.knights[seat] + 2
        return _DEV_CARD_VALUE + (_ARMY_VALUE if close else 0.0)


@lru_cache(maxsize=1 << 12)
def extension(own: int, towns: int, blocked: int, taken: int, needed: int) -> tuple[int, ...]:
    """One or two edges that make the longest road of `own` at least `needed` long, or none.

    All are masks, as `engine.pioneers.roads` has them; `taken`: edges with any seat's road.
    """
    firsts = [*bits(reachable(own, towns, blocked) & ~taken)]
    for first in firsts:
        if longest_road(own | 1 << first, blocked) >= needed:
            return (first,)
    for first in firsts:
        with_first = own | 1 << first
        for second in bits(reachable(with_first, towns, blocked) & ~taken & ~with_first):
            if longest_road(with_first | 1 << second, blocked) >= needed:
                return first, second
    return ()


def _plus(cost: Cards, price: Cards, times: int) -> Cards:
    b, lu, w, g, o = (a + times * p for a, p in zip(cost, price, strict=True))
    return b, lu, w, g, o
