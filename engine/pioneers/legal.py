"""Listing the legal moves of a seat, in a fixed order.

All of them, but for offers, of which there is no end: of these, the open ones of one held card
for one card of another kind, without talk. Likewise other moves are listed without talk.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, overload

from engine.game import Action
from engine.pioneers.actions import (
    RESOURCES,
    Discard,
    PlayRoadworks,
)
from engine.pioneers.bandit import must_discard
from engine.pioneers.board import HEX_COUNT, bits
from engine.pioneers.building import MAX_CITIES, MAX_ROADS, MAX_SETTLEMENTS
from engine.pioneers.cards import (
    CITY_COST,
    DEV_CARD_COST,
    ROAD_COST,
    SETTLEMENT_COST,
    UNITS,
    counts,
    covers,
    unpack,
)
from engine.pioneers.devcards import (
    EMBARGO,
    KNIGHT,
    PLAYABLE,
    ROADWORKS,
    WINDFALL,
    held,
    reach_beyond,
)
from engine.pioneers.moves import (
    ACCEPT,
    BANDIT_MOVES,
    BANK_TRADES,
    BUY_DEV_CARD,
    EMBARGOES,
    END_TURN,
    OFFERS,
    PLAY_KNIGHT,
    REJECT,
    SETUPS,
    WINDFALLS,
    cities_on,
    roads_on,
    roadworks,
    settlements_on,
)
from engine.pioneers.state import State
from engine.pioneers.trading import MAX_OFFERS, WORST_RATE, bank_rate

_ROAD, _SETTLEMENT, _CITY, _DEV_CARD = 1, 2, 4, 8
_ACCEPT_OR_REJECT = (ACCEPT, REJECT)
_REJECT = (REJECT,)


@lru_cache(maxsize=1 << 15)
def _means(hand: int) -> tuple[tuple[int, ...], int]:
    """What counts of a hand in a turn: its piles, and a set of what it pays for.

    No cost and no bank rate asks for more than 4 of a kind, so piles are cut to that, which
    leaves few enough patterns for their moves to be kept.
    """
    afford = (
        _ROAD * covers(hand, ROAD_COST)
        | _SETTLEMENT * covers(hand, SETTLEMENT_COST)
        | _CITY * covers(hand, CITY_COST)
        | _DEV_CARD * covers(hand, DEV_CARD_COST)
    )
    return tuple([min(pile, WORST_RATE) for pile in counts(hand)]), afford


@lru_cache(maxsize=1 << 14)
def _hand_moves(piles: tuple[int, ...], ports: int, may_offer: bool) -> tuple[Action, ...]:
    """The moves that depend on the hand and the seat's ports alone: end, bank, offers."""
    kinds = range(len(RESOURCES))
    moves: list[Action] = [END_TURN]
    moves += [
        BANK_TRADES[give][get]
        for give in kinds
        if piles[give] >= bank_rate(ports, give)
        for get in kinds
        if get != give
    ]
    if may_offer:
        moves += [
            OFFERS[give][get] for give in kinds if piles[give] for get in kinds if get != give
        ]
    return tuple(moves)


def legal_turn(s: State, seat: int) -> Sequence[Action]:
    """End, bank trades, offers, roads, settlements, cities, a dev card, playing one."""
    piles, afford = _means(s.hands[seat])
    moves = _hand_moves(piles, s.ports[seat], s.offers < MAX_OFFERS)
    playable = 0 if s.dev_played else s.dev[seat] & PLAYABLE
    if not (afford or playable):
        return moves
    listed = list(moves)
    if afford & _ROAD and len(s.roads[seat]) < MAX_ROADS:
        listed += roads_on(s.reach[seat] & ~s.taken)
    if afford & _SETTLEMENT and len(s.settlements[seat]) < MAX_SETTLEMENTS:
        listed += settlements_on(s.open & s.touch[seat])
    if afford & _CITY and len(s.cities[seat]) < MAX_CITIES:
        listed += cities_on(s.own[seat] ^ s.own_cities[seat])
    if afford & _DEV_CARD and s.deck:
        listed.append(BUY_DEV_CARD)
    if playable:
        if held(playable, KNIGHT):
            listed.append(PLAY_KNIGHT)
        if held(playable, ROADWORKS):
            listed += _roadworks(s, seat)
        if held(playable, WINDFALL):
            listed += WINDFALLS
        if held(playable, EMBARGO):
            listed += EMBARGOES
    return listed


