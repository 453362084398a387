"""What a seat could do in its turn with the cards it has, and what each would be worth to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from engine.game import Action
from engine.pioneers import Pioneers
from engine.pioneers.actions import (
    BuildCity,
    BuildSettlement,
    BuyDevCard,
    MoveBandit,
    PlayRoadworks,
)
from engine.pioneers.board import ENDS_MASK, HEX_COUNT, bits
from engine.pioneers.building import MAX_CITIES, MAX_ROADS, MAX_SETTLEMENTS
from engine.pioneers.cards import (
    CITY_COST,
    DEV_CARD_COST,
    ROAD_COST,
    SETTLEMENT_COST,
    UNITS,
    counts,
    total,
)
from engine.pioneers.devcards import (
    EMBARGO,
    KNIGHT,
    PLAYABLE,
    ROADWORKS,
    VICTORY_POINT,
    WINDFALL,
    held,
)
from engine.pioneers.moves import (
    BANK_TRADES,
    BUY_DEV_CARD,
    EMBARGOES,
    PLAY_KNIGHT,
    WINDFALLS,
    cities_on,
    roads_on,
    settlements_on,
)
from engine.pioneers.state import State
from engine.pioneers.trading import bank_rate
from runner.bots.chances import Hands, strength, success

_KINDS = range(len(UNITS))
_FIRST_ROADS = 3  # of the ways to use roadworks: how many first roads to look beyond
_WON = 1.0

Actions: TypeAlias = tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """Actions, to be taken one after the other, and the seat's success after them."""

    actions: Actions
    value: float


class Judge:
    """Weighs what may follow from a state for one seat of it.

    strengths: by seat, in the state itself; stay: the seat's success if nothing is done.
    """

    def __init__(self, s: State, seat: int, strengths: Sequence[float] | None = None) -> None:
        """strengths: where they are known already."""
        self.state = s
        self.seat = seat
        self.strengths = strengths or [strength(s, other) for other in range(s.n)]
        self.stay = success(self.strengths, seat)

    def after(self, s: State, changed: Iterable[int]) -> float:
        """The success in `s`, which follows; the seats `changed` stand otherwise there."""
        if s.kind == "over":
            return _WON
        strengths = list(self.strengths)
        for seat in changed:
            strengths[seat] = strength(s, seat)
        return success(strengths, self.seat)

    def own(self, s: State) -> float:
        """The success in `s`, where only the seat itself stands otherwise."""
        return self.after(s, (self.seat,))

    def all(self, s: State) -> float:
        """The success in `s`, where any seat may stand otherwise."""
        return self.after(s, range(s.n))


def played(s: State, actions: Iterable[Action]) -> State:
    """The state after actions of the seat whose turn it is, or after the one that wins."""
    new = s.copy()
    game = Pioneers(new)
    for action in actions:
        if new.kind == "over":
            break
        game.advance({new.current: action})
    return new


def purchases(s: State, seat: int) -> Iterator[Actions]:
    """Everything that can be built or bought now, with the trades at the bank that pay for it."""
    if len(s.cities[seat]) < MAX_CITIES:
        yield from _paid(s, seat, CITY_COST, cities_on(s.own[seat] ^ s.own_cities[seat]))
    may_settle = len(s.settlements[seat]) < MAX_SETTLEMENTS
    if may_settle:
        yield from _paid(s, seat, SETTLEMENT_COST, settlements_on(s.open & s.touch[seat]))
    if s.deck:
        yield from _paid(s, seat, DEV_CARD_COST, (BUY_DEV_CARD,))
    if len(s.roads[seat]) < MAX_ROADS:
        roads = roads_on(s.reach[seat] & ~s.taken)
        yield from _paid(s, seat, ROAD_COST, roads)
        trades = bank_trades_for(s, seat, ROAD_COST + SETTLEMENT_COST) if may_settle else None
        if trades is not None:
            for road in roads:
                sites = ENDS_MASK[road.edge] & s.open & ~s.touch[seat]
                for settlement in settlements_on(sites):
                    yield (*trades, road, settlement)


def _paid(s: State, seat: int, cost: int, builds: Sequence[Action]) -> Iterator[Actions]:
    trades = bank_trades_for(s, seat, cost) if builds else None
    if trades is not None:
        for build in builds:
            yield (*trades, build)


def bank_trades_for(s: State, seat: int, cost: int) -> Actions | None:
    """The trades at the bank after which the hand pays `cost`; None where none will do."""
    hand, need = counts(s.hands[seat]), counts(cost)
    spare = [held_ - needed for held_, needed in zip(hand, need, strict=True)]
    trades: list[Action] = []
    for lacking in _KINDS:
        while spare[lacking] < 0:
            # What most is left of afterwards.
            left = [
                spare[give] - bank_rate(s.ports[seat], give) if give != lacking else -1
                for give in _KINDS
            ]
            give = max(_KINDS, key=left.__getitem__)
            if left[give] < 0:
                return None
            spare[give] = left[give]
            spare[lacking] += 1
            trades.append(BANK_TRADES[give][lacking])
    return tuple(trades)


def plans(judge: Judge, unseen: Sequence[int]) -> list[Plan]:
    """What could be done now, with what it is worth; `unseen`: dev cards as in `Unknown`."""
    s, seat = judge.state, judge.seat
    found = [Plan(actions, value_of(judge, actions, unseen)) for actions in purchases(s, seat)]
    hand = counts(s.hands[seat])
    hands = Hands(s, seat)
    for give in _KINDS:
        if hand[give] >= bank_rate(s.ports[seat], give):
            found += [_bank_trade(judge, hands, give, get) for get in _KINDS if get != give]
    found += dev_card_plans(judge, unseen)
    return found


