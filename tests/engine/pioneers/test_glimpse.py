"""A match known from one seat's view: what that seat may do is exact, nothing else is there."""

from __future__ import annotations

import msgspec
import pytest

from engine.pioneers import Pioneers, PioneersView
from engine.pioneers.actions import Bundle, EndTurn, OfferTrade, PlayKnight
from tests.engine.pioneers.matches import decisions


@pytest.mark.parametrize("number", range(6))
def test_a_seat_knows_its_moves_from_view_and_memory(number: int) -> None:
    seats = 3 + number % 2
    memories = [Pioneers.memory() for _ in range(seats)]
    for game, actions in decisions(number, seats):
        for seat, kind in game.pending().items():
            raw = msgspec.json.encode(game.view(seat))
            view = msgspec.json.decode(raw, type=PioneersView)
            known = Pioneers.from_view(kind, view, memories[seat])
            assert dict(known.pending()) == {seat: kind}
            assert list(known.legal(seat)) == list(game.legal(seat))
            assert known.default(seat) == game.default(seat)
            assert known.view(seat) == view
            memories[seat].note(kind, view, actions[seat])


def test_a_sixth_offer_is_known_to_be_illegal_and_memory_ends_with_the_turn() -> None:
    for game, _ in decisions(1, 4):
        seat = game.view(None).current
        view = game.view(seat)
        if "turn" in game.pending().values() and view.hand and view.hand.ore:
            break
    memory = Pioneers.memory()
    offer = OfferTrade(Bundle(ore=1), Bundle(wool=1))
    for _ in range(5):
        assert offer in Pioneers.from_view("turn", view, memory).legal(seat)
        memory.note("turn", view, offer)
    known = Pioneers.from_view("turn", view, memory)
    assert not any(isinstance(move, OfferTrade) for move in known.legal(seat))
    memory.note("turn", view, PlayKnight())
    memory.note("turn", view, EndTurn())
    assert (memory.offers, memory.dev_played) == (5, True)
    memory.note("bandit", msgspec.structs.replace(view, turn=view.turn + 4), EndTurn())
    assert (memory.offers, memory.dev_played) == (0, False)


def test_what_is_known_from_a_view_does_not_go_on() -> None:
    game = Pioneers.deal(3, bytes(32))
    known = Pioneers.from_view("setup", game.view(0), Pioneers.memory())
    for known_match in (known, known.copy()):
        with pytest.raises(ValueError, match="cannot be advanced"):
            known_match.advance({0: known_match.default(0)})
        with pytest.raises(ValueError, match="no whole position"):
            known_match.position()
        with pytest.raises(ValueError, match="only the view of seat 0"):
            known_match.view(1)
    with pytest.raises(ValueError, match="spectator"):
        Pioneers.from_view("setup", game.view(None), Pioneers.memory())
