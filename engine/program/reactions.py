"""Reactions from the hand: what they add to a roll, what they save, what they cost.

The one place where the vocabulary's reactions are carried out.
"""

from __future__ import annotations

from typing import assert_never

from engine.program.cards import CARDS, TYPE_OF
from engine.program.effects import Boost, KeepStructure, Reaction, Side
from engine.program.player import Player
from engine.program.state import EMPTY


def _reactions(card: int) -> tuple[int, int, bool]:
    """What a card adds to a defence roll and to a raid roll, and whether it saves a structure."""
    bonus: dict[Side, int] = {"defence": 0, "raid": 0}
    saves = False
    for effect in CARDS[card].effects:
        if not isinstance(effect, Reaction):
            continue
        match effect:
            case Boost(side=side, amount=amount):
                bonus[side] += amount
            case KeepStructure():
                saves = True
            case _:
                assert_never(effect)
    return bonus["defence"], bonus["raid"], saves


_ALL = tuple(_reactions(card) for card in range(len(CARDS)))

# By card number; 0 where the card is no reaction to a roll of the side.
BOOST: dict[Side, tuple[int, ...]] = {
    "defence": tuple(defence for defence, _, _ in _ALL),
    "raid": tuple(raid for _, raid, _ in _ALL),
}
SAVES_STRUCTURE: tuple[bool, ...] = tuple(saves for _, _, saves in _ALL)


def reaction_cost(p: Player, card: int) -> int:
    """Responses for playing a reaction card: 1, or none where the town plays its type free."""
    return int(TYPE_OF[card] not in p.traits.free_types)


def protector(p: Player) -> int:
    """The card of the hand that would save a structure, if it can be paid, else EMPTY."""
    for card in p.hand:
        if SAVES_STRUCTURE[card] and p.responses >= reaction_cost(p, card):
            return card
    return EMPTY
