"""The final fit: its derivatives, its estimates on fields of known strengths, its errors."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import permutations
from random import Random
from statistics import mean

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from ratings.fit import UNIT, fit
from ratings.lines import Line
from ratings.plackett_luce import PRIOR_SEAT, PRIOR_STRENGTH, Matches
from ratings.results import MatchResult
from ratings.skill import Skill
from tests.ratings.made import ranked, result, seat

SETTINGS = Skill().settings
LOGIT = UNIT * SETTINGS.beta


def field(bots: int, gap: float) -> dict[str, float]:
    return {f"bot{n:02}": 25 + gap * (n - (bots - 1) / 2) for n in range(bots)}


def luce(
    match: str,
    bots: Sequence[str],
    strengths: Mapping[str, float],
    rng: Random,
    bonus: Sequence[float] = (0, 0, 0, 0),
    set_id: str = "",
) -> MatchResult:
    """A match by the fitted model itself: strengths in the unit of mu, Gumbel noise."""
    utility = {
        bot: (strengths[bot] + bonus[place]) / LOGIT - math.log(-math.log(rng.random()))
        for place, bot in enumerate(bots)
    }
    order = sorted(bots, key=lambda bot: -utility[bot])
    seats = (seat(bot, order.index(bot) + 1) for bot in bots)
    return result(match, *seats, set_id=set_id)


def season(
    strengths: Mapping[str, float],
    sets: int,
    seed: int,
    bonus: Sequence[float] = (0, 0, 0, 0),
    seats: int = 4,
    rotate: bool = True,
) -> list[MatchResult]:
    rng = Random(seed)
    played = []
    for number in range(sets):
        bots = rng.sample(sorted(strengths), seats)
        for turn in range(seats):
            order = bots[turn:] + bots[:turn] if rotate else bots
            match = f"m{number}-{turn}"
            played.append(luce(match, order, strengths, rng, bonus, f"s{number}"))
    return played


def tied_season() -> list[MatchResult]:
    rng = Random(8)
    played = []
    for n in range(40):
        bots = rng.sample(["a", "b", "c", "d", "e"], rng.choice([2, 3, 4]))
        points = [rng.randrange(3) for _ in bots]
        places = [1 + sum(other > own for other in points) for own in points]
        seats = (seat(bot, place) for bot, place in zip(bots, places, strict=True))
        played.append(result(f"m{n}", *seats, set_id=f"s{n // 3}"))
    return played


class TestModel:
    def test_slopes_and_curvature_are_those_of_the_cost(self) -> None:
        matches = Matches(tied_season())
        rng = np.random.default_rng(1)
        at = rng.normal(size=matches.parameters)
        weights = rng.integers(4, size=matches.sets).astype(float)
        for weighted in (None, weights):
            slope = matches.cost(at, weighted)[1]
            numeric = approx_fprime(at, lambda x, w=weighted: matches.cost(x, w)[0], 1e-6)
            assert slope == pytest.approx(numeric, abs=1e-4)
        curvature = matches.information(at)
        numeric = approx_fprime(at, lambda x: matches.cost(x)[1], 1e-6)
        assert curvature == pytest.approx(numeric, abs=1e-4)

    def test_slopes_of_sets_add_up(self) -> None:
        matches = Matches(tied_season())
        at = np.random.default_rng(2).normal(size=matches.parameters)
        prior = np.full(matches.parameters, 1 / PRIOR_SEAT**2)
        prior[: len(matches.lines)] = 1 / PRIOR_STRENGTH**2
        total = matches.slopes_by_set(at).sum(axis=0)
        assert prior * at - total == pytest.approx(matches.cost(at)[1])

    def test_the_chances_of_all_orders_add_up_to_one(self) -> None:
        bots = ["a", "b", "c", "d"]
        strengths = {"a": 1.0, "b": -0.5, "c": 0.3, "d": 2.0}
        bonus = [0.2, 0.0, -0.4, 0.1]
        total = 0.0
        for order in permutations(bots):
            seats = (seat(bot, order.index(bot) + 1) for bot in bots)
            matches = Matches([result("m", *seats)])
            at = np.array([strengths[line.bot] for line in matches.lines] + bonus)
            prior = ((at[:4] / PRIOR_STRENGTH) ** 2).sum() + ((at[4:] / PRIOR_SEAT) ** 2).sum()
            total += math.exp(-(matches.cost(at)[0] - prior / 2))
        assert total == pytest.approx(1.0)

    def test_a_tie_of_two_is_worth_as_much_for_both(self) -> None:
        # Efron: tied bots stand in the sum with 1, then with a half of both.
        matches = Matches([result("m", seat("a", 1), seat("b", 1), seat("c", 3))])
        at = np.array([0.7, 0.2, -0.3, 0.0, 0.0, 0.0])
        a, b, c = (math.exp(at[list(matches.lines).index(Line(x, "1"))]) for x in "abc")
        expected = math.log(a * b / ((a + b + c) * ((a + b) / 2 + c)))
        prior = (at**2).sum() / 50
        assert -(matches.cost(at)[0] - prior) == pytest.approx(expected)


class TestEstimates:
    def test_two_bots_by_hand(self) -> None:
        # Three wins of four from either seat: odds of 3 to 1, less a little for the prior.
        played = []
        for n in range(8):
            places = {"a": 1 + (n % 4 == 0), "b": 2 - (n % 4 == 0)}
            order = "ab" if n < 4 else "ba"
            played.append(result(f"m{n}", *(seat(bot, places[bot]) for bot in order)))
        found = fit(played, SETTINGS, replicates=0)
        gap, _ = found.difference(Line("a", "1"), Line("b", "1"))
        assert gap / LOGIT == pytest.approx(math.log(3), rel=0.03)
        assert [effect.effect for effect in found.seats()] == pytest.approx([0, 0], abs=1e-6)

    def test_the_order_of_the_results_makes_no_difference(self) -> None:
        played = season(field(6, 2.0), 20, seed=1)
        shuffled = played[:]
        Random(2).shuffle(shuffled)
        one = fit(played, SETTINGS, replicates=20)
        other = fit(shuffled, SETTINGS, replicates=20)
        assert one.table() == other.table()
        assert one.seats() == other.seats()

    @pytest.mark.parametrize(("seasons", "replicates"), [(40, 0), (5, 100)])
    def test_intervals_hold_the_strengths_as_often_as_they_say(
        self, seasons: int, replicates: int
    ) -> None:
        strengths = field(10, 1.5)
        inside = []
        for seed in range(seasons):
            rows = fit(season(strengths, 60, seed), SETTINGS, replicates=replicates).table()
            inside += [row.low <= strengths[row.bot] <= row.high for row in rows]
        assert 0.92 <= mean(inside) <= 0.99

    @pytest.mark.parametrize("rotate", [True, False], ids=["rotated", "as dealt"])
    def test_a_seat_advantage_is_estimated_and_taken_out(self, rotate: bool) -> None:
        # With seats as dealt, the weakest of the four always has the best seat.
        strengths, bonus = field(8, 1.0), (3.0, 0.5, -1.5, -2.0)
        off: list[float] = []
        for seed in range(12):
            rng = Random(seed)
            played = []
            for n in range(150):
                bots = sorted(rng.sample(sorted(strengths), 4))
                for turn in range(4 if rotate else 1):
                    order = bots[turn:] + bots[:turn]
                    played.append(luce(f"m{n}-{turn}", order, strengths, rng, bonus, f"s{n}"))
            found = fit(played, SETTINGS, replicates=0)
            effects = found.seats()
            assert [effect.seat for effect in effects] == [1, 2, 3, 4]
            assert sum(effect.effect for effect in effects) == pytest.approx(0, abs=1e-6)
            assert sum(effect.first for effect in effects) == pytest.approx(1)
            off += [(e.effect - true) / e.error for e, true in zip(effects, bonus, strict=True)]
            off += [
                (row.strength - strengths[row.bot]) / ((row.high - row.low) / 3.92)
                for row in found.table()
            ]
        # In units of their errors, estimates are off by one on the whole, and never by far.
        assert mean(z * z for z in off) == pytest.approx(1.0, abs=0.3)
        assert max(map(abs, off)) < 4

    def test_tables_of_three_and_four_have_seats_of_their_own(self) -> None:
        strengths = field(6, 1.0)
        played = season(strengths, 150, 1, bonus=(2.0, 0, 0, -2.0))
        played += [
            result(f"three{one.match}", *one.seats, set_id=f"three{one.set_id}")
            for one in season(strengths, 150, 2, bonus=(-2.0, 0, 2.0), seats=3)
        ]
        effects = {(e.seats, e.seat): e for e in fit(played, SETTINGS, replicates=0).seats()}
        assert len(effects) == 7
        assert effects[3, 1].effect == pytest.approx(-2.0, abs=3 * effects[3, 1].error)
        assert effects[4, 1].effect == pytest.approx(2.0, abs=3 * effects[4, 1].error)

    def test_one_that_won_everything_is_finite_and_uncertain(self) -> None:
        rng = Random(1)
        played = [ranked(f"m{n}", "a", *rng.sample("bcde", 3)) for n in range(30)]
        first, second, *_ = fit(played, SETTINGS, replicates=30).table()
        assert first.bot == "a"
        assert math.isfinite(first.high)
        assert first.high - first.low > 2 * (second.high - second.low)

    def test_versions_are_lines_of_their_own(self) -> None:
        played = [
            *(ranked(f"m{n}", "b", "a", "c") for n in range(10)),
            *(ranked(f"n{n}", "a", "b", "c", version="2") for n in range(10)),
        ]
        found = fit(played, SETTINGS, replicates=0)
        assert len(found.lines) == 6
        assert found.strength(Line("a", "2")) > found.strength(Line("a", "1"))
        rows = found.table([Line(bot, "2") for bot in "abc"])
        assert [(row.rank, row.bot) for row in rows] == [(1, "a"), (2, "b"), (3, "c")]
        with pytest.raises(KeyError):
            found.strength(Line("a", "3"))

    def test_nothing_to_fit(self) -> None:
        with pytest.raises(ValueError, match="no match to fit"):
            fit([], SETTINGS)


class TestErrors:
    def test_the_errors_are_the_spread_of_estimates(self) -> None:
        strengths = field(6, 1.5)
        one, other = Line("bot02", "1"), Line("bot03", "1")
        gaps, errors = [], []
        for seed in range(40):
            found = fit(season(strengths, 40, seed), SETTINGS, replicates=0)
            gap, error = found.difference(one, other)
            gaps.append(gap)
            errors.append(error)
        assert mean(errors) == pytest.approx(float(np.std(gaps, ddof=1)), rel=0.3)

    def test_the_bootstrap_and_the_errors_agree(self) -> None:
        found = fit(season(field(6, 0.4), 80, 3), SETTINGS, replicates=300)
        bare = fit(season(field(6, 0.4), 80, 3), SETTINGS, replicates=0)
        for row, other in zip(found.table(), bare.table(), strict=True):
            assert row.bot == other.bot
            assert row.high - row.low == pytest.approx(other.high - other.low, rel=0.25)
            if row.better is not None:
                assert other.better is not None
                assert row.better == pytest.approx(other.better, abs=0.08)

    def test_sets_that_hang_together_make_wider_errors(self) -> None:
        # Each result counted four times in its set says no more than once.
        once = season(field(6, 1.0), 60, 5)[::4]
        fourfold = [
            result(f"{one.match}-{copy}", *one.seats, set_id=one.set_id)
            for one in once
            for copy in range(4)
        ]
        pair = (Line("bot02", "1"), Line("bot03", "1"))
        single = fit(once, SETTINGS, replicates=0).difference(*pair)[1]
        copied = fit(fourfold, SETTINGS, replicates=0).difference(*pair)[1]
        assert copied == pytest.approx(single, rel=0.35)

    def test_how_likely_equal_and_better_are(self) -> None:
        found = fit(season(field(4, 0.0), 150, 6), SETTINGS, replicates=0)
        one, other = Line("bot00", "1"), Line("bot01", "1")
        assert found.better(one, other) + found.better(other, one) == pytest.approx(1)
        assert found.better(one, one) == 0.5
        assert found.equal(one, other, 0.0) == 0
        assert found.equal(one, other, 100.0) == pytest.approx(1)
        narrow, wide = (found.equal(one, other, within) for within in (0.5, 2.0))
        assert narrow < wide

    def test_it_reproduces_and_reports_progress(self) -> None:
        played = season(field(5, 1.0), 20, 7)
        seen: list[tuple[int, int]] = []
        one = fit(played, SETTINGS, replicates=5, on_progress=lambda *done: seen.append(done))
        assert seen == [(n, 5) for n in range(6)]
        assert one.table() == fit(played, SETTINGS, replicates=5).table()
        assert one.table() != fit(played, SETTINGS, replicates=5, seed=1).table()
