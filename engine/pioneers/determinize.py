"""Whole states that agree with one seat's view: what the seat cannot see is filled in.

Opponents' resource cards are taken to be spread as their towns collect; dev cards and the deck
come from the cards that the seat has not seen. Nobody is given points with which they would
have won already. Nothing hidden is used: the same view and memory give the same states.

    unknown = Unknown("turn", view, memory)
    game = Pioneers(unknown.sample(draw))  # a match that can be played on
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from engine.chance import SEED_BYTES, Chance
from engine.pioneers.bandit import must_discard
from engine.pioneers.board import mask_of
from engine.pioneers.cards import UNITS, counts
from engine.pioneers.devcards import DECK_COUNTS, DEV_UNITS, KNIGHT, VICTORY_POINT, held
from engine.pioneers.glimpse import PioneersMemory, guess_state
from engine.pioneers.state import MAX_SEATS, WINNING_POINTS, State
from engine.pioneers.view import PioneersView

Draw: TypeAlias = Callable[[int], int]
"""Uniform over 0 … n - 1 for a call with n; chance belongs to the caller."""

Hands: TypeAlias = Sequence[Sequence[int]]

_ROLL_WAYS = tuple((roll, 6 - abs(7 - roll)) for roll in (2, 3, 4, 5, 6, 8, 9, 10, 11, 12))


def collected(s: State, seat: int) -> int:
    """A hand, packed, of what the seat's towns collect in 36 rolls; the bandit is left aside."""
    income = s.income
    return sum([ways * income[MAX_SEATS * roll + seat] for roll, ways in _ROLL_WAYS])


class Unknown:
    """What a seat asked `kind` does not know, and what it makes likely.

    hand_counts: cards by seat.
    weights: by seat, how likely each resource is among the cards that are not seen.
    unseen: by kind, the dev cards in the deck, in opponents' hands, or played (knights aside).
    """

    def __init__(self, kind: str, view: PioneersView, memory: PioneersMemory) -> None:
        """ValueError for a spectator's view."""
        self._known = guess_state(kind, view, memory)
        assert view.seat is not None
        self._seat = view.seat
        self.hand_counts = view.hand_counts
        self._dev_counts = view.dev_counts
        self.weights = [_weights(self._known, seat) for seat in range(view.seats)]
        self.unseen = self._unseen()

    def likely(self, hands: Hands | None = None) -> State:
        """The state with the expected share of every card in every hand; always the same one.

        hands: by seat, packed hands that it may hold, each as likely as the others, where more
        is known about them than the view tells (see `beliefs`).
        """
        s = self._known.copy()
        left = list(self.unseen)
        for seat in self._opponents():
            if hands is None:
                piles = apportion(self._to_fill(s, seat), self.weights[seat])
                s.hands[seat] = self._sure(s, seat) + _packed(piles, UNITS)
            else:
                # The sum of packed hands: its lanes are wide enough for a few thousand cards.
                piles = apportion(self.hand_counts[seat], counts(sum(hands[seat])))
                s.hands[seat] = _packed(piles, UNITS)
            cards = _within(apportion(self._dev_counts[seat], left), self._most_hidden(seat))
            s.dev[seat] = _packed(cards, DEV_UNITS)
            left = [max(0, a - b) for a, b in zip(left, cards, strict=True)]
        deck = [card for card, count in enumerate(left) for _ in range(count)]
        s.deck = (*deck, *s.deck)[: len(s.deck)]
        return self._asked(s)

    def sample(self, draw: Draw, hands: Hands | None = None) -> State:
        """A state drawn from those that the view allows; dice and thefts to come included.

        hands: as in `likely`; those in the same place of each list go together.
        """
        s = self._known.copy()
        place = 0 if hands is None else draw(max(map(len, hands)))
        pool = [card for card, count in enumerate(self.unseen) for _ in range(count)]
        for last in range(len(pool) - 1, 0, -1):
            other = draw(last + 1)
            pool[last], pool[other] = pool[other], pool[last]
        for seat in self._opponents():
            s.hands[seat] = self._drawn(s, seat, draw) if hands is None else hands[seat][place]
            s.dev[seat] = self._deal_dev_cards(pool, seat)
        s.deck = (*pool, *s.deck)[: len(s.deck)]
        s.chance = Chance(draw(1 << 8 * SEED_BYTES).to_bytes(SEED_BYTES, "big"))
        return self._asked(s)

    def _drawn(self, s: State, seat: int, draw: Draw) -> int:
        """A hand of the right size, card by card."""
        hand = self._sure(s, seat)
        weights = self.weights[seat]
        total = sum(weights)
        for _ in range(self._to_fill(s, seat)):
            place = draw(total)
            r = 0
            while place >= weights[r]:
                place -= weights[r]
                r += 1
            hand += UNITS[r]
        return hand

    def _unseen(self) -> list[int]:
        s = self._known
        own = s.dev[self._seat] + s.bought
        left = [there_are - held(own, card) for card, there_are in enumerate(DECK_COUNTS)]
        left[KNIGHT] -= sum(s.knights)
        return left

    def _opponents(self) -> list[int]:
        return [seat for seat in range(self._known.n) if seat != self._seat]

    def _sure(self, s: State, seat: int) -> int:
        """The cards that the seat is known to hold: those it offers."""
        return s.offer.give if s.offer is not None and seat == s.current else 0

    def _to_fill(self, s: State, seat: int) -> int:
        return self.hand_counts[seat] - sum(counts(self._sure(s, seat)))

    def _most_hidden(self, seat: int) -> int:
        """How many victory point cards the seat can hold without having won in its last turn."""
        return max(0, WINNING_POINTS - 1 - self._known.scores[seat])

    def _deal_dev_cards(self, pool: list[int], seat: int) -> int:
        """Take the seat's dev cards off the shuffled pool."""
        most = self._most_hidden(seat)
        cards = 0
        for _ in range(self._dev_counts[seat]):
            full = held(cards, VICTORY_POINT) >= most
            at = len(pool) - 1
            while full and at > 0 and pool[at] == VICTORY_POINT:
                at -= 1
            cards += DEV_UNITS[pool.pop(at)]
        return cards

    def _asked(self, s: State) -> State:
        """Ask, besides the seat, all others who are asked at the same time."""
        if s.kind == "trade":
            s.offers = 1  # the open one, which is all that the seat knows of
            s.ask_about_offer()
        elif s.kind == "discard":
            s.ask("discard", mask_of(i for i, hand in enumerate(s.hands) if must_discard(hand)))
        return s


def apportion(count: int, weights: Sequence[int]) -> list[int]:
    """`count` shared out in proportion to the weights, the largest remainders rounded up."""
    total = sum(weights)
    if not total:
        return [0] * len(weights)
    shares = [count * weight // total for weight in weights]
    # Ties go to the first kinds: `sorted` keeps their order.
    by_remainder = sorted(range(len(weights)), key=lambda i: -(count * weights[i] % total))
    for i in by_remainder[: count - sum(shares)]:
        shares[i] += 1
    return shares


def _weights(s: State, seat: int) -> list[int]:
    # One way more for each: thefts and trades bring in what a seat does not collect.
    return [ways + 1 for ways in counts(collected(s, seat))]


def _within(cards: list[int], most: int) -> list[int]:
    """The cards with no more than `most` victory points among them; knights in their place."""
    over = max(0, cards[VICTORY_POINT] - most)
    cards[VICTORY_POINT] -= over
    cards[KNIGHT] += over
    return cards


def _packed(piles: Sequence[int], units: Sequence[int]) -> int:
    return sum(count * unit for count, unit in zip(piles, units, strict=True))
