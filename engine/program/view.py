"""What a seat or a spectator may know of a match, and nothing more."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from engine.program.cards import Card, Hq, Survivor
from engine.program.effects import Size
from engine.program.resources import Resources

Step: TypeAlias = Literal["draft", "actions", "maintenance", "survivors", "over"]
Alarm: TypeAlias = Literal["hidden", "quiet", "arc"]
Dice: TypeAlias = tuple[int, int]


class Room(Struct, frozen=True, gc=False):
    """What a pile can hold: `any` tokens of whatever kind, and on top of it some of one kind."""

    any: int
    """Room for tokens of any kind. [tokens]"""
    food: int
    """More room, for food alone. [tokens]"""
    credits: int
    """More room, for credits alone. [tokens]"""
    responses: int
    """More room, for responses alone. [tokens] Example: `2`"""


class SeatView(Struct, frozen=True, gc=False, rename="camel"):
    """One seat as everybody sees it.

    Stamps count the changes of score in the match, in order: of two seats with the same score
    the one with the lower arrival stands first.
    """

    hq: str
    """The name of its level. Example: `"Small HQ"`"""
    town: tuple[str, ...]
    """Cards in play, in the order in which they came. [card ids]"""
    projects: tuple[str, ...]
    """Projects completed, likewise. [card ids] Example: `["c99"]`"""
    hand_count: int
    """Cards in the hand. [cards]"""
    pile: Resources
    """What is stored."""
    room: Room
    """What can be stored."""
    size: Size
    """By the number of structures, HQ included: from 5 medium, from 7 large."""
    survivor: int | None
    """The survivor at work; null once it has gone back. [survivor number]"""
    score: int
    """Permanent points and those in the town. [points]"""
    permanent: int
    """Points that cannot be lost. [points] Example: `1`"""
    arrival: int
    """Stamp of the last change of score; 0 if there was none. [changes of score] Example: `7`"""
    four_since: int | None
    """When the score came to four; null while it is below. [changes of score] Example: `7`"""
    defence: int
    """What town and survivor add to a defence roll. [pips]"""
    raiding: int
    """What the town adds to a raid roll. [pips]"""
    extra_turn: bool
    """Whether it holds a third turn this round."""


class OpenProject(Struct, frozen=True, gc=False):
    """A project that can be researched, and the tokens on it by seat."""

    card: str
    """The project. [card id]"""
    tokens: tuple[int, ...]
    """By seat: research tokens on it. [tokens]"""


class CombatView(Struct, frozen=True, gc=False, rename="camel"):
    """An attack or raid that is being carried out."""

    card: str
    """The attack or raid. [card id]"""
    attacker: int
    """Who attacks. [seat, from 0]"""
    target: int
    """Who defends. [seat, from 0]"""
    defence_bonus: int
    """What the defender spent and played before its roll. [pips]"""
    defence_dice: Dice | None
    """Its last roll; null before. [pips]"""
    defence_rolls: int
    """How often it has rolled. [rolls]"""
    defence_total: int | None
    """Its last roll with all modifiers; null before. [pips]"""
    raid_bonus: int
    """What the raider spent and played before its roll. [pips]"""
    raid_dice: Dice | None
    """Its last roll; null before. [pips]"""
    raid_rolls: int
    """How often it has rolled. [rolls]"""
    raid_total: int | None
    """Its last roll with all modifiers; null before. [pips]"""
    difficulty: int | None
    """What the roll to come, or just made, has to reach; null where it sets that itself. [pips]"""
    stake: str | None
    """The structure about to be lost, or null. [card id] Example: `"c12"`"""


class ProgramView(Struct, frozen=True, gc=False, rename="camel"):
    """The same shape for every decision kind.

    Card ids are numbered along the card list, not by a shuffle. What is printed on the cards in
    sight comes with the view, so a bot can do without a card list.
    """

    seat: int | None
    """Whose view it is; null for a spectator. [seat, from 0]"""
    seats: int
    """How many there are. [seats]"""
    round: int
    """0 in the draft. [rounds]"""
    step: Step
    """The step of the round."""
    turn: int
    """The first, second or third of the round; 0 outside of the actions step. [turns]"""
    current: int | None
    """Whose turn it is, or who chooses a survivor; else null. [seat, from 0]"""
    order: tuple[int, ...]
    """Who acts in which order in this step. [seats, from 0]"""
    tokens: tuple[int, ...]
    """Who has passed, in order; in the survivor step everybody. [seats, from 0]"""
    opened: bool
    """Whether the turn has had an answer: a pass has to be the first."""
    acted: bool
    """Whether the turn's action is taken."""
    cards_played: int
    """Cards played from the hand in this turn. [cards]"""
    used: tuple[str, ...]
    """Cards that can be activated once a turn and have been. [card ids]"""
    market: tuple[str | None, ...]
    """By slot, the dearest first; null where it is empty. [card ids]"""
    market_deck: int
    """Cards left in it. [cards]"""
    market_discard: tuple[str, ...]
    """The last card discarded comes last. [card ids]"""
    wastes_deck: int
    """Cards left in it. [cards]"""
    wastes_discard: tuple[str, ...]
    """The last card discarded comes last. [card ids]"""
    projects: tuple[OpenProject | None, ...]
    """The open ones; null where no project is left."""
    project_deck: int
    """Projects left in it. [cards]"""
    alarms: tuple[Alarm, ...]
    """The alarm tokens of rounds 5, 6 and 7."""
    last_round: int | None
    """Its number, once the Arc alarm is known; else null. [rounds]"""
    survivors_left: tuple[int, ...]
    """Those that nobody has. [survivor numbers]"""
    combat: CombatView | None
    """The attack or raid being carried out, or null."""
    towns: tuple[SeatView, ...]
    """By seat: what everybody sees of it."""
    hand: tuple[str, ...] | None
    """The seat's own hand; null for a spectator. [card ids]"""
    pack: tuple[str, ...] | None
    """The seat's own pack in the draft; null for a spectator. [card ids]"""
    choices: tuple[str, ...] | None
    """Cards drawn, one to keep; null for a spectator. [card ids] Example: `["c80", "c81"]`"""
    resigned: tuple[bool, ...]
    """By seat: whether it has resigned."""
    cards: dict[str, str]
    """The name of every card id to be seen. Example: `{"c0": "Farm"}`"""
    facts: dict[str, Card]
    """By name: what is printed on those cards."""
    hqs: tuple[Hq, ...]
    """The levels of the headquarters, lowest first."""
    survivors: tuple[Survivor, ...]
    """All survivors, by number."""
