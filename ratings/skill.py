"""TrueSkill for matches of single bots: new ratings from old ones and placements.

The model is that of Herbrich, Minka and Graepel, "TrueSkill: A Bayesian Skill Rating System"
(NIPS 2006), as the `trueskill` package computes it. Three things are done differently here:

- The package's normal distribution is an approximation good to seven digits; ours is exact.
- With ties its result depends on the order of the players, so they are sorted by name first.
- It gives up on results too unlikely for its arithmetic; here the limits of the formulas apply.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from statistics import NormalDist

import trueskill
from msgspec import Struct

from ratings.results import Rating

_STANDARD = NormalDist()
_SQRT_2 = math.sqrt(2)
_SQRT_2_PI = math.sqrt(2 * math.pi)
# From here on the tail of the normal distribution leaves the range of a float (at 38 sigma).
_FAR = 35.0


class Settings(Struct, frozen=True):
    """The parameters of the rating model; a ledger keeps those it was made with.

    mu, sigma: where a new bot starts. beta: the spread of performance from match to match.
    tau: what sigma gains before every match. draw_probability: how often two equals tie.
    """

    mu: float
    sigma: float
    beta: float
    tau: float
    draw_probability: float


def _cdf(x: float) -> float:
    # By erfc, not erf: 1 + erf(x) has no digits left in the lower tail.
    return 0.5 * math.erfc(-x / _SQRT_2)


def _pdf(x: float) -> float:
    return math.exp(-x * x / 2) / _SQRT_2_PI


class _Environment(trueskill.TrueSkill):  # type: ignore[misc]
    """The package's model with the limits of V and W where its arithmetic runs out."""

    def v_win(self, diff: float, draw_margin: float) -> float:
        x = diff - draw_margin
        return -x - 1 / x if x < -_FAR else _pdf(x) / _cdf(x)

    def w_win(self, diff: float, draw_margin: float) -> float:
        x = diff - draw_margin
        if x < -_FAR:
            return 1 - 1 / (x * x)
        v = self.v_win(diff, draw_margin)
        return v * (v + x)

    def w_draw(self, diff: float, draw_margin: float) -> float:
        beyond = abs(diff) - draw_margin
        if beyond > _FAR:
            return 1 - 1 / (beyond * beyond)
        return float(super().w_draw(diff, draw_margin))


class Skill:
    """The rating model of one season; holds its settings and no state."""

    def __init__(
        self,
        mu: float = 25.0,
        sigma: float = 25.0 / 3,
        beta: float | None = None,
        tau: float = 0.008,
        draw_probability: float = 0.02,
    ) -> None:
        """beta: sigma / 2 if left out. Raises ValueError, naming the setting that is wrong."""
        if beta is None:
            beta = sigma / 2
        if not math.isfinite(mu):
            raise ValueError(f"mu must be a finite number, not {mu}")
        if not 0 < sigma < math.inf:
            raise ValueError(f"sigma must be a number above 0, not {sigma}")
        if not 0 < beta < math.inf:
            raise ValueError(f"beta must be a number above 0, not {beta}")
        if not 0 <= tau < math.inf:
            raise ValueError(f"tau must be a number from 0 on, not {tau}")
        # At 0 a tie would be impossible, and near 0 rating one is a division of rounding errors.
        if not 0.001 <= draw_probability <= 0.999:
            raise ValueError(
                f"draw_probability must be from 0.001 to 0.999, not {draw_probability}"
            )
        self.settings = Settings(
            float(mu), float(sigma), float(beta), float(tau), float(draw_probability)
        )
        self._environment = _Environment(
            mu, sigma, beta, tau, draw_probability, backend=(_cdf, _pdf, _STANDARD.inv_cdf)
        )

    @classmethod
    def of(cls, settings: Settings) -> Skill:
        """The model with exactly these settings."""
        return cls(
            settings.mu, settings.sigma, settings.beta, settings.tau, settings.draw_probability
        )

    def new(self, mu: float | None = None) -> Rating:
        """The rating of a bot that has not played; `mu` where a mean is inherited."""
        return Rating(self.settings.mu if mu is None else mu, self.settings.sigma)

    @property
    def widest(self) -> float:
        """The largest sigma with which a rating is more than provisional: 2/5 of a new bot's."""
        return 0.4 * self.settings.sigma

    def provisional(self, rating: Rating) -> bool:
        """Whether a bot is too new to be placed."""
        return rating.sigma > self.widest

    def rate(
        self, ratings: Mapping[str, Rating], placements: Mapping[str, int]
    ) -> dict[str, Rating]:
        """The ratings after a match, by name, sorted by name.

        ratings: before the match; placements: 1 is first, ties share. Both name the same bots,
        at least two, else ValueError. The order of the mappings makes no difference.
        """
        if ratings.keys() != placements.keys() or len(ratings) < 2:
            raise ValueError(
                f"cannot rate {sorted(ratings)} by the placements of {sorted(placements)}"
            )
        names = sorted(ratings)
        groups = [(trueskill.Rating(ratings[name].mu, ratings[name].sigma),) for name in names]
        rated = self._environment.rate(groups, [placements[name] for name in names])
        return {
            name: Rating(float(after.mu), float(after.sigma))
            for name, (after,) in zip(names, rated, strict=True)
        }

    def quality(self, ratings: Iterable[Rating]) -> float:
        """How even a match among these ratings would be: 0 (foregone) to 1 (all alike).

        The probability of a tie among all, relative to that among equals known exactly.
        """
        groups = [(trueskill.Rating(rating.mu, rating.sigma),) for rating in ratings]
        return float(self._environment.quality(groups))
