"""The rating model: against the package, against an independent calculation, at its limits."""

from __future__ import annotations

import math
from itertools import permutations

import pytest
import trueskill
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate

from ratings.results import Rating
from ratings.skill import Skill

SKILL = Skill()
NEW = SKILL.new()


def test_two_new_bots_move_as_the_paper_works_out() -> None:
    # The classic example: 25 ± 8.333 each, no draw, tau 25/300, draw margin for 10 %.
    skill = Skill(tau=25 / 300, draw_probability=0.10)
    rated = skill.rate({"a": NEW, "b": NEW}, {"a": 1, "b": 2})
    assert rated["a"].mu == pytest.approx(29.396, abs=5e-4)
    assert rated["a"].sigma == pytest.approx(7.171, abs=5e-4)
    assert rated["b"].mu == pytest.approx(20.604, abs=5e-4)


def test_a_pair_is_the_truncated_normal_to_twelve_digits() -> None:
    # For two bots the message passing is exact, so that numerical integration of the posterior
    # over the difference of their performances must give the same mean.
    skill = Skill(tau=0.0)
    a, b = Rating(27.0, 3.0), Rating(30.0, 1.5)
    beta = skill.settings.beta
    spread = math.sqrt(2 * beta**2 + a.sigma**2 + b.sigma**2)
    margin = trueskill.calc_draw_margin(0.02, 2, skill._environment)

    def density(x: float) -> float:
        return math.exp(-(((x - (a.mu - b.mu)) / spread) ** 2) / 2)

    mass, _ = integrate.quad(density, margin, math.inf, epsabs=0, epsrel=1e-12)
    first, _ = integrate.quad(lambda x: x * density(x), margin, math.inf, epsabs=0, epsrel=1e-12)
    shift = first / mass - (a.mu - b.mu)
    rated = skill.rate({"a": a, "b": b}, {"a": 1, "b": 2})
    assert rated["a"].mu == pytest.approx(a.mu + shift * a.sigma**2 / spread**2, rel=1e-12)
    assert rated["b"].mu == pytest.approx(b.mu - shift * b.sigma**2 / spread**2, rel=1e-12)


def test_the_order_of_the_mappings_makes_no_difference_with_ties() -> None:
    ratings = {
        "a": Rating(20.0, 4.0),
        "b": Rating(25.0, 8.0),
        "c": Rating(31.0, 2.0),
        "d": Rating(28.0, 6.0),
    }
    placements = {"a": 2, "b": 1, "c": 2, "d": 2}
    outcomes = [
        SKILL.rate({name: ratings[name] for name in order}, placements)
        for order in permutations(ratings)
    ]
    assert all(outcome == outcomes[0] for outcome in outcomes)
    assert list(outcomes[0]) == ["a", "b", "c", "d"]


def test_the_module_level_environment_is_never_made() -> None:
    SKILL.rate({"a": NEW, "b": NEW, "c": NEW}, {"a": 1, "b": 1, "c": 3})
    SKILL.quality([NEW, NEW, NEW])
    assert not hasattr(trueskill.global_env, "__trueskill__")


@given(
    beliefs=st.lists(
        st.tuples(st.floats(-3000, 3000), st.floats(0.01, 20)), min_size=2, max_size=6
    ),
    places=st.lists(st.integers(0, 5), min_size=6, max_size=6),
)
def test_any_result_can_be_rated(beliefs: list[tuple[float, float]], places: list[int]) -> None:
    ratings = {f"bot{n}": Rating(*belief) for n, belief in enumerate(beliefs)}
    placements = {
        name: 1 + sum(places[m] < places[n] for m in range(len(ratings)))
        for n, name in enumerate(ratings)
    }
    for name, after in SKILL.rate(ratings, placements).items():
        assert math.isfinite(after.mu)
        assert 0 < after.sigma <= math.hypot(ratings[name].sigma, SKILL.settings.tau) * (1 + 1e-9)


def test_the_limits_join_the_formulas_where_they_take_over() -> None:
    environment = SKILL._environment
    for below, above in ((-34.999999, -35.000001),):
        for function in (environment.v_win, environment.w_win):
            assert function(below, 0.0) == pytest.approx(function(above, 0.0), rel=1e-5)
    assert environment.w_draw(35.0, 1e-9 + 0.02) == pytest.approx(
        environment.w_draw(35.1, 0.02), rel=1e-3
    )


def test_quality_falls_with_distance_and_is_one_for_known_equals() -> None:
    known = Rating(25.0, 1e-6)
    assert SKILL.quality([known] * 4) == pytest.approx(1.0)
    near = SKILL.quality([NEW, NEW, NEW, Rating(30.0, 8.0)])
    far = SKILL.quality([NEW, NEW, NEW, Rating(45.0, 8.0)])
    assert 0 < far < near < 1


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"mu": math.nan}, "mu"),
        ({"sigma": 0}, "sigma"),
        ({"sigma": math.inf}, "sigma"),
        ({"beta": -1}, "beta"),
        ({"tau": -0.1}, "tau"),
        ({"draw_probability": 0}, "draw_probability"),
        ({"draw_probability": 1}, "draw_probability"),
    ],
)
def test_wrong_settings_are_named(settings: dict[str, float], named: str) -> None:
    with pytest.raises(ValueError, match=f"^{named} must be"):
        Skill(**settings)


def test_other_bots_than_those_placed_are_refused() -> None:
    with pytest.raises(ValueError, match=r"cannot rate \['a', 'b'\] by the placements of"):
        SKILL.rate({"a": NEW, "b": NEW}, {"a": 1, "c": 2})
    with pytest.raises(ValueError, match="cannot rate"):
        SKILL.rate({"a": NEW}, {"a": 1})
