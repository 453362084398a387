"""The closed vocabulary of what cards do. Every effect is carried out in one place:

- `Passive` effects in `traits`, always on while the card is in the town (or the project done);
- `Activated` ones in `playing`, on the owner's turn;
- `Reaction`s in `reactions`, from the hand;
- what happens `OnPlay` in `playing`, and `Failure`s, what a lost attack costs, in `spoils`.

The handlers match these unions to the end, which mypy holds them to.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from engine.program.resources import NOTHING, Resources

CardType: TypeAlias = Literal["structure", "personality", "item", "event", "attack", "raid"]
AnyType: TypeAlias = CardType | Literal["project"]
Size: TypeAlias = Literal["small", "medium", "large"]
Side: TypeAlias = Literal["defence", "raid"]
Positive: TypeAlias = Annotated[int, Meta(ge=1, le=99)]


class Effect(Struct, frozen=True, forbid_unknown_fields=True, tag_field="effect", tag=True):
    """Base of all effects."""


class Defence(Effect, frozen=True, tag="defence"):
    """Adds to the owner's defence rolls."""

    amount: Positive
    """What it adds. [pips]"""


class Raiding(Effect, frozen=True, tag="raiding"):
    """Adds to the owner's raid rolls."""

    amount: Positive
    """What it adds. [pips]"""


class Storage(Effect, frozen=True, tag="storage"):
    """Room in the pile beyond the town's own, for one kind or for any."""

    kind: Literal["food", "credits", "responses", "any"]
    """What can be stored."""
    amount: Positive
    """How much. [tokens]"""


class FreeReroll(Effect, frozen=True, tag="free_reroll"):
    """The owner's first reroll of each combat costs nothing."""


class ExtraResearch(Effect, frozen=True, tag="extra_research"):
    """A research action places this many tokens more, free."""

    tokens: Positive
    """How many. [research tokens]"""


class CheaperUpgrades(Effect, frozen=True, tag="cheaper_upgrades"):
    """HQ upgrades cost this much less."""

    credits: Positive
    """How much less. [credits]"""


class FreePlays(Effect, frozen=True, tag="free_plays"):
    """Playing cards of a type costs no response."""

    type: CardType
    """Which cards."""


class FirstPlayFree(Effect, frozen=True, tag="first_play_free"):
    """The first card played in each of the owner's turns costs no response."""


class BetterSales(Effect, frozen=True, tag="better_sales"):
    """A food sale gives this many credits more."""

    credits: Positive
    """How many more. [credits]"""


class CheaperMarket(Effect, frozen=True, tag="cheaper_market"):
    """Market cards cost this much less, down to nothing."""

    credits: Positive
    """How much less. [credits]"""


class BetterPlans(Effect, frozen=True, tag="better_plans"):
    """The plan action gives this many responses more."""

    responses: Positive
    """How many more. [responses]"""


class WastesChoice(Effect, frozen=True, tag="wastes_choice"):
    """The wastes action draws this many cards, of which one is kept."""

    cards: Positive
    """How many are drawn. [cards]"""


class NoMaintenance(Effect, frozen=True, tag="no_maintenance"):
    """The owner's cards of a type need no maintenance."""

    type: CardType
    """Which cards."""


class Activate(Effect, frozen=True, tag="activate"):
    """On the owner's turn: pay, discard the card where it says so, gain."""

    gain: Resources
    """What it gives."""
    pay: Resources = NOTHING
    """What it costs."""
    discard: bool = False
    """Whether the card leaves the town for it."""
    once: bool = False
    """Whether it can be done once a turn only."""


class KeepStructure(Effect, frozen=True, tag="keep_structure"):
    """Reaction: a structure that an opponent is about to take from the town stays."""


class Boost(Effect, frozen=True, tag="boost"):
    """Reaction: adds to one's own roll of one side in this combat."""

    side: Side
    """Which roll."""
    amount: Positive
    """What it adds. [pips]"""


class ExtraTurn(Effect, frozen=True, tag="extra_turn"):
    """One more turn this round, up to three."""


class Gain(Effect, frozen=True, tag="gain"):
    """Resources, at once."""

    resources: Resources
    """What is gained."""


class TakeMarket(Effect, frozen=True, tag="take_market"):
    """A market card of one's choice, free."""


class PermanentPoints(Effect, frozen=True, tag="permanent_points"):
    """Points for good; playable only in a town of at least `size`."""

    points: Positive
    """How many. [points]"""
    size: Size = "small"
    """The smallest town in which it can be played."""


class DrawWastes(Effect, frozen=True, tag="draw_wastes"):
    """Cards from the wastes deck into the hand."""

    cards: Positive
    """How many. [cards]"""


class Raid(Effect, frozen=True, tag="raid"):
    """A raid; `bonus` adds to the raider's roll."""

    bonus: Annotated[int, Meta(ge=0, le=99)] = 0
    """What it adds. [pips]"""


class Loss(Struct, frozen=True, forbid_unknown_fields=True, tag_field="failure", tag=True):
    """Base of what a failed defence costs."""


class GiveUp(Loss, frozen=True, tag="give_up"):
    """A card of a type, of the defender's choice, if any."""

    type: Literal["structure", "personality", "item"]
    """Which cards."""


class Rob(Loss, frozen=True, tag="rob"):
    """Resources, as far as there are, go to the attacker."""

    resources: Resources
    """How much at most."""


class Spoil(Loss, frozen=True, tag="spoil"):
    """Resources of the attacker's choice are discarded."""

    count: Positive
    """How many. [tokens]"""


Failure: TypeAlias = GiveUp | Rob | Spoil


class Attack(Effect, frozen=True, tag="attack"):
    """An attack: the defender has to roll `difficulty`, or `failure` follows."""

    difficulty: Positive
    """What the defender has to roll. [pips]"""
    failure: Failure
    """What follows where it does not."""


Passive: TypeAlias = (
    Defence
    | Raiding
    | Storage
    | FreeReroll
    | ExtraResearch
    | CheaperUpgrades
    | FreePlays
    | FirstPlayFree
    | BetterSales
    | CheaperMarket
    | BetterPlans
    | WastesChoice
    | NoMaintenance
)
Reaction: TypeAlias = KeepStructure | Boost
OnPlay: TypeAlias = ExtraTurn | Gain | TakeMarket | PermanentPoints | DrawWastes | Raid | Attack
AnyEffect: TypeAlias = Passive | Activate | Reaction | OnPlay
