"""One bot's conversation without a socket: what each message means, by the protocol's table."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec import Raw, Struct

from engine.game import Action, IllegalAction, MalformedAction
from runner import protocol as wire
from runner.session import MAX_REASON, Accepted, Fault, Open, Reply, Session, Verdict


class Guess(Struct, frozen=True):
    """The one kind of action in these tests."""

    number: int


def judge(raw: Raw) -> Action:
    """Reads a guess; 13 is against the rules."""
    try:
        action = msgspec.json.decode(raw, type=Guess)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise MalformedAction(str(error)) from error
    if action.number == 42:
        raise KeyError("a fault of the game's own")
    if action.number == 13:
        raise IllegalAction("unlucky", "13 is never guessed")
    return action


class Talk:
    """A session whose requests were all sent at second 100, with 1000 ms to answer."""

    def __init__(self, first_id: int = 0) -> None:
        self.session = Session(first_id)
        self.settled: dict[int, Verdict] = {}
        self.failed: dict[int, Exception] = {}

    def ask(self, match: str = "m1") -> Open:
        frame = wire.Request(-1, match, "guessing", 0, "guess", 1000, Raw(b"{}"))

        def settle(verdict: Verdict) -> None:
            assert frame.id not in self.settled, "settled twice"
            self.settled[frame.id] = verdict

        def fail(error: Exception) -> None:
            self.failed[frame.id] = error

        return self.session.ask(frame, 100.0, judge, settle, fail)

    def say(self, message: dict[str, Any] | str | bytes, now: float = 100.25) -> Reply | None:
        data = json.dumps(message) if isinstance(message, dict) else message
        return self.session.receive(data.encode() if isinstance(data, str) else data, now)

    def error(self, message: dict[str, Any] | str | bytes, now: float = 100.25) -> dict[str, Any]:
        """The error that a message is answered with; the connection stays open."""
        reply = self.say(message, now)
        assert reply is not None
        assert reply.close is None
        decoded: dict[str, Any] = json.loads(reply.frame)
        assert decoded.pop("type") == "error"
        assert decoded.pop("message")
        return decoded

    def open_ids(self) -> list[int]:
        return [request.id for request in self.session.open_requests()]


def test_an_answer_settles_its_request() -> None:
    talk = Talk()
    talk.ask()
    assert talk.say({"id": 0, "action": {"number": 4}}) is None
    assert talk.settled == {0: Accepted(Guess(4), 250.0, 100.25)}
    assert talk.open_ids() == []


def test_the_type_answer_may_be_said() -> None:
    talk = Talk()
    talk.ask()
    assert talk.say({"type": "answer", "id": 0, "action": {"number": 4}}) is None
    assert isinstance(talk.settled[0], Accepted)


def test_ids_count_up_across_matches() -> None:
    talk = Talk()
    assert [talk.ask(match).id for match in ("m1", "m2", "m1")] == [0, 1, 2]
    assert talk.session.next_id == 3
    assert [request.frame.id for request in talk.session.open_requests()] == [0, 1, 2]


def test_answers_may_come_in_any_order() -> None:
    talk = Talk()
    for _ in range(4):
        talk.ask()
    for id_ in (2, 0, 3, 1):
        assert talk.say({"id": id_, "action": {"number": id_}}) is None
    assert {id_: verdict.action for id_, verdict in talk.settled.items()} == {  # type: ignore[union-attr]
        id_: Guess(id_) for id_ in range(4)
    }


def test_a_second_answer_is_a_duplicate() -> None:
    talk = Talk()
    talk.ask()
    talk.say({"id": 0, "action": {"number": 4}})
    for again in ({"number": 4}, {"number": 5}, "nonsense"):
        assert talk.error({"id": 0, "action": again}) == {"code": "duplicate_answer", "id": 0}
    assert talk.error({"id": 0, "error": "oh no"}) == {"code": "duplicate_answer", "id": 0}
    assert talk.error({"id": 0, "error": 5}) == {"code": "duplicate_answer", "id": 0}
    assert talk.settled == {0: Accepted(Guess(4), 250.0, 100.25)}


def test_an_answer_to_an_expired_request_is_late() -> None:
    talk = Talk()
    request = talk.ask()
    assert talk.session.expire(request)
    for _ in range(2):
        late = talk.error({"id": 0, "action": {"number": 4}})
        assert late == {"code": "late_answer", "id": 0}
    assert talk.settled == {}


def test_expiring_is_done_once_and_never_after_an_answer() -> None:
    talk = Talk()
    first, second = talk.ask(), talk.ask()
    assert talk.session.expire(first)
    assert not talk.session.expire(first)
    talk.say({"id": 1, "action": {"number": 4}})
    assert not talk.session.expire(second)
    assert talk.error({"id": 1, "error": "x"})["code"] == "duplicate_answer"


@pytest.mark.parametrize("id_", [1, 7, -1, 2**63, 2**70, -(2**70), 10**300])
def test_an_id_that_never_was_is_unknown(id_: int) -> None:
    talk = Talk()
    talk.ask()
    answer = {"id": id_, "action": {"number": 4}}
    assert talk.error(answer) == {"code": "unknown_request", "id": id_}
    assert talk.open_ids() == [0]


def test_ids_of_before_a_restart_are_late_and_never_given_out_again() -> None:
    talk = Talk(first_id=500)
    assert talk.ask().id == 500
    assert talk.error({"id": 499, "error": "x"}) == {"code": "late_answer", "id": 499}
    assert talk.error({"id": 0, "error": "x"}) == {"code": "late_answer", "id": 0}
    assert talk.error({"id": 501, "error": "x"}) == {"code": "unknown_request", "id": 501}
    assert talk.error({"id": -1, "error": "x"}) == {"code": "unknown_request", "id": -1}


def test_giving_up_is_a_fault_in_the_bots_words() -> None:
    talk = Talk()
    talk.ask()
    assert talk.say({"id": 0, "error": "my head hurts"}) is None
    assert talk.settled == {0: Fault("error", "gave_up", "my head hurts", 250.0, 100.25)}


def test_a_long_reason_is_clipped() -> None:
    talk = Talk()
    talk.ask()
    talk.say({"id": 0, "error": 2 * MAX_REASON * "x"})
    fault = talk.settled[0]
    assert isinstance(fault, Fault)
    assert len(fault.message) == MAX_REASON
    assert fault.message.endswith("…")


def test_an_illegal_action_is_a_fault_that_names_the_rule() -> None:
    talk = Talk()
    talk.ask()
    assert talk.say('{"id": 0, "action": {"number": 13} }') is None
    fault = talk.settled[0]
    assert isinstance(fault, Fault)
    assert (fault.reason, fault.code, fault.message) == (
        "illegal",
        "unlucky",
        "13 is never guessed",
    )
    assert fault.answer is not None
    assert bytes(fault.answer).strip() == b'{"number": 13}'


@pytest.mark.parametrize(
    ("rest", "word"),
    [
        ('"action": {}', "number"),
        ('"action": {"number": "4"}', "$.number"),
        ('"action": {"number": 4.5}', "$.number"),
        ('"action": {"number": null}', "$.number"),
        ('"action": null', "null"),
        ('"action": "4"', "str"),
        ('"action": [4]', "array"),
        ('"action": 1e999', ""),
        ('"acton": {"number": 4}', "`action`"),
        ('"error": {"why": "dunno"}', "$.error"),
        ('"error": null', "$.error"),
        ('"type": "answer"', "`action`"),
    ],
)
def test_a_malformed_answer_is_a_fault_that_names_the_field(rest: str, word: str) -> None:
    talk = Talk()
    talk.ask()
    assert talk.say(f'{{"id": 0, {rest}}}') is None
    fault = talk.settled[0]
    assert isinstance(fault, Fault)
    assert (fault.reason, fault.code) == ("illegal", "malformed")
    assert word in fault.message
    assert talk.open_ids() == []


def test_what_nobody_knows_is_ignored() -> None:
    talk = Talk()
    talk.ask()
    assert talk.say({"id": 0, "thoughts": [1, {"a": None}], "action": {"number": 4}}) is None
    assert isinstance(talk.settled[0], Accepted)


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"type": "hello", "protocol": 1}, "unexpected_hello"),
        ({"type": "hello", "id": 0, "action": {"number": 4}}, "unexpected_hello"),
        ({"type": "resign", "id": 0, "action": {"number": 4}}, "unknown_type"),
        ({"type": 5, "id": 0, "action": {"number": 4}}, "unknown_type"),
        ({"type": ["answer"], "id": 0}, "unknown_type"),
        ({"type": 5000 * "x", "id": 0}, "unknown_type"),
        ({"action": {"number": 4}}, "bad_message"),
        ({"id": "0", "action": {"number": 4}}, "bad_message"),
        ({"id": 0.0, "action": {"number": 4}}, "bad_message"),
        ({"id": False, "action": {"number": 4}}, "bad_message"),
        ({"id": None, "error": "x"}, "bad_message"),
        ({"id": [0], "error": "x"}, "bad_message"),
        ({}, "bad_message"),
    ],
)
def test_a_message_that_is_no_answer_settles_nothing(message: dict[str, Any], code: str) -> None:
    talk = Talk()
    talk.ask()
    assert talk.error(message) == {"code": code}
    assert talk.open_ids() == [0]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b" ",
        b"hello",
        b"[]",
        b"0",
        b"null",
        b'"answer"',
        b'{"id": 0, "error": "x"',
        b'{"id": 0, "error": "x"}}',
        b'{"id": 0 "error": "x"}',
        b'{"id": 0, "action": nope}',
        b'{"id": 0, "action": {"number": 04}}',
        b"{'id': 0, 'error': 'x'}",
        b'{"id": NaN}',
        b"\xff\xfe\x00",
        b'\x00{"id": 0, "error": "x"}',
        b'{"id": 0, "action": ' + 30_000 * b"[",
        b'{"id": 0, "action": ' + 30_000 * b"[" + 30_000 * b"]" + b"}",
        b'{"type": ' + 30_000 * b'{"a":' + b"1" + 30_000 * b"}" + b"}",
    ],
)
def test_a_frame_that_is_no_json_object_ends_the_connection(data: bytes) -> None:
    talk = Talk()
    talk.ask()
    reply = talk.say(data)
    assert reply is not None
    assert (reply.close, reply.reason) == (4400, "malformed frame")
    error = json.loads(reply.frame)
    assert (error["type"], error["code"]) == ("error", "malformed_frame")
    assert len(error["message"]) <= MAX_REASON
    assert talk.open_ids() == [0], "no strike: the request stays open"


@pytest.mark.parametrize("depth", range(880, 1040, 4))
@pytest.mark.parametrize("field", ["type", "id", "action", "error", "else"])
def test_nesting_of_any_depth_has_an_answer(field: str, depth: int) -> None:
    """Around the interpreter's limit, reading may work where printing does not."""
    talk = Talk()
    talk.ask()
    reply = talk.say(f'{{"{field}": {depth * "["}{depth * "]"}}}')
    assert reply is not None
    assert json.loads(reply.frame)["type"] == "error"


