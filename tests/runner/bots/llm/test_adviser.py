"""Asking in time, telling each failure once, leaving a broken model alone for a while."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

import pytest

from runner.bots.llm import adviser
from runner.bots.llm.adviser import (
    FAILURES,
    PAUSE_S,
    Adviser,
    Breaker,
    Message,
    ModelError,
    NoAdvice,
)
from runner.bots.llm.reply import Reply

ASKED = (Message("user", "which?"),)
LONG_S = 20.0


class Scripted:
    """Says one thing after the other; an exception is raised, None never comes."""

    def __init__(self, *script: str | ModelError | None) -> None:
        self.script = [*script]
        self.asked = 0

    async def complete(self, messages: Sequence[Message]) -> str:
        assert messages == ASKED
        self.asked += 1
        said = self.script.pop(0)
        if said is None:
            await asyncio.Event().wait()
        if isinstance(said, ModelError):
            raise said
        assert said is not None
        return said


class Clock:
    """Stands in for the module `time`."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(adviser, "time", made)
    return made


async def cause(asked: Adviser, seconds: float = LONG_S) -> str:
    with pytest.raises(NoAdvice) as caught:
        await asked.choose(ASKED, 5, seconds)
    return caught.value.cause


def refused() -> ModelError:
    return ModelError("status 500", "out of memory")


async def test_a_choice() -> None:
    asked = Adviser(Scripted('{"action": 5, "say": "hi"}'))
    assert await asked.choose(ASKED, 5, LONG_S) == Reply(5, "hi")


async def test_a_model_that_takes_too_long() -> None:
    assert await cause(Adviser(Scripted(None)), seconds=0.1) == "no answer in time"


async def test_too_little_time_is_not_the_models_failure() -> None:
    model = Scripted("5")
    asked = Adviser(model)
    for _ in range(2 * FAILURES):
        assert await cause(asked, seconds=0.01) == "too little time"
    assert model.asked == 0
    assert await asked.choose(ASKED, 5, LONG_S) == Reply(5)


async def test_each_cause_is_told_once(clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    script: list[str | ModelError] = [refused(), "6", "what?", "5"]
    asked = Adviser(Scripted(*script * 20))
    for _ in range(20):
        assert await cause(asked) == "status 500"
        assert await cause(asked) == "unclear answer"
        assert await cause(asked) == "unclear answer"
        await asked.choose(ASKED, 5, LONG_S)
    assert [record.getMessage() for record in caplog.records] == [
        "the model did not choose: status 500 (out of memory); told once",
        "the model did not choose: unclear answer (it names action 6, there being 1 to 5); "
        "told once",
    ]


async def test_after_failures_in_a_row_it_is_asked_every_so_often(
    clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    model = Scripted(*[refused()] * (FAILURES + 1), "5", "4")
    asked = Adviser(model)
    for _ in range(FAILURES):
        assert await cause(asked) == "status 500"
    for _ in range(10):
        assert await cause(asked) == "left alone"
    assert model.asked == FAILURES
    clock.now += PAUSE_S
    assert await cause(asked) == "status 500"
    assert await cause(asked) == "left alone"
    clock.now += PAUSE_S
    assert await asked.choose(ASKED, 5, LONG_S) == Reply(5)
    assert await asked.choose(ASKED, 5, LONG_S) == Reply(4)
    told = [record.getMessage() for record in caplog.records]
    assert told[1:] == ["3 failures in a row: asking every 30 s only", "the model answers again"]


async def test_unclear_answers_are_no_reason_to_leave_a_model_alone() -> None:
    model = Scripted(*["what?"] * (2 * FAILURES), "5")
    asked = Adviser(model)
    for _ in range(2 * FAILURES):
        assert await cause(asked) == "unclear answer"
    assert await asked.choose(ASKED, 5, LONG_S) == Reply(5)


def test_only_one_of_many_matches_tries_again() -> None:
    breaker = Breaker()
    for _ in range(FAILURES):
        assert breaker.allows(0.0)
        breaker.failed(0.0)
    assert [breaker.allows(PAUSE_S) for _ in range(5)] == [True, False, False, False, False]
    breaker.succeeded()
    assert [breaker.allows(PAUSE_S) for _ in range(2)] == [True, True]
