"""The state of one match: plain facts in slots, and what can be read off them.

What copies share is immutable: ints (hands, sets of vertices and edges), tuples, structs. What
changes in place is a flat list of such values with one entry per seat.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeAlias

from engine.chance import Chance
from engine.game import Event
from engine.pioneers.actions import MAX_TALK, RESOURCES
from engine.pioneers.board import ALL_VERTICES, bits
from engine.pioneers.events import Said
from engine.pioneers.trades import Terms
from engine.pioneers.view import HexTile, Talk

MAX_SEATS = 4
LAST_TURN = 200
WINNING_POINTS = 10
AWARD_POINTS = 2
TALK_IN_VIEW = 20
DISCARD_ABOVE = 7

DESERT = -1
_LANDS = {"desert": DESERT} | {name: r for r, name in enumerate(RESOURCES)}

Asked: TypeAlias = Mapping[int, str]
NOBODY: Asked = MappingProxyType({})

# Whom to ask, by kind and set of seats: the only mappings that `pending` ever returns.
_ASKED: dict[str, tuple[Asked, ...]] = {
    kind: tuple(
        MappingProxyType(dict.fromkeys(bits(seats), kind)) for seats in range(1 << MAX_SEATS)
    )
    for kind in ("setup", "turn", "discard", "bandit", "trade")
}
_ASK_TO_ACT: tuple[Asked, ...] = tuple(_ASKED["turn"][1 << seat] for seat in range(MAX_SEATS))


class State:
    """One match. Lists are per seat; `None` for a seat or an award means nobody.

    placed: settlements placed in set-up so far.
    kind, asked: what is asked and of whom; kind is "over" when the match is.
    lands: resource index of each hex, -1 for the desert; tokens: its number, 0 for the desert.
    income: packed cards that a roll pays, at [4 * roll + seat], the bandit not yet considered.
    towns, taken: vertices with any town, edges with any road; open: vertices that the distance
    rule leaves free. own, own_cities, own_roads: a seat's towns (cities included), cities, roads.
    reach: edges, free or not, that a seat's network touches; touch: vertices its roads touch.
    seats_on: per hex, the set of seats with a town there.
    dev: dev cards a seat may play or keep, packed (see devcards); bought: the current seat's
    cards of this turn.
    """

    __slots__ = (
        "asked",
        "bandit",
        "bought",
        "chance",
        "cities",
        "current",
        "deck",
        "dev",
        "dev_played",
        "dice",
        "hands",
        "hexes",
        "income",
        "kind",
        "knights",
        "lands",
        "largest_army",
        "lengths",
        "longest_road",
        "n",
        "offer",
        "offer_to",
        "offers",
        "open",
        "own",
        "own_cities",
        "own_roads",
        "placed",
        "ports",
        "reach",
        "reason",
        "resigned",
        "roads",
        "scores",
        "seats_on",
        "settlements",
        "steals",
        "taken",
        "talk",
        "tokens",
        "touch",
        "towns",
        "turn",
    )

    def __init__(
        self, n: int, chance: Chance, hexes: tuple[HexTile, ...], deck: tuple[int, ...]
    ) -> None:
        """An empty island at the start of set-up."""
        self.n = n
        self.chance = chance
        self.hexes = hexes
        self.lands = tuple(_LANDS[tile.resource] for tile in hexes)
        self.tokens = tuple(tile.token or 0 for tile in hexes)
        self.deck = deck
        self.bandit = self.lands.index(DESERT)
        self.turn = 0
        self.current = 0
        self.placed = 0
        self.dice: tuple[int, int] | None = None
        self.reason: str | None = None

        self.hands = [0] * n
        self.income = [0] * (13 * MAX_SEATS)
        self.scores = [0] * n
        self.settlements: list[tuple[int, ...]] = [()] * n
        self.cities: list[tuple[int, ...]] = [()] * n
        self.roads: list[tuple[int, ...]] = [()] * n
        self.towns = 0
        self.taken = 0
        self.open = ALL_VERTICES
        self.own = [0] * n
        self.own_cities = [0] * n
        self.own_roads = [0] * n
        self.reach = [0] * n
        self.touch = [0] * n
        self.ports = [0] * n
        self.seats_on = [0] * len(hexes)
        self.lengths = [0] * n
        self.longest_road: int | None = None

        self.dev = [0] * n
        self.bought = 0
        self.dev_played = False
        self.knights = [0] * n
        self.largest_army: int | None = None
        self.steals = 0

        self.offers = 0
        self.offer: Terms | None = None
        self.offer_to: int | None = None
        self.talk: tuple[Talk, ...] = ()
        self.resigned = (False,) * n
        self.ask("setup", 1)

    def copy(self) -> State:
        """An independent state, equal in everything."""
        new: State = State.__new__(State)
        new.n = self.n
        new.chance = self.chance
        new.hexes = self.hexes
        new.lands = self.lands
        new.tokens = self.tokens
        new.deck = self.deck
        new.bandit = self.bandit
        new.turn = self.turn
        new.current = self.current
        new.placed = self.placed
        new.dice = self.dice
        new.reason = self.reason
        new.hands = self.hands.copy()
        new.income = self.income.copy()
        new.scores = self.scores.copy()
        new.settlements = self.settlements.copy()
        new.cities = self.cities.copy()
        new.roads = self.roads.copy()
        new.towns = self.towns
        new.taken = self.taken
        new.open = self.open
        new.own = self.own.copy()
        new.own_cities = self.own_cities.copy()
        new.own_roads = self.own_roads.copy()
        new.reach = self.reach.copy()
        new.touch = self.touch.copy()
        new.ports = self.ports.copy()
        new.seats_on = self.seats_on.copy()
        new.lengths = self.lengths.copy()
        new.longest_road = self.longest_road
        new.dev = self.dev.copy()
        new.bought = self.bought
        new.dev_played = self.dev_played
        new.knights = self.knights.copy()
        new.largest_army = self.largest_army
        new.steals = self.steals
        new.offers = self.offers
        new.offer = self.offer
        new.offer_to = self.offer_to
        new.talk = self.talk
        new.resigned = self.resigned
        new.kind = self.kind
        new.asked = self.asked
        return new

    def ask(self, kind: str, seats: int) -> None:
        """Ask the set `seats` for a decision of `kind` next."""
        self.kind = kind
        self.asked = _ASKED[kind][seats]

    def ask_to_act(self) -> None:
        """Ask the current seat for its next `turn` decision."""
        self.kind = "turn"
        self.asked = _ASK_TO_ACT[self.current]

    def ask_about_offer(self) -> None:
        """Ask those to whom the open offer is made: one seat, or every opponent."""
        to, current = self.offer_to, self.current
        self.ask("trade", (1 << self.n) - 1 ^ 1 << current if to is None else 1 << to)

    def end(self, reason: str) -> None:
        """End the match."""
        self.reason = reason
        self.kind = "over"
        self.asked = NOBODY

    def blocked_for(self, seat: int) -> int:
        """The vertices with an opponent's town."""
        return self.towns ^ self.own[seat]

    def say(self, seat: int, talk: str, events: list[Event]) -> None:
        """Log what a seat says, cut to MAX_TALK code points."""
        message = talk[:MAX_TALK]
        entry = Talk(seat=seat, message=message, turn=self.turn)
        self.talk = (*self.talk[1 - TALK_IN_VIEW :], entry)
        events.append(Said(seat=seat, message=message))
