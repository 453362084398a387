"""The course of a match and the contract, from the deal to the outcome."""

from __future__ import annotations

import hmac
from collections import Counter
from typing import TypeVar

import msgspec
import pytest

from engine.game import IllegalAction
from engine.pioneers import Pioneers
from engine.pioneers.actions import RESOURCES, Bundle, EndTurn, OfferTrade, Respond, Setup
from engine.pioneers.board import HEXES_AT
from tests.engine.pioneers.matches import decisions, seed_bytes

Item = TypeVar("Item")


def draw(seed: bytes, stream: str, n: int, below: int) -> int:
    """The n-th draw, straight from the protocol; a second attempt is too rare to be met here."""
    return (
        int.from_bytes(hmac.digest(seed, f"{stream}:{n}:0".encode(), "sha256")[:8], "big") % below
    )


def shuffled(seed: bytes, stream: str, items: list[Item], first: int = 0) -> list[Item]:
    for n, last in enumerate(range(len(items) - 1, 0, -1), first):
        other = draw(seed, stream, n, last + 1)
        items[last], items[other] = items[other], items[last]
    return items


def lands() -> list[str]:
    counts = {"brick": 3, "lumber": 4, "wool": 4, "grain": 4, "ore": 3, "desert": 1}
    return [name for name, count in counts.items() for _ in range(count)]


def set_up(game: Pioneers) -> None:
    while "setup" in game.pending().values():
        game.advance({seat: game.default(seat) for seat in game.pending()})


@pytest.mark.parametrize("number", range(5))
def test_the_deal_is_the_seeds(number: int) -> None:
    seed, board_seed = seed_bytes(number), seed_bytes(number + 100)
    game = Pioneers.deal(4, seed, board_seed=board_seed)
    position = game.position()
    assert [tile.resource for tile in position.hexes] == shuffled(board_seed, "board", lands())
    tokens: list[int] = sorted([*range(2, 7), *range(8, 13), *range(3, 7), *range(8, 12)])
    dealt = [tile.token for tile in position.hexes if tile.token is not None]
    assert dealt == shuffled(board_seed, "board", tokens, first=18)
    deck = ["knight"] * 14 + ["victory_point"] * 5
    deck += ["roadworks"] * 2 + ["windfall"] * 2 + ["embargo"] * 2
    assert list(position.deck) == shuffled(seed, "deck", deck)
    assert position.hexes[position.bandit].resource == "desert"
    assert game.view(None).hexes != Pioneers.deal(4, seed).view(None).hexes


def test_dice_are_draws_2t_and_2t_plus_1_of_the_match_seed() -> None:
    seed = seed_bytes(1)
    game = Pioneers.deal(3, seed, board_seed=bytes(32))
    set_up(game)
    for turn in range(1, 201):
        while game.view(None).turn < turn:
            game.advance({seat: game.default(seat) for seat in game.pending()})
        expected = tuple(draw(seed, "dice", 2 * turn - 2 + die, 6) + 1 for die in (0, 1))
        assert game.view(None).dice == expected
        assert game.view(None).current == (turn - 1) % 3


@pytest.mark.parametrize(
    ("seats", "order"), [(3, [0, 1, 2, 2, 1, 0]), (4, [0, 1, 2, 3, 3, 2, 1, 0])]
)
def test_set_up_runs_in_snake_order_and_the_second_settlement_pays(
    seats: int, order: list[int]
) -> None:
    game = Pioneers.deal(seats, seed_bytes(2))
    hexes = game.view(None).hexes
    placed = Counter[int]()
    for seat in order:
        assert dict(game.pending()) == {seat: "setup"}
        assert game.view(seat).current == seat
        before = game.view(seat).hand_counts[seat]
        action = game.default(seat)
        assert isinstance(action, Setup)
        game.advance({seat: action})
        placed[seat] += 1
        if placed[seat] == 2 and game.view(seat).turn == 0:
            around = [hexes[h].resource for h in HEXES_AT[action.settlement]]
            paid = {name: around.count(name) for name in RESOURCES}
            assert before == 0
            assert game.view(seat).hand == Bundle(**paid)
    assert dict(game.pending()) in ({0: "turn"}, {0: "bandit"})
    assert game.view(0).turn == 1


@pytest.mark.parametrize("seats", [3, 4])
def test_a_match_of_defaults_ends_at_the_turn_cap(seats: int) -> None:
    game = Pioneers.deal(seats, seed_bytes(3))
    while game.pending():
        game.advance({seat: game.default(seat) for seat in game.pending()})
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.reason == "turn_cap"
    assert outcome.placements == (1,) * seats
    assert outcome.scores == (2,) * seats
    assert game.view(0).turn == 200


def test_random_matches_end_and_are_ranked() -> None:
    reasons = Counter[str]()
    for number in range(12):
        seats = 3 + number % 2
        *_, (game, _) = decisions(number, seats)
        outcome = game.outcome()
        assert outcome is not None
        reasons[outcome.reason] += 1
        if outcome.reason == "win":
            winner = game.view(None).current
            assert outcome.placements[winner] == 1
            assert outcome.scores[winner] >= 10
            assert outcome.placements.count(1) == 1
    assert reasons.keys() == {"win", "turn_cap"}


