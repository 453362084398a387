"""Random matches played in engine and oracle side by side, everything compared at every step."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine.pioneers import Pioneers
from tests.engine.pioneers.oracle import Oracle
from tests.engine.pioneers.oracle_cases import impossible, normal
from tests.engine.pioneers.oracle_match import Played, wire
from tests.engine.pioneers.oracle_space import random_action, random_offer

Json = dict[str, Any]


def seed_of(number: int) -> bytes:
    return random.Random(f"lockstep {number}").randbytes(32)


def start(number: int) -> tuple[Played, Oracle]:
    seats = 3 + number % 2
    seed = seed_of(number)
    board_seed = seed_of(number + 1_000_000) if number % 3 == 0 else None
    game = Pioneers.deal(seats, seed, board_seed=board_seed)
    return Played(game), Oracle.deal(seats, seed, board_seed)


def listed(played: Played, seat: int) -> list[Json]:
    """What the engine lists as legal; a sample where that is long."""
    moves = played.game.legal(seat)
    step = max(1, len(moves) // 60)
    return [normal(wire(moves[i])) for i in range(0, len(moves), step)]


def with_talk(kind: str, action: Json, rng: random.Random) -> Json:
    social = kind in ("bandit", "trade") or action.get("type") in ("end_turn", "offer_trade")
    if not social or rng.random() > 0.2:
        return action
    return action | {"talk": rng.choice(["", "hm", "\u2603" * 250, None, "x" * 240])}


def choose(played: Played, seat: int, kind: str, rng: random.Random) -> Json:
    """A legal action, keener on building and on odd offers than plain chance would be."""
    moves = listed(played, seat)
    keen = [m for m in moves if m.get("type") not in ("end_turn", "bank_trade", "offer_trade")]
    if keen and rng.random() < 0.75:
        moves = keen
    if kind == "turn" and rng.random() < 0.15:
        offer = random_offer(rng)
        if played.refusal(seat, offer) is None:
            return with_talk(kind, offer, rng)
    return with_talk(kind, rng.choice(moves), rng)


def same_state(played: Played, oracle: Oracle) -> None:
    assert played.pending() == oracle.pending()
    assert played.outcome() == oracle.outcome()
    for seat in (None, *range(oracle.s["seats"])):
        assert played.view(seat) == oracle.view(seat)
    assert played.position() == oracle.position()


def same_legality(played: Played, oracle: Oracle, rng: random.Random, tries: int) -> None:
    for seat in range(oracle.s["seats"]):
        kind = oracle.pending().get(seat)
        if kind is None:
            assert played.refusal(seat, {"type": "end_turn"})
            assert not played.game.legal(seat)
            continue
        assert normal(played.default(seat)) == normal(oracle.default(seat))
        for action in rng.sample(moves := listed(played, seat), min(len(moves), tries)):
            assert oracle.refusal(seat, action) is None, action
        for _ in range(tries):
            action = random_action(kind, rng)
            ours, theirs = played.refusal(seat, action), oracle.refusal(seat, action)
            assert (ours is None) == (theirs is None), (action, ours, theirs)


def enriched(oracle: Oracle, rng: random.Random) -> tuple[Played, Oracle]:
    """The same match with more cards in every hand, so that much gets built."""
    position = oracle.position()
    for hand in position["hands"]:
        for name in hand:
            hand[name] += rng.randrange(3)
    return Played.load(position), Oracle.load(position)


def play_side_by_side(number: int, tries: int, rich: bool = False) -> tuple[Json, list[Json]]:
    """One whole match; its outcome and its events."""
    rng = random.Random(number)
    played, oracle = start(number)
    seen: list[Json] = []
    same_state(played, oracle)
    while asked := oracle.pending():
        if rich and oracle.s["turn"] > 0 and rng.random() < 0.2 and "turn" in asked.values():
            played, oracle = enriched(oracle, rng)
        same_legality(played, oracle, rng, tries)
        actions = {}
        for seat, kind in asked.items():
            resigned = oracle.s["resigned"][seat]
            by_default = resigned or rng.random() < 0.02
            actions[seat] = oracle.default(seat) if by_default else choose(played, seat, kind, rng)
        backwards = dict(reversed(actions.items()))
        ours, theirs = played.advance(backwards), oracle.advance(actions)
        assert ours == theirs
        seen += ours
        if rng.random() < 0.001:
            seat = rng.randrange(oracle.s["seats"])
            played.game.resign(seat)
            oracle.resign(seat)
        same_state(played, oracle)
    outcome = oracle.outcome()
    assert outcome is not None
    return outcome, seen


@pytest.mark.parametrize("number", range(5))
def test_engine_and_oracle_play_the_same_match(number: int) -> None:
    play_side_by_side(number, tries=6)


@pytest.mark.parametrize("number", range(100, 106))
def test_engine_and_oracle_play_the_same_crowded_match(number: int) -> None:
    play_side_by_side(number, tries=10, rich=True)


@pytest.mark.slow
@pytest.mark.parametrize("rich", [False, True])
def test_engine_and_oracle_play_many_same_matches(rich: bool) -> None:
    """Among them matches that are won and matches that the cap ends, and every event."""
    reasons, seen = set(), set()
    for number in range(1000, 1100):
        outcome, events = play_side_by_side(number, tries=12, rich=rich)
        reasons.add(outcome["reason"])
        seen |= {event["event"] for event in events}
    assert len(seen) == 16
    assert "win" in reasons
    assert rich or "turn_cap" in reasons


def test_positions_of_a_match_are_possible_ones() -> None:
    """The check that the case tables undergo lets every position of a real match pass."""
    rng = random.Random(77)
    played, oracle = start(2)
    while asked := oracle.pending():
        assert impossible(oracle.position()) == []
        actions = {seat: choose(played, seat, kind, rng) for seat, kind in asked.items()}
        played.advance(actions)
        oracle.advance(actions)
