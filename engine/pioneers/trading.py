"""Trading with the bank and among seats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.game import Event, IllegalAction
from engine.pioneers.actions import BankTrade, OfferTrade, Respond
from engine.pioneers.board import GENERIC_PORT
from engine.pioneers.cards import LANE, SHIFTS, UNITS, covers, spell_bundle, spell_held
from engine.pioneers.devcards import resource_index
from engine.pioneers.events import BankTraded, Offered, Responded, Traded
from engine.pioneers.state import State
from engine.pioneers.trades import Terms, terms

MAX_OFFERS = 5
WORST_RATE = 4


def bank_rate(ports: int, resource: int) -> int:
    """How many cards of `resource` the bank takes for one other card."""
    if ports >> resource & 1:
        return 2
    return 3 if ports & GENERIC_PORT else WORST_RATE


def check_bank_trade(s: State, seat: int, action: BankTrade) -> None:
    """Raise IllegalAction unless the seat holds what its best rate asks."""
    give = resource_index(action.give)
    if give == resource_index(action.get):
        raise IllegalAction("same_resource", f"the bank does not trade {action.give} for itself")
    rate = bank_rate(s.ports[seat], give)
    count = s.hands[seat] >> SHIFTS[give] & LANE
    if count < rate:
        raise IllegalAction(
            "cannot_afford",
            f"the bank takes {rate} {action.give} for 1 {action.get}; you hold {count}",
        )


def bank_trade(s: State, action: BankTrade, events: list[Event]) -> None:
    """Trade with the bank, if legal."""
    seat = s.current
    check_bank_trade(s, seat, action)
    give = resource_index(action.give)
    rate = bank_rate(s.ports[seat], give)
    s.hands[seat] += UNITS[resource_index(action.get)] - rate * UNITS[give]
    events.append(BankTraded(seat, rate))


def check_offer(s: State, seat: int, action: OfferTrade) -> Terms:
    """The terms of an offer that the seat may make, else IllegalAction."""
    if s.offers >= MAX_OFFERS:
        raise IllegalAction("offer_limit", f"you made {MAX_OFFERS} offers this turn, which is all")
    to = action.to
    if to is not None and (to == seat or not 0 <= to < s.n):
        raise IllegalAction("bad_seat", f"an offer goes to another seat of the {s.n}, not to {to}")
    agreed = terms(action.give, action.get)
    if not covers(s.hands[seat], agreed.give):
        raise IllegalAction(
            "not_held",
            f"you offer {spell_bundle(action.give)} "
            f"and hold {spell_held(s.hands[seat], agreed.give)}",
        )
    return agreed


def offer(s: State, action: OfferTrade, events: list[Event]) -> None:
    """Open an offer, if legal; it waits for the answers of those whom it asks."""
    seat = s.current
    s.offer = check_offer(s, seat, action)
    s.offer_to = action.to
    s.offers += 1
    if action.talk:
        s.say(seat, action.talk, events)
    s.ask_about_offer()


def check_response(s: State, seat: int, action: Respond) -> None:
    """Raise IllegalAction where the seat accepts without the cards."""
    if action.accept:
        assert s.offer is not None
        if not covers(s.hands[seat], s.offer.get):
            raise IllegalAction(
                "not_held",
                f"the offer asks {spell_bundle(s.offer.get_bundle)}; "
                f"you hold {spell_held(s.hands[seat], s.offer.get)}",
            )


def respond(s: State, actions: Mapping[int, Any], events: list[Event]) -> None:
    """Settle the open offer, if every response is legal: of those who accept, the seat next after
    the offerer trades."""
    for seat in s.asked:
        check_response(s, seat, actions[seat])
    offerer, agreed = s.current, s.offer
    assert agreed is not None
    # Told only now: until all have answered, nobody learns who else was asked.
    events.append(Offered(offerer, s.offer_to, agreed.give_count, agreed.get_count))
    partner = None
    nearest = s.n
    for seat in s.asked:
        action = actions[seat]
        events.append(_RESPONDED[seat][bool(action.accept)])
        if action.talk:
            s.say(seat, action.talk, events)
        if action.accept:
            distance = (seat - offerer) % s.n
            if distance < nearest:
                partner, nearest = seat, distance
    if partner is not None:
        swap = agreed.get - agreed.give
        s.hands[offerer] += swap
        s.hands[partner] -= swap
        events.append(Traded(offerer, partner, agreed.give_count, agreed.get_count))
    s.offer = None
    s.offer_to = None
    s.ask_to_act()


_RESPONDED = tuple((Responded(seat, False), Responded(seat, True)) for seat in range(4))
