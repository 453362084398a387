"""Attacks and raids up to their outcome: preparations, dice, rerolls.

An attack is one roll of the defender against the card's difficulty. In a raid the defender's
roll, rerolls included, sets the difficulty for the raider's. What a side spent and played before
its roll counts for its rerolls too.
"""

from __future__ import annotations

from typing import assert_never

from msgspec import structs

from engine.game import Event
from engine.program import spoils
from engine.program.actions import Defend, Press, Reroll
from engine.program.cards import CARDS, SURVIVORS
from engine.program.decks import discard
from engine.program.effects import Attack, Raid, Side
from engine.program.events import Prepared, Rolled
from engine.program.player import Player
from engine.program.reactions import BOOST, reaction_cost
from engine.program.refusals import can_spend, in_hand, refuse
from engine.program.state import Combat, State


def assault(card: int) -> Attack | Raid:
    """What an attack or raid card does."""
    return next(effect for effect in CARDS[card].effects if isinstance(effect, Attack | Raid))


def begin(s: State, card: int, target: int) -> None:
    """The seat on turn attacks `target`, who prepares its roll."""
    s.combat = Combat(card=card, target=target, number=s.combats)
    s.combats += 1
    s.ask("defend", target)


def check_defend(s: State, seat: int, action: Defend) -> None:
    """Raise IllegalAction unless the cards react to a defence roll and all is paid for."""
    _check_preparation(s.players[seat], action, "defence")


def check_press(s: State, seat: int, action: Press) -> None:
    """Raise IllegalAction unless the cards react to a raid roll and all is paid for."""
    _check_preparation(s.players[seat], action, "raid")


def _check_preparation(p: Player, action: Defend | Press, side: Side) -> None:
    cost = action.spend
    if len(set(action.play)) < len(action.play):
        refuse("played_twice", "a card can be played once")
    for card_id in action.play:
        card = in_hand(p, card_id)
        if not BOOST[side][card]:
            refuse("no_reaction", f"{CARDS[card].name} is no reaction to a {side} roll")
        cost += reaction_cost(p, card)
    can_spend(p, cost)


def defend(s: State, action: Defend, events: list[Event]) -> None:
    """Prepare the defence, then roll."""
    combat = _in_combat(s)
    bonus = _prepare(s, combat.target, action, "defence", events)
    s.combat = structs.replace(combat, defence_bonus=bonus)
    _roll_defence(s, events)


def press(s: State, action: Press, events: list[Event]) -> None:
    """Prepare the raider's roll, then roll."""
    bonus = _prepare(s, s.current, action, "raid", events)
    s.combat = structs.replace(_in_combat(s), raid_bonus=bonus)
    _roll_raid(s, events)


def _in_combat(s: State) -> Combat:
    assert s.combat is not None
    return s.combat


def _prepare(s: State, seat: int, action: Defend | Press, side: Side, events: list[Event]) -> int:
    """Pay for what a side spends and plays; returns what it adds to its rolls."""
    p = s.players[seat]
    bonus = action.spend
    p.responses -= action.spend
    for card_id in action.play:
        card = in_hand(p, card_id)
        p.responses -= reaction_cost(p, card)
        p.drop(card)
        discard(s, card)
        bonus += BOOST[side][card]
    events.append(Prepared(seat, side, action.spend, action.play, bonus))
    return bonus


def modifiers(p: Player, side: Side) -> int:
    """What a seat adds to its rolls of a side by its town and its survivor.

    The survivor's combat modifier is the defender's alone.
    """
    match side:
        case "defence":
            survivor = SURVIVORS[p.survivor - 1].modifier if p.survivor else 0
            return p.traits.defence + survivor
        case "raid":
            return p.traits.raiding
        case _:
            assert_never(side)


def defence_total(s: State, combat: Combat) -> int | None:
    """The defender's roll with all modifiers, once it has rolled."""
    if combat.defence_dice is None:
        return None
    own = modifiers(s.players[combat.target], "defence")
    return sum(combat.defence_dice) + combat.defence_bonus + own


