"""What the others may hold: possible hands, kept true to everything that happens in public.

A seat that counts along knows much of what it cannot see. What a roll pays is public, so is what
a building costs, and so are, to those who were asked, the terms of an offer; only thefts among
others, discards, trades at the bank and windfalls leave doubt. Where they do, `Beliefs` keeps what
could have happened (see `possible`).

It starts, and recovers after events that it missed, from any view.

    beliefs = Beliefs(draw)
    beliefs.saw(view, unknown.weights)  # asked for a decision
    beliefs.did(action)  # answered
    beliefs.heard(event)  # what came of it, and what the others did
    state = unknown.sample(draw, beliefs.hands)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from engine.game import Action, Event
from engine.pioneers import events as ev
from engine.pioneers.actions import Discard, OfferTrade, PlayEmbargo
from engine.pioneers.board import HEX_VERTICES, HEXES_AT, PORT_AT
from engine.pioneers.cards import (
    CITY_COST,
    DEV_CARD_COST,
    ROAD_COST,
    SETTLEMENT_COST,
    UNITS,
    covers,
    pack,
    total,
)
from engine.pioneers.determinize import Draw
from engine.pioneers.devcards import resource_index
from engine.pioneers.possible import PossibleHands, pile
from engine.pioneers.view import PioneersView

SIZE = 64
_FREE_ROADS = 2
_SURE = 1000  # to 1 that the seat is right about its own hand
_KINDS = range(len(UNITS))


class _Terms(NamedTuple):
    """Who gives what for what."""

    seat: int
    give: int
    get: int


class _Counted(NamedTuple):
    """What had been counted at some moment."""

    hands: list[list[int]]
    own: int
    bandit: int
    towns: dict[int, tuple[int, int]]


class Beliefs:
    """Possible hands of the opponents of one seat in one match.

    Call `saw` with every view that the seat is asked with, `did` with what it answers (and with
    what was played in its place, if it was), `heard` with every public event, as they come.
    """

    def __init__(self, draw: Draw, size: int = SIZE) -> None:
        """draw: source of chance; size: possible hands per seat.

        Everything follows from the draws and from the views, actions and events handed in.
        """
        self._draw = draw
        self._size = size
        self._seat: int | None = None
        self._possible: PossibleHands
        self._own = 0
        self._lands: list[int] = []
        self._tokens: list[int | None] = []
        self._bandit = 0
        self._towns: dict[int, tuple[int, int]] = {}  # by vertex: seat, cards it collects
        # What the next view will tell: whom the seat robbed, who robbed it. What follows on being
        # robbed is gone through again once the card is known.
        self._robbed: list[int] = []
        self._thieves: list[int] = []
        self._before: _Counted
        self._since: list[Event] = []
        # What the seat alone knows of what is about to happen.
        self._offer: _Terms | None = None
        self._discard = 0
        self._embargoed: int | None = None
        self._free_roads = 0
        # What the seat knows of the offer whose answers are being told.
        self._terms: _Terms | None = None
        self._handlers: dict[type, Callable[..., None]] = {
            ev.Placed: self._placed,
            ev.Rolled: self._rolled,
            ev.Discarded: self._discarded,
            ev.BanditMoved: self._bandit_moved,
            ev.RoadBuilt: self._road_built,
            ev.SettlementBuilt: self._settlement_built,
            ev.CityBuilt: self._city_built,
            ev.DevCardBought: self._dev_card_bought,
            ev.DevCardPlayed: self._dev_card_played,
            ev.BankTraded: self._bank_traded,
            ev.Offered: self._offered,
            ev.Responded: self._responded,
            ev.Traded: self._traded,
        }

    @property
    def hands(self) -> list[list[int]]:
        """By seat, `size` packed hands, each as likely as the others; none of the own seat.

        Those in the same place of each list go together. Before the first view: no seats.
        """
        return [] if self._seat is None else self._possible.of

    def odds(self, seat: int, wanted: int) -> float:
        """How likely an opponent holds `wanted`, packed."""
        return self._possible.odds(seat, wanted)

    def saw(self, view: PioneersView, weights: Sequence[Sequence[int]]) -> None:
        """Take in a view. ValueError for a spectator's.

        weights: by seat, how likely each resource is among cards of which nothing is known.
        """
        if view.seat is None or view.hand is None:
            raise ValueError("a spectator has no opponents")
        if self._seat is None:
            self._begin(view, view.seat)
        hand = pack(view.hand)
        self._settle_thefts(hand)
        self._own = hand
        self._bandit = view.bandit
        self._towns = {v: (seat, 1) for seat, at in enumerate(view.settlements) for v in at}
        self._towns |= {v: (seat, 2) for seat, at in enumerate(view.cities) for v in at}
        for seat in self._possible.others:
            self._possible.fit(seat, view.hand_counts[seat], weights[seat])
        self._offer = None
        if view.offer is not None:
            give = pack(view.offer.give)
            self._offer = _Terms(view.offer.seat, give, pack(view.offer.get))
            self._possible.keep(view.offer.seat, give)

    def did(self, action: Action) -> None:
        """Take in what the seat itself answers; most of it shows in its next view."""
        match action:
            case Discard():
                self._discard = pack(action.discard)
            case PlayEmbargo():
                self._embargoed = resource_index(action.resource)
            case OfferTrade() if self._seat is not None:
                self._offer = _Terms(self._seat, pack(action.give), pack(action.get))

    def heard(self, event: Event) -> None:
        """Take in a public event. Whatever comes before the first view shows in it."""
        if self._seat is None:
            return
        if self._thieves:
            self._since.append(event)
        self._handle(event)

    def _begin(self, view: PioneersView, seat: int) -> None:
        self._seat = seat
        self._possible = PossibleHands(view.seats, seat, self._size, self._draw)
        self._lands = [
            -1 if tile.resource == "desert" else resource_index(tile.resource)
            for tile in view.hexes
        ]
        self._tokens = [tile.token for tile in view.hexes]

    def _handle(self, event: Event) -> None:
        if not isinstance(event, ev.RoadBuilt | ev.AwardMoved):
            self._free_roads = 0
        handler = self._handlers.get(type(event))
        if handler is not None:
            handler(event)

    # Cards that everybody can name

    def _gain(self, seat: int, cards: int) -> None:
        if seat == self._seat:
            self._own += cards
        else:
            self._possible.gain(seat, cards)

    def _pay(self, seat: int, cards: int) -> None:
        if seat == self._seat:
            self._own -= cards
        else:
            self._possible.pay(seat, cards)

    def _placed(self, event: ev.Placed) -> None:
        if any(seat == event.seat for seat, _ in self._towns.values()):
            # The second settlement pays.
            lands = [self._lands[h] for h in HEXES_AT[event.vertex]]
            self._gain(event.seat, sum(UNITS[land] for land in lands if land >= 0))
        self._towns[event.vertex] = event.seat, 1

    def _rolled(self, event: ev.Rolled) -> None:
        gains = [0] * len(self.hands)
        for h, token in enumerate(self._tokens):
            if token == sum(event.dice) and h != self._bandit:
                for vertex in HEX_VERTICES[h]:
                    if vertex in self._towns:
                        seat, cards = self._towns[vertex]
                        gains[seat] += cards * UNITS[self._lands[h]]
        for seat, gain in enumerate(gains):
            if gain:
                self._gain(seat, gain)

    def _road_built(self, event: ev.RoadBuilt) -> None:
        if self._free_roads:
            self._free_roads -= 1
        else:
            self._pay(event.seat, ROAD_COST)

    def _settlement_built(self, event: ev.SettlementBuilt) -> None:
        self._pay(event.seat, SETTLEMENT_COST)
        self._towns[event.vertex] = event.seat, 1

    def _city_built(self, event: ev.CityBuilt) -> None:
        self._pay(event.seat, CITY_COST)
        self._towns[event.vertex] = event.seat, 2

    def _dev_card_bought(self, event: ev.DevCardBought) -> None:
        self._pay(event.seat, DEV_CARD_COST)

    # Cards that only those concerned can name

    def _discarded(self, event: ev.Discarded) -> None:
        if event.seat != self._seat:
            self._possible.lose_any(event.seat, event.count)
        elif covers(self._own, self._discard):
            self._own -= self._discard

    def _bandit_moved(self, event: ev.BanditMoved) -> None:
        self._bandit = event.hex
        if not event.stolen or event.victim is None:
            return
        if event.seat == self._seat:
            self._robbed.append(event.victim)
        elif event.victim == self._seat:
            if not self._thieves:
                self._before = _Counted(
                    [[*hands] for hands in self.hands], self._own, self._bandit, {**self._towns}
                )
            self._thieves.append(event.seat)
        else:
            self._possible.lose_any(event.victim, event.stolen, to=event.seat)

    def _settle_thefts(self, hand: int) -> None:
        """The own hand shows which card went where, if it differs by just one."""
        robbed, thieves, since = self._robbed, self._thieves, self._since
        self._robbed, self._thieves, self._since = [], [], []
        certain = len(robbed) + len(thieves) == 1
        for victim in robbed:
            card = hand - self._own
            if certain and card in UNITS:
                self._possible.lose_one(victim, card)
            else:
                self._possible.lose_any(victim, 1)
        for thief in thieves:
            card = self._own - hand
            if certain and card in UNITS:
                # It may have been spent since, so that what followed looks different.
                self._possible.of, self._own, self._bandit, self._towns = self._before
                self._possible.gain(thief, card)
                self._own -= card
                for event in since:
                    self._handle(event)
            else:
                self._possible.choose(thief, 1)

    def _dev_card_played(self, event: ev.DevCardPlayed) -> None:
        if event.card == "roadworks":
            self._free_roads = _FREE_ROADS
        elif event.card == "windfall" and event.seat != self._seat:
            self._possible.choose(event.seat, event.taken[event.seat])
        elif event.card == "embargo":
            self._embargo(event)

    def _embargo(self, event: ev.DevCardPlayed) -> None:
        taken, seat = event.taken, self._seat
        assert seat is not None
        odds = [1] * len(UNITS)
        if event.seat == seat:
            if self._embargoed is not None:
                odds = [int(r == self._embargoed) for r in _KINDS]
        else:
            # What the seat lost itself says which resource it may have been.
            odds = [1 + _SURE * (pile(self._own, r) == -taken[seat]) for r in _KINDS]
        r = self._possible.embargo(event.seat, taken, odds)
        self._own += taken[seat] * UNITS[r]

    def _bank_traded(self, event: ev.BankTraded) -> None:
        if event.seat == self._seat:
            return
        ports = 0
        for vertex, (seat, _) in self._towns.items():
            ports |= PORT_AT[vertex] if seat == event.seat else 0
        self._possible.trade_at_bank(event.seat, event.given, ports)

    # Offers

    def _offered(self, event: ev.Offered) -> None:
        """Told once the answers are in: they follow. The terms are known to those asked alone."""
        offer, self._offer, self._terms = self._offer, None, None
        if offer is not None:
            seat, give, get = offer
            if (seat, total(give), total(get)) == (event.seat, event.give, event.get):
                self._terms = offer

    def _responded(self, event: ev.Responded) -> None:
        if event.accept and self._terms is not None and event.seat != self._seat:
            self._possible.keep(event.seat, self._terms.get)

    def _traded(self, event: ev.Traded) -> None:
        if self._terms is not None:
            _, give, get = self._terms
            self._pay(event.seat, give)
            self._pay(event.partner, get)
            self._gain(event.seat, get)
            self._gain(event.partner, give)
        elif self._seat not in (event.seat, event.partner):
            self._possible.swap_any(event.seat, event.given, event.partner, event.got)
