"""Swaps of cards between two seats, weighed for both by how strong they would stand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from engine.pioneers.cards import UNITS, counts, covers, total
from engine.pioneers.possible import with_cards
from engine.pioneers.state import State
from runner.bots.chances import Hands, success
from runner.bots.judge import Judge

_KINDS = range(len(UNITS))
_MOST_GIVEN = 3
_MOST_GOT = 2
_BUNDLES = 4  # cards that change hands in all
_LEAST_GAIN = 0.02  # in strength, for the seat that offers
_LEAST_EXPECTED = 0.001  # in success, with the odds of a taker
_CANDIDATES = 40  # swaps that are looked at in earnest
_WELCOME = 0.02  # in strength, for the seat that is asked: what makes it willing
_WILLING = 0.8  # how often a willing seat takes an offer
_UNWILLING = 0.05  # and another one


@dataclass(frozen=True, slots=True)
class Swap:
    """`give` cards for `get` cards, packed. expected: what offering it adds to the success."""

    give: int
    get: int
    gain: float
    expected: float = 0.0


class Partner(Protocol):
    """Another seat that may be asked to swap."""

    seat: int

    def answer(self, gets: int, gives: int) -> tuple[float, float]:
        """How likely it takes an offer, and how much stronger it would stand then."""


Odds: TypeAlias = Callable[[int], float]
"""How likely a seat holds cards, packed."""


class GuessedPartner:
    """A partner of which the likeliest hand is known, and how likely it holds other cards."""

    def __init__(self, s: State, seat: int, odds: Odds) -> None:
        """s: with the likeliest hand."""
        self.seat = seat
        self._hand = s.hands[seat]
        self._count = total(self._hand)
        self._hands = Hands(s, seat)
        self._odds = odds

    def answer(self, gets: int, gives: int) -> tuple[float, float]:
        """It is taken to hold what it gives, and else what is likeliest."""
        if self._count < total(gives):
            return 0.0, 0.0
        hand = with_cards(self._hand, gives)
        better = self._hands.worth(hand + gets - gives) - self._hands.worth(hand)
        return self._odds(gives) * (_WILLING if better > _WELCOME else _UNWILLING), better


class BelievedPartner:
    """A partner of which possible hands are known: it answers with each of them."""

    def __init__(self, s: State, seat: int, hands: Sequence[int]) -> None:
        """hands: each as likely as the others."""
        self.seat = seat
        self._all = len(hands)
        self._each = Counter(hands).most_common()
        self._hands = Hands(s, seat)

    def answer(self, gets: int, gives: int) -> tuple[float, float]:
        """On average over its possible hands, the more likely it accepts the more they weigh."""
        worth = self._hands.worth
        odds = gained = 0.0
        for hand, count in self._each:
            if covers(hand, gives):
                better = worth(hand + gets - gives) - worth(hand)
                accepts = count * (_WILLING if better > _WELCOME else _UNWILLING)
                odds += accepts
                gained += accepts * better
        return (odds / self._all, gained / odds) if odds else (0.0, 0.0)


def to_ask(s: State, seat: int) -> list[int]:
    """The seats that may swap, in the order in which the first to accept is taken."""
    others = [(seat + step) % s.n for step in range(1, s.n)]
    return [other for other in others if s.hands[other] and not s.resigned[other]]


def swaps(judge: Judge, partners: Sequence[Partner]) -> list[Swap]:
    """Offers to all that are worth making, the best first.

    partners: those who may take one, in the order in which the first to accept is taken.
    """
    found = sorted(_helpful(judge), key=lambda swap: -swap.gain)[:_CANDIDATES]
    weighed = [_weighed(judge, swap, partners) for swap in found]
    weighed = [swap for swap in weighed if swap.expected >= _LEAST_EXPECTED]
    return sorted(weighed, key=lambda swap: -swap.expected)


def _helpful(judge: Judge) -> Iterator[Swap]:
    """The swaps that make the seat stronger."""
    s, seat = judge.state, judge.seat
    hand = s.hands[seat]
    hands = Hands(s, seat)
    wanted = [*_bundles((_MOST_GOT,) * len(UNITS), _MOST_GOT)]
    for give in _bundles(counts(hand), _MOST_GIVEN):
        for get in wanted:
            if total(give) + total(get) <= _BUNDLES and _disjoint(give, get):
                gain = hands.gain(hand - give + get)
                if gain >= _LEAST_GAIN:
                    yield Swap(give, get, gain)


def _bundles(piles: Sequence[int], most: int) -> Iterator[int]:
    """Cards of one resource, up to `most`, or one each of two, as far as there are any."""
    for r in _KINDS:
        for count in range(1, min(piles[r], most) + 1):
            yield count * UNITS[r]
        for other in range(r):
            if piles[r] and piles[other]:
                yield UNITS[r] + UNITS[other]


def _disjoint(a: int, b: int) -> bool:
    """Whether no resource is in both."""
    return not any(x and y for x, y in zip(counts(a), counts(b), strict=True))


def _weighed(judge: Judge, swap: Swap, partners: Sequence[Partner]) -> Swap:
    """The swap with what offering it to all may be expected to bring."""
    expected, nobody = 0.0, 1.0
    for partner in partners:
        odds, better = partner.answer(swap.give, swap.get)
        if odds:
            strengths = list(judge.strengths)
            strengths[judge.seat] += swap.gain
            strengths[partner.seat] += better
            expected += nobody * odds * (success(strengths, judge.seat) - judge.stay)
            nobody *= 1 - odds
    return Swap(swap.give, swap.get, swap.gain, expected)
