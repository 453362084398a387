"""The bandit: what a 7 costs, where it goes, whom it robs."""

from __future__ import annotations

from engine.game import Event, IllegalAction
from engine.pioneers.actions import RESOURCES, Discard, MoveBandit
from engine.pioneers.board import HEX_COUNT
from engine.pioneers.cards import (
    UNITS,
    counts,
    covers,
    pack,
    spell_bundle,
    spell_held,
    total,
    unpack,
)
from engine.pioneers.events import BanditMoved, Discarded
from engine.pioneers.state import DISCARD_ABOVE, State


def must_discard(hand: int) -> int:
    """How many cards a seat with `hand` gives up on a 7."""
    cards = total(hand)
    return cards // 2 if cards > DISCARD_ABOVE else 0


def check_discard(s: State, seat: int, action: Discard) -> None:
    """Raise IllegalAction unless exactly the right number of held cards is given up."""
    bundle = action.discard
    for name in RESOURCES:
        if getattr(bundle, name) < 0:
            raise IllegalAction(
                "negative_count", f"a discard cannot hold {getattr(bundle, name)} {name}"
            )
    hand = s.hands[seat]
    dropped = pack(bundle)
    if not covers(hand, dropped):
        raise IllegalAction(
            "not_held",
            f"you discard {spell_bundle(bundle)} and hold {spell_held(hand, dropped)}",
        )
    due = must_discard(hand)
    if total(dropped) != due:
        raise IllegalAction(
            "wrong_total", f"you must discard exactly {due} cards, not {total(dropped)}"
        )


def discard(s: State, seat: int, action: Discard, events: list[Event]) -> None:
    """Give up checked cards."""
    dropped = pack(action.discard)
    s.hands[seat] -= dropped
    events.append(Discarded(seat, total(dropped)))


def default_discard(hand: int) -> Discard:
    """Cards one by one, each from the pile largest by then; of equal ones, the first resource."""
    piles = list(counts(hand))
    dropped = 0
    for _ in range(must_discard(hand)):
        largest = piles.index(max(piles))
        piles[largest] -= 1
        dropped += UNITS[largest]
    return Discard(discard=unpack(dropped))


def check_bandit(s: State, seat: int, action: MoveBandit) -> None:
    """Raise IllegalAction unless the bandit moves to another hex, to rob a seat there or none."""
    h, victim = action.hex, action.victim
    if not 0 <= h < HEX_COUNT:
        raise IllegalAction("no_such_place", f"there is no hex {h}")
    if h == s.bandit:
        raise IllegalAction("same_hex", f"the bandit is on hex {h} and has to move to another")
    if victim is None:
        return
    if victim == seat or not 0 <= victim < s.n:
        raise IllegalAction(
            "bad_seat", f"a victim is another seat of the {s.n}, or nobody, not {victim}"
        )
    if not s.seats_on[h] >> victim & 1:
        raise IllegalAction("no_town_there", f"seat {victim} has no town on hex {h}")


def move_bandit(s: State, action: MoveBandit, events: list[Event]) -> None:
    """Move the bandit, if legal; the victim hands over one card, each equally likely."""
    seat, victim = s.current, action.victim
    check_bandit(s, seat, action)
    s.bandit = action.hex
    stolen = 0
    if victim is not None:
        cards = total(s.hands[victim])
        if cards:
            place = s.chance.draw("steal", s.steals, cards)
            s.steals += 1
            unit = _card_at(s.hands[victim], place)
            s.hands[victim] -= unit
            s.hands[seat] += unit
            stolen = 1
    events.append(BanditMoved(seat, action.hex, victim, stolen))
    if action.talk:
        s.say(seat, action.talk, events)
    s.ask_to_act()


def _card_at(hand: int, place: int) -> int:
    """The card at `place` of a hand laid out in resource order, packed."""
    for count, unit in zip(counts(hand), UNITS, strict=True):
        if place < count:
            return unit
        place -= count
    raise AssertionError("a draw below the hand's total lies within the hand")
