"""Step 2: production, one food trade, maintenance paid or not, what is stored.

Only sums matter: the production pile and the resource pile pay for the same things, and `keep`
is the pile afterwards, so which token came from which pile makes no difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from engine.game import Event
from engine.program import turns
from engine.program.actions import Maintenance, Trade
from engine.program.cards import CARDS, ID_OF, NUMBER_OF
from engine.program.events import Maintained
from engine.program.piles import CREDITS, FOOD, RESPONSES, Pile, overflow, paid, stored
from engine.program.player import Player
from engine.program.refusals import refuse
from engine.program.resources import Resources, spell
from engine.program.state import EMPTY, State
from engine.program.towns import leave_town
from engine.program.traits import Traits, traits_of

# Food sold -> credits earned.
SALES = {3: 1, 5: 2, 7: 3}
FOOD_PER_CREDIT = 2
NO_TRADE = Trade()


class Settlement(NamedTuple):
    """What a maintenance answer comes to: cards paid for and leaving, what there is to store,
    and the pile that is stored."""

    paid: tuple[int, ...]
    leaving: tuple[int, ...]
    left: Pile
    pile: Pile


def produced(p: Player) -> Pile:
    """All that a seat can spend: its pile and what its town has just produced."""
    t = p.traits
    return p.food + t.food, p.credits + t.credits, p.responses + t.responses


def traded(t: Traits, pool: Pile, trade: Trade) -> Pile | None:
    """The pool after a trade; None where it does not hold what the trade takes."""
    food, credits_, responses = pool
    if trade.sell is not None:
        rest = food - trade.sell + trade.responses, responses - trade.responses
        if min(rest) < 0:
            return None
        return rest[0], credits_ + SALES[trade.sell] + t.better_sales, rest[1]
    if trade.buy:
        return None if credits_ < 1 else (food + FOOD_PER_CREDIT, credits_ - 1, responses)
    return pool


def paid_all(pool: Pile, costs: Iterable[Resources]) -> Pile | None:
    """The pool after several costs, or None: food is spent first, responses stand in for it."""
    left: Pile | None = pool
    for cost in costs:
        if left is None:
            return None
        left = paid(left, cost)
    return left


def settle(s: State, p: Player, action: Maintenance) -> Settlement:
    """Work an answer out. Raises IllegalAction, naming the rule."""
    pool = _trade(p, action.trade or NO_TRADE)
    chosen = _chosen(p, action.pay)
    left = paid_all(pool, [cost for card, cost in p.traits.upkeep if card in chosen])
    if left is None:
        owed = ", ".join(f"{CARDS[card].name} {spell(CARDS[card].maintenance)}" for card in chosen)
        refuse("cannot_pay", f"you can spend {spell(Resources(*pool))} and owe: {owed}")
    leaving = tuple([card for card, _ in p.traits.upkeep if card not in chosen])
    after = traits_after(s, p, leaving)
    return Settlement(tuple(chosen), leaving, left, _kept(after, left, action.keep))


def _trade(p: Player, trade: Trade) -> Pile:
    if trade is not NO_TRADE and (trade.sell is None) != trade.buy:
        refuse("one_trade", "a trade either sells 3, 5 or 7 food or buys 2 for a credit")
    if trade.responses > (trade.sell or 0):
        refuse("too_many_stand_in", f"{trade.responses} responses cannot stand in for {trade.sell}")
    pool = produced(p)
    after = traded(p.traits, pool, trade)
    if after is None:
        refuse("cannot_trade", f"you can spend {spell(Resources(*pool))}")
    return after


def _chosen(p: Player, pay: tuple[str, ...]) -> list[int]:
    """The cards to pay for."""
    owing = [card for card, _ in p.traits.upkeep]
    chosen: list[int] = []
    for card_id in pay:
        card = NUMBER_OF.get(card_id, EMPTY)
        if card not in owing:
            refuse("nothing_owed", f"{card_id!r} is no card in your town that needs maintenance")
        if card in chosen:
            refuse("paid_twice", f"{card_id} is named twice")
        chosen.append(card)
    return chosen


def _kept(after: Traits, left: Pile, keep: Resources | None) -> Pile:
    """What is stored: what `keep` says, if it is there and fits, else what fits."""
    if keep is None:
        return stored(after, (0, 0, 0), left)
    wanted = keep.food, keep.credits, keep.responses
    if any(want > there for want, there in zip(wanted, left, strict=True)):
        refuse("not_there", f"{spell(Resources(*left))} is left to keep, not {spell(keep)}")
    if (excess := overflow(after, *wanted)) > 0:
        refuse("no_room", f"{spell(keep)} is {excess} more than your town can store")
    return wanted


def traits_after(s: State, p: Player, leaving: Iterable[int]) -> Traits:
    """The traits of the town without the cards that leave it."""
    gone = set(leaving)
    if not gone:
        return p.traits
    town = tuple([card for card in p.town if card not in gone])
    return traits_of(p.hq, town, p.projects, p.survivor if s.round > 1 else 0)


def check_maintenance(s: State, seat: int, action: Maintenance) -> None:
    """Raise IllegalAction unless trade, payment and what is kept can be."""
    settle(s, s.players[seat], action)


def settle_all(s: State, actions: Mapping[int, Maintenance], events: list[Event]) -> None:
    """Settle the checked answers in seat order; the round ends."""
    for seat, action in actions.items():
        _carry_out(s, seat, action, events)
    turns.end_round(s, events)


def _carry_out(s: State, seat: int, action: Maintenance, events: list[Event]) -> None:
    p = s.players[seat]
    t = p.traits
    done = settle(s, p, action)
    p.food, p.credits, p.responses = done.pile
    trade = action.trade or NO_TRADE
    events.append(
        Maintained(
            seat=seat,
            produced=Resources(t.food, t.credits, t.responses),
            sold=trade.sell or 0,
            earned=SALES[trade.sell] + t.better_sales if trade.sell else 0,
            bought=FOOD_PER_CREDIT if trade.buy else 0,
            paid=tuple([ID_OF[card] for card in done.paid]),
            left=tuple([ID_OF[card] for card in done.leaving]),
            pile=Resources(*done.pile),
        )
    )
    for card in done.leaving:
        leave_town(s, seat, card, events)


def default_maintenance(p: Player) -> Maintenance:
    """No trade; each card in town order is paid for if it still can be."""
    pool = produced(p)
    paying = []
    for card, cost in p.traits.upkeep:
        left = paid(pool, cost)
        if left is not None:
            pool = left
            paying.append(ID_OF[card])
    return Maintenance(pay=tuple(paying))


assert (FOOD, CREDITS, RESPONSES) == (0, 1, 2)
