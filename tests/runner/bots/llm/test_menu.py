"""Which actions are shown where there are too many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from engine.game import Action
from engine.pioneers.actions import BuildRoad, Bundle, Discard, EndTurn, PlayRoadworks
from engine.pioneers.cards import pack
from engine.pioneers.legal import discards
from runner.bots.llm.menu import menu

END = EndTurn()
ROADS: list[Action] = [BuildRoad(edge=edge) for edge in range(30)]
PAIRS: list[Action] = [PlayRoadworks(edges=(a, b)) for a in range(20) for b in range(20)]


def test_all_of_them_where_they_fit() -> None:
    legal: Sequence[Action] = [END, *ROADS]
    assert menu(legal, END, most=31) == legal


def test_few_of_a_sort_are_shown_whole_and_many_in_even_steps() -> None:
    legal = [END, *ROADS, *PAIRS]
    shown = menu(legal, END, most=81)
    assert Counter(type(action) for action in shown) == {
        EndTurn: 1,
        BuildRoad: 30,
        PlayRoadworks: 49,
    }
    assert [legal.index(action) for action in shown] == sorted(map(legal.index, shown))
    assert (shown[-1], shown[31]) == (PAIRS[-1], PAIRS[0])


def test_what_is_to_be_kept_is_there_and_stands_once() -> None:
    legal = [*PAIRS, END]
    assert menu(legal, END, most=10).count(END) == 1
    for keep in PAIRS:
        shown = menu(legal, keep, most=10)
        assert shown.count(keep) == 1
        assert len(shown) <= 10


def test_millions_of_discards_are_not_listed() -> None:
    hand = Bundle(brick=60, lumber=60, wool=60, grain=60, ore=60)
    legal = discards(pack(hand))
    assert len(legal) > 10**6
    keep = Discard(discard=Bundle(brick=31, lumber=29, wool=30, grain=30, ore=30))
    shown = menu(legal, keep)
    assert len(shown) == len(set(shown)) == 80
    assert shown[-1] == keep
