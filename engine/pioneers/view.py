"""What a seat or a spectator may know of a match, and nothing more."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from engine.pioneers.actions import Bundle, Resource


class HexTile(Struct, frozen=True, gc=False):
    """One hex of the board; the desert has no token."""

    resource: Resource | Literal["desert"]
    """What the hex yields; the desert yields nothing."""
    token: int | None
    """The roll on which it yields; null for the desert. [pips of two dice]"""


class Port(Struct, frozen=True, gc=False):
    """A port on the coast: 2:1 for its resource, 3:1 for anything where `kind` is generic."""

    kind: Resource | Literal["generic"]
    """What is traded 2 for 1 here, or `generic`: anything 3 for 1."""
    vertices: tuple[int, int]
    """The two vertices from which the port is used. [vertex ids]"""


class DevCards(Struct, frozen=True, gc=False):
    """Dev cards by kind."""

    knight: int = 0
    """Knights. [cards]"""
    victory_point: int = 0
    """Victory points, 1 each. [cards]"""
    roadworks: int = 0
    """Roadworks. [cards]"""
    windfall: int = 0
    """Windfalls. [cards]"""
    embargo: int = 0
    """Embargoes. [cards]"""


class Awards(Struct, frozen=True, gc=False, rename="camel"):
    """Who holds the two awards, by seat."""

    largest_army: int | None = None
    """Who has the largest army; null for nobody. [seat, from 0]"""
    longest_road: int | None = None
    """Who has the longest road; null for nobody. [seat, from 0]"""


class Offer(Struct, frozen=True, gc=False):
    """An offer that waits for answers; `open` where every opponent was asked."""

    seat: int
    """Who made it. [seat, from 0]"""
    give: Bundle
    """What that seat would give."""
    get: Bundle
    """What it would get for it."""
    open: bool
    """Whether every opponent was asked, or only one."""


class Talk(Struct, frozen=True, gc=False):
    """One thing said at the table."""

    seat: int
    """Who said it. [seat, from 0] Example: `1`"""
    message: str
    """What was said. Example: `"who has ore?"`"""
    turn: int
    """In which turn. [turns, from 1; 0 in set-up] Example: `12`"""


Dice: TypeAlias = tuple[int, int]


class PioneersView(Struct, frozen=True, gc=False, rename="camel"):
    """The same shape for every decision kind. Lists are per seat unless said otherwise.

    A spectator's view has `seat`, `hand`, `dev_cards`, `dev_bought_this_turn` and `my_score`
    null.
    """

    seat: int | None
    """Whose view it is; null for a spectator. [seat, from 0]"""
    seats: int
    """How many seats the table has. [seats]"""
    current: int
    """Whose turn it is; in set-up, who places. [seat, from 0]"""
    turn: int
    """The turn's number, 0 in set-up. [turns]"""
    dice: Dice | None
    """What was rolled in this turn; null in set-up. [pips]"""
    hexes: tuple[HexTile, ...]
    """The island, by hex id."""
    ports: tuple[Port, ...]
    """The ports."""
    bandit: int
    """Where the bandit is. [hex id]"""
    settlements: tuple[tuple[int, ...], ...]
    """By seat. [vertex ids]"""
    cities: tuple[tuple[int, ...], ...]
    """By seat. [vertex ids]"""
    roads: tuple[tuple[int, ...], ...]
    """By seat. [edge ids]"""
    hand: Bundle | None
    """One's own resource cards."""
    hand_counts: tuple[int, ...]
    """By seat: how many resource cards each one holds. [cards]"""
    dev_cards: DevCards | None
    """One's own dev cards, those bought this turn included."""
    dev_bought_this_turn: DevCards | None
    """Those of them that were bought this turn and cannot be played yet."""
    dev_counts: tuple[int, ...]
    """By seat: how many dev cards each one holds. [cards]"""
    dev_deck: int
    """How many dev cards can still be bought. [cards]"""
    knights: tuple[int, ...]
    """By seat: how many knights each one has played. [cards]"""
    awards: Awards
    """Who holds the two awards."""
    road_lengths: tuple[int, ...]
    """By seat: the longest road of each one. [roads]"""
    scores: tuple[int, ...]
    """By seat: what everybody can see, hidden victory points left out. [points]"""
    my_score: int | None
    """One's own score, hidden victory points included. [points]"""
    must_discard: int
    """How many cards to give up after a 7; 0 where that is not asked. [cards]"""
    offer: Offer | None
    """The offer that is to be answered; null where there is none."""
    resigned: tuple[bool, ...]
    """By seat: who has resigned after three strikes and plays defaults."""
    talk: tuple[Talk, ...]
    """What was said last, oldest first. Example: `[{"seat": 1, "message": "hi", "turn": 3}]`"""
