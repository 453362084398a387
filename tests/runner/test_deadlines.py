"""The ends of requests' times, in virtual time and turn by turn of the loop."""

from __future__ import annotations

import pytest
from msgspec import Raw, Struct

from engine.game import Action
from runner import protocol as wire
from runner.clock import BEAT_SECONDS, LoopWatch
from runner.deadlines import Deadlines
from runner.session import Accepted, Fault, Open, Session, Verdict
from tests.runner.faketime import FakeLoop

# How late a timeout may be: two turns, and the loop's own coarseness.
COARSE = 0.005


class Shrug(Struct, frozen=True):
    """The only action."""


def judge(raw: Raw) -> Action:
    return Shrug()


class Table:
    """A loop, its watch, and requests of any number of bots."""

    def __init__(self) -> None:
        self.fake = FakeLoop()
        self.watch = LoopWatch(self.fake.loop, self.fake.time)
        self.watch.start()
        self.deadlines = Deadlines(self.fake.loop, self.watch, self.fake.time)
        self.ended: dict[Open, tuple[float, Verdict]] = {}

    def ask(self, session: Session, deadline_ms: int, margin_s: float = 0.0) -> Open:
        frame = wire.Request(-1, "m1", "shrugging", 0, "shrug", deadline_ms, Raw(b"{}"))

        def settle(verdict: Verdict) -> None:
            assert request not in self.ended, "settled twice"
            self.ended[request] = (self.fake.now, verdict)

        request = session.ask(frame, self.fake.now, judge, settle, pytest.fail)
        self.deadlines.add(request, session, margin_s)
        return request

    def answer(self, session: Session, request: Open) -> None:
        session.receive(b'{"id": %d, "action": {}}' % request.id, self.fake.now)

    def timed_out_after(self, request: Open) -> float:
        """Seconds from asking to the timeout, as the verdict has it, too."""
        when, verdict = self.ended[request]
        assert isinstance(verdict, Fault)
        assert (verdict.reason, verdict.code) == ("timeout", "timeout")
        assert f"{request.allowed_ms} ms" in verdict.message
        assert verdict.ms == pytest.approx((when - request.sent) * 1000)
        return when - request.sent


@pytest.fixture
def table() -> Table:
    return Table()


def test_a_request_ends_when_its_time_is_up(table: Table) -> None:
    request = table.ask(Session(), 1000)
    table.fake.advance(0.999)
    assert table.ended == {}
    table.fake.advance(1.0)
    assert table.timed_out_after(request) == pytest.approx(1.0, abs=COARSE)


def test_an_answer_ends_it_first_and_for_good(table: Table) -> None:
    session = Session()
    request = table.ask(session, 1000)
    table.fake.advance(0.999)
    table.answer(session, request)
    table.fake.advance(5.0)
    assert isinstance(table.ended[request][1], Accepted)


def test_each_request_has_its_own_end(table: Table) -> None:
    sessions = [Session() for _ in range(3)]
    requests = []
    for n in range(30):
        requests.append(table.ask(sessions[n % 3], 1000))
        table.fake.advance(0.03)
    table.answer(sessions[1], requests[28])
    table.fake.advance(2.0)
    for n, request in enumerate(requests):
        if n != 28:
            assert table.timed_out_after(request) == pytest.approx(1.0, abs=COARSE)


def test_different_times_do_not_wait_for_each_other(table: Table) -> None:
    session = Session()
    requests = [table.ask(session, ms) for ms in (3000, 10, 500, 3000, 1, 10)]
    table.fake.advance(10.0)
    for request in requests:
        allowed = request.allowed_ms / 1000
        assert table.timed_out_after(request) == pytest.approx(allowed, abs=COARSE)


def test_a_margin_is_added(table: Table) -> None:
    session = Session()
    plain, generous = table.ask(session, 100), table.ask(session, 100, margin_s=0.4)
    table.fake.advance(1.0)
    assert table.timed_out_after(plain) == pytest.approx(0.1, abs=COARSE)
    assert table.timed_out_after(generous) == pytest.approx(0.5, abs=COARSE)


def test_what_lay_in_a_buffer_is_read_before_anybody_is_late(table: Table) -> None:
    """The loop stalls past the deadline and finds timer and answer in one turn."""
    session = Session()
    request = table.ask(session, 100)
    table.fake.advance(0.05)
    table.fake.stall(0.2)
    table.fake.arrives(table.answer, session, request)
    table.fake.advance(1.0)
    assert isinstance(table.ended[request][1], Accepted)


def test_what_comes_with_the_turn_after_the_timers_is_read_too(table: Table) -> None:
    """The timer runs first; the poll that follows it finds the answer."""
    session = Session()
    request = table.ask(session, 100)
    table.watch.stop()  # it is the order of turns that counts here
    table.fake.stall(0.1)
    table.fake.turn()
    table.fake.arrives(table.answer, session, request)
    table.fake.advance(1.0)
    assert isinstance(table.ended[request][1], Accepted)


def test_time_of_a_stall_is_given_back(table: Table) -> None:
    request = table.ask(Session(), 100)
    table.fake.advance(0.05)
    table.fake.stall(0.3)
    table.fake.advance(1.0)
    late = table.timed_out_after(request)
    assert late == pytest.approx(0.4, abs=COARSE + BEAT_SECONDS)


def test_stalls_while_lost_time_is_given_back_are_given_back_too(table: Table) -> None:
    request = table.ask(Session(), 200)
    for _ in range(3):
        table.fake.advance(0.05)
        table.fake.stall(0.2)
    table.fake.advance(1.0)
    late = table.timed_out_after(request)
    assert late == pytest.approx(0.8, abs=COARSE + 3 * BEAT_SECONDS)


def test_a_stall_of_before_the_question_is_not_given_back(table: Table) -> None:
    table.fake.stall(0.5)
    table.fake.advance(0.1)
    request = table.ask(Session(), 100)
    table.fake.advance(1.0)
    assert table.timed_out_after(request) == pytest.approx(0.1, abs=COARSE)


def test_a_margin_covers_stalls_that_are_shorter(table: Table) -> None:
    request = table.ask(Session(), 100, margin_s=0.4)
    table.fake.advance(0.05)
    table.fake.stall(0.2)
    table.fake.advance(1.0)
    assert table.timed_out_after(request) == pytest.approx(0.5, abs=COARSE)


def test_an_expired_request_is_left_alone(table: Table) -> None:
    session = Session()
    request = table.ask(session, 100)
    session.expire(request)
    table.fake.advance(1.0)
    assert table.ended == {}


def test_what_was_answered_long_ago_is_not_kept(table: Table) -> None:
    """With an hour to answer and quick bots, a season must not remember every request."""
    session = Session()
    for _ in range(5000):
        table.answer(session, table.ask(session, 3_600_000))
        table.fake.advance(0.001)
    kept = sum(len(queue) for queue in table.deadlines._queues.values())
    assert kept < 10


def test_a_request_that_waits_holds_up_no_other(table: Table) -> None:
    """Many come and go behind one that is never answered."""
    slow, quick = Session(), Session()
    waits = table.ask(slow, 1000)
    late = []
    for n in range(2000):
        request = table.ask(quick, 1000)
        if n % 100:
            table.answer(quick, request)
        else:
            late.append(request)
        table.fake.advance(0.002)
    table.fake.advance(2.0)
    for request in (waits, *late):
        assert table.timed_out_after(request) == pytest.approx(1.0, abs=COARSE)
