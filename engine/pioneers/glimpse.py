"""A match as one seat can know it: its view, and what it remembers of its own turn."""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

from engine.chance import SEED_BYTES, Chance
from engine.game import Action
from engine.pioneers.actions import (
    OfferTrade,
    PlayEmbargo,
    PlayKnight,
    PlayRoadworks,
    PlayWindfall,
)
from engine.pioneers.board import mask_of
from engine.pioneers.cards import BRICK, pack
from engine.pioneers.convert import lay_awards, lay_pieces
from engine.pioneers.devcards import KNIGHT, pack_dev
from engine.pioneers.state import State
from engine.pioneers.trades import terms
from engine.pioneers.trading import MAX_OFFERS
from engine.pioneers.view import HexTile, PioneersView

_DEV_PLAYS = (PlayKnight, PlayRoadworks, PlayWindfall, PlayEmbargo)


class PioneersMemory:
    """Offers made and dev card played in the seat's turn number `turn`."""

    __slots__ = ("dev_played", "offers", "turn")

    def __init__(self) -> None:
        self.turn = 0
        self.offers = 0
        self.dev_played = False

    def begin(self, kind: str, view: PioneersView) -> None:
        """Take in the first request that the seat remembers.

        In a turn of its own it may have made its offers and played its dev card before.
        """
        if kind != "setup" and view.current == view.seat:
            self.turn = view.turn
            self.offers = MAX_OFFERS
            self.dev_played = True

    def note(self, kind: str, view: PioneersView, action: Action) -> None:
        """Take in that the seat answered a request of `kind`, made with `view`, by `action`."""
        if view.turn != self.turn:
            self.turn = view.turn
            self.offers = 0
            self.dev_played = False
        if kind == "turn":
            if isinstance(action, OfferTrade):
                self.offers += 1
            elif isinstance(action, _DEV_PLAYS):
                self.dev_played = True


def guess_state(kind: str, view: PioneersView, memory: PioneersMemory) -> State:
    """A state in which the moves of `view.seat`, asked `kind`, are exactly those of the match.

    What the seat cannot know is filled in: opponents hold bricks, the deck holds knights.
    ValueError for a spectator's view.
    """
    seat = view.seat
    if seat is None or view.hand is None or view.dev_cards is None:
        raise ValueError("a spectator's view shows no hand to play from")
    s = _island(view.hexes, view.settlements, view.cities, view.roads).copy()
    s.deck = (KNIGHT,) * view.dev_deck
    s.turn = view.turn
    s.current = view.current
    s.placed = sum(len(vertices) for vertices in view.settlements)
    s.dice = view.dice
    s.bandit = view.bandit
    lay_awards(s, view.awards)
    s.hands = [count * BRICK for count in view.hand_counts]
    s.hands[seat] = pack(view.hand)
    s.dev = list(view.dev_counts)
    s.dev[seat] = pack_dev(view.dev_cards)
    if view.dev_bought_this_turn is not None:
        s.bought = pack_dev(view.dev_bought_this_turn)
    s.knights = list(view.knights)
    if memory.turn == view.turn:
        s.offers = memory.offers
        s.dev_played = memory.dev_played
    s.talk = view.talk
    s.resigned = view.resigned
    if view.offer is not None:
        s.offer = terms(view.offer.give, view.offer.get)
        s.offer_to = None if view.offer.open else seat
    s.ask(kind, mask_of((seat,)))
    return s


_Pieces: TypeAlias = tuple[tuple[int, ...], ...]


@lru_cache(maxsize=64)
def _island(
    hexes: tuple[HexTile, ...], settlements: _Pieces, cities: _Pieces, roads: _Pieces
) -> State:
    """An island with these pieces: they stay as they are for decisions on end. To be copied."""
    s = State(len(roads), Chance(bytes(SEED_BYTES)), hexes, ())
    lay_pieces(s, settlements, cities, roads)
    return s
