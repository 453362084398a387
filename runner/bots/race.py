"""Choosing among options by sampling: what each leads to in the same hidden states and dice.

Every option has an estimate before it is sampled, which is right but for an error of about
ERROR. What is sampled is how much better it turns out than the first option: in each sample all
options meet the same hands, dev cards and dice (common random numbers), so that the difference
varies less than what they lead to. Estimate and samples make a posterior difference, normal
about a mean that weighs both by their precision. An option that is surely behind is dropped.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from engine.pioneers.state import State

_ERROR = 0.008  # standard deviation of an estimate's error, in success
_BATCH = 8  # samples between two looks at how things stand
_SURE = 2.0  # standard deviations
_LEAST_VARIANCE = 1e-9

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Option(Generic[T]):
    """Something that can be done. estimate: its success; play: do it in a state, in place."""

    choice: T
    estimate: float
    play: Callable[[State], None]


class _Runner(Generic[T]):
    """An option in the race, by how much better it is than the first one."""

    def __init__(self, option: Option[T], first: Option[T]) -> None:
        self.option = option
        self.mean = self._prior = option.estimate - first.estimate
        self.variance = _ERROR**2
        self._count = 0
        self._average = 0.0
        self._squares = 0.0

    def add(self, difference: float) -> None:
        """Take in a sample (Welford 1962)."""
        self._count += 1
        step = difference - self._average
        self._average += step / self._count
        self._squares += step * (difference - self._average)

    def weigh(self) -> None:
        """Work out the posterior."""
        sampled = self._squares / (self._count - 1) / self._count + _LEAST_VARIANCE
        known = 1 / _ERROR**2 + 1 / sampled
        self.variance = 1 / known
        self.mean = (self._prior / _ERROR**2 + self._average / sampled) / known

    @property
    def best(self) -> float:
        """The most that it may be worth."""
        return self.mean + _SURE * math.sqrt(self.variance)

    @property
    def worst(self) -> float:
        """The least."""
        return self.mean - _SURE * math.sqrt(self.variance)


def best_of(
    options: Sequence[Option[T]],
    sample: Callable[[], State],
    outcome: Callable[[State], float],
    more: Callable[[int], bool],
) -> T:
    """The choice of the option with the best mean when it is clear or `more` says no.

    options: at least one; the first is what is done if nothing is learned.
    sample: another hidden state; outcome: the success in a state after an option was played.
    more: whether there is to be another sample, after so many.
    """
    first, *others = [_Runner(option, options[0]) for option in options]
    racing = others
    samples = 0
    while racing and more(samples):
        state = sample()
        base = _after(first.option, state, outcome)
        for runner in racing:
            runner.add(_after(runner.option, state, outcome) - base)
        samples += 1
        if samples % _BATCH == 0:
            for runner in racing:
                runner.weigh()
            ahead = max(0.0, *(runner.mean for runner in racing))
            racing = [runner for runner in racing if runner.best > ahead]
            if len(racing) == 1 and racing[0].worst > 0:
                break
    leader = max(racing, key=lambda runner: runner.mean, default=first)
    return leader.option.choice if leader.mean > 0 else first.option.choice


def _after(option: Option[T], state: State, outcome: Callable[[State], float]) -> float:
    played = state.copy()
    option.play(played)
    return outcome(played)
