"""Pioneers as numbers, behind the contract of `engine.encoding`.

Seats are relative and there are always four places for them: one's own seat first, then the next
ones in turn; with three seats the last place is 0 throughout. Numbers are plain counts and flags,
nothing is scaled. Left out of the observation is what never differs in a match without talk and
resignations: ports, talk, who has resigned.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from msgspec.structs import astuple

from engine.encoding import Block, Encoding, Layout
from engine.game import Action
from engine.pioneers import choices
from engine.pioneers.actions import RESOURCES
from engine.pioneers.analysis import may_play_dev_card, offers_left
from engine.pioneers.board import EDGE_COUNT, HEX_COUNT, VERTEX_COUNT
from engine.pioneers.building import MAX_ROADS
from engine.pioneers.cards import MOST_CARDS
from engine.pioneers.devcards import DECK_COUNTS
from engine.pioneers.glimpse import PioneersMemory
from engine.pioneers.state import LAST_TURN, MAX_SEATS
from engine.pioneers.trading import MAX_OFFERS
from engine.pioneers.view import HexTile, Offer, PioneersView

_KINDS = ("setup", "turn", "discard", "bandit", "trade")
_LANDS = (*RESOURCES, "desert")
_DICE_SIDES = 6
_DECK = sum(DECK_COUNTS)
_HALF = MOST_CARDS // 2
# 5 settlements, 4 cities, two awards of 2 points, all victory point cards.
_MOST_POINTS = 5 + 2 * 4 + 2 * 2 + DECK_COUNTS[1]

FIELDS = Layout(
    (
        Block("kind", len(_KINDS), f"1 for what is asked: {', '.join(_KINDS)}; all 0: nothing"),
        Block("seats", 1, "how many seats there are", MAX_SEATS),
        Block("turn", 1, "0 in set-up", LAST_TURN),
        Block("current", 4, "by seat: 1 for whose turn it is"),
        Block("dice", 2, "0 in set-up", _DICE_SIDES),
        Block("hand", 5, "one's own cards, by resource", MOST_CARDS),
        Block("hand_counts", 4, "by seat: how many cards", MOST_CARDS),
        Block("dev_cards", 5, "one's own that were not bought this turn, by kind", _DECK),
        Block("dev_bought", 5, "one's own that were bought this turn, by kind", _DECK),
        Block("dev_counts", 4, "by seat: how many dev cards, unplayed", _DECK),
        Block("dev_deck", 1, "dev cards left to buy", _DECK),
        Block("knights", 4, "by seat: knights played", DECK_COUNTS[0]),
        Block("largest_army", 4, "by seat: 1 for who holds it"),
        Block("longest_road", 4, "by seat: 1 for who holds it"),
        Block("road_lengths", 4, "by seat: the longest road", MAX_ROADS),
        Block("scores", 4, "by seat: public points", _MOST_POINTS),
        Block("my_score", 1, "one's own points, hidden ones included", _MOST_POINTS),
        Block("offers_left", 1, "offers that one may still make in this turn", MAX_OFFERS),
        Block("may_play_dev_card", 1, "1 unless one has played a dev card this turn"),
        Block("must_discard", 1, "cards to give up, those chosen already included", _HALF),
        Block("dropped", 5, "of these, the cards chosen so far, by resource", _HALF),
        Block("in_roadworks", 1, "1 while the roads of roadworks are chosen"),
        Block("offer_by", 4, "by seat: 1 for whose offer one is asked about"),
        Block("offer_give", 5, "what that offer gives, by resource", MOST_CARDS),
        Block("offer_get", 5, "what that offer asks, by resource", MOST_CARDS),
        Block("offer_open", 1, "1 if all opponents are asked"),
        Block("land", 6 * HEX_COUNT, "6 times the hex, plus its resource or, 5, the desert: 1"),
        Block("token", HEX_COUNT, "by hex: its number, 0 for the desert", 12),
        Block("bandit", HEX_COUNT, "by hex: 1 where the bandit is"),
        Block("settlements", 4 * VERTEX_COUNT, "54 times the seat, plus the vertex: 1"),
        Block("cities", 4 * VERTEX_COUNT, "54 times the seat, plus the vertex: 1"),
        Block("roads", 4 * EDGE_COUNT, "72 times the seat, plus the edge: 1"),
        Block("free_roads", EDGE_COUNT, "by edge: 1 where roadworks will build, as chosen so far"),
    )
)


class PioneersEncoding(Encoding):
    """Pioneers for programs that learn."""

    __slots__ = ()

    choices = choices.CHOICES
    fields = FIELDS

    def options(
        self, kind: str, view: Any, legal: Sequence[Action], made: Sequence[int]
    ) -> Sequence[int]:
        """The choices that may follow `made`, ascending."""
        return choices.options(kind, view, legal, made)

    def action(self, kind: str, view: Any, made: Sequence[int]) -> Action | None:
        """The action that `made` spells, None where it takes another choice."""
        return choices.action(kind, view, made)

    def observe(self, kind: str | None, view: Any, memory: Any, made: Sequence[int]) -> array[int]:
        """What the seat of `view` sees and remembers, as the values of FIELDS."""
        return _observe(kind, view, memory, made)


def _observe(
    kind: str | None, view: PioneersView, memory: PioneersMemory, made: Sequence[int]
) -> array[int]:
    seat, seats = view.seat, view.seats
    if seat is None:
        raise ValueError("only a seat's view is encoded, not a spectator's")
    # What follows is there in every seat's view.
    assert view.hand is not None
    assert view.dev_cards is not None
    assert view.dev_bought_this_turn is not None
    assert view.my_score is not None
    order = _ORDERS[seats][seat]
    none = _NOBODY[seats:]
    offer = view.offer
    out = array(
        "h",
        (
            *_ASKED[kind],
            seats,
            view.turn,
            *_holder(view.current, seat, seats),
            *(view.dice or (0, 0)),
            *astuple(view.hand),
            *[view.hand_counts[other] for other in order],
            *none,
            *astuple(view.dev_cards),
            *astuple(view.dev_bought_this_turn),
            *[view.dev_counts[other] for other in order],
            *none,
            view.dev_deck,
            *[view.knights[other] for other in order],
            *none,
            *_holder(view.awards.largest_army, seat, seats),
            *_holder(view.awards.longest_road, seat, seats),
            *[view.road_lengths[other] for other in order],
            *none,
            *[view.scores[other] for other in order],
            *none,
            view.my_score,
            offers_left(view, memory),
            may_play_dev_card(view, memory),
            view.must_discard,
            *choices.dropped(made),
            kind == "turn" and bool(made),
            *(_NO_OFFER if offer is None else _offer(offer, seat, seats)),
        ),
    )
    # What is long is kept ready, by what it shows, and only copied.
    out += _island(view.hexes)
    out += _marks((view.bandit,), HEX_COUNT)
    for pieces, size in (
        (view.settlements, VERTEX_COUNT),
        (view.cities, VERTEX_COUNT),
        (view.roads, EDGE_COUNT),
    ):
        for other in order:
            out += _marks(pieces[other], size)
        out += _marks((), len(none) * size)
    out += _marks(choices.free_roads(made), EDGE_COUNT)
    return out


_ASKED = {kind: tuple(int(kind == other) for other in _KINDS) for kind in (None, *_KINDS)}
_NOBODY = (0,) * MAX_SEATS
_NO_OFFER = (0,) * (MAX_SEATS + 2 * len(RESOURCES) + 1)

# By number of seats, then by one's own seat: the seats in turn, one's own first.
_ORDERS = {
    seats: tuple(tuple((seat + step) % seats for step in range(seats)) for seat in range(seats))
    for seats in (3, 4)
}


def _offer(offer: Offer, seat: int, seats: int) -> tuple[int, ...]:
    """The fields from `offer_by` to `offer_open`."""
    # An offer may ask for more than there can be; it is as good as one that asks for all.
    asked = [min(count, MOST_CARDS) for count in astuple(offer.get)]
    return (*_holder(offer.seat, seat, seats), *astuple(offer.give), *asked, offer.open)


@lru_cache(maxsize=1 << 12)
def _marks(ids: tuple[int, ...], size: int) -> array[int]:
    """1 at each of the ids."""
    marks = array("h", bytes(2 * size))
    for i in ids:
        marks[i] = 1
    return marks


@lru_cache(maxsize=128)
def _holder(holder: int | None, seat: int, seats: int) -> tuple[int, ...]:
    """1 at the place of a seat, counted from `seat`."""
    place = None if holder is None else (holder - seat) % seats
    return tuple(int(place == other) for other in range(MAX_SEATS))


@lru_cache(maxsize=64)
def _island(hexes: tuple[HexTile, ...]) -> array[int]:
    """The fields `land` and `token`."""
    lands = (tile.resource == land for tile in hexes for land in _LANDS)
    return array("h", (*lands, *(tile.token or 0 for tile in hexes)))


ENCODING = PioneersEncoding()
