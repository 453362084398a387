"""Actions of Pioneers as choices: indices into one list for the whole game.

Seats are relative: 1 is the next seat after one's own, so that a policy need not know where it
sits. Every legal action (of offers: those that `legal` lists) is spelled in exactly one way, but
for the order in which cards are discarded, which is free:

- a discard: one card after the other, until enough are given up;
- roadworks: `play_roadworks`, then up to two of `build_road`, then `done` if they are not two;
- everything else: one choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from engine.encoding import Block, Layout
from engine.game import Action
from engine.pioneers.actions import RESOURCES, Bundle, Discard, MoveBandit, PlayRoadworks
from engine.pioneers.board import EDGE_COUNT, HEX_COUNT, VERTEX_COUNT
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
from engine.pioneers.view import PioneersView

_SEATS = 4
_ROADWORKS_ROADS = 2
_SETUPS: tuple[Action, ...] = tuple(move for moves in SETUPS for move in moves)

CHOICES = Layout(
    (
        Block(
            "setup",
            len(_SETUPS),
            "a settlement and its road: by vertex, then by edge that touches it",
        ),
        Block("end_turn", 1, "the turn is over"),
        Block("build_road", EDGE_COUNT, "by edge; after `play_roadworks` a free one"),
        Block("build_settlement", VERTEX_COUNT, "by vertex"),
        Block("build_city", VERTEX_COUNT, "by vertex"),
        Block("buy_dev_card", 1, "one card"),
        Block("play_knight", 1, "the bandit follows, a decision of its own"),
        Block("play_roadworks", 1, "its roads follow, each a choice of its own"),
        Block("play_windfall", 25, "5 times one resource, plus the other"),
        Block("play_embargo", 5, "by resource"),
        Block("bank_trade", 20, "4 times the resource given, plus which of the other four is got"),
        Block("offer_trade", 20, "the same; one card for one, to all opponents"),
        Block(
            "bandit",
            4 * HEX_COUNT,
            "4 times the hex, plus the victim's relative seat, or 0: nobody",
        ),
        Block("accept", 1, "an offer"),
        Block("reject", 1, "an offer"),
        Block("discard", 5, "one card, by resource"),
        Block("done", 1, "of roadworks: no more roads"),
    )
)

_START = CHOICES.starts
_ROAD = _START["build_road"]
_ROADWORKS = _START["play_roadworks"]
_DISCARD = _START["discard"]
_DONE = _START["done"]


@cache
def _single(seat: int, seats: int) -> dict[int, Action]:
    """The actions that are one choice, by choice, for `seat` of `seats`."""
    kinds = range(len(RESOURCES))
    blocks: dict[str, Sequence[Action]] = {
        "setup": _SETUPS,
        "end_turn": [END_TURN],
        "build_road": roads_on((1 << EDGE_COUNT) - 1),
        "build_settlement": settlements_on((1 << VERTEX_COUNT) - 1),
        "build_city": cities_on((1 << VERTEX_COUNT) - 1),
        "buy_dev_card": [BUY_DEV_CARD],
        "play_knight": [PLAY_KNIGHT],
        "play_windfall": WINDFALLS,
        "play_embargo": EMBARGOES,
        "bank_trade": [BANK_TRADES[give][get] for give in kinds for get in kinds if get != give],
        "offer_trade": [OFFERS[give][get] for give in kinds for get in kinds if get != give],
        "accept": [ACCEPT],
        "reject": [REJECT],
    }
    single = {
        _START[name] + place: action
        for name, actions in blocks.items()
        for place, action in enumerate(actions)
    }
    for h in range(HEX_COUNT):
        start = _START["bandit"] + _SEATS * h
        everybody = (1 << seats) - 1 ^ 1 << seat
        for move in BANDIT_MOVES[h][everybody]:
            assert isinstance(move, MoveBandit)
            single[start + (0 if move.victim is None else (move.victim - seat) % seats)] = move
    return single


@cache
def _choice_of(seat: int, seats: int) -> dict[Action, int]:
    """The same the other way round."""
    return {action: choice for choice, action in _single(seat, seats).items()}


def options(
    kind: str, view: PioneersView, legal: Sequence[Action], made: Sequence[int]
) -> list[int]:
    """The choices that may follow `made`, ascending."""
    if kind == "discard":
        assert view.hand is not None
        return [
            _DISCARD + r
            for r, name in enumerate(RESOURCES)
            if getattr(view.hand, name) > made.count(_DISCARD + r)
        ]
    if made:
        return _next_roads(legal, made)
    assert view.seat is not None
    choice_of = _choice_of(view.seat, view.seats)
    found = set()
    for action in legal:
        choice = choice_of.get(action)
        # Of all actions only roadworks takes several choices here.
        found.add(_ROADWORKS if choice is None else choice)
    return sorted(found)


def _next_roads(legal: Sequence[Action], made: Sequence[int]) -> list[int]:
    """How roadworks may go on."""
    edges = tuple(choice - _ROAD for choice in made[1:])
    place = len(edges)
    roads = {
        _ROAD + action.edges[place]
        for action in legal
        if isinstance(action, PlayRoadworks)
        and len(action.edges) > place
        and action.edges[:place] == edges
    }
    return [*sorted(roads), _DONE]


def action(kind: str, view: PioneersView, made: Sequence[int]) -> Action | None:
    """The action that `made` spells, None where it takes another choice."""
    if kind == "discard":
        if len(made) < view.must_discard:
            return None
        return Discard(discard=Bundle(*(made.count(_DISCARD + r) for r in range(len(RESOURCES)))))
    if made[0] != _ROADWORKS:
        assert view.seat is not None
        return _single(view.seat, view.seats)[made[0]]
    if made[-1] == _DONE:
        return roadworks(*(choice - _ROAD for choice in made[1:-1]))
    if len(made) == 1 + _ROADWORKS_ROADS:
        return roadworks(*(choice - _ROAD for choice in made[1:]))
    return None


def dropped(made: Sequence[int]) -> list[int]:
    """How many cards of each resource are among the choices made."""
    return [made.count(_DISCARD + r) for r in range(len(RESOURCES))]


def free_roads(made: Sequence[int]) -> tuple[int, ...]:
    """The edges among the choices made of roadworks."""
    return tuple(c - _ROAD for c in made[1:]) if made and made[0] == _ROADWORKS else ()