def _bank_trade(judge: Judge, hands: Hands, give: int, get: int) -> Plan:
    """A trade at the bank by itself: for a hand that is too big, or as a step."""
    s, seat = judge.state, judge.seat
    after = s.hands[seat] - bank_rate(s.ports[seat], give) * UNITS[give] + UNITS[get]
    strengths = list(judge.strengths)
    strengths[seat] += hands.gain(after)
    return Plan((BANK_TRADES[give][get],), success(strengths, seat))


def value_of(judge: Judge, actions: Actions, unseen: Sequence[int]) -> float:
    """The success after `actions`; of a dev card, what is expected from those not yet seen."""
    last = actions[-1]
    if isinstance(last, BuyDevCard):
        return _bought(judge, played(judge.state, actions[:-1]), unseen)
    after = played(judge.state, actions)
    wide = isinstance(last, BuildSettlement) or after.longest_road != judge.state.longest_road
    return judge.all(after) if wide else judge.own(after)


def _bought(judge: Judge, s: State, unseen: Sequence[int]) -> float:
    # The three rare kinds weigh alike.
    rare = sum(unseen) - unseen[KNIGHT] - unseen[VICTORY_POINT]
    kinds = ((KNIGHT, unseen[KNIGHT]), (VICTORY_POINT, unseen[VICTORY_POINT]), (ROADWORKS, rare))
    value = 0.0
    for card, count in kinds:
        if count > 0:
            drawn = s.copy()
            drawn.deck = (card, *s.deck[1:])
            value += count * judge.own(played(drawn, (BUY_DEV_CARD,)))
    return value / max(1, sum(unseen))


def dev_card_plans(judge: Judge, unseen: Sequence[int]) -> Iterator[Plan]:
    """The ways to play a dev card now."""
    s, seat = judge.state, judge.seat
    cards = 0 if s.dev_played else s.dev[seat] & PLAYABLE
    if held(cards, KNIGHT):
        yield _knight(judge)
    if held(cards, ROADWORKS):
        yield from _roadworks(judge)
    if held(cards, WINDFALL):
        for windfall in WINDFALLS:
            if windfall.resources[0] <= windfall.resources[1]:
                yield Plan((windfall,), _then_built(judge, played(s, (windfall,)), unseen))
    if held(cards, EMBARGO):
        for embargo in EMBARGOES:
            yield Plan((embargo,), _then_built(judge, played(s, (embargo,)), unseen))


def _knight(judge: Judge) -> Plan:
    after = played(judge.state, (PLAY_KNIGHT,))
    if after.kind == "over":
        return Plan((PLAY_KNIGHT,), _WON)
    value, move = best_bandit(Judge(after, judge.seat))
    return Plan((PLAY_KNIGHT, move), value)


def _roadworks(judge: Judge) -> Iterator[Plan]:
    s, seat = judge.state, judge.seat
    plays = [move for move in Pioneers(s).legal(seat) if isinstance(move, PlayRoadworks)]
    ones = [_judged(judge, move) for move in plays if len(move.edges) == 1]
    ones.sort(key=lambda plan: -plan.value)
    yield from ones[:1]
    firsts = {plan.actions[0].edges[0] for plan in ones[:_FIRST_ROADS]}  # type: ignore[attr-defined]
    for move in plays:
        if len(move.edges) == 2 and move.edges[0] in firsts:
            yield _judged(judge, move)


def _judged(judge: Judge, action: Action) -> Plan:
    return Plan((action,), judge.all(played(judge.state, (action,))))


def _then_built(judge: Judge, s: State, unseen: Sequence[int]) -> float:
    """The best that cards which have just come in can be turned into."""
    then = Judge(s, judge.seat)
    towns = [
        actions
        for actions in purchases(s, judge.seat)
        if isinstance(actions[-1], BuildCity | BuildSettlement)
    ]
    return max([then.stay, *(value_of(then, actions, unseen) for actions in towns)])


def best_bandit(judge: Judge) -> tuple[float, MoveBandit]:
    """Where the bandit serves the seat best, and whom it robs there."""
    s, seat = judge.state, judge.seat
    robbed = {
        victim: _robbed(judge, victim)
        for victim in range(s.n)
        if victim != seat and s.hands[victim]
    }
    moved = s.copy()
    best: tuple[float, MoveBandit] | None = None
    for h in range(HEX_COUNT):
        if h == s.bandit:
            continue
        moved.bandit = h
        strengths = list(judge.strengths)
        for other in bits(s.seats_on[h] | s.seats_on[s.bandit]):
            strengths[other] = strength(moved, other)
        victims: list[int | None] = [v for v in bits(s.seats_on[h]) if v in robbed]
        for victim in victims or [None]:
            with_loot = list(strengths)
            if victim is not None:
                gain, loss = robbed[victim]
                with_loot[seat] += gain
                with_loot[victim] -= loss
            value = success(with_loot, seat)
            if best is None or value > best[0]:
                best = value, MoveBandit(hex=h, victim=victim)
    assert best is not None
    return best


def _robbed(judge: Judge, victim: int) -> tuple[float, float]:
    """What a card of the victim's is worth to the seat, and to the victim, on average."""
    s, seat = judge.state, judge.seat
    own, other = Hands(s, seat), Hands(s, victim)
    gain = loss = 0.0
    for count, unit in zip(counts(s.hands[victim]), UNITS, strict=True):
        if count:
            gain += count * own.gain(s.hands[seat] + unit)
            loss -= count * other.gain(s.hands[victim] - unit)
    cards = total(s.hands[victim])
    return gain / cards, loss / cards
