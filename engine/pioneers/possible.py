"""Possible hands of every seat but one, each as likely as the others.

A particle filter (Gordon, Salmond and Smith 1993) over packed hands: what surely happens happens
to all hands of a seat; what may have happened is drawn for each; what is observed keeps the hands
in proportion to how likely they make it.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.pioneers.cards import LANE, SHIFTS, UNITS, counts, covers, total
from engine.pioneers.determinize import Draw
from engine.pioneers.trading import bank_rate

_KINDS = range(len(UNITS))
_MOST_MISSED = 6


class PossibleHands:
    """Hands of the other seats at one table.

    of: by seat, `size` packed hands; hand i of one seat goes with hand i of another, as far as
    cards went from one to the other. The own seat has none, and nothing happens to it here.
    """

    def __init__(self, seats: int, own: int, size: int, draw: Draw) -> None:
        """Empty hands."""
        self.of: list[list[int]] = [[0] * size if seat != own else [] for seat in range(seats)]
        self.others = tuple(seat for seat in range(seats) if seat != own)
        self._draw = draw

    def odds(self, seat: int, wanted: int) -> float:
        """How likely the seat holds `wanted`, packed."""
        hands = self.of[seat]
        return sum([covers(hand, wanted) for hand in hands]) / len(hands)

    def gain(self, seat: int, cards: int) -> None:
        """The seat gets `cards`."""
        self.of[seat] = [hand + cards for hand in self.of[seat]]

    def pay(self, seat: int, cards: int) -> None:
        """The seat gives `cards` away, so it held them."""
        self.keep(seat, cards)
        self.of[seat] = [hand - cards for hand in self.of[seat]]

    def keep(self, seat: int, needed: int) -> None:
        """The seat turns out to hold `needed`."""
        hands = self.of[seat]
        if not self.weigh(seat, [int(covers(hand, needed)) for hand in hands]):
            self.of[seat] = [with_cards(hand, needed) for hand in hands]

    def weigh(self, seat: int, weights: Sequence[int]) -> bool:
        """Observe something that the hands make as likely as `weights`; False where all are 0.

        A hand stays in its place with a probability in proportion to its weight, or else a hand
        drawn by the weights takes the place: of each there are as many then as its weight asks.
        """
        most = max(weights, default=0)
        if not most:
            return not weights
        hands = self.of[seat]
        if min(weights) < most:
            self.of[seat] = [
                hand if weight == most or self._draw(most) < weight else hands[self.pick(weights)]
                for hand, weight in zip(hands, weights, strict=True)
            ]
        return True

    def lose_any(self, seat: int, count: int, to: int | None = None) -> None:
        """Cards of which nobody knows go from the seat to the seat `to`, or to the bank."""
        hands = self.of[seat]
        takers = [] if to is None else self.of[to]
        for i, hand in enumerate(hands):
            left = hand
            for _ in range(min(count, total(hand))):
                left -= UNITS[self.pick(counts(left))]
            hands[i] = left
            if takers:
                takers[i] += hand - left

    def lose_one(self, seat: int, unit: int) -> None:
        """A card picked at random out of the seat's hand was `unit`."""
        lane = UNITS.index(unit)
        if not self.weigh(seat, [pile(hand, lane) for hand in self.of[seat]]):
            self.keep(seat, unit)
        self.of[seat] = [hand - unit for hand in self.of[seat]]

    def choose(self, seat: int, count: int) -> None:
        """The seat gets `count` cards of its choice."""
        for _ in range(count):
            self.of[seat] = [hand + UNITS[self.pick(missed(hand))] for hand in self.of[seat]]

    def trade_at_bank(self, seat: int, given: int, ports: int) -> None:
        """The seat, with these ports, gave `given` cards of some resource for one of another."""
        # The bank takes its best rate, so it is a resource that has this one.
        at_rate = [bank_rate(ports, r) == given for r in _KINDS]
        able = [any(_spare(hand, given, at_rate)) for hand in self.of[seat]]
        if not self.weigh(seat, [int(holds) for holds in able]) and any(at_rate):
            self.keep(seat, given * UNITS[at_rate.index(True)])
        hands = self.of[seat]
        for i, hand in enumerate(hands):
            spare = _spare(hand, given, at_rate)
            give = self.pick(spare if any(spare) else (1,) * len(UNITS))
            wishes = [n if r != give else 0 for r, n in enumerate(missed(hand))]
            paid = min(given, pile(hand, give))
            hands[i] = hand - paid * UNITS[give] + UNITS[self.pick(wishes)]

    def swap_any(self, seat: int, given: int, partner: int, got: int) -> None:
        """The seat gave `given` cards for `got` of the partner's; nobody else knows which."""
        before = [*self.of[seat]]
        self.lose_any(seat, given)
        offered = [then - now for then, now in zip(before, self.of[seat], strict=True)]
        self.lose_any(partner, got, to=seat)
        self.of[partner] = [a + b for a, b in zip(self.of[partner], offered, strict=True)]

    def embargo(self, seat: int, taken: Sequence[int], odds: Sequence[int]) -> int:
        """The seat took all cards of one resource; returns which one that seems to be.

        taken: by seat, what each one gained or, negative, lost; odds: by resource, what else
        speaks for it.
        """
        losers = [other for other in self.others if other != seat]
        likely = [*odds]
        for r in _KINDS:
            for loser in losers:
                # Never 0: all hands may be wrong.
                likely[r] *= 1 + sum([pile(hand, r) == -taken[loser] for hand in self.of[loser]])
        picks = [self.pick(likely) for _ in self.of[losers[0]]]
        for loser in losers:
            self._lose_all(loser, -taken[loser], picks)
        if seat in self.others:
            self.of[seat] = [
                hand + taken[seat] * UNITS[r] for hand, r in zip(self.of[seat], picks, strict=True)
            ]
        return max(_KINDS, key=likely.__getitem__)

    def _lose_all(self, seat: int, count: int, resources: Sequence[int]) -> None:
        """The seat lost `count` cards, which were all it had of a resource; one for each hand."""
        hands = self.of[seat]
        exact = {r: [hand for hand in hands if pile(hand, r) == count] for r in {*resources}}
        for i, r in enumerate(resources):
            hand, fitting = hands[i], exact[r]
            if pile(hand, r) != count:
                hand = fitting[self._draw(len(fitting))] if fitting else self._with(hand, count, r)
            hands[i] = hand - count * UNITS[r]

    def _with(self, hand: int, count: int, r: int) -> int:
        """The hand, changed so that it holds just `count` of a resource."""
        hand = with_cards(hand, count * UNITS[r])
        for _ in range(pile(hand, r) - count):
            others = [n if q != r else 0 for q, n in enumerate(missed(hand))]
            hand += UNITS[self.pick(others)] - UNITS[r]
        return hand

    def fit(self, seat: int, count: int, weights: Sequence[int]) -> None:
        """The seat holds `count` cards; weights: how likely each resource is among others."""
        hands = self.of[seat]
        for i, hand in enumerate(hands):
            held = total(hand)
            if held != count:
                for _ in range(held - count):
                    hand -= UNITS[self.pick(counts(hand))]
                for _ in range(count - held):
                    hand += UNITS[self.pick(weights)]
                hands[i] = hand

    def pick(self, weights: Sequence[int]) -> int:
        """A place in `weights`, drawn in proportion to them."""
        left = self._draw(sum(weights))
        for place, weight in enumerate(weights):
            if left < weight:
                return place
            left -= weight
        raise AssertionError("a draw below the sum of the weights lies within them")


def pile(hand: int, r: int) -> int:
    """How many cards of one resource."""
    return hand >> SHIFTS[r] & LANE


def missed(hand: int) -> tuple[int, ...]:
    """How likely each resource is what a seat with this hand would choose: what it holds least."""
    return tuple(_MOST_MISSED // (1 + min(count, _MOST_MISSED - 1)) for count in counts(hand))


def with_cards(hand: int, wanted: int) -> int:
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


def _spare(hand: int, given: int, at_rate: Sequence[bool]) -> list[int]:
    """How likely each resource is the one of which `given` cards went to the bank."""
    return [
        max(0, count - given + 1) if fits else 0
        for count, fits in zip(counts(hand), at_rate, strict=True)
    ]
