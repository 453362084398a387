"""How strong a seat stands in a state, and what that makes of its chances against the others.

A seat's strength is a weighted sum of its prospects. As in the Plackett-Luce model, a seat of
strength s comes first among a set of seats with probability exp(s) over the sum of all exp(s)
(Plackett 1975; Luce 1959); the weights are those that make the placements of many matches
between bots likeliest.

Sums are `math.fsum`'s, which round alike on every Python: `sum` does so from 3.12 on only.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from operator import mul

from engine.pioneers.state import State
from runner.bots import prospects, weights
from runner.bots.facts import HandFacts, IncomeFacts, SiteFacts, StandingFacts

_WIN_SHARE = 0.5  # of a win in what a bot strives for; the rest is for every seat left behind


def _in_order(names: Sequence[str], by_name: Mapping[str, float]) -> tuple[float, ...]:
    if by_name.keys() != {*names}:
        raise ValueError(f"weights for {sorted(by_name)}, prospects are {sorted(names)}")
    return tuple(by_name[name] for name in names)


_SITES = _in_order(prospects.SITES, weights.SITES)
_INCOME = _in_order(prospects.INCOME, weights.INCOME)
_HAND = _in_order(prospects.HAND, weights.HAND)
_STANDING = _in_order(prospects.STANDING, weights.STANDING)


# What comes back comes back within a decision or two. Larger caches were hit no more often, but
# gave the garbage collector so much to look through that it held up decisions.


@lru_cache(maxsize=1 << 12)
def _sites(facts: SiteFacts) -> tuple[float, int | None]:
    numbers, nearest = prospects.sites(facts)
    return math.fsum(map(mul, _SITES, numbers)), nearest


@lru_cache(maxsize=1 << 11)
def _income(facts: IncomeFacts) -> float:
    return math.fsum(map(mul, _INCOME, prospects.income(facts)))


@lru_cache(maxsize=1 << 13)
def _hand(facts: HandFacts, earned: IncomeFacts) -> float:
    return math.fsum(map(mul, _HAND, prospects.hand(facts, earned)))


@lru_cache(maxsize=1 << 11)
def _standing(facts: StandingFacts) -> float:
    return math.fsum(map(mul, _STANDING, prospects.standing(facts)))


def strength(s: State, seat: int) -> float:
    """How strong `seat` stands, in logits: only differences within a state mean something."""
    sites, nearest = _sites(SiteFacts.of(s, seat))
    earned = IncomeFacts.of(s, seat)
    return (
        sites
        + _income(earned)
        + _hand(HandFacts.of(s, seat, nearest), earned)
        + _standing(StandingFacts.of(s, seat))
    )


class Hands:
    """What different hands would be worth to a seat in one state, all else as it is."""

    def __init__(self, s: State, seat: int) -> None:
        _, nearest = _sites(SiteFacts.of(s, seat))
        self._earned = IncomeFacts.of(s, seat)
        self._facts = HandFacts.of(s, seat, nearest)
        self._worth = self.worth(self._facts.hand)

    def worth(self, hand: int) -> float:
        """What the packed hand adds to the seat's strength."""
        return _hand(HandFacts(hand, *self._facts[1:]), self._earned)

    def gain(self, hand: int) -> float:
        """How much stronger the seat would be with `hand` than it is."""
        return self.worth(hand) - self._worth


def success(strengths: Sequence[float], seat: int) -> float:
    """What a seat strives for, 0 … 1: to come first, and to leave others behind if not.

    Half of it is the probability that the seat comes first; half is the share of the others that
    it may expect to leave behind, each with the probability exp(own) / (exp(own) + exp(other)).
    strengths: by seat.
    """
    own = strengths[seat]
    total = 0.0
    ahead = 0.0
    for other in strengths:
        odds = math.exp(other - own)
        total += odds
        ahead += 1 / (1 + odds)
    # Each sum counts the seat itself: exp(0) in the one, half a win over itself in the other.
    others = len(strengths) - 1
    return _WIN_SHARE / total + (1 - _WIN_SHARE) * (ahead - 0.5) / others
