"""What a seat sees: a view built up from nothing out of what that seat may know."""

from __future__ import annotations

from engine.pioneers.bandit import must_discard
from engine.pioneers.board import PORTS
from engine.pioneers.cards import total, unpack
from engine.pioneers.devcards import dev_total, unpack_dev
from engine.pioneers.state import State
from engine.pioneers.turns import true_points
from engine.pioneers.view import Awards, Offer, PioneersView

_SEATS: tuple[int | None, ...] = (None, 0, 1, 2, 3)
_AWARDS = {(army, road): Awards(army, road) for army in _SEATS for road in _SEATS}
_NONE = unpack_dev(0)


def see(s: State, seat: int | None) -> PioneersView:
    """The view of `seat`, or a spectator's for None. ValueError where there is no such seat."""
    if seat is None:
        hand = dev_cards = dev_bought = my_score = offer = None
        due = 0
    elif 0 <= seat < s.n:
        hand = unpack(s.hands[seat])
        dev_cards = unpack_dev(s.dev[seat])
        dev_bought = unpack_dev(s.bought) if seat == s.current and s.bought else _NONE
        my_score = true_points(s, seat)
        asked = seat in s.asked
        due = must_discard(s.hands[seat]) if asked and s.kind == "discard" else 0
        offer = None
        if asked and s.offer is not None:
            terms = s.offer
            offer = Offer(s.current, terms.give_bundle, terms.get_bundle, s.offer_to is None)
    else:
        raise ValueError(f"there is no seat {seat} among {s.n}")
    dev_counts = [dev_total(cards) for cards in s.dev]
    dev_counts[s.current] += dev_total(s.bought)
    return PioneersView(
        seat,
        s.n,
        s.current,
        s.turn,
        s.dice,
        s.hexes,
        PORTS,
        s.bandit,
        tuple(s.settlements),
        tuple(s.cities),
        tuple(s.roads),
        hand,
        tuple([total(h) for h in s.hands]),
        dev_cards,
        dev_bought,
        tuple(dev_counts),
        len(s.deck),
        tuple(s.knights),
        _AWARDS[s.largest_army, s.longest_road],
        tuple(s.lengths),
        tuple(s.scores),
        my_score,
        due,
        offer,
        s.resigned,
        s.talk,
    )
