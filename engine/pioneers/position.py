"""A whole Pioneers state as a struct with JSON both ways: what a FEN is to chess.

Positions are for tests, bug reports and analysis; they hold hidden facts.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from engine.pioneers.actions import Bundle, DevCard, Edge, Hex, Seat, Vertex
from engine.pioneers.view import Awards, DevCards, HexTile, Talk

Die = Annotated[int, Meta(ge=1, le=6)]


class OpenOffer(Struct, frozen=True):
    """An offer of the current seat that waits for answers; `to` None asks every opponent."""

    give: Bundle
    get: Bundle
    to: Seat | None = None


class Position(Struct, frozen=True, rename="camel", forbid_unknown_fields=True, kw_only=True):
    """Everything there is to know of a match. Lists are per seat unless said otherwise; ids in
    them may stand in any order.

    turn: 0 in set-up, then 1 to 200; 201 once the turn cap has ended the match.
    current: whose turn it is; in set-up, who places next.
    dice: this turn's roll; None in set-up and while `must_roll`.
    deck: cards left to buy, the next one first.
    must_roll: the turn's roll is still to come; it falls as soon as a match starts from here.
    seed: 64 hex digits; dice to come and thefts are drawn from it.

    The last three tell states apart in the middle of a turn. Left out, the current seat is
    asked `turn` (in set-up `setup`) and no card has been stolen yet.

    asked: "discard" (all seats with more than 7 cards, then the bandit), "bandit", or None.
    offer: the offer that is waiting for answers, if any.
    steals: how many cards the bandit has taken so far, which is the next draw of that stream.
    """

    seats: Annotated[int, Meta(ge=3, le=4)]
    turn: Annotated[int, Meta(ge=0, le=201)]
    current: Seat
    dice: tuple[Die, Die] | None
    hexes: tuple[HexTile, ...]
    bandit: Hex
    settlements: tuple[tuple[Vertex, ...], ...]
    cities: tuple[tuple[Vertex, ...], ...]
    roads: tuple[tuple[Edge, ...], ...]
    hands: tuple[Bundle, ...]
    dev_cards: tuple[DevCards, ...]
    dev_bought_this_turn: tuple[DevCards, ...]
    knights: tuple[Annotated[int, Meta(ge=0, le=14)], ...]
    awards: Awards
    deck: tuple[DevCard, ...]
    offers_this_turn: Annotated[int, Meta(ge=0, le=5)] = 0
    dev_played: bool = False
    must_roll: bool = False
    seed: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    talk: tuple[Talk, ...] = ()
    resigned: tuple[bool, ...]
    asked: Literal["discard", "bandit"] | None = None
    offer: OpenOffer | None = None
    steals: Annotated[int, Meta(ge=0)] = 0
