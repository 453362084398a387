"""The weights in use, and the command that fits them."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from engine.chance import SEED_BYTES
from engine.pioneers import Pioneers
from runner.bots.planner import Planner
from runner.local import LocalMatch
from tests.bench import fit_weights
from tests.bench.plackett_luce import Orders, fit, log_losses, together

SECRET = bytes(SEED_BYTES)
TRUE = np.array([1.0, -0.5, 0.0])


def orders(states: int, seed: int, scale: float = 1.0) -> Orders:
    """Orders drawn from the model with the weights TRUE, for numbers that are then scaled."""
    rng = np.random.default_rng(seed)
    numbers = rng.normal(size=(states, 4, len(TRUE)))
    # Strengths with Gumbel noise order themselves as the model has it (Yellott 1977).
    strengths = numbers @ TRUE + rng.gumbel(size=(states, 4))
    placements = 1 + np.argsort(np.argsort(-strengths, axis=1), axis=1)
    scaled = (numbers * [scale, 1, 1]).astype(np.float32)
    return Orders(scaled, placements.astype(np.int8), np.arange(states, dtype=np.int32))


def test_the_fit_finds_the_weights_that_made_the_orders() -> None:
    fitted = fit(orders(6000, 0), penalty=1e-6)
    assert fitted == pytest.approx(TRUE, abs=0.06)
    fresh = orders(3000, 1)
    for found, true, nothing in zip(
        log_losses(fitted, fresh), log_losses(TRUE, fresh), log_losses(0 * TRUE, fresh), strict=True
    ):
        assert found == pytest.approx(true, abs=0.01)
        assert found < nothing - 0.05
    assert log_losses(0 * TRUE, fresh) == pytest.approx([np.log(4), np.log(3), np.log(2)])


def test_the_penalty_draws_weights_to_zero_whatever_the_scale() -> None:
    free = fit(orders(2000, 0), penalty=1e-6)
    drawn = fit(orders(2000, 0), penalty=0.1)
    assert abs(drawn[0]) < 0.8 * abs(free[0])
    tenfold = fit(orders(2000, 0, scale=10), penalty=0.1)
    assert 10 * tenfold[0] == pytest.approx(drawn[0], rel=1e-3)


def test_what_is_the_same_everywhere_weighs_nothing_and_shared_places_are_left_out() -> None:
    some = orders(500, 0)
    some.numbers[:, :, 2] = 7
    shared = orders(1, 0)
    shared.placements[:] = 1
    fitted = fit(some)
    assert fitted[2] == 0
    assert fit(together([some, shared]))[:2] == pytest.approx(fitted[:2], rel=0.01)


def test_a_recorded_match_is_the_same_every_time() -> None:
    first, again, other = (fit_weights.record(SECRET, number) for number in (0, 0, 1))
    assert first.numbers.tobytes() == again.numbers.tobytes()
    assert first.numbers.tobytes() != other.numbers.tobytes()
    states, seats, numbers = first.numbers.shape
    assert seats == 4
    assert numbers == sum(map(len, fit_weights.GROUPS.values()))
    assert 8 < states < 60
    assert first.placements[0].min() == 1
    assert (first.placements == first.placements[0]).all()


def test_the_file_in_use_is_as_it_would_be_written() -> None:
    text = fit_weights.IN_USE.read_text()
    note = text.split("Fitted to ", 1)[1].split('"""', 1)[0].strip()
    named = fit_weights.weights_in(fit_weights.IN_USE)
    assert fit_weights.render(note, named) == text
    assert fit_weights.by_name(fit_weights.in_order(named)) == named


def test_planners_with_other_weights_leave_the_one_in_use_alone(tmp_path: Path) -> None:
    named = fit_weights.weights_in(fit_weights.IN_USE)
    other = tmp_path / "other.py"
    other.write_text(
        fit_weights.render("nothing.", named | {"HAND": dict.fromkeys(named["HAND"], 0.0)})
    )
    before = sys.modules["runner.bots.chances"]

    def play(planner: type) -> tuple[int, tuple[int, ...]]:
        played = LocalMatch(Pioneers, "m", SECRET, [planner] * 3, ("a", "b", "c")).play()
        return played.decisions, played.outcome.scores

    with_other = play(fit_weights.planner_with(other))
    assert sys.modules["runner.bots.chances"] is before
    as_usual = play(Planner)
    assert play(fit_weights.planner_with(fit_weights.IN_USE)) == as_usual
    assert with_other != as_usual
