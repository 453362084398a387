"""What a seat can answer, as typed structs: one type per decision kind, `turn` a tagged union.

All are immutable, so that the engine can hand out one object for one move, and none can be part
of a cycle, so that the garbage collector need not know them. Counts are cards.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

Resource: TypeAlias = Literal["brick", "lumber", "wool", "grain", "ore"]
DevCard: TypeAlias = Literal["knight", "victory_point", "roadworks", "windfall", "embargo"]

RESOURCES: tuple[Resource, ...] = ("brick", "lumber", "wool", "grain", "ore")
DEV_CARDS: tuple[DevCard, ...] = ("knight", "victory_point", "roadworks", "windfall", "embargo")

Hex: TypeAlias = Annotated[int, Meta(ge=0, le=18)]
Vertex: TypeAlias = Annotated[int, Meta(ge=0, le=53)]
Edge: TypeAlias = Annotated[int, Meta(ge=0, le=71)]
Seat: TypeAlias = Annotated[int, Meta(ge=0, le=3)]
# Up to the largest integer that every JSON reader takes exactly (RFC 8259, section 6).
Count: TypeAlias = Annotated[int, Meta(ge=0, le=2**53 - 1)]

MAX_TALK = 240


class Bundle(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Resource cards by kind; a kind left out means none."""

    brick: Count = 0
    """Brick cards. [cards]"""
    lumber: Count = 0
    """Lumber cards. [cards]"""
    wool: Count = 0
    """Wool cards. [cards]"""
    grain: Count = 0
    """Grain cards. [cards]"""
    ore: Count = 0
    """Ore cards. [cards]"""


class Setup(Struct, frozen=True, gc=False):
    """Place a settlement and a road on an edge that touches it."""

    settlement: Vertex
    """Where the settlement goes. [vertex id]"""
    road: Edge
    """Where the road goes, from the settlement. [edge id]"""


class Discard(Struct, frozen=True, gc=False):
    """Give up cards after a 7: exactly as many as the view's `mustDiscard` says."""

    discard: Bundle
    """What to give up, as many cards as the view's `mustDiscard`."""


class MoveBandit(Struct, frozen=True, gc=False, omit_defaults=True):
    """Move the bandit to another hex and, where a victim is named, take a card of theirs."""

    hex: Hex
    """Where the bandit goes, another hex than it is on. [hex id]"""
    victim: Seat | None = None
    """Whom to take a card of, where somebody there has one. [seat, from 0]"""
    talk: str | None = None
    """What to say to the table, up to 240 characters. Example: `"sorry"`"""


class Respond(Struct, frozen=True, gc=False, omit_defaults=True):
    """Answer an offer."""

    accept: bool
    """Whether the offer is taken."""
    talk: str | None = None
    """What to say to the table, up to 240 characters. Example: `"thanks"`"""


class EndTurn(Struct, frozen=True, gc=False, omit_defaults=True, tag="end_turn"):
    """End the turn; the next seat's dice are rolled."""

    talk: str | None = None
    """What to say to the table, up to 240 characters. Example: `"good luck"`"""


class BuildRoad(Struct, frozen=True, gc=False, tag="build_road"):
    """Build a road: 1 brick, 1 lumber."""

    edge: Edge
    """Where. [edge id]"""


class BuildSettlement(Struct, frozen=True, gc=False, tag="build_settlement"):
    """Build a settlement: 1 brick, 1 lumber, 1 wool, 1 grain."""

    vertex: Vertex
    """Where. [vertex id]"""


class BuildCity(Struct, frozen=True, gc=False, tag="build_city"):
    """Turn a settlement of one's own into a city: 3 ore, 2 grain."""

    vertex: Vertex
    """Which settlement of one's own. [vertex id]"""


class BuyDevCard(Struct, frozen=True, gc=False, tag="buy_dev_card"):
    """Take the next card of the deck: 1 ore, 1 wool, 1 grain."""


class PlayKnight(Struct, frozen=True, gc=False, tag="play_knight"):
    """Play a knight; a `bandit` decision follows."""


class PlayRoadworks(Struct, frozen=True, gc=False, tag="play_roadworks"):
    """Build up to two roads for nothing, in the order given."""

    edges: Annotated[tuple[Edge, ...], Meta(max_length=2)]
    """Where, the first one first. [edge ids]"""


class PlayWindfall(Struct, frozen=True, gc=False, tag="play_windfall"):
    """Take two cards from the bank, alike or not."""

    resources: tuple[Resource, Resource]
    """Which two."""


class PlayEmbargo(Struct, frozen=True, gc=False, tag="play_embargo"):
    """Take from every opponent all cards of one kind."""

    resource: Resource
    """Which kind."""


class BankTrade(Struct, frozen=True, gc=False, tag="bank_trade"):
    """Give 4 of a kind (3 or 2 with a port) for one card of another."""

    give: Resource
    """What to give."""
    get: Resource
    """What to get for it."""


class OfferTrade(Struct, frozen=True, gc=False, omit_defaults=True, tag="offer_trade"):
    """Offer cards for cards: to one seat, or to all where `to` is left out."""

    give: Bundle
    """What one would give."""
    get: Bundle
    """What one would get for it."""
    to: Seat | None = None
    """The only opponent asked; left out or null, all are. [seat, from 0] Example: `1`"""
    talk: str | None = None
    """What to say to the table, up to 240 characters. Example: `"who has ore?"`"""


TurnAction: TypeAlias = (
    EndTurn
    | BuildRoad
    | BuildSettlement
    | BuildCity
    | BuyDevCard
    | PlayKnight
    | PlayRoadworks
    | PlayWindfall
    | PlayEmbargo
    | BankTrade
    | OfferTrade
)

KINDS = {
    "setup": Setup,
    "turn": TurnAction,
    "discard": Discard,
    "bandit": MoveBandit,
    "trade": Respond,
}
