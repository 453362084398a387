"""What must hold in every Pioneers match whatever is played, found out by hypothesis.

A stateful machine plays arbitrary matches, from the deal or from the case tables' positions with
arbitrary hands, and checks after every decision that cards come and go only where the rules say,
that scores are what the board says, that limits hold, and that awards are where the oracle has
them.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from engine.game import Action
from engine.pioneers import Pioneers, Position
from engine.pioneers.actions import (
    BankTrade,
    BuildCity,
    BuildRoad,
    BuildSettlement,
    BuyDevCard,
    Discard,
    EndTurn,
    OfferTrade,
    PlayWindfall,
    Setup,
)
from tests.engine.pioneers import oracle_rules as rules
from tests.engine.pioneers.oracle import Oracle
from tests.engine.pioneers.oracle_board import DEV_CARDS, DEV_COUNTS, HEX_VERTICES, RESOURCES
from tests.engine.pioneers.oracle_cases import impossible
from tests.engine.pioneers.oracle_match import Played, wire

Json = dict[str, Any]

IDLE = {"EndTurn", "OfferTrade", "BankTrade"}
PRICES = {
    BuildRoad: rules.COSTS["road"],
    BuildSettlement: rules.COSTS["settlement"],
    BuildCity: rules.COSTS["city"],
    BuyDevCard: rules.COSTS["dev_card"],
}


def in_play(position: Position) -> Json:
    """How many cards of each resource are in all hands together."""
    return {name: sum(getattr(hand, name) for hand in position.hands) for name in RESOURCES}


def facts(game: Pioneers) -> Json:
    """All that the engine keeps of a state."""
    state = game._state
    found: Json = {name: getattr(state, name) for name in type(state).__slots__}
    found["chance"] = found["chance"].seed
    if state.turn > 0:
        del found["placed"]  # counts placements, and means nothing after set-up
    return found


class Matches(RuleBasedStateMachine):
    """One match, with its oracle's book-keeping redone from what is on the board."""

    game: Pioneers

    @initialize(seats=st.sampled_from([3, 4]), seed=st.binary(min_size=32, max_size=32))
    def deal(self, seats: int, seed: bytes) -> None:
        self.game = Pioneers.deal(seats, seed)
        while "setup" in self.game.pending().values():
            for seat in self.game.pending():
                moves = self.game.legal(seat)
                at = int.from_bytes(seed[:2], "big") * 31 * (1 + len(moves)) % len(moves)
                self.step({seat: moves[at]})

    def true_points(self, seat: int) -> int:
        points = self.game.view(seat).my_score
        assert points is not None
        return points

    def over(self) -> bool:
        return not self.game.pending()

    def only(self, kind: str) -> bool:
        return set(self.game.pending().values()) == {kind}

    @precondition(lambda self: not self.over())
    @rule(data=st.data(), decisions=st.integers(1, 8))
    def play(self, data: st.DataObject, decisions: int) -> None:
        """Any legal actions; of their types one first, so that all of them occur."""
        for _ in range(decisions):
            asked = self.game.pending()
            self.step({seat: self.draw_action(data, seat) for seat in asked})
            self.everything_holds()
            if self.over():
                break

    def draw_action(self, data: st.DataObject, seat: int) -> Action:
        moves = self.game.legal(seat)
        if isinstance(moves[0], Discard):
            at = data.draw(st.integers(0, len(moves) - 1))
            return moves[at]
        names = sorted({type(move).__name__ for move in moves})
        building = [name for name in names if name not in IDLE]
        patience = data.draw(st.integers(0, 7))
        if building and patience:
            names = building
        name = data.draw(st.sampled_from(names))
        return data.draw(st.sampled_from([m for m in moves if type(m).__name__ == name]))

    @precondition(lambda self: self.only("turn"))
    @rule(more=st.lists(st.integers(0, 6), min_size=5, max_size=5))
    def find_cards(self, more: list[int]) -> None:
        """The same match with more cards for the seat in turn: much gets built."""
        position: Json = wire(self.game.position())
        hand = position["hands"][position["current"]]
        for name, count in zip(RESOURCES, more, strict=True):
            hand[name] += count
        self.game = Played.load(position).game

    @precondition(lambda self: self.only("discard") or self.only("bandit"))
    @rule()
    def play_defaults(self) -> None:
        self.step({seat: self.game.default(seat) for seat in self.game.pending()})

    @precondition(lambda self: self.over())
    @rule(seat=st.integers(0, 2))
    def nothing_goes_after_the_end(self, seat: int) -> None:
        with pytest.raises(ValueError, match="over"):
            self.game.advance({seat: EndTurn()})

    def step(self, actions: dict[int, Action]) -> None:
        """Advance, and hold the bank's side of it against the cards in all hands."""
        before: Position = self.game.position()
        flow = dict.fromkeys(RESOURCES, 0)
        for seat, action in actions.items():
            self.count_flow(before, seat, action, flow)
        self.game.advance(actions)
        after: Position = self.game.position()
        if after.turn != before.turn and after.turn <= 200:
            self.count_payout(after, flow)
        held = in_play(before)
        assert in_play(after) == {name: held[name] + flow[name] for name in RESOURCES}

    def count_flow(self, before: Position, seat: int, action: Action, flow: Json) -> None:
        """What the bank gives and takes for one action; all else moves between hands."""
        for name, count in PRICES.get(type(action), {}).items():
            flow[name] -= count
        if isinstance(action, Discard):
            for name in RESOURCES:
                flow[name] -= getattr(action.discard, name)
        elif isinstance(action, PlayWindfall):
            for name in action.resources:
                flow[name] += 1
        elif isinstance(action, BankTrade):
            flow[action.give] -= rules.bank_rate(wire(before), seat, action.give)
            flow[action.get] += 1
        elif isinstance(action, Setup) and before.settlements[seat]:
            for where, corners in enumerate(HEX_VERTICES):
                resource = before.hexes[where].resource
                if action.settlement in corners and resource != "desert":
                    flow[resource] += 1

    def count_payout(self, after: Position, flow: Json) -> None:
        """The payout of the turn that has just begun."""
        assert after.dice is not None
        for where, tile in enumerate(after.hexes):
            if tile.token == sum(after.dice) and where != after.bandit:
                towns = [*after.settlements, *after.cities, *after.cities]
                flow[tile.resource] += sum(v in HEX_VERTICES[where] for ids in towns for v in ids)

    @invariant()
    def everything_holds(self) -> None:
        self.the_position_is_possible()
        self.scores_are_what_the_board_says()
        self.views_agree_with_the_position()
        self.the_end_is_called_when_it_is_reached()
        self.limits_hold()
        self.what_is_kept_up_to_date_is_what_is_worked_out_anew()

    def the_position_is_possible(self) -> None:
        """Distance rule, connected roads, supplies, all 25 dev cards, awards as the oracle's."""
        assert impossible(wire(self.game.position())) == []

    def scores_are_what_the_board_says(self) -> None:
        position: Json = wire(self.game.position())
        for seat in range(position["seats"]):
            view = self.game.view(seat)
            towns = len(position["settlements"][seat]) + 2 * len(position["cities"][seat])
            awards = 2 * list(position["awards"].values()).count(seat)
            assert view.scores[seat] == towns + awards
            cards = [position[key][seat] for key in ("devCards", "devBoughtThisTurn")]
            hidden = sum(pile["victory_point"] for pile in cards)
            assert view.my_score == towns + awards + hidden

    def views_agree_with_the_position(self) -> None:
        position: Json = wire(self.game.position())
        spectator = self.game.view(None)
        oracle = Oracle.load(position)
        for seat in range(position["seats"]):
            assert spectator.hand_counts[seat] == rules.total(position["hands"][seat])
            assert spectator.road_lengths[seat] == rules.road_length(oracle.s, seat)
        assert spectator.dev_deck == len(position["deck"])
        played = sum(DEV_COUNTS.values()) - len(position["deck"]) - sum(spectator.dev_counts)
        unseen = sum(DEV_COUNTS[card] for card in DEV_CARDS[2:])
        assert sum(spectator.knights) <= played <= sum(spectator.knights) + unseen

    def the_end_is_called_when_it_is_reached(self) -> None:
        """Never a seat with ten points in its own turn that still has to act, nor turn 201."""
        position = self.game.position()
        outcome = self.game.outcome()
        assert (outcome is None) == bool(self.game.pending())
        if outcome is None:
            assert position.turn <= 200
            assert position.turn == 0 or self.true_points(position.current) < 10
        elif outcome.reason == "win":
            assert outcome.placements[position.current] == 1
            assert outcome.scores[position.current] >= 10
            assert outcome.placements.count(1) == 1

    def what_is_kept_up_to_date_is_what_is_worked_out_anew(self) -> None:
        """The sets, incomes and lengths that the engine carries along, against a fresh start."""
        ours = facts(self.game)
        assert ours == facts(Pioneers.from_position(self.game.position()))
        assert ours == facts(self.game.copy())

    def limits_hold(self) -> None:
        position = self.game.position()
        assert position.offers_this_turn <= 5
        for seat, kind in self.game.pending().items():
            moves = self.game.legal(seat)
            if kind == "discard":
                hand = rules.total(wire(position)["hands"][seat])
                assert hand > 7
                assert self.game.view(seat).must_discard == hand // 2
            if kind == "turn" and position.offers_this_turn == 5:
                assert not any(isinstance(move, OfferTrade) for move in moves)
            if kind == "turn":
                assert any(isinstance(move, EndTurn) for move in moves)


TestMatches = Matches.TestCase
TestMatches.settings = settings(
    max_examples=40,
    stateful_step_count=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@pytest.mark.slow
def test_many_more_matches() -> None:
    run_state_machine_as_test(
        Matches,
        settings=settings(TestMatches.settings, max_examples=400, stateful_step_count=120),
    )
