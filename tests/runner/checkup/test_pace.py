"""Which answers count as slow."""

from __future__ import annotations

import pytest

from runner.checkup.pace import ENOUGH_SLOW, Pace
from tests.runner.checkup.sittings import answer, request, strike


@pytest.mark.parametrize(
    ("taken_s", "deadline_ms", "slow"),
    [(0.94, 1000, 0), (0.95, 1000, 1), (0.19, 250, 0), (0.2, 250, 1), (0.07, 100, 0)],
)
def test_what_comes_when_the_kit_plays_the_default_is_slow(
    taken_s: float, deadline_ms: int, slow: int
) -> None:
    pace = Pace()
    pace.note(request(1, 7.0, deadline_ms))
    pace.note(answer(1, 7.0 + taken_s))
    assert pace.slow == slow
    assert pace.times_ms == pytest.approx([taken_s * 1000])


def test_what_does_not_come_at_all_is_slow() -> None:
    pace = Pace()
    for id_, reason in enumerate(("timeout", "illegal", "error")):
        pace.note(request(id_))
        pace.note(strike(id_, reason=reason))
    assert pace.slow == 1


def test_a_request_that_comes_again_is_timed_from_then_on() -> None:
    pace = Pace()
    pace.note(request(1, 0.0, 1000))
    pace.note(request(1, 5.0, 400))
    pace.note(answer(1, 5.1))
    assert pace.times_ms == pytest.approx([100])


def test_enough_is_enough() -> None:
    pace = Pace()
    said = []
    for id_ in range(ENOUGH_SLOW):
        said.append(pace.note(request(id_, 0.0)))
        said.append(pace.note(answer(id_, 0.99)))
    assert said == [False] * (2 * ENOUGH_SLOW - 1) + [True]


def test_requests_before_the_trouble_do_not_count() -> None:
    trouble: list[int] = []
    pace = Pace(lambda: bool(trouble))
    pace.note(request(1))
    trouble.append(1)
    pace.note(answer(1, 0.99))
    pace.note(request(2))
    pace.note(answer(2, 0.99))
    assert pace.slow == 1


@pytest.mark.parametrize("id_", [None, [1], "1", 5])
def test_answers_to_nothing_are_left_alone(id_: object) -> None:
    pace = Pace()
    assert not pace.note(answer(id_))
    assert pace.times_ms == []
