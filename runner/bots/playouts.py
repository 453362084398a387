"""Matches played on in a hurry, to see how a position turns out: all seats build what they can.

The policy is crude and fast: cities, then settlements, then roads to new sites, then dev cards,
each where most cards come in; trades at the bank for the first two; no offers. What it is for is
the dice, the bandit, the others' next purchases: what comes before a seat's next turn.
"""

from __future__ import annotations

from engine.game import Action
from engine.pioneers import Pioneers
from engine.pioneers.actions import MoveBandit, TurnAction
from engine.pioneers.bandit import default_discard
from engine.pioneers.board import ENDS_MASK, HEX_COUNT, HEX_MASK, STEPS, bits
from engine.pioneers.building import MAX_CITIES, MAX_ROADS, MAX_SETTLEMENTS
from engine.pioneers.cards import (
    CITY_COST,
    DEV_CARD_COST,
    ROAD_COST,
    SETTLEMENT_COST,
    covers,
    total,
)
from engine.pioneers.devcards import KNIGHT, LARGEST_ARMY_MINIMUM, held
from engine.pioneers.moves import (
    BANDIT_MOVES,
    BUY_DEV_CARD,
    END_TURN,
    PLAY_KNIGHT,
    REJECT,
    cities_on,
    roads_on,
    settlements_on,
)
from engine.pioneers.state import DISCARD_ABOVE, State
from runner.bots.prospects import vertex_ways
from runner.bots.purchases import bank_trades_for

_AT_SITE = 4  # ways, for a road that reaches a site rather than leads on to one
_ROBBERY = 10  # ways times points, for a card


def play_round(s: State, seat: int) -> None:
    """Play on until `seat`, having built what it can, would end its next turn; or to the end.

    Its next turn is the one that is on, if that is its own.
    """
    game = Pioneers(s)
    while s.kind != "over":
        if s.kind == "turn":
            move: TurnAction | MoveBandit = hurried_move(s)
            if move is END_TURN and s.current == seat:
                return
            game.advance({s.current: move})
        elif s.kind == "bandit":
            game.advance({s.current: hurried_bandit(s)})
        else:
            answers: dict[int, Action] = {}
            for asked, kind in s.asked.items():
                answers[asked] = default_discard(s.hands[asked]) if kind == "discard" else REJECT
            game.advance(answers)


def hurried_move(s: State) -> TurnAction:
    """What the current seat does next in its turn."""
    seat, hand = s.current, s.hands[s.current]
    if _wants_knight(s, seat):
        return PLAY_KNIGHT
    ways = vertex_ways(s.lands, s.tokens)
    settlements = len(s.settlements[seat])
    may_raise = settlements > 0 and len(s.cities[seat]) < MAX_CITIES
    sites = s.open & s.touch[seat] if settlements < MAX_SETTLEMENTS else 0
    if may_raise and covers(hand, CITY_COST):
        towns = cities_on(s.own[seat] ^ s.own_cities[seat])
        return max(towns, key=lambda city: ways[city.vertex])
    if sites and covers(hand, SETTLEMENT_COST):
        return max(settlements_on(sites), key=lambda settlement: ways[settlement.vertex])
    trades = None
    if may_raise:
        trades = bank_trades_for(s, seat, CITY_COST)
    if sites and not trades:
        trades = bank_trades_for(s, seat, SETTLEMENT_COST)
    if trades:
        return trades[0]
    if not sites and settlements < MAX_SETTLEMENTS and covers(hand, ROAD_COST):
        road = _road_to_a_site(s, seat, ways)
        if road is not None:
            return road
    if s.deck:
        if covers(hand, DEV_CARD_COST):
            return BUY_DEV_CARD
        if total(hand) > DISCARD_ABOVE:
            trades = bank_trades_for(s, seat, DEV_CARD_COST)
            if trades:
                return trades[0]
    return END_TURN


def hurried_bandit(s: State) -> MoveBandit:
    """Where the bandit costs the others most, those with more points first, and not the seat."""
    seat = s.current
    best, choice = -1, BANDIT_MOVES[1 if s.bandit == 0 else 0][0][0]
    for h in range(HEX_COUNT):
        here = s.seats_on[h]
        if h == s.bandit or s.lands[h] < 0 or not here or here >> seat & 1:
            continue
        cost, victim, points = 0, None, -1
        for other in bits(here):
            towns = (s.own[other] & HEX_MASK[h]).bit_count()
            towns += (s.own_cities[other] & HEX_MASK[h]).bit_count()
            cost += (6 - abs(7 - s.tokens[h])) * towns * s.scores[other]
            if s.hands[other] and s.scores[other] > points:
                victim, points = other, s.scores[other]
        if victim is not None:
            cost += _ROBBERY
        if cost > best:
            best = cost
            robs = 0 if victim is None else 1 << victim
            choice = BANDIT_MOVES[h][robs][-1]
    return choice


def _wants_knight(s: State, seat: int) -> bool:
    """Whether the bandit stands on the seat's own land, or the largest army is within reach."""
    knights = held(s.dev[seat], KNIGHT)
    if not knights or s.dev_played:
        return False
    if s.seats_on[s.bandit] >> seat & 1 and s.lands[s.bandit] >= 0:
        return True
    holder = s.largest_army
    to_beat = LARGEST_ARMY_MINIMUM - 1 if holder is None else s.knights[holder]
    return holder != seat and s.knights[seat] + knights > to_beat


def _road_to_a_site(s: State, seat: int, ways: tuple[int, ...]) -> TurnAction | None:
    """The road that leads to the best site, at its end or one road on."""
    if len(s.roads[seat]) >= MAX_ROADS:
        return None
    best, choice = 0, None
    for road in roads_on(s.reach[seat] & ~s.taken):
        for vertex in bits(ENDS_MASK[road.edge] & ~s.touch[seat]):
            if s.open >> vertex & 1:
                worth = ways[vertex] + _AT_SITE
            elif s.towns >> vertex & 1:
                worth = 0
            else:
                worth = max([ways[far] for _, far, bit in STEPS[vertex] if s.open & bit], default=0)
            if worth > best:
                best, choice = worth, road
    return choice
