"""Bots in a match without sockets: what they are handed, and what becomes of what they answer."""

from __future__ import annotations

import hashlib
from typing import Any, ClassVar

import msgspec
import pytest

from engine.game import Action, IllegalAction
from engine.pioneers import Pioneers
from engine.pioneers.actions import BankTrade, BuildCity, EndTurn
from engine.pioneers.events import Ended, Rolled
from runner import local
from runner import protocol as wire
from runner.bot import Bot, Request
from runner.bots.greedy import Greedy
from runner.bots.random_bot import RandomBot
from runner.local import LocalMatch

NAMES = ("a", "b", "c")
SEED = hashlib.sha256(b"local").digest()


class Seeded(RandomBot):
    seed = "5"


class Idle(Bot):
    """Answers nothing, so that everything is played by default."""


def match(*bots: type[Bot]) -> LocalMatch:
    return LocalMatch(Pioneers, "m", SEED, bots, NAMES)


def test_a_match_of_defaults_runs_into_the_turn_cap() -> None:
    played = match(Idle, Idle, Idle).play()
    assert played.outcome.reason == "turn_cap"
    assert played.turns == 200
    # Six settlements, two hundred ends of a turn, and what the sevens ask.
    assert played.decisions > 206


def test_a_bot_gets_the_view_of_its_seat_and_nothing_of_another() -> None:
    seen: list[tuple[Any, Any]] = []

    class Curious(Bot):
        def decide(self, request: Request) -> None:
            seen.append((request.view, table.game.view(self.seat)))
            assert request.view.seat == request.seat == self.seat
            # What the request lets it work out is the match as its seat knows it.
            with pytest.raises(ValueError, match="only the view of seat"):
                request.game().view((self.seat + 1) % 3)

    table = match(Curious, Greedy, Seeded)
    table.play()
    assert len(seen) > 20
    assert all(given == known for given, known in seen)


def test_no_attribute_of_a_bot_or_its_request_leads_to_the_match() -> None:
    reachable: list[object] = []

    class Probe(Bot):
        def decide(self, request: Request) -> None:
            held = [self, request, *vars(self).values()]
            held += [getattr(request, name) for name in Request.__slots__]
            reachable.extend(held)

    table = match(Probe, Idle, Idle)
    table.play()
    assert reachable
    assert not any(thing is table.game or thing is table for thing in reachable)


def test_what_a_bot_remembers_makes_its_legal_actions_exact(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Offers and the dev card of a turn are not in the view: without a memory kept in step, the
    # legal actions worked out from it would differ from the match's, and with them the choice.
    fast = match(Seeded, Seeded, Seeded).play()
    monkeypatch.setattr(local, "_blind", lambda _bot: False)
    assert match(Seeded, Seeded, Seeded).play() == fast


def test_only_a_bot_that_decides_like_the_random_one_is_asked_blindly() -> None:
    class Sighted(RandomBot):
        seed = "5"

        def decide(self, request: Request) -> Action:
            assert isinstance(request.view, Pioneers.view_type)
            return super().decide(request)

    assert match(Sighted, Sighted, Sighted).play().outcome.reason == "win"


def test_hooks_are_called_as_in_a_season() -> None:
    calls: list[Any] = []

    class Listener(Bot):
        events = True

        def on_start(self) -> None:
            calls.append("start")

        def on_event(self, event: Any) -> None:
            calls.append(event)

        def on_end(self, end: wire.MatchEnd) -> None:
            calls.append(end)

    class Deaf(Listener):
        events = False

    played = match(Listener, Seeded, Seeded).play()
    assert calls[0] == "start"
    assert sum(isinstance(call, Rolled) for call in calls) == played.turns
    assert isinstance(calls[-2], Ended)
    end = calls[-1]
    assert end.placements == played.outcome.placements
    assert bytes.fromhex(end.seed) == SEED

    calls.clear()
    match(Deaf, Seeded, Seeded).play()
    assert len(calls) == 2


def test_an_exception_in_a_bot_says_where_it_was() -> None:
    class Clumsy(Greedy):
        def turn(self, view: Any) -> EndTurn:
            raise KeyError("wheat")

    with pytest.raises(KeyError, match="wheat") as caught:
        match(Idle, Clumsy, Idle).play()
    (note,) = caught.value.__notes__
    assert note.startswith("match m, decision ")
    assert note.endswith("seat 1 (b), asked `turn`")


class Cheat(Bot):
    action: ClassVar[Action] = BuildCity(vertex=0)

    def turn(self, view: Any) -> Action:
        return self.action


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (BuildCity(vertex=0), "not_own_settlement"),
        (BankTrade(give="ore", get="ore"), "same_resource"),
    ],
)
def test_an_illegal_action_says_whose_it_was(
    action: Action, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Cheat, "action", action)
    with pytest.raises(IllegalAction) as caught:
        match(Idle, Idle, Cheat).play()
    assert caught.value.code == code
    (note,) = caught.value.__notes__
    assert "seat 2 (c), asked `turn`: " in note
    assert type(action).__name__ in note


def test_an_answer_that_is_no_action_is_refused() -> None:
    class Wordy(Bot):
        def setup(self, view: Any) -> Any:
            return msgspec.json.encode({"settlement": 0, "road": 0})

    with pytest.raises(TypeError, match="expected an action, not b'"):
        match(Wordy, Idle, Idle).play()
