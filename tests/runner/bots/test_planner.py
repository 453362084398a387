"""Whole matches, and positions in which there is one thing to do."""

from __future__ import annotations

import statistics
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from engine.game import Action
from engine.pioneers import Pioneers
from engine.pioneers.actions import (
    RESOURCES,
    BankTrade,
    BuildCity,
    BuildRoad,
    BuildSettlement,
    Bundle,
    Discard,
    EndTurn,
    MoveBandit,
    OfferTrade,
    PlayKnight,
    PlayRoadworks,
    PlayWindfall,
    Respond,
    Setup,
)
from engine.pioneers.analysis import (
    free_edges,
    longest_road,
    open_vertices,
    stake,
    trade_rates,
    vertex_odds,
)
from engine.pioneers.board import bits
from engine.pioneers.determinize import Unknown
from engine.pioneers.glimpse import PioneersMemory
from engine.pioneers.state import AWARD_POINTS, WINNING_POINTS, State
from engine.pioneers.trading import MAX_OFFERS
from engine.pioneers.view import Awards, PioneersView
from runner.bots.greedy import Greedy
from runner.bots.planner import Planner
from runner.bots.trader import Trader
from tests.runner.bots import scenes
from tests.runner.bots.local import LocalMatch, play_sets
from tests.runner.bots.scenes import hand, holding, offered, opening, share_of_wins, unblocked

NAMES = ("a", "b", "c", "d")


def ask(kind: str, view: PioneersView, memory: PioneersMemory | None = None) -> Any:
    """What the planner answers."""
    return scenes.ask(Planner, kind, view, memory)


# Whole matches


def test_beats_greedy_clearly_and_every_action_is_legal() -> None:
    # LocalMatch checks each action; the kit's own check is off for this bot.
    assert Planner.check_actions is False
    outcomes = play_sets((Planner, Greedy, Greedy, Greedy), 12)
    assert share_of_wins(outcomes, [0]) >= 0.45
    assert all(outcome.reason == "win" for outcome in outcomes)


@pytest.mark.slow
def test_wins_clearly_more_than_its_share_against_traders() -> None:
    outcomes = play_sets((Planner, Trader, Trader, Trader), 120)
    assert share_of_wins(outcomes, [0]) >= 0.3


@pytest.mark.parametrize("seats", [3, 4])
def test_is_deterministic_among_its_like(seats: int) -> None:
    matches = [LocalMatch("m", [Planner] * seats, NAMES[:seats]) for _ in range(2)]
    outcomes = [local.play() for local in matches]
    assert matches[0].record == matches[1].record
    assert outcomes[0].reason == "win"
    assert {type(action) for _, action in matches[0].record} > {BuildCity, BuildRoad, MoveBandit}


def test_what_it_does_hangs_on_no_hash() -> None:
    assert scenes.hangs_on_no_hash(Planner)


def test_no_offer_is_made_twice_in_a_turn_and_no_more_than_five() -> None:
    local = LocalMatch("m", [Planner, Greedy, Greedy, Greedy], NAMES)
    made: dict[int, list[Action]] = {}
    while local.step():
        for seat, action in local.record:
            if isinstance(action, OfferTrade):
                assert seat == 0
                made.setdefault(local.game.view(None).turn, []).append(action)  # type: ignore[attr-defined]
        local.record.clear()
    assert sum(map(len, made.values())) > 20
    for offers in made.values():
        assert len(offers) == len({*offers}) <= MAX_OFFERS


# The end of a match


def nearly_won(view: PioneersView, missing: int = 1) -> PioneersView:
    """Seat 0 holds the largest army and victory point cards, so that `missing` points win."""
    view = replace(view, knights=(3, 0, 0, 0), awards=Awards(largest_army=0, longest_road=None))
    shown = len(view.settlements[0]) + 2 * len(view.cities[0]) + AWARD_POINTS
    return holding(hand(unblocked(view)), victory_point=WINNING_POINTS - missing - shown)


def with_card(view: PioneersView, card: str) -> PioneersView:
    """One more dev card."""
    assert view.dev_cards is not None
    cards = replace(view.dev_cards, **{card: 1})
    return replace(view, dev_cards=cards, dev_counts=(view.dev_counts[0] + 1, 0, 0, 0))


def rich(view: PioneersView) -> PioneersView:
    """The others hold six cards each."""
    return replace(view, hand_counts=(view.hand_counts[0], 6, 6, 6))


