"""The game object: what it refuses of its driver, and what is known from one view alone."""

from __future__ import annotations

import msgspec
import pytest

from engine.game import IllegalAction
from engine.program import Program, ProgramView
from engine.program.actions import Choose, Draft, EndTurn, Lose
from tests.engine.program.matches import decisions, seed_bytes


@pytest.mark.parametrize("number", range(6))
def test_a_seat_knows_its_moves_from_its_view(number: int) -> None:
    seats = 3 + number % 2
    for game, _ in decisions(number, seats):
        for seat, kind in game.pending().items():
            raw = msgspec.json.encode(game.view(seat))
            view = msgspec.json.decode(raw, type=ProgramView)
            known = Program.from_view(kind, view, Program.memory())
            assert dict(known.pending()) == {seat: kind}
            assert list(known.legal(seat)) == list(game.legal(seat))
            assert known.default(seat) == game.default(seat)
            assert known.view(seat) == view


def test_what_is_known_from_a_view_does_not_go_on() -> None:
    game = Program.deal(3, bytes(32))
    known = Program.from_view("draft", game.view(0), Program.memory())
    for known_match in (known, known.copy()):
        with pytest.raises(ValueError, match="cannot be advanced"):
            known_match.advance({0: known_match.default(0)})
        with pytest.raises(ValueError, match="no whole position"):
            known_match.position()
        with pytest.raises(ValueError, match="only the view of seat 0"):
            known_match.view(1)
    with pytest.raises(ValueError, match="spectator"):
        Program.from_view("draft", game.view(None), Program.memory())


def test_an_answer_of_another_kind_names_the_kind_asked() -> None:
    game = Program.deal(3, seed_bytes(1))
    for action in (EndTurn(), Lose("c1"), Choose("c1")):
        with pytest.raises(IllegalAction, match="does not answer a `draft` decision") as refused:
            game.check(0, action)
        assert refused.value.code == "wrong_kind"
    game.advance({seat: game.default(seat) for seat in range(3)})
    card = game.default(0)
    assert isinstance(card, Draft)
    with pytest.raises(IllegalAction, match="seat 3 is not asked"):
        game.check(3, card)


def test_seats_that_are_not_there() -> None:
    game = Program.deal(3, seed_bytes(1))
    for seat in (-1, 3):
        with pytest.raises(ValueError, match=f"no seat {seat} among 3"):
            game.view(seat)
        with pytest.raises(ValueError, match=f"no seat {seat} among 3"):
            game.resign(seat)
        assert game.legal(seat) == ()


def test_a_view_brings_the_facts_of_every_card_in_it() -> None:
    for game, _ in decisions(2, 4):
        for seat in (None, 0):
            view = game.view(seat)
            assert {*view.facts} == {*view.cards.values()}
            shown = [card for town in view.towns for card in town.town + town.projects]
            shown += [card for card in view.market if card is not None]
            shown += [*view.market_discard, *view.wastes_discard, *(view.hand or ())]
            assert set(shown) <= set(view.cards)


def test_a_drawn_view_shows_the_table() -> None:
    game = Program.deal(4, seed_bytes(3))
    text = Program.draw(game.view(0))
    assert text.startswith("the draft; alarms hidden hidden hidden")
    assert "seat 3: 0 points, small town, Small HQ" in text
    assert "your pack: " in text
    while "defend" not in game.pending().values():
        (*_, game) = _until_defend()
    text = Program.draw(game.view(None))
    assert "to reach" in text or "on seat" in text
    assert "your hand" not in text


def _until_defend() -> list[Program]:
    for number in range(20):
        for game, _ in decisions(number, 4):
            if "defend" in game.pending().values():
                return [game.copy()]
    raise AssertionError("nobody attacks in twenty matches")
