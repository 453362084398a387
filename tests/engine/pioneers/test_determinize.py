"""States made from a view: they agree with it, they can be played on, they use nothing hidden."""

from __future__ import annotations

import random
from collections import Counter

import msgspec
import pytest

from engine.pioneers import Pioneers
from engine.pioneers.actions import DEV_CARDS, RESOURCES
from engine.pioneers.cards import BRICK, ORE, WOOL, counts, covers, pack
from engine.pioneers.determinize import Unknown, apportion
from engine.pioneers.devcards import DECK_COUNTS, VICTORY_POINT, held
from engine.pioneers.state import WINNING_POINTS
from engine.pioneers.view import PioneersView
from tests.engine.pioneers.matches import choose, decisions


def draws(number: int) -> random.Random:
    return random.Random(number)


@pytest.mark.parametrize("number", range(6))
def test_every_state_shows_the_seat_what_it_saw_and_asks_the_same(number: int) -> None:
    seats = 3 + number % 2
    rng = draws(number)
    memories = [Pioneers.memory() for _ in range(seats)]
    for n, (game, actions) in enumerate(decisions(number, seats)):
        for seat, kind in game.pending().items():
            view = game.view(seat)
            unknown = Unknown(kind, view, memories[seat])
            states = (unknown.sample(rng.randrange), unknown.likely()) if n % 7 == 0 else ()
            for state in states:
                made = Pioneers(state)
                assert made.view(seat) == view
                assert kind == made.pending()[seat]
                assert list(made.legal(seat)) == list(game.legal(seat))
                if kind != "trade" or view.offer is None or view.offer.open:
                    assert made.pending() == game.pending()
            memories[seat].note(kind, view, actions[seat])


@pytest.mark.parametrize("number", range(3))
def test_a_sample_is_a_possible_position_and_plays_to_an_end(number: int) -> None:
    rng = draws(number)
    memories = [Pioneers.memory() for _ in range(4)]
    for n, (game, actions) in enumerate(decisions(number, 4)):
        for seat, kind in game.pending().items():
            view = game.view(seat)
            if n % 97 == 0:
                state = Unknown(kind, view, memories[seat]).sample(rng.randrange)
                made = Pioneers.from_position(Pioneers(state).position())
                while made.pending():
                    made.advance(choose(made, rng))
                assert made.outcome() is not None
            memories[seat].note(kind, view, actions[seat])


def test_the_same_view_and_draws_give_the_same_state_whatever_is_hidden() -> None:
    for n, (game, _) in enumerate(decisions(5, 4)):
        for seat, kind in game.pending().items():
            if n % 53:
                continue
            view = msgspec.json.decode(msgspec.json.encode(game.view(seat)), type=PioneersView)
            memory = Pioneers.memory()
            first, again = (
                Pioneers(Unknown(kind, view, memory).sample(draws(n).randrange)).position()
                for _ in range(2)
            )
            assert first == again
            likely, unchanged = (
                Pioneers(Unknown(kind, view, memory).likely()).position() for _ in range(2)
            )
            assert likely == unchanged


def test_cards_are_those_that_the_seat_has_not_seen_and_no_opponent_has_won_by_them() -> None:
    rng = draws(1)
    hidden: Counter[int] = Counter()
    for n, (game, _) in enumerate(decisions(2, 4)):
        for seat, kind in game.pending().items():
            view = game.view(seat)
            if n % 7 or not any(view.dev_counts):
                continue
            state = Unknown(kind, view, Pioneers.memory()).sample(rng.randrange)
            for card, there_are in enumerate(DECK_COUNTS):
                everywhere = state.deck.count(card) + held(state.bought, card)
                everywhere += sum(held(cards, card) for cards in state.dev)
                everywhere += sum(state.knights) if DEV_CARDS[card] == "knight" else 0
                assert everywhere <= there_are
            for other in range(4):
                if other != seat:
                    points = state.scores[other] + held(state.dev[other], VICTORY_POINT)
                    assert points < max(WINNING_POINTS, 1 + state.scores[other])
                    hidden.update(
                        c for c in DEV_CARDS if held(state.dev[other], DEV_CARDS.index(c))
                    )
    assert {*hidden} == {*DEV_CARDS}


def test_an_offerer_holds_what_it_offers() -> None:
    rng = draws(3)
    offers = 0
    for n, (game, _) in enumerate(decisions(3, 4)):
        for seat, kind in game.pending().items():
            if kind == "trade" and n % 7 == 0:
                unknown = Unknown(kind, game.view(seat), Pioneers.memory())
                for state in (unknown.likely(), unknown.sample(rng.randrange)):
                    assert state.offer is not None
                    assert covers(state.hands[state.current], state.offer.give)
                    offers += 1
    assert offers > 100


def test_hands_are_drawn_as_towns_collect() -> None:
    rng = draws(4)
    game = next(g for g, _ in decisions(4, 3) if "turn" in g.pending().values())
    view = game.view(game.view(None).current)
    assert view.seat is not None
    other = (view.seat + 1) % 3
    hands = tuple(30 if seat == other else count for seat, count in enumerate(view.hand_counts))
    unknown = Unknown("turn", msgspec.structs.replace(view, hand_counts=hands), Pioneers.memory())
    drawn = [0] * len(RESOURCES)
    for _ in range(200):
        for r, count in enumerate(counts(unknown.sample(rng.randrange).hands[other])):
            drawn[r] += count
    weights = unknown.weights[other]
    for count, weight in zip(drawn, weights, strict=True):
        # 6000 cards: a share of one half has a standard deviation below 40.
        assert count == pytest.approx(6000 * weight / sum(weights), abs=160)


def test_a_spectator_has_nothing_to_fill_in() -> None:
    game = Pioneers.deal(3, bytes(32))
    with pytest.raises(ValueError, match="spectator"):
        Unknown("setup", game.view(None), Pioneers.memory())


@pytest.mark.parametrize(
    ("count", "weights", "shares"),
    [
        (0, (1, 2), [0, 0]),
        (3, (0, 0), [0, 0]),
        (6, (1, 2, 3), [1, 2, 3]),
        (1, (1, 1, 1), [1, 0, 0]),
        (5, (1, 1, 1), [2, 2, 1]),
        (7, (5, 0, 1), [6, 0, 1]),
    ],
)
def test_apportion(count: int, weights: tuple[int, ...], shares: list[int]) -> None:
    assert apportion(count, weights) == shares


def test_believed_hands_are_used_as_they_are() -> None:
    game = next(g for g, _ in decisions(4, 3) if "turn" in g.pending().values())
    view = game.view(0)
    view = msgspec.structs.replace(view, hand_counts=(sum(counts(pack(view.hand))), 2, 1))
    unknown = Unknown("turn", view, Pioneers.memory())
    hands = [[], [2 * ORE, 2 * ORE, WOOL + ORE, BRICK + ORE], [WOOL, WOOL, ORE, ORE]]
    # Six ore in eight cards: rounded, one and a half of two.
    assert unknown.likely(hands).hands[1:] in ([2 * ORE, WOOL], [WOOL + ORE, WOOL])
    drawn = Counter(tuple(unknown.sample(draws(n).randrange, hands).hands[1:]) for n in range(400))
    assert {*drawn} == {(a, b) for a, b in zip(hands[1], hands[2], strict=True)}
    assert min(drawn.values()) > 60
