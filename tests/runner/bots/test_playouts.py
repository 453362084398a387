"""Playing on in a hurry: legal, to the right moment, and without a look at what is hidden."""

from __future__ import annotations

import random

from engine.game import Action
from engine.pioneers import Pioneers
from engine.pioneers.actions import (
    BankTrade,
    BuildCity,
    BuildRoad,
    BuildSettlement,
    BuyDevCard,
    EndTurn,
    PlayKnight,
)
from engine.pioneers.board import HEX_VERTICES
from engine.pioneers.cards import BRICK, CITY_COST, DEV_CARD_COST, LUMBER, ORE, ROAD_COST, WOOL
from engine.pioneers.devcards import DEV_UNITS, KNIGHT
from engine.pioneers.state import State
from runner.bots.greedy import Greedy
from runner.bots.playouts import hurried_bandit, hurried_move, play_round
from runner.bots.prospects import vertex_ways
from tests.runner.bots.local import LocalMatch


def begun(name: str, seats: int = 4) -> State:
    """The first turn after a set-up by greedy bots, nobody with a card."""
    local = LocalMatch(name, [Greedy] * seats, ("a", "b", "c", "d")[:seats])
    while "turn" not in local.game.pending().values():
        local.step()
    assert isinstance(local.game, Pioneers)
    s = local.game._state
    s.hands = [0] * seats
    return s


def test_rounds_are_played_by_the_rules_to_the_seats_next_turn_and_to_the_end() -> None:
    done: set[type[Action]] = set()
    for number in range(6):
        s = begun(f"m{number}", 3 + number % 2)
        game, seat = Pioneers(s), number % 3
        while s.kind != "over":
            turn = s.turn
            # The same as `play_round`, looked at step by step.
            twin = s.copy()
            play_round(twin, seat)
            while s.kind != "over" and not (s.kind == "turn" and s.current == seat):
                step(game, done)
            while s.kind in ("turn", "bandit") and s.current == seat:
                if s.kind == "turn" and isinstance(hurried_move(s), EndTurn):
                    break
                step(game, done)
            assert Pioneers(twin).position() == game.position()
            assert s.turn - turn <= s.n
            if s.kind != "over":
                step(game, done)
        assert s.turn < 200
    assert {BuildCity, BuildSettlement, BuildRoad, BuyDevCard, PlayKnight, BankTrade} < done


def step(game: Pioneers, done: set[type[Action]]) -> None:
    s = game._state
    actions: dict[int, Action] = {}
    for seat, kind in s.asked.items():
        if kind == "turn":
            actions[seat] = hurried_move(s)
        elif kind == "bandit":
            actions[seat] = hurried_bandit(s)
        else:
            actions[seat] = game.default(seat)
        game.check(seat, actions[seat])
        done.add(type(actions[seat]))
    game.advance(actions)


def test_towns_come_first_and_stand_where_most_comes_in() -> None:
    s = begun("m")
    ways = vertex_ways(s.lands, s.tokens)
    s.hands[0] = CITY_COST + ROAD_COST
    city = hurried_move(s)
    assert city == BuildCity(vertex=max(s.settlements[0], key=lambda vertex: ways[vertex]))
    s.hands[0] = ROAD_COST
    assert isinstance(hurried_move(s), BuildRoad)
    s.hands[0] = DEV_CARD_COST
    assert isinstance(hurried_move(s), BuyDevCard)
    s.deck = ()
    assert isinstance(hurried_move(s), EndTurn)
    s.hands[0] = BRICK
    assert isinstance(hurried_move(s), EndTurn)


def test_a_knight_is_for_the_bandit_on_its_own_land_and_for_the_army() -> None:
    s = begun("m")
    s.dev[0] = DEV_UNITS[KNIGHT]
    s.bandit = s.lands.index(-1)
    assert isinstance(hurried_move(s), EndTurn)
    s.knights = [2, 1, 0, 0]
    assert isinstance(hurried_move(s), PlayKnight)
    s.knights, s.largest_army = [2, 3, 0, 0], 1
    assert isinstance(hurried_move(s), EndTurn)
    own = {*s.settlements[0]}
    s.bandit = next(h for h, ring in enumerate(HEX_VERTICES) if own & {*ring} and s.lands[h] >= 0)
    assert isinstance(hurried_move(s), PlayKnight)
    s.dev_played = True
    assert isinstance(hurried_move(s), EndTurn)


def test_the_bandit_spares_its_seat_and_robs_who_has_most_points_and_cards() -> None:
    rng = random.Random(1)
    for _ in range(50):
        s = begun("m")
        s.bandit = rng.randrange(19)
        s.hands = [WOOL * rng.randrange(2) + ORE * rng.randrange(2) for _ in range(4)]
        s.scores = [rng.randrange(2, 9) for _ in range(4)]
        move = hurried_bandit(s)
        assert move.hex != s.bandit
        assert not s.seats_on[move.hex] >> s.current & 1
        robbable = [seat for seat in range(4) if s.seats_on[move.hex] >> seat & 1 and s.hands[seat]]
        if robbable:
            assert move.victim is not None
            assert s.scores[move.victim] == max(s.scores[seat] for seat in robbable)
        else:
            assert move.victim is None


def test_lumber_alone_builds_nothing() -> None:
    s = begun("m")
    s.hands[0] = 3 * LUMBER
    assert isinstance(hurried_move(s), EndTurn)
