"""Weights of a linear Plackett-Luce model, fitted to orders in which seats came in.

A seat's strength is the weighted sum of its numbers. Of the seats not yet placed, each takes the
next place with the probability exp(strength) over the sum of theirs (Luce 1959; Plackett 1975).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

Floats: TypeAlias = npt.NDArray[np.float64]
Mask: TypeAlias = npt.NDArray[np.bool_]

# How much the choice of the first, the second and the third counts.
CHOICES = (1.0, 0.5, 0.25)
PENALTY = 3e-4


@dataclass(frozen=True, slots=True)
class Orders:
    """States and how their matches ended.

    numbers: [state, seat, number]. placements: [state, seat], from 1. match: [state].
    """

    numbers: npt.NDArray[np.float32]
    placements: npt.NDArray[np.int8]
    match: npt.NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.match)

    def where(self, mask: Mask) -> Orders:
        """Only some of the states."""
        return Orders(self.numbers[mask], self.placements[mask], self.match[mask])


def together(parts: list[Orders]) -> Orders:
    """All states of all parts."""
    return Orders(
        np.concatenate([part.numbers for part in parts]),
        np.concatenate([part.placements for part in parts]),
        np.concatenate([part.match for part in parts]),
    )


@dataclass(frozen=True, slots=True)
class _Choice:
    """One place given away: who took it and among whom. Shared places are left out."""

    weight: float
    states: Mask
    taken: Mask
    among: Mask


def _choices(placements: npt.NDArray[np.int8]) -> list[_Choice]:
    choices = []
    for place, weight in enumerate(CHOICES[: placements.shape[1] - 1], start=1):
        taken = placements == place
        states = taken.sum(axis=1) == 1
        choices.append(_Choice(weight, states, taken[states], (placements >= place)[states]))
    return choices


def _surprise(strengths: Floats, choice: _Choice) -> tuple[float, Floats]:
    """Minus the log likelihood of a choice, summed over states, and its slope by seat."""
    z = np.where(choice.among, strengths[choice.states], -np.inf)
    z -= z.max(axis=1, keepdims=True)
    odds = np.exp(z)
    total = odds.sum(axis=1)
    loss = float(np.log(total).sum() - z[choice.taken].sum())
    return loss, odds / total[:, None] - choice.taken


def fit(orders: Orders, penalty: float = PENALTY) -> Floats:
    """The weights that make the orders likeliest, less a penalty for large ones.

    The penalty times the sum of squares is added to the mean log loss (ridge; Hoerl and Kennard
    1970). It is for numbers of unit deviation, whatever they are scaled to; a number that is the
    same everywhere gets the weight 0.
    """
    deviation = orders.numbers.std(axis=(0, 1), dtype=np.float64)
    deviation[deviation < 1e-6] = np.inf
    # In 32 bits: half of the memory, and far finer than the placements can tell.
    x = (orders.numbers / deviation).astype(np.float32)
    choices = _choices(orders.placements)
    scale = len(orders) * sum(choice.weight for choice in choices)

    def loss(w: Floats) -> tuple[float, Floats]:
        strengths = (x @ w.astype(np.float32)).astype(np.float64)
        slopes = np.zeros_like(strengths)
        value = 0.0
        for choice in choices:
            surprise, slope = _surprise(strengths, choice)
            value += choice.weight * surprise
            slopes[choice.states] += choice.weight * slope
        by_weight = np.tensordot(slopes.astype(np.float32), x, axes=((0, 1), (0, 1)))
        return value / scale + penalty * float(w @ w), by_weight / scale + 2 * penalty * w

    found: Any = minimize(loss, np.zeros(x.shape[2]), jac=True, method="L-BFGS-B")
    if not found.success:
        raise RuntimeError(f"no fit: {found.message}")
    weights: Floats = found.x / deviation
    return weights


def log_losses(weights: Floats, orders: Orders) -> list[float]:
    """Mean log loss of the choice of the first, the second, the third; less is better."""
    strengths = (orders.numbers @ weights.astype(np.float32)).astype(np.float64)
    choices = _choices(orders.placements)
    return [_surprise(strengths, choice)[0] / len(choice.taken) for choice in choices]