def test_a_finished_match_asks_and_takes_nothing() -> None:
    *_, (game, _) = decisions(4, 3)
    assert dict(game.pending()) == {}
    assert list(game.legal(0)) == []
    with pytest.raises(ValueError, match="over"):
        game.advance({})
    with pytest.raises(ValueError, match="over"):
        game.advance({0: EndTurn()})
    with pytest.raises(IllegalAction):
        game.check(0, EndTurn())
    with pytest.raises(ValueError, match="not asked"):
        game.default(0)


def test_advance_wants_exactly_the_pending_seats() -> None:
    game = Pioneers.deal(3, seed_bytes(5))
    default = game.default(0)
    before = game.position()
    for actions in ({}, {1: default}, {0: default, 1: default}):
        with pytest.raises(ValueError, match=r"expected an action of each pending seat \[0\]"):
            game.advance(actions)
    with pytest.raises(IllegalAction, match="wrong_kind"):
        game.advance({0: EndTurn()})
    assert game.position() == before


def test_one_bad_response_voids_the_advance_and_order_does_not_matter() -> None:
    game, actions = next(
        (game, actions) for game, actions in decisions(6, 4) if "trade" in game.pending().values()
    )
    empty = next(seat for seat in actions if len(game.legal(seat)) == 1)
    before = game.position()
    with pytest.raises(IllegalAction, match="not_held"):
        game.advance({**actions, empty: Respond(accept=True)})
    with pytest.raises(IllegalAction, match="wrong_kind"):
        game.advance({**actions, empty: EndTurn()})
    assert game.position() == before
    backwards = game.copy()
    events = backwards.advance(dict(reversed(actions.items())))
    assert events == game.advance(actions)
    assert backwards.position() == game.position()


def test_three_or_four_seats_and_no_options() -> None:
    for seats in (0, 2, 5):
        with pytest.raises(ValueError, match="3 or 4 seats"):
            Pioneers.deal(seats, bytes(32))
    with pytest.raises(ValueError, match="'speed'"):
        Pioneers.deal(3, bytes(32), {"speed": 2})
    with pytest.raises(ValueError, match="32 bytes"):
        Pioneers.deal(3, b"short")
    assert Pioneers.deal(3, bytes(32), {}).pending()


def test_resigning_is_seen_and_changes_nothing_else() -> None:
    game = Pioneers.deal(3, seed_bytes(7))
    asked = dict(game.pending())
    game.resign(2)
    assert game.view(None).resigned == (False, False, True)
    assert dict(game.pending()) == asked
    with pytest.raises(ValueError, match="no seat 3"):
        game.resign(3)


@pytest.mark.parametrize("talk", ["é" * 300, "x" * 240, "\x1b[2J", "𝄞" * 241])
def test_talk_is_cut_to_240_code_points_and_shown_to_all(talk: str) -> None:
    game = Pioneers.deal(3, seed_bytes(8))
    set_up(game)
    while "turn" not in game.pending().values():
        game.advance({seat: game.default(seat) for seat in game.pending()})
    seat = game.view(None).current
    game.advance({seat: EndTurn(talk=talk)})
    said = game.view(None).talk[-1]
    assert (said.seat, said.message, said.turn) == (seat, talk[:240], game.view(None).turn - 1)
    assert game.view(0).talk == game.view(None).talk


def test_talk_of_an_offer_comes_before_the_answers_and_these_in_seat_order() -> None:
    for game, _ in decisions(9, 4):
        view = game.view(game.view(None).current)
        if "turn" in game.pending().values() and view.hand and view.hand.ore:
            break
    owner = view.current
    game.advance({owner: OfferTrade(Bundle(ore=1), Bundle(wool=9), talk="who has wool?")})
    assert game.view(0).talk[-1].message == "who has wool?"
    asked = list(game.pending())
    assert asked == sorted({0, 1, 2, 3} - {owner})
    answers = {seat: Respond(accept=False, talk=f"not {seat}") for seat in reversed(asked)}
    answers[asked[1]] = Respond(accept=False, talk="")
    game.advance(answers)
    assert [talk.message for talk in game.view(0).talk][-3:] == [
        "who has wool?",
        f"not {asked[0]}",
        f"not {asked[2]}",
    ]


def test_only_the_last_20_things_said_are_kept() -> None:
    game = Pioneers.deal(3, seed_bytes(10))
    set_up(game)
    while game.view(None).turn < 30:
        asked = game.pending()
        game.advance(
            {
                seat: EndTurn(talk=str(game.view(None).turn))
                if kind == "turn"
                else game.default(seat)
                for seat, kind in asked.items()
            }
        )
    assert [talk.message for talk in game.view(None).talk] == [str(t) for t in range(10, 30)]


def test_views_events_and_text_along_a_match() -> None:
    encode, decode = msgspec.json.encode, msgspec.json.decode
    for number in range(3):
        for game, actions in decisions(number, 3):
            for seat in (None, 0, 2):
                view = game.view(seat)
                assert decode(encode(view), type=Pioneers.view_type) == view
            assert f"seat {view.current}" in Pioneers.draw(view)
            if actions:
                after = game.copy()
                events = after.advance(actions)
                # An offer is told of once it is answered, everything else at once.
                assert events or "trade" in after.pending().values()
                assert decode(encode(events), type=list[Pioneers.event_type]) == events
                for event in events:
                    assert Pioneers.narrate(event).isprintable()


def test_there_is_no_view_of_a_seat_that_is_not_there() -> None:
    game = Pioneers.deal(3, bytes(32))
    for seat in (3, -1):
        with pytest.raises(ValueError, match="no seat"):
            game.view(seat)
