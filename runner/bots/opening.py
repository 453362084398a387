"""Set-up by chances: two settlements that work well together, and roads to where there is room."""

from __future__ import annotations

from engine.pioneers.actions import Setup
from engine.pioneers.board import EDGES_AT, HEXES_AT, bits
from engine.pioneers.placing import harvest, put_road, put_settlement
from engine.pioneers.state import State
from runner.bots.chances import strength

_FIRSTS = 10  # sites with the best odds to look at for the first settlement
_SECONDS = 16  # and beside each, for the second


def first_settlement(s: State, seat: int) -> Setup:
    """The site that is best together with a second one that may still be there later."""
    sites = _by_odds(s)
    placed = sum(map(len, s.settlements))
    between = 2 * (s.n - 1 - placed)  # placements of others before the seat's second one

    def worth(vertex: int) -> float:
        with_first = settled(s, seat, vertex)
        pairs = sorted(
            (
                strength(settled(with_first, seat, second), seat)
                for second in _by_odds(with_first)[:_SECONDS]
            ),
            reverse=True,
        )
        # Half of the better ones are gone by then, or so.
        likely = pairs[between // 2 :][:3]
        return sum(likely) / len(likely)

    vertex = max(sites[:_FIRSTS], key=worth)
    return Setup(settlement=vertex, road=_best_road(s, seat, vertex))


def second_settlement(s: State, seat: int) -> Setup:
    """The site and road that leave the seat strongest, the cards it pays included."""
    best: tuple[float, Setup] | None = None
    for vertex in _by_odds(s)[: 2 * _SECONDS]:
        with_town = settled(s, seat, vertex)
        with_town.hands[seat] += harvest(s.lands, vertex)
        for edge in EDGES_AT[vertex]:
            if not s.taken >> edge & 1:
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


def _best_road(s: State, seat: int, vertex: int) -> int:
    with_town = settled(s, seat, vertex)
    free = [edge for edge in EDGES_AT[vertex] if not s.taken >> edge & 1]
    return max(free, key=lambda edge: strength(_with_road(with_town, seat, edge), seat))


def _by_odds(s: State) -> list[int]:
    """The sites that the distance rule leaves, the one that collects most often first."""

    def ways(vertex: int) -> int:
        return sum(6 - abs(7 - s.tokens[h]) for h in HEXES_AT[vertex] if s.lands[h] >= 0)

    return sorted(bits(s.open), key=ways, reverse=True)