def on_a_trail(view: PioneersView, length: int) -> PioneersView:
    """Seat 0 with a longest road of `length`."""
    while (before := longest_road(view, 0)) < length:
        edge = next(e for e in free_edges(view, 0) if longest_road(view, 0, (e,)) > before)
        roads = tuple(sorted((*view.roads[0], edge)))
        view = replace(view, roads=(roads, *view.roads[1:]))
    return replace(view, road_lengths=(length, *view.road_lengths[1:]))


def winning_turn(view: PioneersView) -> list[Action]:
    """What the planner does in seat 0 until it wins, which it must in this turn, by itself."""
    bot, memory = scenes.seated(Planner), Pioneers.memory()
    state = Unknown("turn", view, memory).likely()
    game = Pioneers(state)
    actions: list[Action] = []
    while state.kind != "over":
        kind, seen = state.kind, game.view(0)
        action = scenes.ask_again(bot, kind, seen, memory)
        assert not isinstance(action, EndTurn | OfferTrade)
        memory.note(kind, seen, action)
        game.advance({0: action})
        actions.append(action)
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.placements[0] == 1
    return actions


WOOL = RESOURCES.index("wool")


def test_a_city_wins() -> None:
    assert [BuildCity] == [*map(type, winning_turn(hand(nearly_won(opening()), ore=3, grain=2)))]


def test_the_bank_is_asked_and_nobody_else_on_the_way_to_a_win() -> None:
    view = nearly_won(opening())
    rate = trade_rates(view, 0)[WOOL]
    city = rich(hand(view, ore=3, grain=1, wool=rate))
    assert winning_turn(city)[0] == BankTrade(give="wool", get="grain")
    # Where the win is further away, the others are asked first.
    assert isinstance(ask("turn", rich(hand(opening(), ore=3, grain=1, wool=rate))), OfferTrade)


def test_a_windfall_for_the_city_that_wins() -> None:
    view = hand(with_card(nearly_won(opening()), "windfall"), ore=2, grain=1)
    played = winning_turn(view)
    assert played[0] == PlayWindfall(resources=("grain", "ore"))
    assert isinstance(played[1], BuildCity)


def test_the_road_that_wins_the_longest_road_and_with_it_the_match() -> None:
    view = on_a_trail(nearly_won(opening(), missing=2), 4)
    longer = [e for e in free_edges(view, 0) if longest_road(view, 0, (e,)) == 5]
    other = [e for e in free_edges(view, 0) if e not in longer]
    assert longer
    assert other
    (road,) = winning_turn(hand(view, brick=1, lumber=1))
    assert isinstance(road, BuildRoad)
    assert road.edge in longer
    (roadworks,) = winning_turn(with_card(view, "roadworks"))
    assert isinstance(roadworks, PlayRoadworks)


def test_a_road_and_the_settlement_that_wins_at_its_end() -> None:
    view = nearly_won(opening())
    both = winning_turn(hand(view, brick=2, lumber=2, wool=1, grain=1))
    assert [*map(type, both)] == [BuildRoad, BuildSettlement]


def test_the_knight_that_wins_the_largest_army_and_with_it_the_match() -> None:
    first, second = opening().settlements[0]
    with_city = replace(
        opening(),
        settlements=((first,), *opening().settlements[1:]),
        cities=((second,), (), (), ()),
    )
    view = replace(nearly_won(with_city, missing=0), knights=(2, 0, 0, 0), awards=Awards())
    (knight,) = winning_turn(with_card(view, "knight"))
    assert knight == PlayKnight()


# Set-up


def test_settles_where_the_odds_are_good_and_different_things_come_in() -> None:
    shares: list[float] = []
    kinds: list[int] = []
    for number in range(8):
        local = LocalMatch(f"set-up {number}", [Planner] * 4, NAMES)
        while "setup" in local.game.pending().values():
            view = local.game.view(None)
            assert isinstance(view, PioneersView)
            odds = [sum(cards) for cards in vertex_odds(view.hexes)]
            best = max(odds[vertex] for vertex in bits(open_vertices(view)))
            local.step()
            _, action = local.record[-1]
            assert isinstance(action, Setup)
            shares.append(odds[action.settlement] / best)
        view = local.game.view(None)
        assert isinstance(view, PioneersView)
        kinds += [len(resources(view, seat)) for seat in range(4)]
    assert len(shares) == 64
    assert min(shares) > 0.4
    assert statistics.fmean(shares) > 0.75
    assert min(kinds) >= 3
    assert statistics.fmean(kinds) > 4


