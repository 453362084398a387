"""The maintenance answers that `legal` lists: finite, and with every one worth giving among them.

`check` allows more: any set of cards paid for, any pile that fits. Listed are all combinations of

- no trade, buying, and each sale that the food allows, with no more responses standing in than
  it lacks food;
- paying for as many cards as then can be paid (every set to which none can be added), or for
  all of such a set but one;
- `keep` left out, and where not everything fits, what the other orders of the three kinds keep.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import permutations

from engine.program.actions import Maintenance, Trade
from engine.program.cards import ID_OF
from engine.program.maintenance import NO_TRADE, SALES, paid_all, produced, traded, traits_after
from engine.program.piles import (
    CREDITS,
    CREDITS_FIRST,
    FOOD,
    RESPONSES,
    Order,
    Pile,
    overflow,
    paid,
    stored,
)
from engine.program.player import Player
from engine.program.resources import Resources
from engine.program.state import State

_OTHER_ORDERS: tuple[Order, ...] = tuple(
    (a, b, c) for a, b, c in permutations((FOOD, CREDITS, RESPONSES)) if (a, b, c) != CREDITS_FIRST
)


def legal_maintenance(s: State, seat: int) -> list[Maintenance]:
    """The answers listed above, without a trade first."""
    p = s.players[seat]
    upkeep = p.traits.upkeep
    pool = produced(p)
    listed = []
    for trade in _trades(pool):
        after = traded(p.traits, pool, trade or NO_TRADE)
        if after is None:
            continue
        for paying in _payments(tuple([cost for _, cost in upkeep]), after):
            pay = tuple([ID_OF[upkeep[i][0]] for i in paying])
            left = paid_all(after, [upkeep[i][1] for i in paying])
            assert left is not None
            leaving = [card for i, (card, _) in enumerate(upkeep) if i not in paying]
            listed += [Maintenance(trade, pay, keep) for keep in _keeps(s, p, leaving, left)]
    return listed


def _trades(pool: Pile) -> Iterator[Trade | None]:
    yield None
    yield Trade(buy=True)
    for sell in SALES:
        short = max(0, sell - pool[FOOD])
        if short <= pool[RESPONSES]:
            yield Trade(sell=sell, responses=short)  # type: ignore[arg-type]


@lru_cache(maxsize=1 << 12)
def _payments(costs: tuple[Resources, ...], pool: Pile) -> tuple[tuple[int, ...], ...]:
    """Sets of costs, by index: those to which none can be added, then each of them less one."""
    n = len(costs)
    # By set of costs as a bit mask: what is left when it is paid, None where it cannot be.
    left: list[Pile | None] = [pool]
    for chosen in range(1, 1 << n):
        rest = left[chosen & chosen - 1]
        lowest = (chosen & -chosen).bit_length() - 1
        left.append(None if rest is None else paid(rest, costs[lowest]))
    fullest = [
        tuple([i for i in range(n) if chosen >> i & 1])
        for chosen in range(1 << n)
        if left[chosen] is not None
        and not any(left[chosen | 1 << i] for i in range(n) if not chosen >> i & 1)
    ]
    fullest.sort(key=lambda chosen: (-len(chosen), chosen))
    less_one = dict.fromkeys(
        tuple([i for i in chosen if i != out]) for chosen in fullest for out in chosen
    )
    return (*fullest, *less_one)


def _keeps(s: State, p: Player, leaving: list[int], left: Pile) -> Iterator[Resources | None]:
    yield None
    after = traits_after(s, p, leaving)
    if overflow(after, *left) <= 0:
        return
    listed = {stored(after, (0, 0, 0), left, CREDITS_FIRST)}
    for order in _OTHER_ORDERS:
        pile = stored(after, (0, 0, 0), left, order)
        if pile not in listed:
            listed.add(pile)
            yield Resources(*pile)
