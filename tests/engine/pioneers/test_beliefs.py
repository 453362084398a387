"""Beliefs against the truth: what is public is known for certain, what is not stays possible."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec
import pytest

from engine.game import Action, Event
from engine.pioneers import Pioneers
from engine.pioneers import events as ev
from engine.pioneers.actions import (
    BankTrade,
    Bundle,
    Discard,
    MoveBandit,
    OfferTrade,
    PlayEmbargo,
    PlayWindfall,
    Respond,
)
from engine.pioneers.beliefs import Beliefs
from engine.pioneers.cards import BRICK, GRAIN, LUMBER, ORE, UNITS, WOOL, counts, covers, total
from engine.pioneers.determinize import Unknown
from engine.pioneers.view import Offer, PioneersView
from tests.engine.pioneers.matches import choose, seed_bytes

Choose = Callable[[Pioneers, random.Random], Mapping[int, Action]]


class Watched:
    """A match with a seat that counts along from the inside: by its views, answers and events."""

    def __init__(self, number: int, seats: int, choose: Choose = choose, seat: int = 0) -> None:
        self.rng = random.Random(number)
        self.game = Pioneers.deal(seats, seed_bytes(number))
        self.seat = seat
        self.choose = choose
        self.beliefs = new_beliefs()
        self.memory = Pioneers.memory()
        self.weights: list[list[int]] = []
        self.actions: Mapping[int, Action] = {}

    def look(self) -> bool:
        """Choose what comes next and let the seat look and answer; whether it was asked."""
        self.actions = self.choose(self.game, self.rng)
        kind = self.game.pending().get(self.seat)
        if kind is None:
            return False
        view = self.view()
        self.weights = Unknown(kind, view, self.memory).weights
        self.beliefs.saw(view, self.weights)
        self.beliefs.did(self.actions[self.seat])
        return True

    def settle(self, listening: bool = True) -> list[Event]:
        """Settle what was chosen; returns what happened, which the seat hears if it listens."""
        events = [*self.game.advance(self.actions)]
        if listening:
            for event in events:
                self.beliefs.heard(event)
        return events

    def step(self) -> list[Event]:
        """Both."""
        self.look()
        return self.settle()

    def view(self) -> PioneersView:
        return self.game.view(self.seat)

    def hand(self, seat: int) -> int:
        return self.game._state.hands[seat]

    @property
    def others(self) -> list[int]:
        return [seat for seat in range(self.game.view(None).seats) if seat != self.seat]


def new_beliefs(number: int = 1, size: int = 32) -> Beliefs:
    return Beliefs(random.Random(number).randrange, size)


def in_the_open(game: Pioneers, rng: random.Random) -> dict[int, Action]:
    """Random moves of which everybody at the table knows all, discards aside."""
    hidden = (BankTrade, PlayWindfall, PlayEmbargo)
    actions = choose(game, rng)
    for seat, action in actions.items():
        if isinstance(action, MoveBandit):
            actions[seat] = MoveBandit(hex=action.hex, victim=None)
        elif isinstance(action, hidden):
            actions[seat] = game.default(seat)
    return actions


def test_what_happens_in_the_open_is_known_for_certain() -> None:
    certain = trades = 0
    for number in range(4):
        watched = Watched(number, 3 + number % 2, in_the_open, seat=number % 3)
        doubtful: set[int] = set()
        while watched.game.pending():
            for event in watched.step():
                trades += isinstance(event, ev.Traded)
                if isinstance(event, ev.Discarded):
                    doubtful.add(event.seat)
            # The first view already shows everything: nobody holds a card then.
            for seat in watched.others if watched.beliefs.hands else []:
                if not watched.hand(seat):
                    doubtful.discard(seat)
                if seat not in doubtful:
                    assert {*watched.beliefs.hands[seat]} == {watched.hand(seat)}
                    certain += 1
    assert certain > 1000
    assert trades > 20


def test_hands_fit_every_view_whatever_happens() -> None:
    heard: Counter[type] = Counter()
    for number in range(8):
        own = number % 3
        watched = Watched(number, 3 + number % 2, seat=own)
        own_thefts = False
        while watched.game.pending():
            if own in watched.game.pending() and watched.beliefs.hands and not own_thefts:
                view = watched.view()
                for seat in watched.others:
                    # Before the view is taken in: every event says how many cards moved.
                    hands = watched.beliefs.hands[seat]
                    assert {total(hand) for hand in hands} == {view.hand_counts[seat]}
                    assert all(min(counts(hand)) >= 0 for hand in hands)
            if watched.look():
                own_thefts = False
            for event in watched.settle():
                heard[type(event)] += 1
                # What the seat robs and is robbed of waits for its next view.
                if isinstance(event, ev.BanditMoved) and own in (event.seat, event.victim):
                    own_thefts = True
    assert {ev.BanditMoved, ev.BankTraded, ev.Discarded, ev.DevCardPlayed, ev.Traded} < {*heard}


def test_the_truth_stays_likely_where_much_is_hidden() -> None:
    believed = expected = 0.0
    decisions = 0
    for number in range(4):
        watched = Watched(number, 4)
        while watched.game.pending():
            if watched.look() and watched.game.view(None).turn:
                for seat in watched.others:
                    truth = counts(watched.hand(seat))
                    weights, hands = watched.weights[seat], watched.beliefs.hands[seat]
                    believed += _distance(truth, [n / len(hands) for n in counts(sum(hands))])
                    share = sum(truth) / sum(weights)
                    expected += _distance(truth, [share * weight for weight in weights])
                    decisions += 1
            watched.settle()
    assert decisions > 1000
    # Not better than that, for random players hide a lot: they trade at the bank all the time.
    assert believed < 0.6 * expected


def _distance(truth: Iterable[float], guess: Iterable[float]) -> float:
    return sum(abs(a - b) for a, b in zip(truth, guess, strict=True))


def test_nothing_but_views_actions_and_events_counts() -> None:
    watched = Watched(3, 4)
    twin = new_beliefs()
    for _ in range(400):
        kind = watched.game.pending().get(watched.seat)
        if watched.look():
            assert kind is not None
            view = _through_json(watched.view(), PioneersView)
            twin.saw(view, Unknown(kind, view, watched.memory).weights)
            twin.did(_through_json(watched.actions[watched.seat], Pioneers.kinds[kind]))
        for event in watched.settle():
            twin.heard(_through_json(event, Pioneers.event_type))
        assert twin.hands == watched.beliefs.hands


def _through_json(value: Any, type_: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value), type=type_)


def test_begins_in_the_middle_and_recovers_from_events_that_it_missed() -> None:
    looks = sure = 0
    for number in range(4):
        watched = Watched(number, 4, in_the_open)
        for _ in range(100):
            watched.look()
            watched.settle(listening=False)
        watched.beliefs = new_beliefs()
        certain: set[int] = set()
        deaf = 0
        while watched.game.pending():
            # Now and then the connection is away for twenty decisions.
            deaf = deaf - 1 if deaf else 20 * (watched.rng.random() < 0.003)
            if watched.look():
                for seat in watched.others:
                    hands = {*watched.beliefs.hands[seat]}
                    assert {total(hand) for hand in hands} == {total(watched.hand(seat))}
                    if seat in certain:
                        assert hands == {watched.hand(seat)}
                        sure += 1
                looks += 1
                if not deaf:
                    # From here on it can count again.
                    certain |= {seat for seat in watched.others if not watched.hand(seat)}
            events = watched.settle(listening=not deaf)
            if deaf:
                certain.clear()
            certain -= {event.seat for event in events if isinstance(event, ev.Discarded)}
    assert looks > 500
    assert sure > 100


# One thing at a time


@pytest.fixture(name="watched")
def _watched() -> Watched:
    """Seat 0 sits in its first turn."""
    watched = Watched(1, 4, in_the_open)
    while watched.game.pending().get(0) != "turn":
        watched.step()
    return watched


def believed(view: PioneersView, hands: Mapping[int, int], size: int = 64) -> Beliefs:
    """Beliefs of seat 0 that are certain of these hands."""
    beliefs = new_beliefs(size=size)
    sizes = [0] * view.seats
    beliefs.saw(msgspec.structs.replace(view, hand_counts=tuple(sizes)), [[1] * 5] * view.seats)
    for seat, hand in hands.items():
        beliefs._possible.gain(seat, hand)
        sizes[seat] = total(hand)
    return beliefs


def seen(view: PioneersView, hand: Bundle, hand_counts: tuple[int, ...], **more: Any) -> Any:
    return msgspec.structs.replace(view, hand=hand, hand_counts=hand_counts, **more)


EVENLY = [[1] * 5] * 4


def test_a_card_that_the_seat_stole_is_known_to_it(watched: Watched) -> None:
    view = seen(watched.view(), Bundle(), (0, 0, 0, 0))
    beliefs = believed(view, {1: 3 * BRICK + ORE})
    beliefs.heard(ev.BanditMoved(0, 3, 1, 1))
    beliefs.saw(seen(view, Bundle(ore=1), (1, 3, 0, 0)), EVENLY)
    assert {*beliefs.hands[1]} == {3 * BRICK}


def test_a_stolen_card_tells_which_hand_it_came_from(watched: Watched) -> None:
    view = seen(watched.view(), Bundle(), (0, 0, 0, 0))
    beliefs = believed(view, {1: 0}, size=2000)
    beliefs._possible.of[1] = [4 * ORE] * 1000 + [3 * WOOL + ORE] * 1000
    beliefs.heard(ev.BanditMoved(0, 3, 1, 1))
    beliefs.saw(seen(view, Bundle(ore=1), (1, 3, 0, 0)), EVENLY)
    # An ore comes out of the first hand four times as often (Bayes).
    assert beliefs.odds(1, 3 * ORE) == pytest.approx(0.8, abs=0.04)
    assert beliefs.odds(1, 3 * WOOL) == pytest.approx(0.2, abs=0.04)


def test_a_card_that_was_stolen_from_the_seat_is_known_to_it(watched: Watched) -> None:
    view = seen(watched.view(), Bundle(wool=2, ore=1), (3, 0, 0, 0))
    beliefs = believed(view, {2: GRAIN})
    beliefs.heard(ev.BanditMoved(2, 3, 0, 1))
    beliefs.saw(seen(view, Bundle(wool=1, ore=1), (2, 0, 2, 0)), EVENLY)
    assert {*beliefs.hands[2]} == {GRAIN + WOOL}


def test_a_stolen_card_may_be_spent_before_the_seat_sees_which_it_was(watched: Watched) -> None:
    view = seen(watched.view(), Bundle(wool=1, brick=1), (2, 0, 0, 0))
    beliefs = believed(view, {2: LUMBER + GRAIN})
    beliefs.heard(ev.BanditMoved(2, 3, 0, 1))
    beliefs.heard(ev.RoadBuilt(2, 5))
    beliefs.saw(seen(view, Bundle(wool=1), (1, 0, 1, 0)), EVENLY)
    assert {*beliefs.hands[2]} == {GRAIN}


def test_who_offers_cards_holds_them_however_wrong_the_count_was(watched: Watched) -> None:
    view = seen(watched.view(), Bundle(), (0, 0, 0, 0))
    beliefs = believed(view, {1: 5 * ORE})
    offer = Offer(seat=1, give=Bundle(wool=2), get=Bundle(brick=1), open=True)
    beliefs.saw(seen(view, Bundle(), (0, 3, 0, 0), current=1, offer=offer), EVENLY)
    assert {*beliefs.hands[1]} == {2 * WOOL + ORE}


def test_a_theft_after_the_seat_discarded_is_known_to_it(watched: Watched) -> None:
    view = seen(watched.view(), Bundle(wool=6, ore=2), (8, 0, 0, 0))
    beliefs = believed(view, {2: 0})
    beliefs.did(Discard(discard=Bundle(wool=4)))
    beliefs.heard(ev.Discarded(0, 4))
    beliefs.heard(ev.BanditMoved(2, 3, 0, 1))
    beliefs.saw(seen(view, Bundle(wool=2, ore=1), (3, 0, 1, 0)), EVENLY)
    assert {*beliefs.hands[2]} == {ORE}


def test_a_theft_among_others_leaves_both_hands_in_step(watched: Watched) -> None:
    view = seen(watched.view(), Bundle(), (0, 0, 0, 0))
    beliefs = believed(view, {1: 2 * BRICK + 2 * ORE, 2: WOOL})
    beliefs.heard(ev.BanditMoved(2, 3, 1, 1))
    assert len({*beliefs.hands[1]}) == 2
    for mine, theirs in zip(beliefs.hands[1], beliefs.hands[2], strict=True):
        assert mine + theirs == 2 * BRICK + 2 * ORE + WOOL


def test_buildings_tell_what_was_held(watched: Watched) -> None:
    view = seen(watched.view(), Bundle(), (0, 0, 0, 0))
    beliefs = believed(view, {1: 0})
    beliefs._possible.of[1] = [3 * WOOL, BRICK + LUMBER + WOOL] * 32
    beliefs.heard(ev.RoadBuilt(1, 5))
    assert {*beliefs.hands[1]} == {WOOL}
    # Even what none of the hands could pay for was paid.
    beliefs = believed(view, {1: 5 * WOOL})
    beliefs.heard(ev.CityBuilt(1, 5))
    assert {*beliefs.hands[1]} == {0}


def test_roads_of_roadworks_cost_nothing(watched: Watched) -> None:
    view = seen(watched.view(), Bundle(), (0, 0, 0, 0))
    hand = 2 * BRICK + 2 * LUMBER
    beliefs = believed(view, {1: hand})
    beliefs.heard(ev.DevCardPlayed(1, "roadworks", (0, 0, 0, 0)))
    beliefs.heard(ev.RoadBuilt(1, 5))
    beliefs.heard(ev.AwardMoved(1, "longestRoad", 1))
    beliefs.heard(ev.RoadBuilt(1, 6))
    assert {*beliefs.hands[1]} == {hand}
    beliefs.heard(ev.RoadBuilt(1, 7))
    assert {*beliefs.hands[1]} == {BRICK + LUMBER}


def test_an_embargo_of_its_own_takes_just_that_resource(watched: Watched) -> None:
    view = seen(watched.view(), Bundle(), (0, 0, 0, 0))
    beliefs = believed(view, {1: 2 * ORE + 2 * WOOL, 2: WOOL, 3: BRICK})
    beliefs.did(PlayEmbargo(resource="ore"))
    beliefs.heard(ev.DevCardPlayed(0, "embargo", (2, -2, 0, 0)))
    assert {*beliefs.hands[1]} == {2 * WOOL}


def test_an_embargo_of_an_opponent_is_the_one_that_fits(watched: Watched) -> None:
    view = seen(watched.view(), Bundle(ore=1), (1, 0, 0, 0))
    beliefs = believed(view, {1: 2 * ORE + 2 * WOOL, 2: WOOL, 3: BRICK})
    beliefs.heard(ev.DevCardPlayed(1, "embargo", (3, 3, 0, 0)))  # nobody but seat 1 gained
    beliefs = believed(view, {1: BRICK, 2: 2 * ORE + 2 * WOOL, 3: ORE})
    beliefs.heard(ev.DevCardPlayed(1, "embargo", (-1, 4, -2, -1)))
    assert {*beliefs.hands[1]} == {BRICK + 4 * ORE}
    assert {*beliefs.hands[2]} == {2 * WOOL}
    assert {*beliefs.hands[3]} == {0}


def test_a_trade_at_the_bank_costs_what_there_was_enough_of(watched: Watched) -> None:
    view = seen(watched.view(), Bundle(), (0, 0, 0, 0), settlements=((), (), (), ()))
    beliefs = believed(view, {1: 4 * WOOL + 3 * ORE})
    beliefs.heard(ev.BankTraded(1, 4))
    assert all(covers(hand, 3 * ORE) and not covers(hand, WOOL) for hand in beliefs.hands[1])
    got = {hand - 3 * ORE for hand in beliefs.hands[1]}
    assert got == {*UNITS} - {WOOL}


def test_offers_are_known_to_those_who_were_asked(watched: Watched) -> None:
    view = seen(watched.view(), Bundle(ore=1), (1, 2, 1, 0))
    offer = Offer(seat=1, give=Bundle(wool=2), get=Bundle(ore=1), open=True)
    beliefs = new_beliefs()
    beliefs.saw(msgspec.structs.replace(view, current=1, offer=offer), EVENLY)
    assert {*beliefs.hands[1]} == {2 * WOOL}
    beliefs.did(Respond(accept=False))
    for event in (ev.Offered(1, None, 2, 1), ev.Responded(0, False), ev.Responded(2, True)):
        beliefs.heard(event)
    assert {*beliefs.hands[2]} == {ORE}
    beliefs.heard(ev.Traded(1, 2, 2, 1))
    assert {*beliefs.hands[1]} == {ORE}
    assert {*beliefs.hands[2]} == {2 * WOOL}


def test_of_offers_to_others_only_the_counts_are_known(watched: Watched) -> None:
    view = seen(watched.view(), Bundle(ore=1), (1, 0, 0, 0))
    beliefs = believed(view, {1: 2 * WOOL, 2: 2 * ORE + GRAIN})
    # Of an offer of its own that it never got to make, nothing is left.
    beliefs.did(OfferTrade(give=Bundle(ore=1), get=Bundle(brick=1)))
    for event in (ev.Offered(1, 2, 1, 2), ev.Responded(2, True), ev.Traded(1, 2, 1, 2)):
        beliefs.heard(event)
    for mine, theirs in zip(beliefs.hands[1], beliefs.hands[2], strict=True):
        assert mine + theirs == 2 * WOOL + 2 * ORE + GRAIN
        assert total(mine) == 3
        assert covers(theirs, WOOL)


def test_the_terms_of_an_offer_are_not_those_of_the_next(watched: Watched) -> None:
    view = seen(watched.view(), Bundle(ore=1), (1, 4, 1, 0))
    beliefs = believed(view, {1: 2 * WOOL + 2 * BRICK, 2: ORE})
    offer = Offer(seat=1, give=Bundle(wool=2), get=Bundle(ore=1), open=True)
    beliefs.saw(msgspec.structs.replace(view, current=1, offer=offer), EVENLY)
    beliefs.did(Respond(accept=False))
    for event in (ev.Offered(1, None, 2, 1), ev.Responded(0, False), ev.Responded(2, False)):
        beliefs.heard(event)
    # As many cards for as many, but of seat 2 alone.
    for event in (ev.Offered(1, 2, 2, 1), ev.Responded(2, True), ev.Traded(1, 2, 2, 1)):
        beliefs.heard(event)
    assert {*beliefs.hands[2]} == {2 * WOOL, WOOL + BRICK, 2 * BRICK}
    for mine, theirs in zip(beliefs.hands[1], beliefs.hands[2], strict=True):
        assert mine + theirs == 2 * WOOL + 2 * BRICK + ORE


def test_a_spectator_believes_nothing() -> None:
    beliefs = new_beliefs()
    assert beliefs.hands == []
    with pytest.raises(ValueError, match="spectator"):
        beliefs.saw(Pioneers.deal(3, bytes(32)).view(None), [])
