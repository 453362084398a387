"""What a seat or a spectator may know of a match, and nothing more."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from engine.pioneers.actions import Bundle, Resource


class HexTile(Struct, frozen=True, gc=False):
    """One hex of the board; the desert has no token."""

    resource: Resource | Literal["desert"]
    token: int | None


class Port(Struct, frozen=True, gc=False):
    """A port on the coast: 2:1 for its resource, 3:1 for anything where `kind` is generic."""

    kind: Resource | Literal["generic"]
    vertices: tuple[int, int]


class DevCards(Struct, frozen=True, gc=False):
    """Dev cards by kind."""

    knight: int = 0
    victory_point: int = 0
    roadworks: int = 0
    windfall: int = 0
    embargo: int = 0


class Awards(Struct, frozen=True, gc=False, rename="camel"):
    """Who holds the two awards, by seat."""

    largest_army: int | None = None
    longest_road: int | None = None


class Offer(Struct, frozen=True, gc=False):
    """An offer that waits for answers; `open` where every opponent was asked."""

    seat: int
    give: Bundle
    get: Bundle
    open: bool


class Talk(Struct, frozen=True, gc=False):
    """One thing said at the table."""

    seat: int
    message: str
    turn: int


Dice: TypeAlias = tuple[int, int]


class PioneersView(Struct, frozen=True, gc=False, rename="camel"):
    """The same shape for every decision kind. Lists are per seat unless said otherwise.

    A spectator's view has `seat`, `hand`, `dev_cards`, `dev_bought_this_turn` and `my_score`
    null.
    """

    seat: int | None
    seats: int
    current: int
    turn: int
    dice: Dice | None
    hexes: tuple[HexTile, ...]
    ports: tuple[Port, ...]
    bandit: int
    settlements: tuple[tuple[int, ...], ...]
    cities: tuple[tuple[int, ...], ...]
    roads: tuple[tuple[int, ...], ...]
    hand: Bundle | None
    hand_counts: tuple[int, ...]
    dev_cards: DevCards | None
    dev_bought_this_turn: DevCards | None
    dev_counts: tuple[int, ...]
    dev_deck: int
    knights: tuple[int, ...]
    awards: Awards
    road_lengths: tuple[int, ...]
    scores: tuple[int, ...]
    my_score: int | None
    must_discard: int
    offer: Offer | None
    resigned: tuple[bool, ...]
    talk: tuple[Talk, ...]
