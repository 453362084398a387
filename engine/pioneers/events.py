"""What happened, as everybody at the table may know it.

An event never says more than the views do: cards that change hands show as counts.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct


class Event(Struct, frozen=True, gc=False, rename="camel", tag_field="event", tag=True):
    """Base of all events; `seat` is who did it or whom it befell."""

    seat: int
    """Who did it, or whom it befell. [seat, from 0] Example: `2`"""


class Placed(Event, frozen=True, gc=False, tag="placed"):
    """Set-up: a settlement and its road."""

    vertex: int
    """Where the settlement is. [vertex id]"""
    edge: int
    """Where the road is. [edge id]"""


class Rolled(Event, frozen=True, gc=False, tag="rolled"):
    """A turn began: its number, its dice, and how many cards each seat collected."""

    turn: int
    """The number of the turn that began. [turns]"""
    dice: tuple[int, int]
    """What was rolled. [pips]"""
    collected: tuple[int, ...]
    """By seat: how many cards each one collected. [cards]"""


class Discarded(Event, frozen=True, gc=False, tag="discarded"):
    """Cards given up after a 7."""

    count: int
    """How many. [cards]"""


class BanditMoved(Event, frozen=True, gc=False, tag="bandit_moved"):
    """The bandit went to `hex`; `stolen` is how many cards went from `victim` to `seat`."""

    hex: int
    """Where the bandit is now. [hex id]"""
    victim: int | None
    """Who was robbed; null for nobody. [seat, from 0]"""
    stolen: int
    """How many cards went from the victim to the seat. [cards]"""


class RoadBuilt(Event, frozen=True, gc=False, tag="road_built"):
    """A road, paid for or free."""

    edge: int
    """Where. [edge id]"""


class SettlementBuilt(Event, frozen=True, gc=False, tag="settlement_built"):
    """A settlement."""

    vertex: int
    """Where. [vertex id]"""


class CityBuilt(Event, frozen=True, gc=False, tag="city_built"):
    """A settlement became a city."""

    vertex: int
    """Where. [vertex id]"""


class DevCardBought(Event, frozen=True, gc=False, tag="dev_card_bought"):
    """A dev card, unseen; `left` are still in the deck."""

    left: int
    """How many can still be bought. [cards]"""


class DevCardPlayed(Event, frozen=True, gc=False, tag="dev_card_played"):
    """A dev card was played; `taken` is how many cards each seat gained or, negative, lost."""

    card: str
    """Which kind it was."""
    taken: tuple[int, ...]
    """By seat: how many cards each one gained or, negative, lost. [cards]"""


class BankTraded(Event, frozen=True, gc=False, tag="bank_traded"):
    """Cards went to the bank for one card."""

    given: int
    """How many cards went to the bank for one. [cards]"""


class Offered(Event, frozen=True, gc=False, tag="offered"):
    """An offer was made and answered: to one seat, or to all where `to` is null; counts only."""

    to: int | None
    """The only one asked; null for every opponent. [seat, from 0] Example: `1`"""
    give: int
    """How many cards are offered. [cards]"""
    get: int
    """How many are wanted for them. [cards]"""


class Responded(Event, frozen=True, gc=False, tag="responded"):
    """An offer was answered."""

    accept: bool
    """Whether the offer is taken."""


class Traded(Event, frozen=True, gc=False, tag="traded"):
    """An offer was carried out: `seat` gave `given` cards to `partner` and got `got`."""

    partner: int
    """With whom. [seat, from 0]"""
    given: int
    """How many cards the seat gave. [cards]"""
    got: int
    """How many it got. [cards]"""


class AwardMoved(Event, frozen=True, gc=False, tag="award_moved"):
    """An award changed hands: `holder`, who is `seat`, has it now, or, where `holder` is null,
    `seat` lost it to nobody. It is named as in the view's `awards`."""

    award: Literal["largestArmy", "longestRoad"]
    """Which one, called as in the view's `awards`."""
    holder: int | None
    """Who has it now; null where the seat lost it to nobody. [seat, from 0]"""


class Said(Event, frozen=True, gc=False, tag="said"):
    """Table talk."""

    message: str
    """What was said. Example: `"who has ore?"`"""


class Ended(Event, frozen=True, gc=False, tag="ended"):
    """The match is over; `seat` is whose turn it was."""

    reason: str
    """Why, one of the game's reasons."""


PioneersEvent: TypeAlias = (
    Placed
    | Rolled
    | Discarded
    | BanditMoved
    | RoadBuilt
    | SettlementBuilt
    | CityBuilt
    | DevCardBought
    | DevCardPlayed
    | BankTraded
    | Offered
    | Responded
    | Traded
    | AwardMoved
    | Said
    | Ended
)
