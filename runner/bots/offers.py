"""Offers by marginal value: what a swap of cards adds to two seats' hands.

A hand is worth what the seat's best goals are worth for the time until they can be paid
(`goals.Outlook`). A partner's cards are not seen; what its towns collect tells what it is likely
to hold and what it lacks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from engine.pioneers.actions import RESOURCES, Bundle
from engine.pioneers.analysis import (
    Cards,
    affordable_with_bank,
    income,
    left_after,
    odds_of_holding,
)
from engine.pioneers.determinize import apportion
from engine.pioneers.view import DevCards, PioneersView
from runner.bots.goals import Goal, Outlook
from runner.bots.greedy import BETTER_BY, less, swapped

_GOALS = 3  # what is worth asking for is what one of so many goals lacks
_MOST_GIVEN = 3
_MOST_GOT = 2
_LEAST_GAIN = 1.03  # of what a hand is worth
_LEAST_ODDS = 0.2  # of anybody accepting
_HARDLY = 0.05  # odds of holding the cards that make it no use to think on
_WILLING = 0.75  # how often a seat takes an offer that seems to help it
_UNWILLING = 0.1  # and one that does not
_NOTHING: Cards = (0, 0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Deal:
    """An offer worth making. gain: times one's own hand's worth; odds: that somebody takes it."""

    give: Cards
    get: Cards
    gain: float
    odds: float

    @property
    def promise(self) -> float:
        """What may be expected of offering it."""
        return (self.gain - 1) * self.odds


class Partner:
    """Another seat, as far as a view tells what it holds and wants."""

    def __init__(self, view: PioneersView, seat: int) -> None:
        self.count = view.hand_counts[seat]
        # One way more for each kind: thefts and trades bring in what a seat does not collect.
        self._weights = [ways + 1 for ways in income(view, seat)]
        self._view = view
        self._seat = seat
        self._seen: tuple[Outlook, Cards] | None = None

    def takes(self, gets: Cards, gives: Cards) -> float:
        """How likely it is that the seat can and will accept."""
        odds = odds_of_holding(gives, self.count, self._weights)
        if odds < _HARDLY:
            return 0.0
        outlook, guess = self._outlook()
        before = outlook.worth(_with(guess, gives))
        after = outlook.worth(swapped(_with(guess, gives), gives, gets))
        return odds * (_WILLING if after > BETTER_BY * before else _UNWILLING)

    def _outlook(self) -> tuple[Outlook, Cards]:
        """What the seat may see in its own hand, which is taken to be the likeliest one."""
        if self._seen is None:
            view, seat = self._view, self._seat
            b, lu, w, g, o = apportion(self.count, self._weights)
            none = DevCards()
            from_there = replace(
                view,
                seat=seat,
                hand=Bundle(b, lu, w, g, o),
                dev_cards=none,
                dev_bought_this_turn=none,
                my_score=view.scores[seat],
            )
            self._seen = Outlook(from_there), (b, lu, w, g, o)
        return self._seen


def deals(outlook: Outlook, goals: Sequence[Goal], partners: Sequence[Partner]) -> list[Deal]:
    """What is worth offering to all partners at once, the most promising first."""
    hand = outlook.hand
    price = _price_now(outlook, goals)
    before = _worth(outlook, hand, price)
    found: list[Deal] = []
    for get in _wanted(hand, goals):
        for give in _given(hand, get):
            after = _worth(outlook, swapped(hand, give, get), price)
            gain = after / before if before else 0.0
            if gain >= _LEAST_GAIN:
                nobody = 1.0
                for partner in partners:
                    nobody *= 1 - partner.takes(give, get)
                if nobody <= 1 - _LEAST_ODDS:
                    found.append(Deal(give, get, gain, 1 - nobody))
    return sorted(found, key=lambda deal: -deal.promise)


def _price_now(outlook: Outlook, goals: Sequence[Goal]) -> Cards:
    """What the best goal costs if the bank makes it payable at once: then what counts is how
    much a swap leaves in the hand. Nothing if it is not payable."""
    if goals and affordable_with_bank(outlook.hand, goals[0].cost, outlook.rates):
        return goals[0].cost
    return _NOTHING


def _worth(outlook: Outlook, hand: Cards, price: Cards) -> float:
    left = left_after(hand, price, outlook.rates)
    return 0.0 if left is None else outlook.worth(left)


def _wanted(hand: Cards, goals: Sequence[Goal]) -> list[Cards]:
    """Cards of one kind that a goal lacks."""
    lacking = [
        max(short) for short in zip(*(less(g.cost, hand) for g in goals[:_GOALS]), strict=True)
    ]
    return [
        _of(r, count)
        for r, most in enumerate(lacking)
        for count in range(1, min(most, _MOST_GOT) + 1)
    ]


def _given(hand: Cards, get: Cards) -> Iterator[Cards]:
    """Cards of one other kind."""
    for r, held in enumerate(hand):
        if not get[r]:
            for count in range(1, min(held, _MOST_GIVEN) + 1):
                yield _of(r, count)


def _of(resource: int, count: int) -> Cards:
    b, lu, w, g, o = (count * (r == resource) for r in range(len(RESOURCES)))
    return b, lu, w, g, o


def _with(guess: Cards, wanted: Cards) -> Cards:
    """The guess, corrected where it would not allow the swap."""
    b, lu, w, g, o = (max(x, y) for x, y in zip(guess, wanted, strict=True))
    return b, lu, w, g, o
