"""What a seat can answer, as typed structs: one type per decision kind, `turn` a tagged union.

All are immutable, so that the engine can hand out one object for one move. Cards are named by
id; a list of cards is a set in writing, so that its order says nothing.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from engine.program.resources import Count, Resources

CardId: TypeAlias = Annotated[str, Meta(pattern="^c[0-9]{1,3}$")]
Seat: TypeAlias = Annotated[int, Meta(ge=0, le=3)]
Slot: TypeAlias = Annotated[int, Meta(ge=0, le=5)]


class Draft(Struct, frozen=True, gc=False):
    """Take a card from the pack: into the hand, or with `play` into the town, free."""

    card: CardId
    """A card of the pack. [card id] Example: `"c17"`"""
    play: bool
    """Whether it goes into the town at once, free, rather than into the hand."""


class Market(Struct, frozen=True, gc=False, tag="market"):
    """Buy the card in a slot of the market: slot 0 costs 5 credits, slot 5 nothing."""

    slot: Slot
    """Where the card lies: 0 is closest to the deck and dearest. [slot, from 0]"""


class Wastes(Struct, frozen=True, gc=False, tag="wastes"):
    """Draw from the wastes deck."""


class Plan(Struct, frozen=True, gc=False, tag="plan"):
    """Gain responses, the more the smaller the town."""


class Research(Struct, frozen=True, gc=False, tag="research"):
    """Pay `tokens` responses for as many research tokens on an open project."""

    project: CardId
    """One of the open projects. [card id] Example: `"c99"`"""
    tokens: Annotated[int, Meta(ge=1, le=3)]
    """How many to pay for. [tokens]"""


class PlayCard(Struct, frozen=True, gc=False, omit_defaults=True, tag="play_card"):
    """Play a card from the hand for 1 response."""

    card: CardId
    """A card of the hand. [card id] Example: `"c40"`"""
    target: Seat | None = None
    """Whom to attack; for attacks and raids, and for nothing else. [seat, from 0]"""
    slot: Slot | None = None
    """Whose card to take; for cards that take one, and for nothing else. [slot, from 0]"""


class Activate(Struct, frozen=True, gc=False, tag="activate"):
    """Use a card in the town that says what it can be used for."""

    card: CardId
    """A card of the town. [card id] Example: `"c5"`"""


class UpgradeHq(Struct, frozen=True, gc=False, tag="upgrade_hq"):
    """Pay for the next level of the headquarters."""


class Pass(Struct, frozen=True, gc=False, tag="pass"):
    """Give up this turn and all others of the round, to choose a survivor earlier."""


class EndTurn(Struct, frozen=True, gc=False, tag="end_turn"):
    """End the turn."""


TurnAction: TypeAlias = (
    Market | Wastes | Plan | Research | PlayCard | Activate | UpgradeHq | Pass | EndTurn
)


class Defend(Struct, frozen=True, gc=False):
    """Before the defence roll: responses spent for +1 each, reaction cards from the hand."""

    spend: Count
    """Responses spent, +1 on the roll for each. [tokens]"""
    play: tuple[CardId, ...]
    """Reaction cards of the hand, at 1 response each. [card ids] Example: `["c40"]`"""


class Press(Struct, frozen=True, gc=False):
    """Before the raider's roll: responses spent for +1 each, reaction cards from the hand."""

    spend: Count
    """Responses spent, +1 on the roll for each. [tokens]"""
    play: tuple[CardId, ...]
    """Reaction cards of the hand, at 1 response each. [card ids] Example: `[]`"""


class Reroll(Struct, frozen=True, gc=False):
    """Roll both dice anew for 1 response (or free), or let the roll stand."""

    reroll: bool
    """Whether both dice are rolled again."""


class Loot(Struct, frozen=True, gc=False, omit_defaults=True):
    """What the winner takes: a structure out of the town, or resources out of the pile."""

    structure: CardId | None = None
    """A structure to discard from the town. [card id] Example: `"c12"`"""
    resources: Resources | None = None
    """Two tokens of the pile, or what there is."""


class Lose(Struct, frozen=True, gc=False):
    """The card to give up."""

    card: CardId
    """A card of the town, of the type at stake. [card id] Example: `"c12"`"""


class Protect(Struct, frozen=True, gc=False):
    """Whether to save the structure with a reaction card."""

    play: bool
    """Whether the card that saves the structure is played. Example: `true`"""


class Choose(Struct, frozen=True, gc=False):
    """The card to keep of those drawn."""

    card: CardId
    """One of the cards drawn. [card id] Example: `"c80"`"""


class Trade(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """The food trade of a round: a sale or a purchase."""

    sell: Literal[3, 5, 7] | None = None
    """How much food is sold; 3, 5 and 7 bring 1, 2 and 3 credits. [tokens]"""
    responses: Count = 0
    """Responses that stand in for food sold. [tokens]"""
    buy: bool = False
    """Whether 2 food are bought for a credit instead."""


class Maintenance(Struct, frozen=True, gc=False, omit_defaults=True):
    """Trade, pay for cards, store. Cards that need maintenance and are not paid for leave."""

    trade: Trade | None = None
    """The round's one trade; left out for none."""
    pay: tuple[CardId, ...] = ()
    """The cards that are paid for. [card ids] Example: `["c3", "c9"]`"""
    keep: Resources | None = None
    """The pile afterwards; left out, credits are kept first, then responses, then food."""


class ChooseSurvivor(Struct, frozen=True, gc=False):
    """The survivor for the next round, by number."""

    survivor: Count
    """One of those left. [survivor number] Example: `6`"""


KINDS = {
    "draft": Draft,
    "turn": TurnAction,
    "defend": Defend,
    "reroll": Reroll,
    "raid": Press,
    "loot": Loot,
    "lose": Lose,
    "protect": Protect,
    "choose": Choose,
    "maintenance": Maintenance,
    "survivor": ChooseSurvivor,
}
