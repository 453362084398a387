"""What a lost combat costs: the one place where failures, loot and protection are carried out."""

from __future__ import annotations

from typing import assert_never

from msgspec import structs

from engine.game import Event
from engine.program import effects as fx
from engine.program.actions import Loot, Lose, Protect
from engine.program.cards import CARDS, ID_OF, NUMBER_OF, TYPE_OF
from engine.program.decks import discard
from engine.program.events import Fought, Lost, Protected, Taken
from engine.program.piles import CREDITS, FOOD, RESPONSES
from engine.program.player import Player
from engine.program.reactions import protector, reaction_cost
from engine.program.refusals import refuse
from engine.program.resources import Resources, spell
from engine.program.state import EMPTY, Combat, State
from engine.program.towns import leave_town

RAID_LOOT = 2


def _in_combat(s: State) -> Combat:
    assert s.combat is not None
    return s.combat


def _fought(s: State, events: list[Event], *, held: bool) -> None:
    combat = _in_combat(s)
    events.append(Fought(combat.target, ID_OF[combat.card], held))


def held(s: State, events: list[Event]) -> None:
    """The defender held out: nothing happens to it."""
    _fought(s, events, held=True)
    _finish(s)


def _finish(s: State) -> None:
    """The combat is over: its card is discarded, the attacker's turn goes on."""
    discard(s, _in_combat(s).card)
    s.combat = None
    s.ask("turn", s.current)


def struck(s: State, failure: fx.Failure, events: list[Event]) -> None:
    """An attack succeeded."""
    _fought(s, events, held=False)
    target = _in_combat(s).target
    p = s.players[target]
    match failure:
        case fx.GiveUp(type=card_type):
            if any(TYPE_OF[card] == card_type for card in p.town):
                s.ask("lose", target)
            else:
                _finish(s)
        case fx.Rob(resources=robbed):
            taken = (
                min(robbed.food, p.food),
                min(robbed.credits, p.credits),
                min(robbed.responses, p.responses),
            )
            _take(s, Resources(*taken), events, to_attacker=True)
            _finish(s)
        case fx.Spoil():
            if any(p.pile()):
                s.ask("loot", s.current)
            else:
                _finish(s)
        case _:
            assert_never(failure)


def raided(s: State, events: list[Event]) -> None:
    """A raid succeeded: the raider chooses its loot, if there is any."""
    _fought(s, events, held=False)
    p = s.players[_in_combat(s).target]
    if structures(p) or any(p.pile()):
        s.ask("loot", s.current)
    else:
        _finish(s)


def _take(s: State, taken: Resources, events: list[Event], *, to_attacker: bool) -> None:
    """Resources leave the target's pile, for the attacker's, as far as there is room, or none."""
    target = _in_combat(s).target
    p = s.players[target]
    p.food -= taken.food
    p.credits -= taken.credits
    p.responses -= taken.responses
    if to_attacker:
        s.players[s.current].gain(taken.food, taken.credits, taken.responses)
    events.append(Taken(target, s.current if to_attacker else None, taken))


def structures(p: Player) -> list[int]:
    """The structures that can leave a town, lowest id first; the HQ cannot."""
    return sorted(card for card in p.town if TYPE_OF[card] == "structure")


def spoiling(combat: Combat) -> fx.Spoil | None:
    """The failure of an attack whose attacker chooses what is discarded, else None: a raid."""
    for effect in CARDS[combat.card].effects:
        if isinstance(effect, fx.Attack) and isinstance(effect.failure, fx.Spoil):
            return effect.failure
    return None


def loot_size(s: State, combat: Combat) -> int:
    """How many tokens the winner has to name: the number at stake, or all that there are."""
    spoil = spoiling(combat)
    return min(RAID_LOOT if spoil is None else spoil.count, sum(s.players[combat.target].pile()))


