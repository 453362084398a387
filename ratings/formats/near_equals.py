"""Seating an order of bots at tables of near equals, with as few clashes as can be found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations

# Of how many of the next best a table's companions are chosen.
_NEAR = 15
# How many tables are tried before the search settles for few clashes: a fraction of a second.
_PATIENCE = 200_000


def seat(
    order: Sequence[str], sizes: Sequence[int], clash: Callable[[str, str], int]
) -> list[tuple[str, ...]]:
    """Tables of these sizes, first table first, from bots in `order`, best first.

    sizes: add up to the number of bots. clash: how bad it is that two bots meet, 0 if not at all.
    Without any clash where there is a way (for more than some twenty bots: where one is found),
    and then nearest companions first.
    """
    search = _Search(order, clash)
    tables = search.without_clash(tuple(range(len(order))), tuple(sizes))
    if tables is None:
        tables = search.with_few(sizes)
    return [tuple(order[n] for n in table) for table in tables]


class _Search:
    """Bots are numbers here, by their places in the order."""

    def __init__(self, order: Sequence[str], clash: Callable[[str, str], int]) -> None:
        self._clash = [
            [0 if one == other else clash(one, other) for other in order] for one in order
        ]
        self._foes = [
            sum(1 << n for n, weight in enumerate(weights) if weight) for weights in self._clash
        ]
        self._patience = _PATIENCE

    def without_clash(
        self, left: tuple[int, ...], sizes: tuple[int, ...]
    ) -> list[tuple[int, ...]] | None:
        """Depth first: the best bot with its nearest companions, then the rest likewise."""
        if not sizes:
            return []
        first = left[0]
        others = [n for n in left[1:] if not self._foes[first] >> n & 1]
        for chosen in _companions(min(len(others), _NEAR), sizes[0] - 1):
            if self._patience <= 0:
                return None
            self._patience -= 1
            table = (first, *(others[n] for n in chosen))
            if self._peaceful(table):
                rest = tuple(n for n in left if n not in table)
                tables = self.without_clash(rest, sizes[1:])
                if tables is not None:
                    return [table, *tables]
        return None

    def with_few(self, sizes: Sequence[int]) -> list[tuple[int, ...]]:
        """The order cut into tables, then improved by swaps between two tables, nearest first."""
        left = list(range(len(self._clash)))
        tables = []
        for size in sizes:
            tables.append(left[:size])
            left = left[size:]
        while self._improve(tables):
            pass
        return [tuple(table) for table in tables]

    def _peaceful(self, table: Sequence[int]) -> bool:
        seated = 0
        for n in table:
            if self._foes[n] & seated:
                return False
            seated |= 1 << n
        return True

    def _weight(self, table: Sequence[int]) -> int:
        return sum(self._clash[one][other] for one, other in combinations(table, 2))

    def _improve(self, tables: list[list[int]]) -> bool:
        """Make the first swap found that leaves fewer clashes."""
        for here, table in enumerate(tables):
            if self._peaceful(table):
                continue
            for there in sorted(range(len(tables)), key=lambda n: abs(n - here)):
                if there != here and self._swap(table, tables[there]):
                    return True
        return False

    def _swap(self, one: list[int], other: list[int]) -> bool:
        before = self._weight(one) + self._weight(other)
        for m in range(len(one)):
            for n in range(len(other)):
                one[m], other[n] = other[n], one[m]
                if self._weight(one) + self._weight(other) < before:
                    return True
                one[m], other[n] = other[n], one[m]
        return False


@lru_cache(maxsize=64)
def _companions(available: int, wanted: int) -> tuple[tuple[int, ...], ...]:
    """The ways to choose so many of the next ones, nearest first."""
    return tuple(sorted(combinations(range(available), wanted), key=lambda n: (sum(n), n)))
