"""Choices played on in the mind: what is chosen happens, then what the others make of it."""

from __future__ import annotations

import pytest

from engine.pioneers import Pioneers
from engine.pioneers.actions import BuildCity, Bundle, MoveBandit, OfferTrade
from engine.pioneers.cards import BRICK, CITY_COST, GRAIN, LUMBER, ORE, WOOL
from engine.pioneers.moves import ACCEPT, REJECT
from engine.pioneers.state import State
from runner.bots.bargains import Swap
from runner.bots.greedy import Greedy
from runner.bots.judge import Judge
from runner.bots.lookahead import answer_option, bandit_option, outcome, plan_option
from runner.bots.plans import Plan
from tests.runner.bots.local import LocalMatch

NAMES = ("a", "b", "c", "d")


@pytest.fixture(name="s")
def _state() -> State:
    """The first turn after a set-up by greedy bots."""
    local = LocalMatch("opening", [Greedy] * 4, NAMES)
    while "turn" not in local.game.pending().values():
        local.step()
    assert isinstance(local.game, Pioneers)
    return local.game._state


def test_a_plan_is_carried_out_and_the_next_turn_is_played(s: State) -> None:
    s.hands[0] = CITY_COST
    vertex = s.settlements[0][0]
    judge = Judge(s, 0)
    option = plan_option(judge, Plan((BuildCity(vertex=vertex),), 0.7))
    assert (option.choice, option.estimate) == (Plan((BuildCity(vertex=vertex),), 0.7), 0.7)
    option.play(s)
    assert vertex in s.cities[0]
    assert (s.turn, s.current, s.kind) == (5, 0, "turn")


def test_no_plan_is_the_end_of_the_turn(s: State) -> None:
    s.hands[0] = CITY_COST
    judge = Judge(s, 0)
    option = plan_option(judge, None)
    assert (option.choice, option.estimate) == (None, judge.stay)
    option.play(s)
    assert s.turn == 5


def test_a_plan_that_wins_ends_it(s: State) -> None:
    s.hands[0] = CITY_COST
    s.scores[0] = 9
    option = plan_option(Judge(s, 0), Plan((BuildCity(vertex=s.settlements[0][0]),), 1.0))
    option.play(s)
    assert s.kind == "over"
    assert outcome(s, 0) == 1.0
    assert all(outcome(s, other) < 0.5 for other in (1, 2, 3))


def test_the_bandit_moves_and_what_it_brings_is_used(s: State) -> None:
    s.ask("bandit", 1)
    hex_ = next(h for h in range(19) if s.seats_on[h] >> 1 & 1 and h != s.bandit)
    s.hands = [3 * ORE + GRAIN, GRAIN, 0, 0]
    option = bandit_option(0, MoveBandit(hex=hex_, victim=1), 0.3)
    option.play(s)
    assert len(s.cities[0]) >= 1
    assert s.turn == 5


@pytest.fixture(name="offered")
def _offered(s: State) -> State:
    """Seat 0 offers a wool for a brick to seats who hold them, and does nothing else."""
    s.hands = [WOOL, BRICK + GRAIN, BRICK, 2 * BRICK]
    Pioneers(s).advance({0: OfferTrade(give=Bundle(wool=1), get=Bundle(brick=1))})
    return s


def first_hands(s: State, seat: int, answer: object, gain: float) -> tuple[int, ...]:
    """What all hold just after the answers."""
    asker = Judge(s, 0)
    option = answer_option(
        seat, ACCEPT if answer else REJECT, 0.3, asker, Swap(WOOL, BRICK, gain=gain)
    )
    # The match ends with the turn, so that nothing comes after the answers.
    s.turn = 200
    option.play(s)
    assert s.kind == "over"
    return tuple(s.hands)


def test_an_accepted_offer_is_carried_out(offered: State) -> None:
    hands = first_hands(offered, 2, answer=True, gain=0.0)
    assert hands[0] == BRICK
    assert hands[2] == WOOL
    assert hands[1] == BRICK + GRAIN


def test_a_refused_one_goes_to_those_after_who_gain_by_it(offered: State) -> None:
    offered.hands[3] = 4 * BRICK + GRAIN + LUMBER
    hands = first_hands(offered, 2, answer=False, gain=-2.0)
    assert hands[0] == BRICK
    assert hands[3] == 3 * BRICK + GRAIN + LUMBER + WOOL
    # Seat 1 comes before: its answer is not this seat's business.
    assert hands[1] == BRICK + GRAIN


def test_an_offer_that_helps_nobody_else_is_refused_by_all(offered: State) -> None:
    before = tuple(offered.hands)
    assert first_hands(offered, 2, answer=False, gain=9.0) == before


def test_outcomes_count_a_win_for_half_and_everybody_left_behind() -> None:
    local = LocalMatch("m", [Greedy] * 4, NAMES)
    placements = local.play().placements
    assert isinstance(local.game, Pioneers)
    for seat, place in enumerate(placements):
        behind = sum(other > place for other in placements)
        level = placements.count(place) - 1
        expected = (place == 1) / 2 + (behind + level / 2) / 6
        assert outcome(local.game._state, seat) == pytest.approx(expected)
