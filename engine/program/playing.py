"""Playing cards from the hand on one's own turn, and using those in the town.

The one place where on-play effects and activations are carried out; attacks and raids go on in
`combat`.
"""

from __future__ import annotations

from typing import assert_never

from engine.game import Event
from engine.program import acting, combat, decks
from engine.program import effects as fx
from engine.program.actions import Activate, PlayCard
from engine.program.cards import CARDS, ID_OF, IN_TOWN, NUMBER_OF, SIZES, TYPE_OF
from engine.program.effects import OnPlay
from engine.program.events import Activated, Bought, Drew, Gained, Played
from engine.program.piles import paid
from engine.program.player import Player
from engine.program.refusals import can_spend, in_hand, in_town, refuse
from engine.program.resources import Resources
from engine.program.state import State
from engine.program.towns import enter_town, leave_town

# By card number.
AIMED: tuple[bool, ...] = tuple(card_type in ("attack", "raid") for card_type in TYPE_OF)
TAKES_SLOT: tuple[bool, ...] = tuple(
    any(isinstance(effect, fx.TakeMarket) for effect in card.effects) for card in CARDS
)
# The smallest town that a card can be played in, 0 small to 2 large.
SMALLEST: tuple[int, ...] = tuple(
    max(
        (
            SIZES.index(effect.size)
            for effect in card.effects
            if isinstance(effect, fx.PermanentPoints)
        ),
        default=0,
    )
    for card in CARDS
)
ACTIVATION: tuple[fx.Activate | None, ...] = tuple(
    next((effect for effect in card.effects if isinstance(effect, fx.Activate)), None)
    for card in CARDS
)


def play_cost(s: State, p: Player, card: int) -> int:
    """Responses that the seat on turn pays for playing a card."""
    if p.traits.first_play_free and not s.played:
        return 0
    return int(TYPE_OF[card] not in p.traits.free_types)


def check_play(s: State, seat: int, action: PlayCard) -> None:
    """Raise IllegalAction unless the card is in hand, can be played so, and is paid for."""
    p = s.players[seat]
    card = in_hand(p, action.card)
    if AIMED[card]:
        if action.target is None or action.target == seat or not 0 <= action.target < s.n:
            refuse("bad_target", f"{CARDS[card].name} needs another seat as `target`")
    elif action.target is not None:
        refuse("bad_target", f"{CARDS[card].name} has no `target`")
    if TAKES_SLOT[card]:
        if action.slot is None:
            refuse("no_such_slot", f"{CARDS[card].name} needs a market `slot`")
        acting.check_slot(s, action.slot)
    elif action.slot is not None:
        refuse("no_such_slot", f"{CARDS[card].name} has no market `slot`")
    if p.traits.size < SMALLEST[card]:
        refuse("town_too_small", f"{CARDS[card].name} takes a {SIZES[SMALLEST[card]]} town")
    can_spend(p, play_cost(s, p, card))


def play(s: State, action: PlayCard, events: list[Event]) -> None:
    """Play a card: into the town, or carry it out and discard it."""
    p = s.players[s.current]
    card = NUMBER_OF[action.card]
    cost = play_cost(s, p, card)
    p.responses -= cost
    p.drop(card)
    s.played += 1
    events.append(Played(s.current, action.card, cost, action.target))
    if TYPE_OF[card] in IN_TOWN:
        enter_town(s, s.current, card, events)
        return
    for effect in CARDS[card].effects:
        if isinstance(effect, OnPlay):
            _carry_out(s, effect, card, action, events)
    if s.combat is None:
        decks.discard(s, card)


def _carry_out(s: State, effect: OnPlay, card: int, action: PlayCard, events: list[Event]) -> None:
    """One effect of a card that has just been played by the seat on turn."""
    p = s.players[s.current]
    match effect:
        case fx.ExtraTurn():
            p.extra = True
        case fx.Gain(resources=resources):
            acting.gain(s, resources, events)
        case fx.TakeMarket():
            assert action.slot is not None
            taken = decks.take_slot(s, action.slot)
            p.take(taken)
            events.append(Bought(s.current, ID_OF[taken], 0))
        case fx.PermanentPoints(points=points):
            p.permanent += points
            s.refresh(s.current, events)
        case fx.DrawWastes(cards=cards):
            drawn = decks.draw_wastes(s, cards)
            for number in drawn:
                p.take(number)
            events.append(Drew(s.current, len(drawn)))
        case fx.Raid() | fx.Attack():
            assert action.target is not None
            combat.begin(s, card, action.target)
        case _:
            assert_never(effect)


def check_activate(s: State, seat: int, action: Activate) -> None:
    """Raise IllegalAction unless the card in the town can be used now, and is paid for."""
    p = s.players[seat]
    card = in_town(p, action.card)
    effect = ACTIVATION[card]
    if effect is None:
        refuse("not_activable", f"{CARDS[card].name} has nothing to activate")
    if effect.once and card in s.used:
        refuse("used_already", f"{CARDS[card].name} can be activated once a turn")
    if paid(p.pile(), effect.pay) is None:
        refuse("too_few_resources", f"{CARDS[card].name} costs more than you have")


def activate(s: State, action: Activate, events: list[Event]) -> None:
    """Pay, discard the card where it says so, gain."""
    p = s.players[s.current]
    card = NUMBER_OF[action.card]
    effect = ACTIVATION[card]
    assert effect is not None
    rest = paid(p.pile(), effect.pay)
    assert rest is not None
    p.food, p.credits, p.responses = rest
    events.append(Activated(s.current, action.card, effect.discard))
    if effect.once:
        s.used = tuple(sorted((*s.used, card)))
    if effect.discard:
        leave_town(s, s.current, card, events)
    gained = p.gain(effect.gain.food, effect.gain.credits, effect.gain.responses)
    events.append(Gained(s.current, Resources(*gained)))