def _roadworks(s: State, seat: int) -> list[PlayRoadworks]:
    """Every ordered way to build none, one or two roads."""
    left = MAX_ROADS - len(s.roads[seat])
    plays = [roadworks()]
    if left:
        free = ~s.taken
        first_edges = s.reach[seat] & free
        for first in bits(first_edges):
            plays.append(roadworks(first))
            if left > 1:
                second_edges = (first_edges | reach_beyond(s, seat, first) & free) & ~(1 << first)
                plays += [roadworks(first, second) for second in bits(second_edges)]
    return plays


def legal_setup(s: State, _seat: int) -> Sequence[Action]:
    """Every open vertex with every edge there."""
    moves: list[Action] = []
    for vertex in bits(s.open):
        # All its edges are free: roads of set-up end at a town and at a neighbour of that town,
        # and neither is open.
        moves += SETUPS[vertex]
    return moves


def legal_bandit(s: State, seat: int) -> Sequence[Action]:
    """Every other hex, robbing nobody or a seat with a town there."""
    others = ~(1 << seat)
    moves: list[Action] = []
    for h in range(HEX_COUNT):
        if h != s.bandit:
            moves += BANDIT_MOVES[h][s.seats_on[h] & others]
    return moves


def legal_trade(s: State, seat: int) -> Sequence[Action]:
    """Accept, where the cards are held, and reject."""
    assert s.offer is not None
    return _ACCEPT_OR_REJECT if covers(s.hands[seat], s.offer.get) else _REJECT


def legal_discard(s: State, seat: int) -> Sequence[Action]:
    """Every bundle of the right size."""
    return discards(s.hands[seat])


@lru_cache(maxsize=1 << 10)
def discards(hand: int) -> Discards:
    """The bundles that a seat with `hand` may give up on a 7."""
    return Discards(hand, must_discard(hand))


class Discards(Sequence[Discard]):
    """Every bundle of `due` cards out of `hand`, in ascending order of counts, made on demand.

    A big hand can be parted in millions of ways, so the list is counted and indexed, not stored.
    """

    __slots__ = ("_hand", "_piles", "_ways")

    def __init__(self, hand: int, due: int) -> None:
        self._hand = hand
        self._piles = counts(hand)
        # _ways[r][k]: in how many ways k cards come from the resources r and after.
        ways = [[1] + [0] * due]
        for pile in reversed(self._piles):
            after = ways[0]
            ways.insert(0, [sum(after[max(0, k - pile) : k + 1]) for k in range(due + 1)])
        self._ways = ways

    def __len__(self) -> int:
        return self._ways[0][-1]

    @overload
    def __getitem__(self, index: int) -> Discard: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Discard]: ...
    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        rank = index + len(self) if index < 0 else index
        if not 0 <= rank < len(self):
            raise IndexError(index)
        due = len(self._ways[0]) - 1
        dropped = 0
        for r, pile in enumerate(self._piles):
            for count in range(min(pile, due) + 1):
                ways = self._ways[r + 1][due - count]
                if rank < ways:
                    dropped += count * UNITS[r]
                    due -= count
                    break
                rank -= ways
        return Discard(discard=unpack(dropped))

    def __contains__(self, item: object) -> bool:
        return any(item == move for move in self)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Discards):
            return self._hand == other._hand
        return isinstance(other, Sequence) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash(self._hand)