def check_loot(s: State, _seat: int, action: Loot) -> None:
    """Raise IllegalAction unless a structure or exactly the resources at stake are named."""
    combat = _in_combat(s)
    p = s.players[combat.target]
    if (action.structure is None) == (action.resources is None):
        refuse("one_loot", "name either a `structure` or `resources`")
    if action.structure is not None:
        if spoiling(combat) is not None:
            refuse("no_structure", f"{CARDS[combat.card].name} strikes the pile alone")
        if NUMBER_OF.get(action.structure, EMPTY) not in structures(p):
            refuse(
                "no_structure",
                f"{action.structure!r} is no structure in the town of seat {combat.target}",
            )
    elif action.resources is not None:
        wanted = action.resources
        if wanted.food > p.food or wanted.credits > p.credits or wanted.responses > p.responses:
            held = spell(Resources(*p.pile()))
            refuse("not_there", f"seat {combat.target} has {held}, not {spell(wanted)}")
        due = loot_size(s, combat)
        if wanted.total() != due:
            refuse("wrong_total", f"name {due} resources, not {wanted.total()}")


def loot(s: State, action: Loot, events: list[Event]) -> None:
    """Take what was named: a structure is discarded, resources change hands (or are discarded)."""
    combat = _in_combat(s)
    if action.structure is not None:
        _threaten(s, NUMBER_OF[action.structure], events)
        return
    assert action.resources is not None
    _take(s, action.resources, events, to_attacker=spoiling(combat) is None)
    _finish(s)


def default_loot(s: State) -> Loot:
    """The structure with the lowest id, else resources: credits, then responses, then food."""
    combat = _in_combat(s)
    p = s.players[combat.target]
    if spoiling(combat) is None and (standing := structures(p)):
        return Loot(structure=ID_OF[standing[0]])
    left = loot_size(s, combat)
    pile, taken = p.pile(), [0, 0, 0]
    for kind in (CREDITS, RESPONSES, FOOD):
        taken[kind] = min(left, pile[kind])
        left -= taken[kind]
    return Loot(resources=Resources(*taken))


def losable(s: State) -> list[int]:
    """The cards of which the target gives up one, lowest id first."""
    combat = _in_combat(s)
    for effect in CARDS[combat.card].effects:
        if isinstance(effect, fx.Attack) and isinstance(effect.failure, fx.GiveUp):
            wanted = effect.failure.type
            town = s.players[combat.target].town
            return sorted(card for card in town if TYPE_OF[card] == wanted)
    return []


def check_lose(s: State, _seat: int, action: Lose) -> None:
    """Raise IllegalAction unless the card is one that the attack can take."""
    if NUMBER_OF.get(action.card, EMPTY) not in losable(s):
        named = ", ".join(ID_OF[card] for card in losable(s))
        refuse("not_losable", f"{action.card!r} is not one of {named}")


def lose(s: State, action: Lose, events: list[Event]) -> None:
    """Give up a card."""
    _threaten(s, NUMBER_OF[action.card], events)


def _threaten(s: State, card: int, events: list[Event]) -> None:
    """A card is about to be lost; a structure can be saved from the hand."""
    combat = _in_combat(s)
    if TYPE_OF[card] == "structure" and protector(s.players[combat.target]) != EMPTY:
        s.combat = structs.replace(combat, stake=card)
        s.ask("protect", combat.target)
    else:
        _give_up(s, card, events)


def _give_up(s: State, card: int, events: list[Event]) -> None:
    target = _in_combat(s).target
    events.append(Lost(target, ID_OF[card]))
    leave_town(s, target, card, events)
    _finish(s)


def check_protect(_s: State, _seat: int, _action: Protect) -> None:
    """Either answer is allowed: who cannot protect is not asked."""


def protect(s: State, action: Protect, events: list[Event]) -> None:
    """Save the structure at stake, or give it up."""
    combat = _in_combat(s)
    if not action.play:
        _give_up(s, combat.stake, events)
        return
    p = s.players[combat.target]
    card = protector(p)
    cost = reaction_cost(p, card)
    p.responses -= cost
    p.drop(card)
    discard(s, card)
    events.append(Protected(combat.target, ID_OF[combat.stake], ID_OF[card], cost))
    _finish(s)
