"""Refusing combats that cannot stand so in a position."""

from __future__ import annotations

from engine.program.cards import CARDS, NUMBER_OF, TYPE_OF
from engine.program.combat import assault
from engine.program.effects import Attack, GiveUp, Raid, Spoil
from engine.program.position import CombatPosition, Position
from engine.program.refusals import impossible


def check_combat(p: Position, combat: CombatPosition) -> None:
    """Raise PositionError unless an attack by the current seat can wait for what it asks."""
    if combat.target == p.current:
        impossible("combat.target", f"seat {combat.target} attacks itself")
    if combat.number + 1 != p.combats:
        impossible("combat.number", f"{combat.number}, and {p.combats} combats have begun")
    if not p.played:
        impossible("played", "0, and the card of the combat was played in this turn")
    for side, dice, rolls in (
        ("defence", combat.defence_dice, combat.defence_rolls),
        ("raid", combat.raid_dice, combat.raid_rolls),
    ):
        if (dice is None) != (rolls == 0):
            impossible(f"combat.{side}Dice", f"{rolls} rolls of this side")
    _check_asked(p, combat)


def _check_asked(p: Position, combat: CombatPosition) -> None:
    asked = combat.asked
    effect = assault(NUMBER_OF[combat.card])
    raid = isinstance(effect, Raid)
    failure = effect.failure if isinstance(effect, Attack) else None
    rolled = combat.defence_dice is not None, combat.raid_dice is not None
    possible = {
        "defend": rolled == (False, False),
        "reroll": rolled in ((True, False), (True, raid)),
        "raid": raid and rolled == (True, False),
        "loot": rolled == (True, raid) and (raid or isinstance(failure, Spoil)),
        "lose": rolled == (True, False) and isinstance(failure, GiveUp),
        "protect": rolled == (True, raid) and (raid or isinstance(failure, GiveUp)),
    }
    if not possible[asked]:
        impossible(
            "combat.asked", f"{asked!r} is not what {CARDS[NUMBER_OF[combat.card]].name} asks"
        )
    target = p.towns[combat.target]
    types = [TYPE_OF[NUMBER_OF[card]] for card in target.town]
    if asked == "loot" and not target.pile and not (raid and "structure" in types):
        impossible("combat.asked", "there is nothing to loot")
    if isinstance(failure, GiveUp) and asked == "lose" and failure.type not in types:
        impossible("combat.asked", f"seat {combat.target} has no {failure.type} to lose")
    if (asked == "protect") != (combat.stake is not None):
        impossible("combat.stake", "the structure to protect, there and nowhere else")
    if combat.stake is not None and combat.stake not in target.town:
        impossible("combat.stake", f"{combat.stake} is not in the town of seat {combat.target}")
