from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations

import msgspec
import pytest
from msgspec import Raw
from msgspec.structs import replace

from engine.game import Action
from engine.pioneers import Pioneers, PioneersView
from engine.pioneers import events as ev
from engine.pioneers.actions import (
    RESOURCES,
    BankTrade,
    BuildCity,
    BuildRoad,
    Bundle,
    Discard,
    EndTurn,
    MoveBandit,
    OfferTrade,
    PlayKnight,
    Respond,
)
from engine.pioneers.cards import GRAIN, ORE, WOOL
from engine.pioneers.determinize import Unknown
from engine.pioneers.state import State
from engine.pioneers.view import Awards, Offer
from runner import protocol as wire
from runner.bot import Bot
from runner.bots.bargains import Swap
from runner.bots.greedy import Greedy
from runner.bots.judge import Judge
from runner.bots.planner import Planner
from runner.bots.searcher import Searcher
from runner.bots.seeded import SeededBot
from tests.runner.bots import scenes
from tests.runner.bots.local import LocalMatch, play_sets
from tests.runner.bots.scenes import hand, holding, opening, share_of_wins

NAMES = ("a", "b", "c", "d")


@pytest.fixture(autouse=True)
def _seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SeededBot, "seed", "7")


def record(bots: Sequence[type[Bot]]) -> list[tuple[int, Action]]:
    local = LocalMatch("m", bots, NAMES[: len(bots)])
    local.play()
    return local.record


class Fixed(Searcher):
    """Looks at a fixed number of hidden states, so that its answers are repeatable."""

    samples = 16


class Timed(Searcher):
    """Has a clock that stands still but for a millisecond with every look at it."""

    now_ms = 0
    sampled = 0

    @classmethod
    def clock(cls) -> float:
        cls.now_ms += 1
        return cls.now_ms / 1000

    def _sampler(self, unknown: Unknown) -> Callable[[], State]:
        sample = super()._sampler(unknown)

        def counted() -> State:
            type(self).sampled += 1
            return sample()

        return counted


