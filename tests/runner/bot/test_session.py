"""The kit's session: frames in, effects out, no socket."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from engine import catalog
from engine.game import Action
from runner.bot import Bot, Request
from runner.bot.effects import Abandon, Call, Decide, Effect, Leave, Send
from runner.bot.session import Session
from tests.runner.bot import messages
from tests.runner.bot.toy import Pass, Pick, Toy, ToyMemory, ToyView


class Picker(Bot):
    def pick(self, view: ToyView) -> Pick:
        return Pick(view.below - 1)


def seated(bot: type[Bot] = Picker) -> Session:
    """A session that was welcomed and has a seat in match m1."""
    session = Session(bot)
    session.connecting()
    assert session.receive(messages.welcome(), 0.0) == []
    session.receive(messages.match_start(), 0.0)
    return session


def reconnect(session: Session) -> None:
    session.connecting()
    session.receive(messages.welcome(resumed=True), 0.0)
    session.receive(messages.match_start(), 0.0)


def asked(session: Session, frame: bytes, now: float = 100.0) -> Decide:
    (effect,) = session.receive(frame, now)
    assert isinstance(effect, Decide)
    return effect


def decide(session: Session, frame: bytes) -> dict[str, Any]:
    """Answer a request with what the bot says."""
    ask = asked(session, frame)
    answer = session.answer(ask.table, ask.request, ask.table.bot.decide(ask.request))
    assert answer is not None
    return messages.read(answer)


def reply(session: Session, frame: bytes, action: object) -> dict[str, Any]:
    """Answer a request with `action`."""
    ask = asked(session, frame)
    answer = session.answer(ask.table, ask.request, action)
    assert answer is not None
    return messages.read(answer)


def sent(effects: list[Effect]) -> dict[str, Any]:
    (effect,) = effects
    assert isinstance(effect, Send)
    return messages.read(effect.frame)


def noted(session: Session, match: str = "m1") -> list[tuple[str, Action]]:
    memory = session._tables[match]._memory
    assert isinstance(memory, ToyMemory)
    return memory.noted


def test_hello_says_what_the_class_says() -> None:
    class Mine(Picker):
        version = "1.2"
        max_matches = 7
        events = True

    assert messages.read(Session(Mine).connecting()) == {
        "type": "hello",
        "client": "pioneers-kit Mine",
        "version": "1.2",
        "maxMatches": 7,
        "events": True,
    }
    assert messages.read(Session(Mine, max_matches=2).connecting())["maxMatches"] == 2


def test_request_is_typed_and_its_deadline_is_less_the_margin() -> None:
    class Mine(Picker):
        margin_ms = 100.0

    session = seated(Mine)
    request = asked(session, messages.request(0, deadline_ms=1000)).request
    assert (request.match, request.seat, request.kind) == ("m1", 1, "pick")
    assert request.view == ToyView(seat=1, below=5)
    assert request.deadline == pytest.approx(100.9)
    assert request.legal() == [Pick(0), Pick(1), Pick(2), Pick(3), Pick(4)]
    assert request.default() == Pick(0)


def test_margin_takes_a_quarter_of_a_short_deadline_at_most() -> None:
    class Mine(Picker):
        margin_ms = 100.0

    request = asked(seated(Mine), messages.request(0, deadline_ms=200)).request
    assert request.deadline == pytest.approx(100.15)


def test_bot_knows_its_match() -> None:
    bot = asked(seated(), messages.request(0)).table.bot
    assert (bot.match, bot.game, bot.seat, bot.name) == ("m1", Toy, 1, "me")
    assert (bot.players, bot.options) == (("other", "me"), {"rounds": 3})
    assert bot.deadline_ms == 20_000


def test_method_named_like_the_kind_answers() -> None:
    assert decide(seated(), messages.request(4)) == {"id": 4, "action": {"number": 4}}


def test_kind_without_a_method_plays_the_default() -> None:
    answer = decide(seated(), messages.request(4, "rest"))
    assert answer == {"id": 4, "action": {"content": False}}


def test_decide_gets_every_kind() -> None:
    class Last(Bot):
        def decide(self, request: Request) -> Action:
            return request.legal()[-1]

    session = seated(Last)
    assert decide(session, messages.request(0))["action"] == {"number": 4}
    assert decide(session, messages.request(1, "rest"))["action"] == {"content": True}


def test_no_game_has_a_kind_that_hides_an_attribute_of_the_bot() -> None:
    bot = asked(seated(), messages.request(0)).table.bot
    for game in catalog.GAMES.values():
        assert [kind for kind in game.kinds if kind in {*dir(Bot), *vars(bot)}] == []


def test_a_bot_with_no_method_for_the_game_is_warned(caplog: pytest.LogCaptureFixture) -> None:
    class Mistyped(Bot):
        def picks(self, view: ToyView) -> Pick:
            return Pick(0)

    seated(Mistyped)
    assert "no method for any decision of toy (pick, rest)" in caplog.text


@pytest.mark.parametrize("action", [Pick(99), Pass(), Pick("x"), {"number": 1}, 7])  # type: ignore[arg-type]
def test_bad_action_becomes_the_default_and_is_told(
    action: object, caplog: pytest.LogCaptureFixture
) -> None:
    answer = reply(seated(), messages.request(0), action)
    assert answer == {"id": 0, "action": {"number": 0}}
    assert "request 0" in caplog.text
    assert caplog.records[-1].levelno == logging.ERROR


def test_check_can_be_turned_off() -> None:
    class Bold(Picker):
        check_actions = False

    answer = reply(seated(Bold), messages.request(0), Pick(99))
    assert answer == {"id": 0, "action": {"number": 99}}


def test_raising_code_becomes_the_default_with_its_traceback(
    caplog: pytest.LogCaptureFixture,
) -> None:
    session = seated()
    ask = asked(session, messages.request(0))
    answer = session.failed(ask.table, ask.request, ZeroDivisionError("oh"))
    assert answer is not None
    assert messages.read(answer) == {"id": 0, "action": {"number": 0}}
    assert "ZeroDivisionError: oh" in caplog.text


def test_late_code_gets_the_default_and_its_answer_is_dropped(
    caplog: pytest.LogCaptureFixture,
) -> None:
    session = seated()
    ask = asked(session, messages.request(0))
    answer = session.late(ask.table, ask.request)
    assert answer is not None
    assert messages.read(answer) == {"id": 0, "action": {"number": 0}}
    assert "no answer within 20000 ms" in caplog.text
    assert ask.request.settled
    assert session.answer(ask.table, ask.request, Pick(3)) is None
    assert session.failed(ask.table, ask.request, ValueError()) is None
    assert session.late(ask.table, ask.request) is None


def test_where_even_the_default_fails_the_bot_gives_up_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(*_: Any) -> Toy:
        raise RuntimeError("broken")

    monkeypatch.setattr(Toy, "from_view", broken)
    assert decide(seated(), messages.request(0)) == {
        "id": 0,
        "error": "the kit failed: RuntimeError: broken",
    }


def test_what_was_answered_is_remembered_once_the_next_request_shows_that_it_counted() -> None:
    session = seated()
    for id_ in range(3):
        assert decide(session, messages.request(id_))["action"] == {"number": 4}
        assert len(noted(session)) == id_
    # Three picks are remembered, a fourth is forbidden.
    assert decide(session, messages.request(3))["action"] == {"number": 0}
    assert noted(session) == [("pick", Pick(4))] * 3


def test_the_first_request_is_where_the_memory_begins() -> None:
    session = seated()
    decide(session, messages.request(7, below=3))
    decide(session, messages.request(8, below=4))
    memory = session._tables["m1"]._memory
    assert isinstance(memory, ToyMemory)
    assert memory.first == ToyView(seat=1, below=3)


def test_a_strike_replaces_what_is_remembered_by_what_was_applied() -> None:
    session = seated()
    decide(session, messages.request(0))
    session.receive(messages.strike(0, Pick(2)), 0.0)
    asked(session, messages.request(1))
    assert noted(session) == [("pick", Pick(2))]


def test_a_strike_while_thinking_ends_the_thinking() -> None:
    session = seated()
    ask = asked(session, messages.request(0))
    effects = session.receive(messages.strike(0, Pick(2), reason="timeout"), 0.0)
    assert effects == [Abandon(ask.request)]
    assert ask.request.settled
    assert noted(session) == [("pick", Pick(2))]


def test_strikes_are_told_with_their_reasons(caplog: pytest.LogCaptureFixture) -> None:
    session = seated()
    decide(session, messages.request(0))
    session.receive(messages.strike(0, Pick(2), strikes=2), 0.0)
    assert "strike 2 in match m1, request 0: illegal (forbidden)" in caplog.text
    assert "that is forbidden" in caplog.text
    assert '{"number":2}' in caplog.text


def test_a_lost_answer_is_sent_again() -> None:
    session = seated()
    answer = decide(session, messages.request(0))
    reconnect(session)
    assert sent(session.receive(messages.request(0, deadline_ms=300), 200.0)) == answer
    assert noted(session) == []


def test_a_request_asked_again_while_thinking_goes_on_with_the_new_deadline() -> None:
    session = seated()
    request = asked(session, messages.request(0, deadline_ms=1000)).request
    reconnect(session)
    assert session.receive(messages.request(0, deadline_ms=400), 100.5) == []
    assert request.deadline == pytest.approx(100.85)


def test_a_server_that_restarted_without_the_answer_gets_the_same_one() -> None:
    session = seated()
    decide(session, messages.request(0))
    decide(session, messages.request(1))
    reconnect(session)
    # The journal ended after request 0: the same decision comes under a new id.
    assert sent(session.receive(messages.request(8), 0.0)) == {"id": 8, "action": {"number": 4}}
    ask = asked(session, messages.request(9))
    assert ask.request.number == 2
    assert len(noted(session)) == 2


def test_a_server_that_restarted_finds_the_bot_still_thinking() -> None:
    session = seated()
    ask = asked(session, messages.request(0))
    reconnect(session)
    assert session.receive(messages.request(5), 100.0) == []
    answer = session.answer(ask.table, ask.request, Pick(1))
    assert answer is not None
    assert messages.read(answer) == {"id": 5, "action": {"number": 1}}


def test_the_same_view_twice_without_a_reconnect_is_two_decisions() -> None:
    session = seated()
    decide(session, messages.request(0))
    assert asked(session, messages.request(1)).request.number == 1


def test_another_decision_after_a_restart_ends_the_old_thinking() -> None:
    session = seated()
    old = asked(session, messages.request(0)).request
    reconnect(session)
    abandon, ask = session.receive(messages.request(5, "rest"), 100.0)
    assert abandon == Abandon(old)
    assert isinstance(ask, Decide)
    assert ask.request.id == 5


def test_matches_have_bots_and_memories_of_their_own() -> None:
    session = seated()
    session.receive(messages.match_start("m2"), 0.0)
    one = asked(session, messages.request(0, match="m1"))
    two = asked(session, messages.request(1, match="m2", below=3))
    assert one.table.bot is not two.table.bot
    assert session.answer(two.table, two.request, Pick(2)) is not None
    assert session.answer(one.table, one.request, Pick(4)) is not None
    asked(session, messages.request(2, match="m2"))
    assert (len(noted(session, "m1")), len(noted(session, "m2"))) == (0, 1)


def test_the_end_of_a_match_ends_the_thinking_and_the_bot() -> None:
    class Listening(Picker):
        def on_end(self, end: Any) -> None: ...

    session = seated(Listening)
    ask = asked(session, messages.request(0))
    abandon, call, leave = session.receive(messages.match_end(), 0.0)
    assert abandon == Abandon(ask.request)
    assert isinstance(call, Call)
    assert (call.hook, call.arguments[0].placements) == ("on_end", (2, 1))
    assert leave == Leave(ask.table)
    assert "error" in sent(session.receive(messages.request(1), 0.0))


def test_events_come_typed_to_bots_that_listen() -> None:
    class Listening(Picker):
        def on_event(self, event: Any) -> None: ...

    (call,) = seated(Listening).receive(messages.event("storm"), 0.0)
    assert isinstance(call, Call)
    assert call.arguments[0].what == "storm"
    assert seated().receive(messages.event("storm"), 0.0) == []


def test_events_of_a_newer_server_are_told_and_ignored(caplog: pytest.LogCaptureFixture) -> None:
    class Listening(Picker):
        def on_event(self, event: Any) -> None: ...

    frame = b'{"type": "event", "match": "m1", "event": {"what": 3}}'
    assert seated(Listening).receive(frame, 0.0) == []
    assert "cannot read a message" in caplog.text


def test_a_bot_that_cannot_be_made_plays_defaults(caplog: pytest.LogCaptureFixture) -> None:
    class Broken(Picker):
        def __init__(self, *_: Any) -> None:
            raise OSError("no model file")

    assert decide(seated(Broken), messages.request(0))["action"] == {"number": 0}
    assert "no model file" in caplog.text


def test_an_unknown_game_is_given_up_request_by_request(
    caplog: pytest.LogCaptureFixture,
) -> None:
    session = seated()
    session.receive(messages.match_start("m2", game="chess"), 0.0)
    assert "unknown game 'chess'" in caplog.text
    assert "error" in sent(session.receive(messages.request(0, match="m2"), 0.0))


@pytest.mark.parametrize("frame", [b"", b"[]", b'{"type": "novelty"}', b"\xff", b"{" * 9000])
def test_frames_that_cannot_be_read_are_told_and_ignored(
    frame: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    session = seated()
    assert session.receive(frame, 0.0) == []
    assert "cannot read a message" in caplog.text


def test_matches_that_ended_while_away_are_forgotten() -> None:
    session = seated()
    session.receive(messages.match_start("m2"), 0.0)
    reconnect(session)  # the server names m1 only
    effects: list[Effect] = []
    session.connecting()
    effects += session.receive(messages.welcome(resumed=True), 0.0)
    (leave,) = effects
    assert isinstance(leave, Leave)
    assert leave.table.bot.match == "m2"


def test_another_season_forgets_every_match() -> None:
    session = seated()
    session.connecting()
    (leave,) = session.receive(messages.welcome(season="next"), 0.0)
    assert isinstance(leave, Leave)


def test_goodbye_for_good_and_for_a_while() -> None:
    session = seated()
    session.receive(messages.goodbye("restart", 2500), 0.0)
    assert (session.over, session.retry_ms) == (False, 2500)
    session.connecting()
    assert (session.over, session.retry_ms) == (False, 0)
    session.receive(messages.goodbye("season over"), 0.0)
    assert session.over
