"""What happened, as everybody at the table may know it.

An event never says more than the views do: cards that go into a hand unseen show as counts.
Cards are named by id, and `seat` is who did it or whom it befell.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from engine.program.effects import Side
from engine.program.resources import Resources


class Event(Struct, frozen=True, gc=False, rename="camel", tag_field="event", tag=True):
    """Base of all events."""


class Drafted(Event, frozen=True, gc=False, tag="drafted"):
    """A pick of the draft, played into the town or kept unseen."""

    seat: int
    """Whose pick it was. [seat, from 0]"""
    card: str | None
    """The card, where it was played; null where it was kept. [card id]"""


class RoundBegan(Event, frozen=True, gc=False, tag="round_began"):
    """A round began: its number, the seats in survivor order, the alarm token turned, if any."""

    round: int
    """Its number. [rounds]"""
    order: tuple[int, ...]
    """Who takes turns in which order. [seats, from 0]"""
    alarm: Literal["quiet", "arc"] | None
    """The alarm token turned over; null in a round without one."""


class TurnBegan(Event, frozen=True, gc=False, tag="turn_began"):
    """A seat's turn of the round began, its first, second or third."""

    seat: int
    """Whose turn it is. [seat, from 0]"""
    turn: int
    """Their first, second or third of the round. [turns]"""


class Bought(Event, frozen=True, gc=False, tag="bought"):
    """A market card went into a hand for `paid` credits."""

    seat: int
    """Who took it. [seat, from 0]"""
    card: str
    """The market card. [card id]"""
    paid: int
    """What it cost. [credits]"""


class Drew(Event, frozen=True, gc=False, tag="drew"):
    """Cards from the wastes deck, unseen."""

    seat: int
    """Who drew. [seat, from 0]"""
    count: int
    """How many. [cards]"""


class Kept(Event, frozen=True, gc=False, tag="kept"):
    """One of the cards drawn went into the hand, the others to the discard pile."""

    seat: int
    """Who chose. [seat, from 0] Example: `2`"""
    discarded: tuple[str, ...]
    """The cards not kept. [card ids] Example: `["c81"]`"""


class Gained(Event, frozen=True, gc=False, tag="gained"):
    """Resources went into the pile, those that found no room left out."""

    seat: int
    """Who gained. [seat, from 0]"""
    resources: Resources
    """What was stored."""


class Researched(Event, frozen=True, gc=False, tag="researched"):
    """Research tokens on a project, of which `paid` were paid for."""

    seat: int
    """Who researched. [seat, from 0]"""
    project: str
    """On which project. [card id]"""
    tokens: int
    """How many were placed, free ones among them. [tokens]"""
    paid: int
    """What was paid. [responses]"""


class Completed(Event, frozen=True, gc=False, tag="completed"):
    """A project was completed; `next` took its place, if one was left."""

    seat: int
    """Who completed it. [seat, from 0] Example: `2`"""
    project: str
    """The project. [card id] Example: `"c99"`"""
    next: str | None
    """The project that is open instead; null where none is left. [card id] Example: `"c98"`"""


class Played(Event, frozen=True, gc=False, tag="played"):
    """A card from the hand, for `paid` responses; `target` is the seat attacked."""

    seat: int
    """Who played it. [seat, from 0]"""
    card: str
    """The card. [card id]"""
    paid: int
    """What it cost. [responses]"""
    target: int | None = None
    """Who is attacked; null for a card that attacks nobody. [seat, from 0]"""


class Activated(Event, frozen=True, gc=False, tag="activated"):
    """A card in the town was used; `discarded` where that took it out of the town."""

    seat: int
    """Who used it. [seat, from 0]"""
    card: str
    """The card. [card id]"""
    discarded: bool
    """Whether it left the town for it."""


class Upgraded(Event, frozen=True, gc=False, tag="upgraded"):
    """A new level of the headquarters, for `paid` credits."""

    seat: int
    """Whose HQ it is. [seat, from 0]"""
    hq: str
    """The name of the new level."""
    paid: int
    """What it cost. [credits]"""


class Passed(Event, frozen=True, gc=False, tag="passed"):
    """A seat is out of this round's turns."""

    seat: int
    """Who passed. [seat, from 0]"""


