"""What happened, as everybody at the table may know it.

An event never says more than the views do: cards that change hands show as counts.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct


class Event(Struct, frozen=True, gc=False, rename="camel", tag_field="event", tag=True):
    """Base of all events; `seat` is who did it or whom it befell."""

    seat: int


class Placed(Event, frozen=True, gc=False, tag="placed"):
    """Set-up: a settlement and its road."""

    vertex: int
    edge: int


class Rolled(Event, frozen=True, gc=False, tag="rolled"):
    """A turn began: its number, its dice, and how many cards each seat collected."""

    turn: int
    dice: tuple[int, int]
    collected: tuple[int, ...]


class Discarded(Event, frozen=True, gc=False, tag="discarded"):
    """Cards given up after a 7."""

    count: int


class BanditMoved(Event, frozen=True, gc=False, tag="bandit_moved"):
    """The bandit went to `hex`; `stolen` is how many cards went from `victim` to `seat`."""

    hex: int
    victim: int | None
    stolen: int


class RoadBuilt(Event, frozen=True, gc=False, tag="road_built"):
    """A road, paid for or free."""

    edge: int


class SettlementBuilt(Event, frozen=True, gc=False, tag="settlement_built"):
    """A settlement."""

    vertex: int


class CityBuilt(Event, frozen=True, gc=False, tag="city_built"):
    """A settlement became a city."""

    vertex: int


class DevCardBought(Event, frozen=True, gc=False, tag="dev_card_bought"):
    """A dev card, unseen; `left` are still in the deck."""

    left: int


class DevCardPlayed(Event, frozen=True, gc=False, tag="dev_card_played"):
    """A dev card was played; `taken` is how many cards each seat gained or, negative, lost."""

    card: str
    taken: tuple[int, ...]


class BankTraded(Event, frozen=True, gc=False, tag="bank_traded"):
    """`given` cards went to the bank for one."""

    given: int


class Offered(Event, frozen=True, gc=False, tag="offered"):
    """An offer was made: to one seat, or to all where `to` is null; counts only."""

    to: int | None
    give: int
    get: int


class Responded(Event, frozen=True, gc=False, tag="responded"):
    """An offer was answered."""

    accept: bool


class Traded(Event, frozen=True, gc=False, tag="traded"):
    """An offer was carried out: `seat` gave `given` cards to `partner` and got `got`."""

    partner: int
    given: int
    got: int


class AwardMoved(Event, frozen=True, gc=False, tag="award_moved"):
    """An award changed hands: `holder`, who is `seat`, has it now, or, where `holder` is null,
    `seat` lost it to nobody. It is named as in the view's `awards`."""

    award: Literal["largestArmy", "longestRoad"]
    holder: int | None


class Said(Event, frozen=True, gc=False, tag="said"):
    """Table talk."""

    message: str


class Ended(Event, frozen=True, gc=False, tag="ended"):
    """The match is over; `seat` is whose turn it was."""

    reason: str


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
