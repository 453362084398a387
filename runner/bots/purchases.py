"""What a seat can build or buy with its hand, the trades at the bank that pay for it included."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from engine.pioneers.actions import BankTrade, MoveBandit, TurnAction
from engine.pioneers.analysis import rates
from engine.pioneers.board import ENDS_MASK
from engine.pioneers.building import MAX_CITIES, MAX_ROADS, MAX_SETTLEMENTS
from engine.pioneers.cards import (
    CITY_COST,
    DEV_CARD_COST,
    ROAD_COST,
    SETTLEMENT_COST,
    UNITS,
    counts,
)
from engine.pioneers.moves import (
    BANK_TRADES,
    BUY_DEV_CARD,
    cities_on,
    roads_on,
    settlements_on,
)
from engine.pioneers.state import State

_KINDS = range(len(UNITS))

Actions: TypeAlias = tuple[TurnAction | MoveBandit, ...]
"""Actions to be taken one after the other in a turn; the first is one of a turn."""


def purchases(s: State, seat: int) -> Iterator[Actions]:
    """Everything that can be built or bought now, with the trades at the bank that pay for it.

    One piece or card each; also a road together with a settlement at its end.
    """
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


def _paid(s: State, seat: int, cost: int, builds: Sequence[TurnAction]) -> Iterator[Actions]:
    trades = bank_trades_for(s, seat, cost) if builds else None
    if trades is not None:
        for build in builds:
            yield (*trades, build)


def bank_trades_for(s: State, seat: int, cost: int) -> tuple[BankTrade, ...] | None:
    """The trades at the bank after which the hand pays `cost`; None where none will do.

    Each gives what most is left of afterwards, as in `analysis.left_after`.
    """
    rate = rates(s.ports[seat])
    left = [held - needed for held, needed in zip(counts(s.hands[seat]), counts(cost), strict=True)]
    trades: list[BankTrade] = []
    for lacking in _KINDS:
        while left[lacking] < 0:
            give = max(_KINDS, key=lambda r: left[r] - rate[r])
            if left[give] < rate[give]:
                return None
            left[give] -= rate[give]
            left[lacking] += 1
            trades.append(BANK_TRADES[give][lacking])
    return tuple(trades)