@pytest.mark.parametrize("seats", [3, 4])
def test_the_seed_decides_all_and_every_action_is_legal(
    seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # LocalMatch checks each action; the kit's own check is off for this bot.
    assert Searcher.check_actions is False
    first = record([Fixed] * seats)
    assert record([Fixed] * seats) == first
    monkeypatch.setattr(SeededBot, "seed", "8")
    assert record([Fixed] * seats) != first
    assert {type(action) for _, action in first} > {BuildCity, BuildRoad, MoveBandit, OfferTrade}


def test_what_it_does_hangs_on_no_hash() -> None:
    assert scenes.hangs_on_no_hash(Fixed)


def test_beats_greedy_clearly() -> None:
    outcomes = play_sets((Fixed, Greedy, Greedy, Greedy), 12)
    assert share_of_wins(outcomes, [0]) >= 0.45
    assert all(outcome.reason == "win" for outcome in outcomes)


@pytest.mark.slow
@pytest.mark.parametrize(("others", "least"), [(Greedy, 0.6), (Planner, 0.28)])
def test_wins_most_of_all(others: type[Bot], least: float) -> None:
    outcomes = play_sets((Fixed, others, others, others), 80)
    assert share_of_wins(outcomes, [0]) >= least


# Search


def undecided() -> PioneersView:
    """A turn with several trades at the bank and a knight, none of them plainly the best."""
    view = holding(hand(opening(), wool=5), knight=1)
    return replace(view, hand_counts=(5, 0, 0, 0))


def sampled(deadline_ms: float) -> int:
    """In how many hidden states plans are tried out, given so much time."""
    Timed.now_ms = Timed.sampled = 0
    bot = scenes.seated(Timed)
    answer = scenes.ask_again(bot, "turn", undecided(), Pioneers.memory(), deadline_ms / 1000)
    assert isinstance(answer, BankTrade | PlayKnight | EndTurn)
    return Timed.sampled


def test_more_time_is_more_samples_within_bounds() -> None:
    by_time = [sampled(ms) for ms in (100, 200, 300)]
    # A quarter of the time, a look at the clock per sample.
    assert by_time == [pytest.approx(ms / 4, abs=3) for ms in (100, 200, 300)]
    assert sampled(float("inf")) == pytest.approx(Searcher.most_ms, abs=3)


@pytest.mark.parametrize("deadline_ms", [0, 1, -20])
def test_without_time_it_plays_as_it_does_without_a_search(deadline_ms: float) -> None:
    assert sampled(deadline_ms) == 0
    bot = scenes.seated(Timed)
    hurried = scenes.ask_again(bot, "turn", undecided(), Pioneers.memory(), deadline_ms / 1000)

    class Blind(Searcher):
        samples = 0

    assert hurried == scenes.ask(Blind, "turn", undecided())


def test_a_win_is_taken_without_a_search() -> None:
    view = replace(
        holding(hand(opening(), ore=3, grain=2, brick=2, lumber=2), victory_point=5),
        knights=(3, 0, 0, 0),
        awards=Awards(largest_army=0, longest_road=None),
    )
    Timed.now_ms = Timed.sampled = 0
    assert isinstance(scenes.ask(Timed, "turn", view), BuildCity)
    assert Timed.sampled == 0


def test_other_decisions_are_searched_too_and_answers_to_offers_for_less_time() -> None:
    Timed.now_ms = Timed.sampled = 0
    view = replace(opening(), hand_counts=(2, 3, 3, 3))
    assert isinstance(scenes.ask(Timed, "bandit", view), MoveBandit)
    assert 0 < Timed.sampled <= Timed.most_ms
    by_offer = []
    for give, get in permutations(RESOURCES, 2):
        view = replace(hand(opening(), **{get: 2}), hand_counts=(2, 1, 0, 0))
        offered = scenes.offered(view, give=Bundle(**{give: 1}), get=Bundle(**{get: 1}))
        Timed.now_ms = Timed.sampled = 0
        assert isinstance(scenes.ask(Timed, "trade", offered), Respond)
        by_offer.append(Timed.sampled)
    # Most answers are clear at a glance, or after a few samples.
    assert 0 < max(by_offer) <= Timed.most_ms / 4
    assert 0 in by_offer


# Beliefs


def test_what_was_played_in_its_place_counts() -> None:
    bot = scenes.seated(Searcher)
    view = replace(hand(opening(), ore=3, grain=2, brick=4), must_discard=4)
    scenes.ask_again(bot, "discard", view, Pioneers.memory())
    applied = Raw(msgspec.json.encode(Discard(discard=Bundle(ore=2, grain=1, brick=1))))
    bot.on_strike(wire.Strike("m", 0, "timeout", "timeout", "late", 1, False, applied))
    bot.on_event(ev.Discarded(0, 4))
    bot.on_event(ev.BanditMoved(1, 3, 0, 1))
    counts = (4, view.hand_counts[1] + 1, *view.hand_counts[2:])
    after = replace(view, must_discard=0, hand=Bundle(grain=1, brick=3), hand_counts=counts)
    assert isinstance(bot, Searcher)
    before = [*bot._beliefs.hands[1]]
    scenes.ask_again(bot, "turn", after, Pioneers.memory())
    assert bot._beliefs.hands[1] == [possible + ORE for possible in before]


@pytest.mark.parametrize(
    ("asking", "open_", "alone"), [(3, True, False), (1, True, True), (3, False, True)]
)
def test_an_open_offer_is_judged_by_who_else_may_take_it(
    asking: int, open_: bool, alone: bool
) -> None:
    view = replace(hand(opening(), grain=2, wool=1), hand_counts=(3, 3, 3, 3), current=asking)
    offer = Offer(seat=asking, give=Bundle(wool=1), get=Bundle(grain=1), open=open_)
    bot = scenes.seated(Fixed)
    assert isinstance(bot, Fixed)
    view = replace(view, offer=offer)
    scenes.ask_again(bot, "trade", view, Pioneers.memory())
    judge = bot._judge(bot._unknown(view), view)
    asker = Judge(judge.state, asking, judge.strengths)
    refused = bot._if_refused(judge, asker, Swap(WOOL, GRAIN, gain=0.0))
    # Of those asked, the ones that come after seat 0 count: after seat 3 all, after seat 1 none.
    assert (refused == judge.stay) is alone
