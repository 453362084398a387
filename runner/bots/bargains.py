"""Swaps of cards between two seats, weighed for both by how strong they would stand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from engine.pioneers.cards import UNITS, counts, covers, total
from engine.pioneers.state import State
from runner.bots.chances import Hands, success
from runner.bots.plans import Judge

_KINDS = range(len(UNITS))
_MOST_GIVEN = 3
_MOST_GOT = 2
_BUNDLES = 4  # cards that change hands in all
_LEAST_GAIN = 0.02  # in strength, for the seat that offers
_LEAST_EXPECTED = 0.001  # in success, with the odds of a taker
_CANDIDATES = 16  # swaps that are looked at in earnest
_WILLING = 0.75  # how often a seat takes an offer that makes it stronger
_UNWILLING = 0.1  # and one that does not


@dataclass(frozen=True, slots=True)
class Swap:
    """`give` cards for `get` cards, packed. expected: what offering it adds to the success."""

    give: int
    get: int
    gain: float
    expected: float = 0.0


Odds: TypeAlias = Callable[[int, int], float]
"""How likely a seat holds cards, packed."""


def swaps(judge: Judge, holds: Odds) -> list[Swap]:
    """Offers to all that are worth making, the best first."""
    found = sorted(_helpful(judge), key=lambda swap: -swap.gain)[:_CANDIDATES]
    partners = _partners(judge, holds)
    weighed = [_weighed(judge, swap, partners) for swap in found]
    weighed = [swap for swap in weighed if swap.expected >= _LEAST_EXPECTED]
    return sorted(weighed, key=lambda swap: -swap.expected)


def _helpful(judge: Judge) -> Iterator[Swap]:
    """The swaps that make the seat stronger."""
    s, seat = judge.state, judge.seat
    hand = s.hands[seat]
    piles = counts(hand)
    hands = Hands(s, seat)
    for give in _KINDS:
        for given in range(1, min(piles[give], _MOST_GIVEN) + 1):
            for get in _KINDS:
                if get == give:
                    continue
                for got in range(1, min(_MOST_GOT, _BUNDLES - given) + 1):
                    gain = hands.gain(hand - given * UNITS[give] + got * UNITS[get])
                    if gain >= _LEAST_GAIN:
                        yield Swap(given * UNITS[give], got * UNITS[get], gain)


class _Partner:
    """Another seat: the hand that it may hold, and what it would make of others."""

    def __init__(self, s: State, seat: int, holds: Odds) -> None:
        self.seat = seat
        self.count = total(s.hands[seat])
        self._hand = s.hands[seat]
        self._hands = Hands(s, seat)
        self._holds = holds

    def odds(self, wanted: int) -> float:
        """How likely the seat holds `wanted`."""
        return self._holds(self.seat, wanted)

    def gain(self, gets: int, gives: int) -> float:
        """How much stronger it would stand after a swap, were it to hold what it gives."""
        hand = _with_cards(self._hand, gives)
        return self._hands.worth(hand + gets - gives) - self._hands.worth(hand)


def _partners(judge: Judge, holds: Odds) -> list[_Partner]:
    """Those who may trade, in the order in which the first to accept is taken."""
    s = judge.state
    seats = [(judge.seat + step) % s.n for step in range(1, s.n)]
    return [_Partner(s, seat, holds) for seat in seats if s.hands[seat] and not s.resigned[seat]]


def _weighed(judge: Judge, swap: Swap, partners: Sequence[_Partner]) -> Swap:
    """The swap with what offering it to all may be expected to bring."""
    expected, nobody = 0.0, 1.0
    wanted = total(swap.get)
    for partner in partners:
        if partner.count < wanted:
            continue
        better = partner.gain(swap.give, swap.get)
        odds = partner.odds(swap.get) * (_WILLING if better > 0 else _UNWILLING)
        strengths = list(judge.strengths)
        strengths[judge.seat] += swap.gain
        strengths[partner.seat] += better
        expected += nobody * odds * (success(strengths, judge.seat) - judge.stay)
        nobody *= 1 - odds
    return Swap(swap.give, swap.get, swap.gain, expected)


def _with_cards(hand: int, wanted: int) -> int:
    """The hand, changed so that it holds `wanted`: other cards make way, the most first."""
    if covers(hand, wanted):
        return hand
    piles, need = list(counts(hand)), counts(wanted)
    for r in _KINDS:
        while piles[r] < need[r]:
            most = max(_KINDS, key=lambda q: piles[q] - need[q])
            # Where nothing can make way, the hand was too small as well.
            piles[most] -= piles[most] > need[most]
            piles[r] += 1
    return sum(count * unit for count, unit in zip(piles, UNITS, strict=True))
