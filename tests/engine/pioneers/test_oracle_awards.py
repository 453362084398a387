"""The longest road on crowded islands: every road and settlement that a seat could build next.

Random matches seldom cut a long road, so islands are grown at random instead, with all seats
building as they please, and every next build is played in engine and oracle.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from tests.engine.pioneers import oracle_rules as rules
from tests.engine.pioneers.oracle import Oracle
from tests.engine.pioneers.oracle_board import EDGES, edges_at
from tests.engine.pioneers.oracle_cases import build, impossible
from tests.engine.pioneers.oracle_match import Played

Json = dict[str, Any]


def crowded(rng: random.Random) -> Json:
    """A position late in a match, with up to fifteen roads a seat and the award where it fits."""
    seats = rng.choice([3, 4])
    turn = rng.randrange(40, 100)
    towns: Json = {"settlements": [[] for _ in range(seats)], "roads": [[] for _ in range(seats)]}
    p = build({"base": "three" if seats == 3 else "four", "set": {"turn": turn} | towns})
    builders = [*range(seats), *range(seats)]
    while builders:
        vertex = rng.randrange(54)
        edge = rng.choice(edges_at(vertex))
        if rules.refuse_setup(p, 0, {"settlement": vertex, "road": edge}) is None:
            seat = builders.pop()
            p["settlements"][seat].append(vertex)
            p["roads"][seat].append(edge)
    for _ in range(rng.randrange(60, 900)):
        seat, edge = rng.randrange(seats), rng.randrange(72)
        if rules.refuse_road(p, seat, edge) is None:
            p["roads"][seat].append(edge)
        vertex = rng.randrange(54)
        few = len(p["settlements"][seat]) < 4
        if rng.random() < 0.02 and few and rules.refuse_settlement(p, seat, vertex) is None:
            p["settlements"][seat].append(vertex)
    lengths = [rules.road_length(p, seat) for seat in range(seats)]
    longest = [seat for seat, length in enumerate(lengths) if length == max(lengths)]
    if max(lengths) >= 5:
        p["awards"]["longestRoad"] = rng.choice(longest + [None] * (len(longest) > 1))
    p["hands"][p["current"]] = dict.fromkeys(p["hands"][0], 2)
    assert impossible(p) == []
    return p


def next_builds(p: Json) -> list[Json]:
    oracle = Oracle.load(p)
    builds: list[Json] = [{"type": "build_road", "edge": edge} for edge in range(len(EDGES))]
    builds += [{"type": "build_settlement", "vertex": vertex} for vertex in range(54)]
    return [move for move in builds if oracle.refusal(p["current"], move) is None]


def compare_next_builds(first: int, islands: int) -> Counter[str]:
    """Play every next build of some islands; how often what became of the award."""
    fates: Counter[str] = Counter()
    for number in range(first, first + islands):
        p = crowded(random.Random(number))
        seat, holder = p["current"], p["awards"]["longestRoad"]
        for action in next_builds(p):
            played, oracle = Played.load(p), Oracle.load(p)
            assert played.advance({seat: action}) == oracle.advance({seat: action})
            assert played.position() == oracle.position()
            assert played.view(None) == oracle.view(None), (number, action)
            now = oracle.s["awards"]["longestRoad"]
            fates[fate(holder, now, seat) + " by " + action["type"]] += 1
    return fates


def fate(before: int | None, now: int | None, seat: int) -> str:
    if before == now:
        return "nobody's" if now is None else "kept"
    if now is None:
        return "lost to nobody"
    who = "its builder" if now == seat else "a third seat"
    return f"taken from nobody for {who}" if before is None else f"taken over for {who}"


def test_the_award_goes_where_the_oracle_sends_it() -> None:
    compare_next_builds(0, 80)


@pytest.mark.slow
def test_the_award_meets_every_fate() -> None:
    assert set(compare_next_builds(1000, 3000)) == {
        "nobody's by build_road",
        "nobody's by build_settlement",
        "kept by build_road",
        "kept by build_settlement",
        "lost to nobody by build_settlement",
        "taken from nobody for its builder by build_road",
        "taken from nobody for its builder by build_settlement",
        "taken from nobody for a third seat by build_settlement",
        "taken over for its builder by build_road",
        "taken over for its builder by build_settlement",
        "taken over for a third seat by build_settlement",
    }