def raid_total(s: State, combat: Combat) -> int | None:
    """The raider's roll with all modifiers, the card's bonus among them, once it has rolled."""
    if combat.raid_dice is None:
        return None
    effect = assault(combat.card)
    bonus = effect.bonus if isinstance(effect, Raid) else 0
    own = modifiers(s.players[s.current], "raid")
    return sum(combat.raid_dice) + combat.raid_bonus + bonus + own


def needed(s: State, combat: Combat, side: Side) -> int | None:
    """What a side has to come to; None for a raid's defender, and until that is known."""
    if side == "raid":
        return defence_total(s, combat)
    effect = assault(combat.card)
    return effect.difficulty if isinstance(effect, Attack) else None


def side_to_roll(s: State, combat: Combat) -> Side:
    """The side that rolls next or has rolled last."""
    return "raid" if s.kind == "raid" or combat.raid_dice is not None else "defence"


def _dice(s: State, combat: Combat, side: Side, roll: int) -> tuple[int, int]:
    """The roll-th roll of a side in a combat: draws 2r and 2r + 1 of a stream of their own."""
    stream = f"{side}.{combat.number}"
    draw = s.chance.draw
    return draw(stream, 2 * roll, 6) + 1, draw(stream, 2 * roll + 1, 6) + 1


def _roll_defence(s: State, events: list[Event]) -> None:
    """The defender rolls. A miss, or any roll in a raid, can be rolled again if it is paid."""
    combat = _in_combat(s)
    dice = _dice(s, combat, "defence", combat.defence_rolls)
    combat = structs.replace(combat, defence_dice=dice, defence_rolls=combat.defence_rolls + 1)
    s.combat = combat
    total = defence_total(s, combat)
    difficulty = needed(s, combat, "defence")
    assert total is not None
    events.append(Rolled(combat.target, "defence", dice, total, difficulty))
    if difficulty is not None and total >= difficulty:
        spoils.held(s, events)
    elif reroll_cost(s, combat.target) is not None:
        s.ask("reroll", combat.target)
    else:
        _settle_defence(s, events)


def _settle_defence(s: State, events: list[Event]) -> None:
    """The defender's roll stands: an attack has struck, a raid goes on with the raider."""
    match effect := assault(_in_combat(s).card):
        case Attack():
            spoils.struck(s, effect.failure, events)
        case Raid():
            s.ask("raid", s.current)
        case _:
            assert_never(effect)


def _roll_raid(s: State, events: list[Event]) -> None:
    """The raider rolls. A miss can be rolled again if it is paid."""
    combat = _in_combat(s)
    dice = _dice(s, combat, "raid", combat.raid_rolls)
    combat = structs.replace(combat, raid_dice=dice, raid_rolls=combat.raid_rolls + 1)
    s.combat = combat
    total, difficulty = raid_total(s, combat), needed(s, combat, "raid")
    assert total is not None
    assert difficulty is not None
    events.append(Rolled(s.current, "raid", dice, total, difficulty))
    if total >= difficulty:
        spoils.raided(s, events)
    elif reroll_cost(s, s.current) is not None:
        s.ask("reroll", s.current)
    else:
        spoils.held(s, events)


def reroll_cost(s: State, seat: int) -> int | None:
    """Responses for rolling again: 1, nothing for a free first reroll, None if out of reach."""
    combat = _in_combat(s)
    p = s.players[seat]
    rolls = combat.defence_rolls if seat == combat.target else combat.raid_rolls
    if p.traits.free_reroll and rolls == 1:
        return 0
    return 1 if p.responses else None


def check_reroll(_s: State, _seat: int, _action: Reroll) -> None:
    """Either answer is allowed: who cannot pay is not asked."""


def reroll(s: State, action: Reroll, events: list[Event]) -> None:
    """Roll again, or let the roll stand."""
    combat = _in_combat(s)
    (seat,) = s.asked
    defending = seat == combat.target
    if action.reroll:
        s.players[seat].responses -= reroll_cost(s, seat) or 0
        (_roll_defence if defending else _roll_raid)(s, events)
    elif defending:
        _settle_defence(s, events)
    else:
        spoils.held(s, events)