class Prepared(Event, frozen=True, gc=False, tag="prepared"):
    """A side got ready to roll: responses spent for +1 each, cards played."""

    seat: int
    """Who is about to roll. [seat, from 0]"""
    side: Side
    """Whether it defends or raids."""
    spent: int
    """Responses spent. [tokens]"""
    cards: tuple[str, ...]
    """Cards played. [card ids] Example: `["c40"]`"""
    bonus: int
    """What both add to the roll. [pips]"""


class Rolled(Event, frozen=True, gc=False, tag="rolled"):
    """A side rolled two dice."""

    seat: int
    """Who rolled. [seat, from 0]"""
    side: Side
    """Whether it defends or raids."""
    dice: tuple[int, int]
    """The two dice. [pips]"""
    total: int
    """With all modifiers. [pips]"""
    needed: int | None
    """What the total has to reach; null where it sets that itself. [pips]"""


class Fought(Event, frozen=True, gc=False, tag="fought"):
    """How the attack by `card` on `seat` came out."""

    seat: int
    """Who was attacked. [seat, from 0]"""
    card: str
    """The attack or raid. [card id]"""
    held: bool
    """Whether the defender held out."""


class Taken(Event, frozen=True, gc=False, tag="taken"):
    """Resources left a pile by an attack or a raid."""

    seat: int
    """Whose pile it was. [seat, from 0]"""
    by: int | None
    """Who got it; null where it was discarded. [seat, from 0]"""
    resources: Resources
    """What left the pile."""


class Lost(Event, frozen=True, gc=False, tag="lost"):
    """A card left a town by an attack or a raid."""

    seat: int
    """Whose town it was. [seat, from 0]"""
    card: str
    """The card. [card id]"""


class Protected(Event, frozen=True, gc=False, tag="protected"):
    """A structure stayed, thanks to a card from the hand."""

    seat: int
    """Whose town it is. [seat, from 0] Example: `2`"""
    structure: str
    """What stayed. [card id] Example: `"c12"`"""
    card: str
    """What saved it. [card id] Example: `"c40"`"""
    paid: int
    """What that cost. [responses] Example: `1`"""


class MarketMoved(Event, frozen=True, gc=False, tag="market_moved"):
    """The market closed up: the card discarded from the last slot, if any, and the new row."""

    discarded: str | None
    """The card of the last slot; null where it was empty. [card id]"""
    market: tuple[str | None, ...]
    """The new row by slot, null where no card is left. [card ids]"""


class Maintained(Event, frozen=True, gc=False, tag="maintained"):
    """Maintenance of one seat."""

    seat: int
    """Whose town it is. [seat, from 0]"""
    produced: Resources
    """What the town produced."""
    sold: int
    """Food sold, responses that stood in among it. [tokens]"""
    earned: int
    """What that brought. [credits]"""
    bought: int
    """Food bought for a credit. [tokens]"""
    paid: tuple[str, ...]
    """Cards that were paid for. [card ids]"""
    left: tuple[str, ...]
    """Cards that left the town. [card ids]"""
    pile: Resources
    """What is stored now."""


class SurvivorChosen(Event, frozen=True, gc=False, tag="survivor_chosen"):
    """A survivor for the next round."""

    seat: int
    """Who chose. [seat, from 0]"""
    survivor: int
    """Whom. [survivor number]"""


class Scored(Event, frozen=True, gc=False, tag="scored"):
    """A seat's score changed to `score`."""

    seat: int
    """Whose score changed. [seat, from 0]"""
    score: int
    """What it is now. [points]"""


class Ended(Event, frozen=True, gc=False, tag="ended"):
    """The match is over."""

    reason: str
    """`four_points` or `last_round`."""


ProgramEvent: TypeAlias = (
    Drafted
    | RoundBegan
    | TurnBegan
    | Bought
    | Drew
    | Kept
    | Gained
    | Researched
    | Completed
    | Played
    | Activated
    | Upgraded
    | Passed
    | Prepared
    | Rolled
    | Fought
    | Taken
    | Lost
    | Protected
    | MarketMoved
    | Maintained
    | SurvivorChosen
    | Scored
    | Ended
)
