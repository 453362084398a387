"""Whole matches: what holds after every decision, and how they end."""

from __future__ import annotations

import random
from collections import Counter

import msgspec
import pytest

from engine.program import Position, Program
from engine.program.actions import KINDS
from engine.program.cards import CARDS, HQ_LEVEL, HQS, NUMBER_OF
from engine.program.events import ProgramEvent, Scored
from engine.program.position import SeatPosition
from tests.engine.program.matches import decisions, seed_bytes
from tests.engine.program.sensible import Sensible


def points(town: SeatPosition) -> int:
    """A seat's score, counted from its cards."""
    in_town = [CARDS[NUMBER_OF[card]].points for card in town.town]
    return town.permanent + HQS[HQ_LEVEL[town.hq]].points + sum(in_town)


@pytest.mark.parametrize("number", range(12))
def test_what_holds_after_every_decision(number: int) -> None:
    """Cards are conserved and positions sound (a position that is not is refused); scores are
    what lies on the table; piles fit, but where a town has shrunk since the last maintenance."""
    seats = 3 + number % 2
    before: Position | None = None
    for game, _ in decisions(number, seats):
        position = game.position()
        Program.from_position(position)
        view = game.view(None)
        for seat, town in enumerate(position.towns):
            assert view.towns[seat].score == points(town)
            pile, room = town.pile, view.towns[seat].room
            above = max(0, pile.food - room.food) + max(0, pile.credits - room.credits)
            above += max(0, pile.responses - room.responses)
            if position.step in ("survivors", "over"):
                assert above <= room.any
            if above > room.any and before is not None:
                assert pile.total() <= before.towns[seat].pile.total(), "a gain over capacity"
        assert position.round <= position.arc + 1 <= 8
        before = position


@pytest.mark.parametrize("seats", [3, 4])
def test_matches_played_by_default_alone_end_with_the_last_round(seats: int) -> None:
    for number in range(20):
        game = Program.deal(seats, seed_bytes(number))
        asked: Counter[str] = Counter()
        while pending := game.pending():
            asked.update(set(pending.values()))
            game.advance({seat: game.default(seat) for seat in pending})
        position = game.position()
        outcome = game.outcome()
        assert outcome is not None
        assert outcome.reason == "last_round"
        assert outcome.placements == (1,) * seats
        assert position.round == position.arc + 1
        rounds = position.round
        assert asked == {
            "draft": 3,
            "turn": 2 * seats * rounds,
            "maintenance": rounds,
            "survivor": seats * (rounds - 1),
        }


def test_random_matches_ask_every_kind() -> None:
    """But for `protect`, which takes three things at once: the case tables have it."""
    kinds: set[str] = set()
    for number in range(120):
        for game, _ in decisions(number, 3 + number % 2):
            kinds |= set(game.pending().values())
    assert kinds | {"protect"} == set(KINDS)


def test_matches_end_either_way_and_the_first_at_four_is_placed_first() -> None:
    """Replayed from the events: who came to four first, and has held it since, has won."""
    reasons: Counter[str] = Counter()
    for number in range(40):
        rng = random.Random(number)
        player = Sensible(rng)
        game = Program.deal(3 + number % 2, rng.randbytes(32))
        changes: list[Scored] = []
        while game.pending():
            changes += [e for e in game.advance(player.choose(game)) if isinstance(e, Scored)]
        outcome = game.outcome()
        assert outcome is not None
        reasons[outcome.reason] += 1
        since: dict[int, int] = {}
        for stamp, change in enumerate(changes):
            if change.score < 4:
                since.pop(change.seat, None)
            else:
                since.setdefault(change.seat, stamp)
        assert (outcome.reason == "four_points") == bool(since)
        first = outcome.placements.index(1)
        if since:
            assert first == min(since, key=lambda seat: since[seat])
        else:
            assert outcome.scores[first] == max(outcome.scores)
    assert min(reasons["four_points"], reasons["last_round"]) > 5


def test_events_survive_json() -> None:
    for game, actions in decisions(1, 4):
        for event in game.copy().advance(actions) if actions else ():
            raw = msgspec.json.encode(event)
            assert msgspec.json.decode(raw, type=ProgramEvent) == event
            assert Program.narrate(event).isprintable()
