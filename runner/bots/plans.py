"""What a seat could do in its turn with the cards it has, and what each would be worth to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.pioneers import Pioneers
from engine.pioneers.actions import (
    BuildCity,
    BuildSettlement,
    BuyDevCard,
    MoveBandit,
    PlayRoadworks,
    TurnAction,
)
from engine.pioneers.analysis import rates
from engine.pioneers.board import HEX_COUNT, bits
from engine.pioneers.cards import UNITS, counts, total
from engine.pioneers.devcards import (
    EMBARGO,
    KNIGHT,
    PLAYABLE,
    ROADWORKS,
    VICTORY_POINT,
    WINDFALL,
    held,
)
from engine.pioneers.moves import BANK_TRADES, BUY_DEV_CARD, EMBARGOES, PLAY_KNIGHT, WINDFALLS
from engine.pioneers.state import State
from runner.bots.chances import Hands, strength, success
from runner.bots.judge import WON, Judge, played
from runner.bots.purchases import Actions, purchases

_KINDS = range(len(UNITS))
_FIRST_ROADS = 3  # of the ways to use roadworks: how many first roads to look beyond


@dataclass(frozen=True, slots=True)
class Plan:
    """Actions, to be taken one after the other, and the seat's success after them."""

    actions: Actions
    value: float

    @property
    def first(self) -> TurnAction:
        """What to do now."""
        action = self.actions[0]
        assert not isinstance(action, MoveBandit)
        return action


def plans(judge: Judge, unseen: Sequence[int]) -> list[Plan]:
    """What could be done now, with what it is worth; `unseen`: dev cards as in `Unknown`."""
    s, seat = judge.state, judge.seat
    found = [Plan(actions, value_of(judge, actions, unseen)) for actions in purchases(s, seat)]
    found += _bank_trades(judge)
    found += dev_card_plans(judge, unseen)
    return found


def value_of(judge: Judge, actions: Actions, unseen: Sequence[int]) -> float:
    """The success after `actions`; of a dev card, what is expected from those not yet seen."""
    last = actions[-1]
    if isinstance(last, BuyDevCard):
        return _bought(judge, played(judge.state, actions[:-1]), unseen)
    after = played(judge.state, actions)
    # Only these change where others stand by much: sites that are gone, roads cut, an award lost.
    wide = isinstance(last, BuildSettlement) or after.longest_road != judge.state.longest_road
    return judge.all(after) if wide else judge.own(after)


def _bought(judge: Judge, s: State, unseen: Sequence[int]) -> float:
    # The three rare kinds weigh alike in `prospects`, so one stands for all.
    rare = sum(unseen) - unseen[KNIGHT] - unseen[VICTORY_POINT]
    kinds = ((KNIGHT, unseen[KNIGHT]), (VICTORY_POINT, unseen[VICTORY_POINT]), (ROADWORKS, rare))
    value = 0.0
    for card, count in kinds:
        if count > 0:
            drawn = s.copy()
            drawn.deck = (card, *s.deck[1:])
            value += count * judge.own(played(drawn, (BUY_DEV_CARD,)))
    return value / sum(unseen)


def _bank_trades(judge: Judge) -> Iterator[Plan]:
    """Trades at the bank by themselves: for a hand that is too big, or as a step."""
    s, seat = judge.state, judge.seat
    hand, rate = counts(s.hands[seat]), rates(s.ports[seat])
    hands = Hands(s, seat)
    for give in _KINDS:
        if hand[give] >= rate[give]:
            for get in _KINDS:
                if get != give:
                    after = s.hands[seat] - rate[give] * UNITS[give] + UNITS[get]
                    strengths = list(judge.strengths)
                    strengths[seat] += hands.gain(after)
                    yield Plan((BANK_TRADES[give][get],), success(strengths, seat))


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
            # Either order brings the same cards.
            if windfall.resources[0] <= windfall.resources[1]:
                yield Plan((windfall,), _then_built(judge, played(s, (windfall,)), unseen))
    if held(cards, EMBARGO):
        for embargo in EMBARGOES:
            yield Plan((embargo,), _then_built(judge, played(s, (embargo,)), unseen))


def _knight(judge: Judge) -> Plan:
    after = played(judge.state, (PLAY_KNIGHT,))
    if after.kind == "over":
        return Plan((PLAY_KNIGHT,), WON)
    value, move = best_bandit(Judge(after, judge.seat))
    return Plan((PLAY_KNIGHT, move), value)


def _roadworks(judge: Judge) -> Iterator[Plan]:
    """The best single road, and pairs that begin with one of the best."""
    s, seat = judge.state, judge.seat
    plays = [move for move in Pioneers(s).legal(seat) if isinstance(move, PlayRoadworks)]
    singles = [(_road_value(judge, move), move) for move in plays if len(move.edges) == 1]
    # Stable: of equals, the first listed.
    singles.sort(key=lambda single: -single[0])
    for value, move in singles[:1]:
        yield Plan((move,), value)
    firsts = {move.edges[0] for _, move in singles[:_FIRST_ROADS]}
    for move in plays:
        if len(move.edges) == 2 and move.edges[0] in firsts:
            yield Plan((move,), _road_value(judge, move))


def _road_value(judge: Judge, move: PlayRoadworks) -> float:
    return judge.all(played(judge.state, (move,)))


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
    """The success where the bandit serves the seat best, and the move there, with whom it robs."""
    return max(bandit_moves(judge), key=lambda found: found[0])


def bandit_moves(judge: Judge) -> Iterator[tuple[float, MoveBandit]]:
    """The places for the bandit, with each seat that could be robbed there: the success, the move.

    Nobody is robbed only where nobody has a card.
    """
    s, seat = judge.state, judge.seat
    robbed = {
        victim: _robbed(judge, victim)
        for victim in range(s.n)
        if victim != seat and s.hands[victim]
    }
    moved = s.copy()
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
            yield success(with_loot, seat), MoveBandit(hex=h, victim=victim)


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
