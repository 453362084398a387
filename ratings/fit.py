"""The final table: all matches of a season at once, in no order.

Online ratings depend on the order of the matches and forget slowly. When a season is over, a
Plackett-Luce model with a seat term (see `ratings.plackett_luce`) is fitted to all of them
together. Its errors come from a bootstrap over sets: matches of a set share a board and are not
independent, sets are.

Strengths are in the unit of mu, so that they can stand beside the online ratings, and their mean
is that of a new bot. The unit is right within some 5 %: the rating model's noise is normal, this
one's is not, and no single factor makes them equal (see `UNIT`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve, solve_triangular
from scipy.optimize import minimize
from scipy.stats import norm

from ratings.lines import Line
from ratings.plackett_luce import Floats, Matches
from ratings.results import MatchResult
from ratings.skill import Settings

REPLICATES = 200
# Betas to one unit of the model, as fits to matches of the rating model itself say: 0.86 to 0.96
# for ladders of 24 bots whose strengths spread by a quarter of beta up to two.
UNIT = 0.88


class SeatEffect(Struct, frozen=True, rename="camel"):
    """What a seat is worth at tables of so many seats, in the unit of mu; seats count from 1.

    first: the chance of coming first in it among equals. error: the standard error of `effect`;
    low, high: its 95 % interval.
    """

    seats: int
    seat: int
    effect: float
    error: float
    low: float
    high: float
    first: float


class Strength(Struct, frozen=True, rename="camel"):
    """One bot in the final table: strength, 95 % interval, and how surely it leads.

    better: the probability that it is stronger than the bot below it; None for the last.
    """

    rank: int
    bot: str
    version: str
    strength: float
    low: float
    high: float
    better: float | None


class Fit:
    """Strengths and seat effects fitted to some matches, and how sure they are."""

    def __init__(
        self,
        matches: Matches,
        settings: Settings,
        best: Floats,
        covariance: Floats,
        replicates: Floats,
    ) -> None:
        """For `fit`. replicates: one row of parameters per bootstrap sample, may be none."""
        self.lines = matches.lines
        self.matches = matches.matches
        self.sets = matches.sets
        self._matches = matches
        self._unit = UNIT * settings.beta
        self._center = settings.mu
        # Only differences mean anything: what all strengths share is the prior's alone, and no
        # error of theirs. Errors are therefore against a mean in which the well known weigh
        # most; against the plain mean, one bot that is hardly known would blur all others.
        plain = matches.centering()
        known = np.diagonal(plain @ covariance[0] @ plain.T)[: len(matches.lines)]
        centering = matches.centering(1 / known)
        self._best = plain @ best
        self._covariance = centering @ covariance @ centering.T
        self._replicates = self._best + (replicates - best) @ centering.T
        self._index = {line: n for n, line in enumerate(self.lines)}

    def strength(self, line: Line) -> float:
        """The strength of a line. KeyError for one that has not played."""
        return float(self._center + self._unit * self._best[self._index[line]])

    def difference(self, one: Line, other: Line) -> tuple[float, float]:
        """By how much `one` is stronger than `other`, and the standard error of that.

        The error is the larger one of what the model says and what differences between sets
        say: with few sets the latter is too small, with sets that hang together the former.
        """
        a, b = self._index[one], self._index[other]
        gap = self._unit * (self._best[a] - self._best[b])
        c = self._covariance
        variance = c[:, a, a] + c[:, b, b] - 2 * c[:, a, b]
        return float(gap), float(self._unit * math.sqrt(max(0.0, variance.max())))

    def better(self, one: Line, other: Line) -> float:
        """The probability that `one` is stronger than `other`: from the errors, or from the
        bootstrap, whichever says less.
        """
        gap, error = self.difference(one, other)
        chance = float(norm.cdf(gap / error)) if error else 0.5
        if len(self._replicates):
            gaps = self._replicates[:, self._index[one]] - self._replicates[:, self._index[other]]
            drawn = float(np.mean(gaps > 0) + np.mean(gaps == 0) / 2)
            chance = min(chance, drawn, key=lambda found: abs(found - 0.5))
        return chance

    def equal(self, one: Line, other: Line, within: float) -> float:
        """The probability that two strengths are no more than `within` apart."""
        gap, error = self.difference(one, other)
        if not error:
            return float(abs(gap) <= within)
        return float(norm.cdf((within - gap) / error) - norm.cdf((-within - gap) / error))

    def table(self, lines: Iterable[Line] | None = None) -> tuple[Strength, ...]:
        """The lines (all, if left out), the strongest first."""
        order = sorted(
            self.lines if lines is None else lines, key=lambda line: (-self.strength(line), line)
        )
        rows = []
        for n, line in enumerate(order):
            low, high = self._interval(self._index[line])
            below = order[n + 1] if n + 1 < len(order) else None
            rows.append(
                Strength(
                    rank=n + 1,
                    bot=line.bot,
                    version=line.version,
                    strength=self.strength(line),
                    low=self._center + low,
                    high=self._center + high,
                    better=None if below is None else self.better(line, below),
                )
            )
        return tuple(rows)

    def seats(self) -> tuple[SeatEffect, ...]:
        """The effect of each seat, by size of table; the effects of a table add up to 0."""
        effects = []
        for size in self._matches.sizes:
            where = self._matches.seats(size)
            chances = np.exp(self._best[where])
            chances /= chances.sum()
            for seat in range(size):
                n = where.start + seat
                low, high = self._interval(n)
                effects.append(
                    SeatEffect(
                        seats=size,
                        seat=seat + 1,
                        effect=float(self._unit * self._best[n]),
                        error=self._error(n),
                        low=low,
                        high=high,
                        first=float(chances[seat]),
                    )
                )
        return tuple(effects)

    def _error(self, n: int) -> float:
        variance = float(self._covariance[:, n, n].max())
        if len(self._replicates) > 1:
            variance = max(variance, float(self._replicates[:, n].var(ddof=1)))
        return self._unit * math.sqrt(variance)

    def _interval(self, n: int) -> tuple[float, float]:
        """95 %: from the errors and from the bootstrap, whichever reaches further.

        Of a bot that won everything, every sample says the same; the curvature knows better.
        """
        middle = float(self._unit * self._best[n])
        error = self._unit * math.sqrt(float(self._covariance[:, n, n].max()))
        low, high = middle - 1.96 * error, middle + 1.96 * error
        if len(self._replicates):
            drawn = self._unit * np.quantile(self._replicates[:, n], [0.025, 0.975])
            low, high = min(low, float(drawn[0])), max(high, float(drawn[1]))
        return low, high


def fit(
    results: Iterable[MatchResult],
    settings: Settings,
    *,
    replicates: int = REPLICATES,
    seed: int = 0,
    on_progress: Callable[[int, int], None] | None = None,
) -> Fit:
    """Fit all matches at once; the order of `results` makes no difference.

    replicates: bootstrap samples; 0 for errors from the curvature alone, which is much faster.
    seed: of the bootstrap. on_progress: called with samples done and samples in all.
    Raises ValueError where there is no match at all.
    """
    matches = Matches(sorted(results, key=lambda result: result.match))
    if not matches.matches:
        raise ValueError("there is no match to fit")
    report = on_progress or (lambda _done, _all: None)
    report(0, replicates)
    best = _maximum(matches)
    information = matches.information(best)
    factor = cho_factor(information, lower=True)
    samples = np.empty((replicates, matches.parameters))
    rng = np.random.default_rng(seed)
    for n in range(replicates):
        drawn = rng.integers(matches.sets, size=matches.sets)
        weights = np.bincount(drawn, minlength=matches.sets).astype(float)
        samples[n] = _replicate(matches, weights, best, factor[0])
        report(n + 1, replicates)
    return Fit(matches, settings, best, _covariance(matches, best, factor), samples)


def _maximum(matches: Matches) -> Floats:
    found = minimize(
        matches.cost,
        np.zeros(matches.parameters),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": 2000, "maxfun": 4000, "ftol": 1e-14, "gtol": 1e-6},
    )
    best: Floats = found.x
    # A step of Newton's takes the last digits, where L-BFGS only creeps.
    for _ in range(20):
        _, gradient = matches.cost(best)
        step = cho_solve(cho_factor(matches.information(best), lower=True), gradient)
        best = best - step
        if float(np.abs(step).max()) < 1e-9:
            break
    return best


def _replicate(matches: Matches, weights: Floats, best: Floats, lower: Floats) -> Floats:
    """The maximum for one bootstrap sample; `lower`: the Cholesky factor of the information.

    In coordinates in which the information of the whole is the identity, that of a sample is
    near it, and a few steps do.
    """

    def shift(z: Floats) -> Floats:
        moved: Floats = solve_triangular(lower, z, lower=True, trans="T", check_finite=False)
        return moved

    def cost(z: Floats) -> tuple[float, Floats]:
        value, gradient = matches.cost(best + shift(z), weights)
        return value, solve_triangular(lower, gradient, lower=True, check_finite=False)

    found = minimize(
        cost,
        np.zeros(matches.parameters),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": 200, "ftol": 1e-10, "gtol": 1e-3},
    )
    return best + shift(found.x)


def _covariance(matches: Matches, best: Floats, factor: tuple[Floats, bool]) -> NDArray[np.float64]:
    """Two estimates of the covariance: from the curvature, and from differences between sets."""
    curvature = cho_solve(factor, np.eye(matches.parameters))
    slopes = matches.slopes_by_set(best)
    spread = slopes.T @ slopes * (matches.sets / max(1, matches.sets - 1))
    return np.stack([curvature, curvature @ spread @ curvature])
