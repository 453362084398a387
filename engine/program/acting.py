"""The four actions of a turn, the choice that a wastes action can bring, and HQ upgrades."""

from __future__ import annotations

from engine.game import Event
from engine.program import decks, effects
from engine.program.actions import Choose, Market, Plan, Research, UpgradeHq, Wastes
from engine.program.cards import CARDS, HQS, ID_OF, NUMBER_OF, SIZES
from engine.program.events import Bought, Completed, Drew, Gained, Kept, Researched, Upgraded
from engine.program.player import Player
from engine.program.refusals import can_pay, can_spend, refuse
from engine.program.resources import Resources
from engine.program.state import EMPTY, State

# By town size: responses of the plan action, most tokens of a research action.
PLAN_RESPONSES = (3, 2, 1)
RESEARCH_TOKENS = (1, 2, 3)


def _check_action_left(s: State) -> None:
    if s.acted:
        refuse("action_taken", "one of market, wastes, plan and research a turn, and it is taken")


def market_cost(p: Player, slot: int) -> int:
    """Credits for the card in a market slot."""
    return max(0, decks.SLOT_COSTS[slot] - p.traits.cheaper_market)


def check_market(s: State, seat: int, action: Market) -> None:
    """Raise IllegalAction unless there is a card in the slot that the seat can pay for."""
    _check_action_left(s)
    check_slot(s, action.slot)
    can_pay(s.players[seat], market_cost(s.players[seat], action.slot))


def check_slot(s: State, slot: int) -> None:
    """Raise IllegalAction unless there is a card in that market slot."""
    if not 0 <= slot < decks.SLOTS:
        refuse("no_such_slot", f"market slots are 0 to {decks.SLOTS - 1}, not {slot}")
    if s.market[slot] == EMPTY:
        refuse("empty_slot", f"market slot {slot} is empty until the actions step ends")


def market(s: State, action: Market, events: list[Event]) -> None:
    """Buy a card into the hand."""
    p = s.players[s.current]
    cost = market_cost(p, action.slot)
    p.credits -= cost
    card = decks.take_slot(s, action.slot)
    p.take(card)
    s.acted = True
    events.append(Bought(s.current, ID_OF[card], cost))


def check_wastes(s: State, _seat: int, _action: Wastes) -> None:
    """Raise IllegalAction unless there is a wastes card to draw."""
    _check_action_left(s)
    if not s.wastes_deck and not s.wastes_discard:
        refuse("no_wastes", "the wastes deck and its discard pile are empty")


def wastes(s: State, _action: Wastes, events: list[Event]) -> None:
    """Draw a card, or several of which one is kept."""
    p = s.players[s.current]
    drawn = decks.draw_wastes(s, p.traits.wastes_choice)
    s.acted = True
    events.append(Drew(s.current, len(drawn)))
    if len(drawn) > 1:
        s.choices = tuple(sorted(drawn))
        s.ask("choose", s.current)
    else:
        p.take(drawn[0])


def check_choice(s: State, _seat: int, action: Choose) -> None:
    """Raise IllegalAction unless the card is one of those drawn."""
    if NUMBER_OF.get(action.card, -1) not in s.choices:
        refuse("not_drawn", f"{action.card!r} is not one of the cards that you drew")


def choose(s: State, action: Choose, events: list[Event]) -> None:
    """Keep one of the cards drawn; the turn goes on."""
    kept = NUMBER_OF[action.card]
    others = [card for card in s.choices if card != kept]
    s.choices = ()
    s.players[s.current].take(kept)
    for card in others:
        decks.discard(s, card)
    events.append(Kept(s.current, tuple(ID_OF[card] for card in others)))
    s.ask("turn", s.current)


def check_plan(s: State, _seat: int, _action: Plan) -> None:
    """Raise IllegalAction unless the turn's action is left."""
    _check_action_left(s)


def plan(s: State, _action: Plan, events: list[Event]) -> None:
    """Gain responses by the size of the town."""
    p = s.players[s.current]
    planned = PLAN_RESPONSES[p.traits.size] + p.traits.better_plans
    _, _, gained = p.gain(0, 0, planned)
    s.acted = True
    events.append(Gained(s.current, Resources(responses=gained)))


