"""Measuring the loop's stalls, in virtual time."""

from __future__ import annotations

import pytest

from runner.clock import BEAT_SECONDS, REMEMBERED_STALLS, STALL_SECONDS, LoopWatch
from tests.runner.faketime import FakeLoop

# A stall may have begun at any time since the last beat.
COARSE = BEAT_SECONDS + 1e-6


@pytest.fixture
def fake() -> FakeLoop:
    return FakeLoop()


@pytest.fixture
def watch(fake: FakeLoop) -> LoopWatch:
    watch = LoopWatch(fake.loop, fake.time)
    watch.start()
    return watch


def test_a_loop_that_keeps_time_never_stalls(fake: FakeLoop, watch: LoopWatch) -> None:
    since = fake.now
    for _ in range(50):
        fake.advance(0.37)
        assert watch.stalled(since) == 0.0
    assert watch.stalls == 0


def test_a_stall_is_measured_from_when_the_beat_was_due(fake: FakeLoop, watch: LoopWatch) -> None:
    since = fake.now
    fake.stall(0.5)
    fake.advance(1.0)
    assert watch.stalled(since) == pytest.approx(0.5, abs=COARSE)
    assert watch.stalls == 1


def test_a_stall_that_is_not_over_counts_so_far(fake: FakeLoop, watch: LoopWatch) -> None:
    since = fake.now
    fake.stall(0.3)
    assert watch.stalled(since) == pytest.approx(0.3, abs=COARSE)
    fake.stall(0.3)
    assert watch.stalled(since) == pytest.approx(0.6, abs=COARSE)
    fake.advance(0.0)
    assert watch.stalled(since) == pytest.approx(0.6, abs=COARSE)


def test_only_what_came_after_counts(fake: FakeLoop, watch: LoopWatch) -> None:
    fake.stall(0.5)
    fake.advance(0.1)
    since = fake.now
    assert watch.stalled(since) == 0.0
    fake.stall(0.2)
    fake.advance(0.1)
    assert watch.stalled(since) == pytest.approx(0.2, abs=COARSE)


def test_a_stall_that_had_begun_counts_in_part(fake: FakeLoop, watch: LoopWatch) -> None:
    fake.advance(BEAT_SECONDS)
    fake.stall(0.4)
    since = fake.now
    fake.stall(0.2)
    fake.advance(0.1)
    assert watch.stalled(since) == pytest.approx(0.2, abs=1e-9)


def test_stalls_add_up(fake: FakeLoop, watch: LoopWatch) -> None:
    since = fake.now
    for _ in range(5):
        fake.stall(0.1)
        fake.advance(0.1)
    assert watch.stalled(since) == pytest.approx(0.5, abs=5 * COARSE)
    assert watch.stalls == 5


def test_a_beat_that_is_hardly_late_is_no_stall(fake: FakeLoop, watch: LoopWatch) -> None:
    since = fake.now
    fake.stall(BEAT_SECONDS + STALL_SECONDS * 0.9)
    assert watch.stalled(since) == 0.0
    fake.advance(0.1)
    assert (watch.stalled(since), watch.stalls) == (0.0, 0)


def test_the_lag_is_that_of_the_last_beat(fake: FakeLoop, watch: LoopWatch) -> None:
    fake.stall(0.25)
    fake.turn()
    assert watch.lag == pytest.approx(0.25 - BEAT_SECONDS)
    fake.advance(BEAT_SECONDS)
    assert watch.lag == pytest.approx(0.0, abs=1e-9)


def test_a_watch_that_does_not_run_sees_nothing(fake: FakeLoop) -> None:
    watch = LoopWatch(fake.loop, fake.time)
    since = fake.now
    fake.stall(5.0)
    assert watch.stalled(since) == 0.0
    watch.start()
    fake.advance(1.0)
    watch.stop()
    fake.stall(5.0)
    fake.advance(1.0)
    assert (watch.stalled(since), watch.stalls) == (0.0, 0)


def test_old_stalls_are_forgotten_in_the_end(fake: FakeLoop, watch: LoopWatch) -> None:
    since = fake.now
    for _ in range(REMEMBERED_STALLS + 100):
        fake.stall(0.05)
        fake.turn()
    assert watch.stalls == REMEMBERED_STALLS + 100
    assert watch.stalled(since) == pytest.approx(REMEMBERED_STALLS * (0.05 - BEAT_SECONDS))
