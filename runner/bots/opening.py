"""Set-up by chances: two settlements that work well together, and roads to where there is room."""

from __future__ import annotations

import math
from collections.abc import Sequence

from engine.pioneers.actions import Setup
from engine.pioneers.board import EDGES_AT, bits
from engine.pioneers.placing import harvest, put_road, put_settlement
from engine.pioneers.state import State
from runner.bots.chances import strength
from runner.bots.prospects import vertex_ways

_FIRSTS = 10  # sites with the best odds to look at for the first settlement
_PARTNERS = 16  # and beside each, for the second
_SECONDS = 32  # when the second is placed
_LIKELY = 3  # partners of a first site that count: which of them will be left cannot be known


def first_settlement(s: State, seat: int) -> Setup:
    """The site that is best together with a second one that may still be there later."""
    placed = sum(map(len, s.settlements))
    between = 2 * (s.n - 1 - placed)  # settlements of others before the seat's second one

    def worth(vertex: int) -> float:
        with_first = settled(s, seat, vertex)
        pairs = sorted(
            (
                strength(settled(with_first, seat, second), seat)
                for second in _by_odds(with_first)[:_PARTNERS]
            ),
            reverse=True,
        )
        # Others do not always want the same: about half of their sites are among the best here.
        likely = pairs[between // 2 :][:_LIKELY]
        return math.fsum(likely) / len(likely)

    vertex = max(_by_odds(s)[:_FIRSTS], key=worth)
    with_town = settled(s, seat, vertex)
    road = max(
        _free_edges(s, vertex), key=lambda edge: strength(_with_road(with_town, seat, edge), seat)
    )
    return Setup(settlement=vertex, road=road)


def second_settlement(s: State, seat: int) -> Setup:
    """The site and road that leave the seat strongest, the cards it pays included."""
    best: tuple[float, Setup] | None = None
    for vertex in _by_odds(s)[:_SECONDS]:
        with_town = settled(s, seat, vertex)
        with_town.hands[seat] += harvest(s.lands, vertex)
        for edge in _free_edges(s, vertex):
            value = strength(_with_road(with_town, seat, edge), seat)
            if best is None or value > best[0]:
                best = value, Setup(settlement=vertex, road=edge)
    assert best is not None
    return best[1]


def settled(s: State, seat: int, vertex: int) -> State:
    """The state with a settlement more."""
    new = s.copy()
    put_settlement(new, seat, vertex)
    return new


def _with_road(s: State, seat: int, edge: int) -> State:
    new = s.copy()
    put_road(new, seat, edge)
    return new


def _free_edges(s: State, vertex: int) -> Sequence[int]:
    return [edge for edge in EDGES_AT[vertex] if not s.taken >> edge & 1]


def _by_odds(s: State) -> list[int]:
    """The sites that the distance rule leaves, the one that collects most often first."""
    ways = vertex_ways(s.lands, s.tokens)
    return sorted(bits(s.open), key=lambda vertex: ways[vertex], reverse=True)
