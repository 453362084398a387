"""Situations of every kind, found by playing at random."""

from __future__ import annotations

import pytest

from engine.catalog import GAMES
from engine.game import Game
from engine.pioneers import Pioneers
from runner.checkup.situations import EACH, find_situations


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_every_kind_of_every_game_is_found(game: type[Game]) -> None:
    found = find_situations(game, max(game.seat_counts))
    assert list(found) == list(game.kinds)
    for kind, situations in found.items():
        assert 1 <= len(situations) <= EACH, kind
        assert len({situation.seed for situation in situations}) == len(situations)
        for situation in situations:
            assert situation.match.pending()[situation.seat] == situation.kind == kind


def test_the_search_always_finds_the_same() -> None:
    one, other = (find_situations(Pioneers, 4, each=1, decisions=2000) for _ in range(2))
    for kind in ("setup", "turn", "trade"):
        assert one[kind][0].match.position() == other[kind][0].match.position()


def test_what_no_match_asks_is_not_found() -> None:
    class Odd(Pioneers):
        __slots__ = ()
        kinds = {**Pioneers.kinds, "never": Pioneers.kinds["turn"]}  # noqa: RUF012

    found = find_situations(Odd, 3, each=2, decisions=1)
    assert found["never"] == []
    assert len(found["setup"]) == 1, "one of a match"


def test_a_situation_goes_on_to_the_end_and_stays_as_it_is() -> None:
    situation = find_situations(Pioneers, 4, each=1, decisions=1)["turn"][0]
    before = situation.match.position()
    outcome = situation.outcome(situation.match.default(situation.seat))
    assert sorted(outcome.placements)[0] == 1
    assert situation.match.position() == before
