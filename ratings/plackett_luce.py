"""The Plackett-Luce model with a seat term: its likelihood over many matches, vectorised.

A bot of strength s in a seat of effect e has the utility u = s + e. It comes first among a set of
bots with probability exp(u) over the sum of all exp(u); the second is first among the rest, and
so on (Plackett 1975; Luce 1959). Ties are treated by Efron's approximation (1977): tied bots take
their places one after another, each time with a fair share of all of them still in the sum.

A normal prior keeps strengths finite that nothing contradicts (a bot that won everything), and
makes the solution unique: neither strengths nor the effects of a table's seats have a zero of
their own. At the maximum both have mean zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ratings.lines import Line
from ratings.results import MatchResult

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# In logits; far wider than any field's spread, so that only the undefined is held.
PRIOR_STRENGTH = 5.0
PRIOR_SEAT = 5.0


class Matches:
    """Results as arrays. Parameters: one strength per line, then the seats of each table size."""

    def __init__(self, results: Iterable[MatchResult]) -> None:
        index: dict[Line, int] = {}
        sets: dict[str, int] = {}
        rows: dict[tuple[int, bool], list[tuple[list[int], list[int], list[int], int]]] = {}
        for result in results:
            ordered = sorted(enumerate(result.seats), key=lambda seat: seat[1].placement)
            lines = [
                index.setdefault(Line(seat.bot, seat.version), len(index)) for _, seat in ordered
            ]
            places = [seat.placement for _, seat in ordered]
            set_number = sets.setdefault(result.set_id or f"\0{result.match}", len(sets))
            tied = len(set(places)) < len(places)
            row = (lines, [seat for seat, _ in ordered], places, set_number)
            rows.setdefault((len(lines), tied), []).append(row)
        self.lines = tuple(index)
        self.sets = len(sets)
        self.matches = sum(map(len, rows.values()))
        self.sizes = tuple(sorted({size for size, _ in rows}))
        self._first_seat = {}
        parameters = len(index)
        for size in self.sizes:
            self._first_seat[size] = parameters
            parameters += size
        self.parameters = parameters
        self._blocks = [
            _Block(block, size, tied, self._first_seat[size])
            for (size, tied), block in sorted(rows.items())
        ]
        variance = np.full(parameters, PRIOR_SEAT**2)
        variance[: len(index)] = PRIOR_STRENGTH**2
        self._precision = 1 / variance

    def seats(self, size: int) -> slice:
        """Where the effects of the seats of tables of `size` are."""
        return slice(self._first_seat[size], self._first_seat[size] + size)

    def centering(self, weights: Floats | None = None) -> Floats:
        """The matrix that takes the mean off the strengths, and off the seats of each table.

        weights: by line, for a weighted mean of the strengths.
        """
        matrix = np.eye(self.parameters)
        lines = len(self.lines)
        if weights is None:
            weights = np.ones(lines)
        matrix[:lines, :lines] -= weights / weights.sum()
        for part in map(self.seats, self.sizes):
            matrix[part, part] -= 1 / (part.stop - part.start)
        return matrix

    def cost(self, parameters: Floats, weights: Floats | None = None) -> tuple[float, Floats]:
        """Minus the log posterior, and its gradient. weights: by set, 1 if left out."""
        value = float(self._precision @ parameters**2) / 2
        gradient = self._precision * parameters
        for block in self._blocks:
            likelihood, slope = block.likelihood(parameters)
            if weights is not None:
                factor = weights[block.sets]
                likelihood, slope = likelihood * factor, slope * factor
            value -= float(likelihood.sum())
            for places in (block.lines, block.seats):
                gradient -= np.bincount(
                    places.ravel(), weights=slope.ravel(), minlength=self.parameters
                )
        return value, gradient

    def information(self, parameters: Floats) -> Floats:
        """The second derivatives of `cost`, a square matrix."""
        total = np.diag(self._precision)
        flat = total.ravel()
        for block in self._blocks:
            second = block.information(parameters)
            where = (block.lines, block.seats)
            for one in where:
                for other in where:
                    cells = one[:, None, :] * self.parameters + other[None, :, :]
                    flat += np.bincount(cells.ravel(), weights=second.ravel(), minlength=flat.size)
        return total

    def slopes_by_set(self, parameters: Floats) -> Floats:
        """The gradient of the log likelihood of each set: one row per set."""
        slopes = np.zeros((self.sets, self.parameters))
        for block in self._blocks:
            _, slope = block.likelihood(parameters)
            for places in (block.lines, block.seats):
                np.add.at(slopes, (np.broadcast_to(block.sets, places.shape), places), slope)
        return slopes


class _Block:
    """Matches of one size, with or without ties; arrays are places by matches, best first."""

    def __init__(
        self,
        rows: Sequence[tuple[list[int], list[int], list[int], int]],
        size: int,
        tied: bool,
        first_seat: int,
    ) -> None:
        self.lines: Ints = np.array([row[0] for row in rows], dtype=np.int64).T.copy()
        self.seats: Ints = np.array([row[1] for row in rows], dtype=np.int64).T + first_seat
        self.sets: Ints = np.array([row[3] for row in rows], dtype=np.int64)
        self._shares = self._efron(rows, size) if tied else None

    @staticmethod
    def _efron(rows: Sequence[tuple[list[int], list[int], list[int], int]], size: int) -> Floats:
        """How much of each bot is in the sum when each place is taken: place, bot, match."""
        shares = np.zeros((size, size, len(rows)))
        for match, (_, _, places, _) in enumerate(rows):
            for taken in range(size):
                first = places.index(places[taken])
                tied = places.count(places[taken])
                shares[taken, first:, match] = 1.0
                shares[taken, first : first + tied, match] -= (taken - first) / tied
        return shares

    def likelihood(self, parameters: Floats) -> tuple[Floats, Floats]:
        """The log likelihood by match, and its slope in each bot's utility."""
        utility, weight = self._weights(parameters)
        if self._shares is None:
            sums = np.cumsum(weight[::-1], axis=0)[::-1]
            slope = 1 - weight * np.cumsum(1 / sums, axis=0)
        else:
            sums = np.einsum("pqm,qm->pm", self._shares, weight)
            slope = 1 - weight * np.einsum("pqm,pm->qm", self._shares, 1 / sums)
        return (utility - np.log(sums)).sum(axis=0), slope

    def information(self, parameters: Floats) -> Floats:
        """Minus the second derivatives in the utilities: bot, bot, match."""
        _, weight = self._weights(parameters)
        size = len(weight)
        shares = self._shares
        if shares is None:
            shares = np.triu(np.ones((size, size)))[:, :, None]
        chance = shares * weight[None] / np.einsum("pqm,qm->pm", shares, weight)[:, None]
        second: Floats = -np.einsum("pqm,prm->qrm", chance, chance)
        second[np.arange(size), np.arange(size)] += chance.sum(axis=0)
        return second

    def _weights(self, parameters: Floats) -> tuple[Floats, Floats]:
        utility = parameters[self.lines] + parameters[self.seats]
        utility -= utility.max(axis=0)
        return utility, np.exp(utility)
