"""The bounded action space of The Pioneers Program, legal or not.

Left out are lists of cards in other than ascending order, and the maintenance answers that
`engine.program.budgets` says are not listed. Which those are is worked out here anew, by asking
`check` what can be paid and stored.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, permutations, product
from typing import Any

import msgspec

from engine.game import Action, Game, IllegalAction
from engine.program.actions import KINDS, Maintenance, Trade
from engine.program.resources import Resources

Json = dict[str, Any]
# One more than there are cards: an id that no card has.
IDS = [f"c{number}" for number in range(112)]
ORDERS = [*permutations(("credits", "responses", "food"))]


def space(game: Game, seat: int) -> Iterator[Action]:
    """Every action of the kind that `seat` is asked."""
    view: Any = game.view(seat)
    kind = game.pending()[seat]
    if kind == "maintenance":
        yield from maintenance(game, seat, view)
    elif kind in ("defend", "raid"):
        for action in preparations(view.towns[seat].pile.responses, view.hand):
            yield msgspec.convert(action, KINDS[kind])
    else:
        yield from fixed(kind)


@lru_cache(maxsize=16)
def fixed(kind: str) -> tuple[Action, ...]:
    """The actions of a kind whose space is the same everywhere."""
    as_type: Any = KINDS[kind]
    spaces: dict[str, Any] = {
        "draft": ({"card": card, "play": play} for card in IDS for play in (False, True)),
        "turn": turn_actions(),
        "reroll": ({"reroll": answer} for answer in (False, True)),
        "protect": ({"play": answer} for answer in (False, True)),
        "loot": loot(),
        "lose": ({"card": card} for card in IDS),
        "choose": ({"card": card} for card in IDS),
        "survivor": ({"survivor": number} for number in range(10)),
    }
    return tuple(msgspec.convert(action, as_type) for action in spaces[kind])


def turn_actions() -> Iterator[Json]:
    for name in ("end_turn", "pass", "wastes", "plan", "upgrade_hq"):
        yield {"type": name}
    for slot in range(6):
        yield {"type": "market", "slot": slot}
    for card in IDS:
        yield {"type": "activate", "card": card}
        for tokens in (1, 2, 3):
            yield {"type": "research", "project": card, "tokens": tokens}
        for target, slot_or_none in product((None, *range(4)), (None, *range(6))):
            yield {"type": "play_card", "card": card, "target": target, "slot": slot_or_none}


def loot() -> Iterator[Json]:
    yield {}
    for card in IDS:
        yield {"structure": card}
    for food, credits_, responses in product(range(4), repeat=3):
        resources = {"food": food, "credits": credits_, "responses": responses}
        yield {"resources": resources}
        yield {"structure": IDS[0], "resources": resources}


def preparations(responses: int, hand: tuple[str, ...]) -> Iterator[Json]:
    """Up to two spends too many; up to three cards of the hand, and one that is not in it."""
    other = next(card for card in IDS if card not in hand)
    for size in range(4):
        for cards in combinations(hand, size):
            for spend in range(responses + 3):
                yield {"spend": spend, "play": cards}
    yield {"spend": 0, "play": (other,)}
    for card in hand:
        yield {"spend": 0, "play": (card, card)}


def maintenance(game: Game, seat: int, view: Any) -> Iterator[Action]:
    """What is listed by its description, and things that are not allowed."""

    def allows(trade: Trade | None, pay: tuple[str, ...], keep: Resources | None = None) -> bool:
        try:
            game.check(seat, Maintenance(trade, pay, keep))
        except IllegalAction:
            return False
        return True

    town = view.towns[seat].town
    owing = [card for card in town if allows_any_pay(view, card)]
    trades: list[Trade | None] = [None, Trade(buy=True)]
    for sell in (3, 5, 7):
        ways = [Trade(sell=sell, responses=n) for n in range(sell + 1)]
        trades += next(([way] for way in ways if allows(way, ())), ways[-1:])
    for trade in trades:
        sets = [
            pay
            for n in range(len(owing) + 1)
            for pay in combinations(owing, n)
            if allows(trade, pay)
        ]
        full = [pay for pay in sets if not any(set(pay) < set(other) for other in sets)]
        less = {tuple(card for card in pay if card != out) for pay in full for out in pay}
        for pay in (*full, *sorted(less)):
            yield Maintenance(trade, pay)
            first, *others = [most(allows, trade, pay, order) for order in ORDERS]
            for keep in sorted(set(others) - {first}, key=msgspec.structs.astuple):
                yield Maintenance(trade, pay, keep)
    yield from not_allowed(town)


def allows_any_pay(view: Any, card: str) -> bool:
    """Whether a card has a maintenance cost, waived or not."""
    return bool(view.facts[view.cards[card]].maintenance)


def most(allows: Any, trade: Trade | None, pay: tuple[str, ...], order: Any) -> Resources:
    """The pile that is kept where the kinds are stored one after the other."""
    kept = dict.fromkeys(order, 0)
    for kind in order:
        while allows(trade, pay, Resources(**kept | {kind: kept[kind] + 1})):
            kept[kind] += 1
    return Resources(**kept)


def not_allowed(town: tuple[str, ...]) -> Iterator[Action]:
    yield Maintenance(Trade())
    yield Maintenance(Trade(sell=3, buy=True))
    yield Maintenance(Trade(buy=True, responses=1))
    yield Maintenance(Trade(sell=3, responses=4))
    yield Maintenance(pay=(IDS[-1],))
    yield Maintenance(keep=Resources(food=40))
    yield Maintenance(keep=Resources(credits=40))
    for card in town:
        yield Maintenance(pay=(card, card))
