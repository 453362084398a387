"""Swaps that are worth offering: to the seat that asks, and to those who may take them."""

from __future__ import annotations

import pytest

from engine.pioneers import Pioneers
from engine.pioneers.cards import BRICK, GRAIN, LUMBER, ORE, WOOL, counts, total
from engine.pioneers.state import State
from runner.bots.bargains import (
    BelievedPartner,
    GuessedPartner,
    Partner,
    Swap,
    if_refused,
    swaps,
    to_ask,
)
from runner.bots.chances import Hands
from runner.bots.greedy import Greedy
from runner.bots.judge import Judge
from tests.runner.bots.local import LocalMatch


@pytest.fixture(name="s")
def _state() -> State:
    """The first turn after a set-up by greedy bots: seat 0 is a grain short of a city."""
    local = LocalMatch("opening", [Greedy] * 4, ("a", "b", "c", "d"))
    while "turn" not in local.game.pending().values():
        local.step()
    assert isinstance(local.game, Pioneers)
    s = local.game._state
    s.hands = [3 * ORE + GRAIN + 2 * WOOL + LUMBER, 2 * GRAIN, BRICK, 0]
    return s


def believed(judge: Judge, hands: dict[int, list[int]]) -> list[Partner]:
    return [BelievedPartner(judge, seat, held) for seat, held in hands.items()]


def test_offers_help_the_seat_and_are_sorted_by_what_they_promise(s: State) -> None:
    judge = Judge(s, 0)
    found = swaps(judge, believed(judge, {1: [2 * GRAIN, GRAIN + ORE], 2: [BRICK, GRAIN]}))
    assert len(found) > 3
    hands = Hands(s, 0)
    for swap in found:
        assert swap.gain == pytest.approx(hands.gain(s.hands[0] - swap.give + swap.get))
        assert swap.gain > 0
        assert not any(a and b for a, b in zip(counts(swap.give), counts(swap.get), strict=True))
        assert total(swap.give) + total(swap.get) <= 4
        assert all(a <= b for a, b in zip(counts(swap.give), counts(s.hands[0]), strict=True))
    promises = [swap.expected for swap in found]
    assert promises == sorted(promises, reverse=True)
    assert any(swap.get == GRAIN for swap in found)


def test_nothing_is_asked_for_that_nobody_holds(s: State) -> None:
    judge = Judge(s, 0)
    found = swaps(judge, believed(judge, {1: [2 * BRICK, BRICK + LUMBER], 2: [LUMBER]}))
    assert found
    for swap in found:
        assert not swap.get & ~(3 * BRICK + 3 * LUMBER)
    assert swaps(judge, []) == []
    assert swaps(judge, believed(judge, {1: [0], 2: [0]})) == []


def test_the_likelier_a_partner_holds_it_the_likelier_it_gives_it(s: State) -> None:
    judge = Judge(s, 0)
    swap = Swap(2 * WOOL, GRAIN, gain=0.0)
    sure, _ = BelievedPartner(judge, 1, [2 * GRAIN, 2 * GRAIN]).answer(swap)
    doubtful, _ = BelievedPartner(judge, 1, [2 * GRAIN, 2 * BRICK]).answer(swap)
    assert 0 < doubtful == pytest.approx(sure / 2)
    assert BelievedPartner(judge, 1, [2 * BRICK]).answer(swap) == (0.0, 0.0)
    guessed, better = GuessedPartner(judge, 1, lambda wanted: 0.5).answer(swap)
    assert guessed == pytest.approx(sure / 2)
    hands = Hands(s, 1)
    assert better == pytest.approx(hands.gain(GRAIN + 2 * WOOL))
    # Nobody gives more cards than it has.
    assert GuessedPartner(judge, 2, lambda wanted: 0.5).answer(Swap(WOOL, 2 * GRAIN, 0.0)) == (0, 0)


def test_who_would_lose_by_it_or_help_the_other_more_takes_it_less(s: State) -> None:
    s.hands[1] = GRAIN + 2 * ORE
    judge = Judge(s, 0)
    partner = BelievedPartner(judge, 1, [GRAIN + 2 * ORE])
    _, better = partner.answer(Swap(GRAIN, ORE, gain=0.0))
    worth = Hands(s, 1)
    assert better == pytest.approx(worth.gain(2 * GRAIN + ORE))
    gift, gained = partner.answer(Swap(3 * GRAIN, ORE, gain=0.0))
    robbery, lost = partner.answer(Swap(WOOL, GRAIN + ORE, gain=0.0))
    assert lost < 0 < gained
    assert robbery < gift
    # The same cards, but they put the seat that asks far ahead.
    grudging, same = partner.answer(Swap(3 * GRAIN, ORE, gain=5.0))
    assert same == pytest.approx(gained)
    assert robbery < grudging < gift


def test_who_has_no_cards_or_has_resigned_is_not_asked(s: State) -> None:
    assert to_ask(s, 0) == [1, 2]
    assert to_ask(s, 1) == [2, 0]
    Pioneers(s).resign(2)
    assert to_ask(s, 0) == [1]


def test_what_a_seat_turns_down_others_may_take(s: State) -> None:
    s.hands[3] = 2 * GRAIN
    asker = Judge(s, 0)
    judge = Judge(s, 3, asker.strengths)
    swap = Swap(WOOL + LUMBER, GRAIN, gain=0.5)
    assert if_refused(judge, asker, swap, []) == judge.stay
    able = if_refused(judge, asker, swap, believed(asker, {1: [2 * GRAIN]}))
    unable = if_refused(judge, asker, swap, believed(asker, {1: [BRICK]}))
    assert able < unable == judge.stay
    both = if_refused(judge, asker, swap, believed(asker, {1: [2 * GRAIN], 2: [GRAIN]}))
    assert both < able
