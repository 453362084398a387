"""Racing options against each other: the better one wins, and no time is lost on the others."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from engine.pioneers import Pioneers
from engine.pioneers.state import State
from runner.bots.race import Option, best_of

EMPTY = Pioneers.deal(3, bytes(32))._state


class Field:
    """Options that are worth `truths` in truth, give or take what all meet in the same sample."""

    def __init__(self, truths: tuple[float, ...], estimates: tuple[float, ...]) -> None:
        self.rng = random.Random(1)
        self.luck = 0.0
        self.sampled = 0
        self.tried = [0] * len(truths)
        self.options = [
            Option(n, estimate, self.play(n, truth))
            for n, (truth, estimate) in enumerate(zip(truths, estimates, strict=True))
        ]

    def play(self, n: int, truth: float) -> Callable[[State], None]:
        def play(s: State) -> None:
            # Turns stand for the outcome, in thousandths.
            self.tried[n] += 1
            s.turn = round(1000 * (truth + self.luck + self.rng.gauss(0, 0.01)))

        return play

    def sample(self) -> State:
        self.sampled += 1
        self.luck = self.rng.gauss(0, 0.5)
        return EMPTY.copy()

    def best(self, samples: int) -> int:
        return best_of(self.options, self.sample, lambda s: s.turn / 1000, samples.__gt__)


@pytest.mark.parametrize("better", [1, 2])
def test_what_turns_out_better_is_found_in_spite_of_the_estimate(better: int) -> None:
    truths = tuple(0.31 if n == better else 0.30 for n in range(3))
    field = Field(truths, (0.302, 0.301, 0.300))
    assert field.best(400) == better


def test_a_few_samples_do_not_overrule_an_estimate() -> None:
    field = Field((0.30, 0.31), (0.33, 0.30))
    assert field.best(8) == 0
    assert field.best(0) == 0
    assert Field((0.30, 0.31), (0.33, 0.30)).best(7) == 0


def test_without_samples_the_first_stands_whatever_the_estimates() -> None:
    field = Field((0.3, 0.9), (0.3, 0.3))
    assert field.best(0) == 0
    assert field.sampled == 0


def test_an_only_option_needs_no_sample() -> None:
    field = Field((0.3,), (0.3,))
    assert field.best(100) == 0
    assert field.sampled == 0


def test_the_hopeless_are_tried_less_and_a_clear_answer_ends_it() -> None:
    field = Field((0.30, 0.305, 0.10), (0.30, 0.30, 0.30))
    assert field.best(10_000) == 1
    assert field.tried[2] < field.tried[1] < 10_000
    # Nobody is left to beat the first.
    field = Field((0.30, 0.20), (0.30, 0.30))
    assert field.best(10_000) == 0
    assert field.sampled < 100