def test_bytes_that_are_no_utf8_are_the_faults_of_their_answer() -> None:
    """Inside an action they are a malformed action: the frame around it can be read."""
    talk = Talk()
    talk.ask()
    assert talk.say(b'{"id": 0, "action": {"number": "\xff"}}') is None
    assert isinstance(talk.settled[0], Fault)


def test_a_fault_of_the_game_is_no_fault_of_the_bots() -> None:
    talk = Talk()
    talk.ask()
    assert talk.say({"id": 0, "action": {"number": 42}}) is None
    assert (talk.settled, talk.open_ids()) == ({}, [])
    assert isinstance(talk.failed[0], KeyError)


def _in_vain(n: int) -> dict[str, Any]:
    return {"id": 1000 + n, "error": "x"}


def test_fifty_messages_in_vain_are_borne_and_one_more_is_not() -> None:
    talk = Talk()
    for n in range(50):
        talk.error(_in_vain(n), now=100.0 + n / 10)
    reply = talk.say(_in_vain(50), now=110.0)
    assert reply is not None
    assert (reply.close, reply.reason) == (4408, "too many messages in vain")
    assert json.loads(reply.frame)["code"] == "unknown_request"


def test_what_was_said_longer_than_ten_seconds_ago_is_forgotten() -> None:
    talk = Talk()
    for n in range(500):
        talk.error(_in_vain(n), now=100.0 + n * 0.201)


def test_a_new_connection_begins_to_count_anew() -> None:
    talk = Talk()
    for n in range(50):
        talk.error(_in_vain(n))
    talk.session.connected()
    for n in range(50):
        talk.error(_in_vain(n))


def test_answers_are_not_in_vain_however_bad() -> None:
    talk = Talk()
    answers: list[Callable[[int], dict[str, Any]]] = [
        lambda id_: {"id": id_, "action": {"number": 4}},
        lambda id_: {"id": id_, "action": {"number": 13}},
        lambda id_: {"id": id_, "action": None},
        lambda id_: {"id": id_, "error": "x"},
        lambda id_: {"id": id_, "error": 1},
    ]
    for n in range(300):
        request = talk.ask()
        assert talk.say(answers[n % len(answers)](request.id)) is None
    assert len(talk.settled) == 300


def test_a_request_says_what_is_left_of_its_time() -> None:
    request = Talk().ask()
    left = [
        json.loads(request.encode(now))["deadlineMs"]
        for now in (100.0, 100.0004, 100.25, 100.9999, 101.0, 150.0)
    ]
    assert left == [1000, 999, 750, 0, 0, 0]
    assert request.allowed_ms == 1000, "what was allowed stays what it was"
