"""Swaps of cards between two seats, weighed for both by how strong they would stand."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

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
_LEAST_EXPECTED = 0.0007  # in success, with the odds of a taker
_CANDIDATES = 60  # swaps that are looked at in earnest
_RISE = 0.001  # in success: what a seat that looks at the whole table asks for

# How often a seat takes an offer, as counted in matches among the reference bots: one that would
# gain by it and stand better against the others, one that would gain but not as much as they do,
# and one that would lose.
_GAINS_MOST = 0.85
_GAINS = 0.25
_LOSES = 0.02
_EVEN = 0.5


@dataclass(frozen=True, slots=True)
class Swap:
    """`give` cards for `get` cards, packed. expected: what offering it adds to the success."""

    give: int
    get: int
    gain: float
    expected: float = 0.0


class Partner(ABC):
    """Another seat that may be asked to swap."""

    def __init__(self, judge: Judge, seat: int) -> None:
        """judge: of the seat that asks."""
        self.seat = seat
        self._judge = judge
        self._stay = success(judge.strengths, seat)
        self._hands = Hands(judge.state, seat)

    @abstractmethod
    def answer(self, swap: Swap) -> tuple[float, float]:
        """How likely it takes the offer, and how much stronger it would stand then."""

    def _with(self, hand: int, swap: Swap) -> tuple[float, float]:
        """The same for a hand that can pay for it."""
        better = self._hands.worth(hand + swap.give - swap.get) - self._hands.worth(hand)
        if better <= 0:
            return _LOSES, better
        after = success(_both(self._judge, swap, self.seat, better), self.seat)
        return (_GAINS_MOST if after > self._stay + _RISE else _GAINS), better


Odds: TypeAlias = Callable[[int], float]
"""How likely a seat holds cards, packed."""


class GuessedPartner(Partner):
    """A partner of which the likeliest hand is known, and how likely it holds other cards."""

    def __init__(self, judge: Judge, seat: int, odds: Odds) -> None:
        """judge: of a state with the likeliest hand."""
        super().__init__(judge, seat)
        self._hand = judge.state.hands[seat]
        self._odds = odds

    def answer(self, swap: Swap) -> tuple[float, float]:
        """It is taken to hold what it gives, and else what is likeliest."""
        if total(self._hand) < total(swap.get):
            return 0.0, 0.0
        accepts, better = self._with(with_cards(self._hand, swap.get), swap)
        return self._odds(swap.get) * accepts, better


class BelievedPartner(Partner):
    """A partner of which possible hands are known: it answers with each of them."""

    def __init__(self, judge: Judge, seat: int, hands: Sequence[int]) -> None:
        """hands: each as likely as the others."""
        super().__init__(judge, seat)
        self._all = len(hands)
        self._each = Counter(hands).most_common()

    def answer(self, swap: Swap) -> tuple[float, float]:
        """On average over its possible hands, the more likely it accepts the more they weigh."""
        odds = gained = 0.0
        for hand, count in self._each:
            if covers(hand, swap.get):
                accepts, better = self._with(hand, swap)
                odds += count * accepts
                gained += count * accepts * better
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


def would_take(asker: Judge, swap: Swap, seat: int, hand: int) -> bool:
    """Whether a seat with this hand, which pays for it, would more likely take the swap."""
    odds, _ = BelievedPartner(asker, seat, (hand,)).answer(swap)
    return odds > _EVEN


def if_accepted(judge: Judge) -> float:
    """The success of the judge's seat once it has taken the open offer."""
    s, seat = judge.state, judge.seat
    assert s.offer is not None
    after = s.copy()
    after.hands[seat] += s.offer.give - s.offer.get
    after.hands[s.current] += s.offer.get - s.offer.give
    return judge.after(after, (seat, s.current))


def if_refused(judge: Judge, asker: Judge, swap: Swap, partners: Sequence[Partner]) -> float:
    """The success of the judge's seat where it turns the asker's swap down.

    partners: those who are asked as well and come after it, in their order: one of them may take
    it then, and both sides of a swap gain by it.
    """
    return _expected(judge.seat, judge.stay, asker, swap, partners)


def _weighed(judge: Judge, swap: Swap, partners: Sequence[Partner]) -> Swap:
    """The swap with what offering it to all may be expected to bring."""
    success_then = _expected(judge.seat, judge.stay, judge, swap, partners)
    return Swap(swap.give, swap.get, swap.gain, success_then - judge.stay)


def _expected(
    seat: int, stay: float, asker: Judge, swap: Swap, partners: Sequence[Partner]
) -> float:
    """The success of a seat after the partners answered; `stay` if all of them refuse."""
    expected, nobody = 0.0, 1.0
    for partner in partners:
        odds, better = partner.answer(swap)
        if odds:
            expected += nobody * odds * success(_both(asker, swap, partner.seat, better), seat)
            nobody *= 1 - odds
    return expected + nobody * stay


def _both(judge: Judge, swap: Swap, partner: int, better: float) -> list[float]:
    """The strengths, by seat, once the partner has taken the swap."""
    strengths = list(judge.strengths)
    strengths[judge.seat] += swap.gain
    strengths[partner] += better
    return strengths
