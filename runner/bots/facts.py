"""The facts of a state that decide a seat's prospects, in four groups.

A group holds nothing else, so that what follows from it can be kept: between two states that a
bot compares, most facts are the same.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.pioneers.analysis import ways
from engine.pioneers.board import HEX_MASK
from engine.pioneers.building import MAX_CITIES, MAX_SETTLEMENTS
from engine.pioneers.determinize import collected
from engine.pioneers.devcards import hidden_points
from engine.pioneers.roads import LONGEST_ROAD_MINIMUM
from engine.pioneers.state import WINNING_POINTS, State


class SiteFacts(NamedTuple):
    """What decides where a seat can settle. Sets of vertices and edges are masks.

    touched: vertices that the seat's roads touch; towns: with its towns; blocked: with those of
    others; open: that the distance rule leaves free. taken: edges with any road.
    """

    lands: tuple[int, ...]
    tokens: tuple[int, ...]
    touched: int
    towns: int
    taken: int
    blocked: int
    open: int

    @classmethod
    def of(cls, s: State, seat: int) -> SiteFacts:
        """Read off a state."""
        own = s.own[seat]
        return cls(s.lands, s.tokens, s.touch[seat], own, s.taken, s.towns ^ own, s.open)


class IncomeFacts(NamedTuple):
    """What decides what a seat collects, and what it is good for.

    per_36: packed, what its towns collect in 36 rolls. blocked: cards of `land` among them that
    the bandit keeps back. ports: as `State` has them. missing: points to the win, at least 1.
    """

    per_36: int
    land: int
    blocked: int
    ports: int
    missing: int

    @classmethod
    def of(cls, s: State, seat: int) -> IncomeFacts:
        """Read off a state."""
        land, blocked = s.lands[s.bandit], 0
        here = s.own[seat] & HEX_MASK[s.bandit]
        if here and land >= 0:
            pieces = here.bit_count() + (s.own_cities[seat] & here).bit_count()
            blocked = pieces * ways(s.tokens[s.bandit])
        return cls(
            collected(s, seat),
            # One value for all states in which the bandit costs nothing.
            land if blocked else 0,
            blocked,
            s.ports[seat],
            max(1, WINNING_POINTS - points(s, seat)),
        )


class HandFacts(NamedTuple):
    """What a hand is good for. hand: packed. city, dev_card: whether there can be one more.
    site: roads to the nearest site, None where no settlement can follow."""

    hand: int
    city: bool
    site: int | None
    dev_card: bool

    @classmethod
    def of(cls, s: State, seat: int, nearest: int | None) -> HandFacts:
        """Read off a state; nearest: as `prospects.sites` finds it."""
        settlements = len(s.settlements[seat])
        return cls(
            s.hands[seat],
            settlements > 0 and len(s.cities[seat]) < MAX_CITIES,
            nearest if settlements < MAX_SETTLEMENTS else None,
            bool(s.deck),
        )


class StandingFacts(NamedTuple):
    """Points and what makes them.

    points: hidden ones included. dev_cards: unplayed ones, packed. Leads are over the best
    opponent; road_lead is over what it takes to be given the award, if that is more.
    order: turns until the seat's own.
    """

    points: int
    settlements: int
    cities: int
    dev_cards: int
    knights: int
    army: bool
    army_lead: int
    longest_road: bool
    road_length: int
    road_lead: int
    order: int

    @classmethod
    def of(cls, s: State, seat: int) -> StandingFacts:
        """Read off a state."""
        knights, lengths = s.knights, s.lengths
        most_knights, longest = 0, LONGEST_ROAD_MINIMUM - 1
        for other in range(s.n):
            if other != seat:
                most_knights = max(most_knights, knights[other])
                longest = max(longest, lengths[other])
        return cls(
            points(s, seat),
            len(s.settlements[seat]),
            len(s.cities[seat]),
            s.dev[seat] + s.bought if seat == s.current else s.dev[seat],
            knights[seat],
            s.largest_army == seat,
            knights[seat] - most_knights,
            s.longest_road == seat,
            lengths[seat],
            lengths[seat] - longest,
            (seat - s.current) % s.n,
        )


def points(s: State, seat: int) -> int:
    """A seat's points, hidden ones included."""
    return s.scores[seat] + hidden_points(s, seat)