def check_research(s: State, seat: int, action: Research) -> None:
    """Raise IllegalAction unless the tokens are allowed, missing on the project, and paid."""
    _check_action_left(s)
    place = open_project(s, action.project)
    p = s.players[seat]
    most = RESEARCH_TOKENS[p.traits.size]
    if not 1 <= action.tokens <= most:
        size = SIZES[p.traits.size]
        refuse("too_many_tokens", f"a {size} town pays for 1 to {most} tokens, not {action.tokens}")
    missing = CARDS[s.projects[place]].value - s.research[place][seat]
    if action.tokens > missing:
        refuse("not_missing", f"{missing} tokens are missing on {action.project}")
    can_spend(p, action.tokens)


def open_project(s: State, project: str) -> int:
    """The place of an open project; IllegalAction where it is not open."""
    number = NUMBER_OF.get(project, EMPTY)
    if number == EMPTY or number not in s.projects:
        refuse("not_open", f"{project!r} is not one of the open projects")
    return s.projects.index(number)


def research(s: State, action: Research, events: list[Event]) -> None:
    """Place tokens, free ones too, but never more than are missing; a full project is done."""
    seat = s.current
    p = s.players[seat]
    place = s.projects.index(NUMBER_OF[action.project])
    number = s.projects[place]
    before = s.research[place][seat]
    tokens = min(CARDS[number].value, before + action.tokens + p.traits.extra_research)
    p.responses -= action.tokens
    s.acted = True
    events.append(Researched(seat, action.project, tokens - before, action.tokens))
    placed = (*s.research[place][:seat], tokens, *s.research[place][seat + 1 :])
    s.research = (*s.research[:place], placed, *s.research[place + 1 :])
    if tokens == CARDS[number].value:
        _complete(s, place, events)


def _complete(s: State, place: int, events: list[Event]) -> None:
    """The project goes under the seat's mat; all tokens on it go back; the next one opens."""
    p = s.players[s.current]
    number = s.projects[place]
    card = CARDS[number]
    p.projects = (*p.projects, number)
    p.permanent += card.points
    following = decks.next_project(s, place)
    events.append(
        Completed(s.current, ID_OF[number], None if following == EMPTY else ID_OF[following])
    )
    s.refresh(s.current, events)
    for effect in card.effects:
        if isinstance(effect, effects.Gain):
            gain(s, effect.resources, events)


def gain(s: State, resources: Resources, events: list[Event]) -> None:
    """Resources from the stores for the current seat, as far as there is room."""
    gained = s.players[s.current].gain(resources.food, resources.credits, resources.responses)
    events.append(Gained(s.current, Resources(*gained)))


def upgrade_cost(p: Player) -> int:
    """Credits for the next level of the HQ, which has to exist."""
    return max(0, HQS[p.hq + 1].cost - p.traits.cheaper_upgrades)


def can_upgrade(p: Player) -> bool:
    """Whether there is a next level of the HQ that the town can have and pay for."""
    if p.hq + 1 == len(HQS):
        return False
    return p.traits.size >= SIZES.index(HQS[p.hq + 1].size) and upgrade_cost(p) <= p.credits


def check_upgrade(s: State, seat: int, _action: UpgradeHq) -> None:
    """Raise IllegalAction unless there is a next level that the town can have and pay for."""
    p = s.players[seat]
    if p.hq + 1 == len(HQS):
        refuse("highest_hq", f"{HQS[p.hq].name} is the highest level")
    following = HQS[p.hq + 1]
    if p.traits.size < SIZES.index(following.size):
        refuse(
            "town_too_small",
            f"{following.name} takes a {following.size} town and yours is {SIZES[p.traits.size]}",
        )
    can_pay(p, upgrade_cost(p))


def upgrade(s: State, _action: UpgradeHq, events: list[Event]) -> None:
    """Pay for the next level of the HQ."""
    p = s.players[s.current]
    cost = upgrade_cost(p)
    p.credits -= cost
    p.hq += 1
    events.append(Upgraded(s.current, HQS[p.hq].name, cost))
    s.refresh(s.current, events)