def resources(view: PioneersView, seat: int) -> set[int]:
    """What a seat's settlements collect, the bandit aside."""
    odds = vertex_odds(view.hexes)
    return {r for vertex in view.settlements[seat] for r, ways in enumerate(odds[vertex]) if ways}


# Other decisions


def test_keeps_what_a_city_costs() -> None:
    view = replace(hand(opening(), ore=3, grain=2, brick=4), must_discard=4)
    assert ask("discard", view) == Discard(discard=Bundle(brick=4))
    short = replace(hand(opening(), ore=3, grain=2, wool=3), must_discard=4)
    kept = ask("discard", short).discard
    assert kept.wool >= 2


def test_discards_any_number_of_cards() -> None:
    view = replace(hand(opening(), ore=300, wool=40, brick=1), must_discard=170)
    assert sum(msgspec.structs.astuple(ask("discard", view).discard)) == 170


@pytest.mark.parametrize("seed", range(2))
def test_the_bandit_hurts_others_and_robs_one_of_them(seed: int) -> None:
    local = LocalMatch(f"bandit {seed}", [Planner] * 4, NAMES)
    moves = 0
    while local.step():
        asked = local.game.pending()
        if "bandit" in asked.values():
            (seat,) = asked
            view = local.game.view(None)
            assert isinstance(view, PioneersView)
            local.step()
            _, move = local.record[-1]
            assert isinstance(move, MoveBandit)
            assert stake(view, seat, move.hex) == 0
            there = [other for other in range(4) if stake(view, other, move.hex)]
            assert there
            holders = [other for other in there if view.hand_counts[other]]
            assert move.victim in holders or holders == []
            moves += 1
    assert moves > 4


def test_robs_nobody_who_has_no_cards() -> None:
    assert ask("bandit", replace(opening(), hand_counts=(2, 0, 0, 0))).victim is None


def test_accepts_what_helps_and_nothing_else() -> None:
    view = rich(hand(opening(), ore=2, grain=2, brick=1))
    assert ask("trade", offered(view, Bundle(ore=1), Bundle(brick=1))) == Respond(accept=True)
    assert ask("trade", offered(view, Bundle(brick=1), Bundle(ore=1))) == Respond(accept=False)
    beyond_its_means = offered(view, Bundle(ore=3), Bundle(wool=1))
    assert ask("trade", beyond_its_means) == Respond(accept=False)


def test_offers_for_what_a_city_lacks_until_the_offers_are_used_up() -> None:
    view = rich(hand(opening(), ore=3, grain=1, brick=2))
    bot, memory = scenes.seated(Planner), Pioneers.memory()
    offers = []
    while isinstance(action := scenes.ask_again(bot, "turn", view, memory), OfferTrade):
        offers.append(action)
        memory.note("turn", view, action)
    assert any(offer.get.grain and offer.give.brick for offer in offers)
    assert len({*offers}) == len(offers) <= MAX_OFFERS
    assert action == EndTurn()


def test_nobody_is_asked_who_has_no_cards() -> None:
    view = hand(opening(), ore=3, grain=1, brick=2)
    nobody = replace(view, hand_counts=(view.hand_counts[0], 0, 0, 0))
    assert ask("turn", nobody) == EndTurn()


# Work, which is what time goes by


@pytest.fixture(name="copies")
def _copies(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Counts, in its last item, how often a state is copied: once for whatever is tried out."""
    counted = [0]
    copy = State.copy

    def counting(s: State) -> State:
        counted[-1] += 1
        return copy(s)

    monkeypatch.setattr(State, "copy", counting)
    return counted


def test_a_decision_is_a_few_hundred_tries_at_most(copies: list[int]) -> None:
    local = LocalMatch("m", [Planner] * 4, NAMES)
    while local.step():
        copies.append(0)
    assert 50 < max(copies) < 250 * 4


def test_so_it_is_with_every_card_there_is(copies: list[int]) -> None:
    view = on_a_trail(hand(opening(), brick=30, lumber=30, wool=30, grain=30, ore=30), 4)
    view = holding(rich(view), knight=14, roadworks=2, windfall=2, embargo=2)
    assert not isinstance(ask("turn", view), EndTurn)
    assert 100 < copies[-1] < 2000
