"""Everything that a plan says can be done, and is worth what it says."""

from __future__ import annotations

import pytest

from engine.pioneers import Pioneers
from engine.pioneers.actions import (
    BankTrade,
    BuildCity,
    BuildRoad,
    BuildSettlement,
    BuyDevCard,
    MoveBandit,
)
from engine.pioneers.analysis import affordable_with_bank, left_after, rates
from engine.pioneers.cards import (
    BRICK,
    CITY_COST,
    GRAIN,
    LUMBER,
    ORE,
    SETTLEMENT_COST,
    UNITS,
    WOOL,
    counts,
    covers,
    total,
)
from engine.pioneers.devcards import DECK_COUNTS, DEV_UNITS, EMBARGO, KNIGHT, ROADWORKS, WINDFALL
from engine.pioneers.state import State
from runner.bots.chances import strength, success
from runner.bots.judge import Judge, played
from runner.bots.plans import best_bandit, plans
from runner.bots.purchases import bank_trades_for, purchases
from tests.runner.bots.states import state_of, turns

HANDS = (
    3 * ORE + 2 * GRAIN + BRICK + LUMBER,
    2 * BRICK + 2 * LUMBER + WOOL + GRAIN,
    8 * WOOL + GRAIN + ORE,
    4 * BRICK + 4 * LUMBER + 4 * GRAIN + 3 * ORE + WOOL,
)


def rich(number: int, seats: int, cards: int = 0) -> list[State]:
    """States of a random match in which the seat whose turn it is has cards to spend."""
    states = []
    for n, game in enumerate(turns(number, seats, every=12)):
        s = state_of(game).copy()
        s.hands[s.current] = HANDS[n % len(HANDS)]
        s.dev[s.current] += cards
        states.append(s)
    return states


@pytest.mark.parametrize("number", range(3))
def test_purchases_are_legal_and_no_kind_is_missed(number: int) -> None:
    kinds = set()
    for s in rich(number, 3 + number % 2):
        found = [*purchases(s, s.current)]
        for actions in found:
            played(s, actions)  # raises where one is not legal
            kinds.add(tuple(map(type, actions)))
        direct = {actions[0] for actions in found if len(actions) == 1}
        builds = BuildCity | BuildSettlement | BuildRoad | BuyDevCard
        legal = {move for move in Pioneers(s).legal(s.current) if isinstance(move, builds)}
        assert direct >= legal
        # What needs a trade first is listed where the bank makes it payable.
        rate = rates(s.ports[s.current])
        if affordable_with_bank(counts(s.hands[s.current]), counts(CITY_COST), rate):
            cities = {actions[-1] for actions in found if isinstance(actions[-1], BuildCity)}
            assert len(cities) == len(s.settlements[s.current]) or len(s.cities[s.current]) == 4
    assert (BuildRoad, BuildSettlement) in kinds
    assert any(first is BankTrade for first, *_ in kinds)


@pytest.mark.parametrize("cost", [CITY_COST, SETTLEMENT_COST])
def test_bank_trades_leave_what_left_after_says(cost: int) -> None:
    (s,) = rich(0, 4)[:1]
    paid = 0
    for ports in (0, 1 << 5, 1 << 2, 1 << 2 | 1 << 5):
        for number in range(6**5):
            s.ports[s.current] = ports
            hand = sum(number // 6**r % 6 * unit for r, unit in enumerate(UNITS))
            s.hands[s.current] = hand
            trades = bank_trades_for(s, s.current, cost)
            left = left_after(counts(hand), counts(cost), rates(ports))
            assert (trades is None) == (left is None)
            if trades is not None and number % 97 == 0:
                after = played(s, trades).hands[s.current]
                assert covers(after, cost)
                assert left is not None
                assert total(after - cost) == sum(left)
                paid += len(trades) > 0
    assert paid > 20


@pytest.mark.parametrize("card", [KNIGHT, ROADWORKS, WINDFALL, EMBARGO])
def test_plans_are_legal_and_their_value_is_that_of_what_follows(card: int) -> None:
    seen = 0
    for s in rich(7, 4, DEV_UNITS[card])[::4]:
        judge = Judge(s, s.current)
        for plan in plans(judge, DECK_COUNTS):
            after = played(s, plan.actions)
            exact = success([strength(after, seat) for seat in range(s.n)], s.current)
            last = plan.actions[-1]
            if isinstance(last, BuildSettlement | BuildCity | BankTrade) and after.kind == "turn":
                # Others stand a little otherwise too, which is left out where it is little.
                assert plan.value == pytest.approx(exact, abs=0.02)
                seen += 1
            assert 0 < plan.value <= 1
            assert plan.first == plan.actions[0]
    assert seen > 10


def test_a_plan_that_wins_is_worth_most() -> None:
    s = rich(7, 4)[0]
    s.hands[s.current] = CITY_COST
    s.scores[s.current] = 9
    best = max(plans(Judge(s, s.current), DECK_COUNTS), key=lambda plan: plan.value)
    assert isinstance(best.first, BuildCity)
    assert best.value == 1
    assert played(s, best.actions).kind == "over"


def test_played_stops_at_the_win_and_leaves_the_state_alone() -> None:
    s = rich(7, 4)[0]
    s.hands[s.current] = 2 * CITY_COST
    s.scores[s.current] = 9
    hand = s.hands[s.current]
    first, second = s.settlements[s.current][:2]
    over = played(s, (BuildCity(vertex=first), BuildCity(vertex=second)))
    assert over.kind == "over"
    assert over.cities[s.current][-1:] == (first,) or first in over.cities[s.current]
    assert second not in over.cities[s.current]
    assert s.kind == "turn"
    assert s.hands[s.current] == hand


@pytest.mark.parametrize("number", range(2))
def test_the_best_bandit_is_about_as_good_as_any_that_is_tried_out(number: int) -> None:
    for s in rich(number, 4)[::5]:
        seat = s.current
        s.ask("bandit", 1 << seat)
        value, chosen = best_bandit(Judge(s, seat))
        exact = {}
        for move in Pioneers(s).legal(seat):
            assert isinstance(move, MoveBandit)
            if move.victim is None or s.hands[move.victim]:
                exact[move] = tried_out(s, seat, move)
        assert exact[chosen] == pytest.approx(value, abs=0.01)
        assert exact[chosen] > max(exact.values()) - 0.01


def tried_out(s: State, seat: int, move: MoveBandit) -> float:
    """The success after a move, on average over the cards that may be stolen."""
    successes = []
    cards = [0]
    if move.victim is not None:
        piles = counts(s.hands[move.victim])
        cards = [unit for pile, unit in zip(piles, UNITS, strict=True) for _ in range(pile)]
    for card in cards:
        after = s.copy()
        after.bandit = move.hex
        after.hands[seat] += card
        if move.victim is not None:
            after.hands[move.victim] -= card
        successes.append(success([strength(after, other) for other in range(s.n)], seat))
    return sum(successes) / len(successes)
