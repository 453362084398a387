"""When a season has played enough: a number of matches, hours, or evidence of the order.

Evidence is about neighbours. A season is decided when every pair of neighbours among the best
ones is either told apart or shown to be as good as equal, each with `rank_confidence`. Strengths
and their errors are those of the fit over all matches so far (`ratings.fit`).

Looking after every match would find the evidence too early now and then, by chance alone. So it
is looked for only when the season has grown by a tenth since the last time; `due` says when.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec import Struct

from ratings.lines import Line

if TYPE_CHECKING:
    from ratings.fit import Fit

# Fewer sets than this say nothing about how much sets differ.
_FEWEST_SETS = 8


class Rules(Struct, frozen=True):
    """When to stop; whichever comes first. None: not asked for.

    rank_confidence: from 0.5 to 1. top: how many of the best it is about; None for all.
    indifference: strengths no more than this apart are as good as equal, in the unit of mu.
    Raises ValueError, naming the rule, for what cannot be.
    """

    matches: int | None = None
    hours: float | None = None
    rank_confidence: float | None = None
    top: int | None = None
    indifference: float = 0.0

    def __post_init__(self) -> None:
        if self.matches is not None and self.matches < 1:
            raise ValueError(f"matches must be at least 1, not {self.matches}")
        if self.hours is not None and not self.hours > 0:
            raise ValueError(f"hours must be more than 0, not {self.hours}")
        if self.rank_confidence is not None and not 0.5 < self.rank_confidence < 1:
            raise ValueError(
                f"rank_confidence must be between 0.5 and 1, not {self.rank_confidence}"
            )
        if self.top is not None and self.top < 2:
            raise ValueError(f"top must be at least 2, not {self.top}")
        if not self.indifference >= 0:
            raise ValueError(f"indifference must be 0 or more, not {self.indifference}")


class Pair(Struct, frozen=True):
    """Two neighbours in the order: which is better, by how much, and how sure that is.

    gap, error: in the unit of mu. better: the probability that the first really is better.
    equal: the probability that they are as good as equal.
    """

    first: str
    second: str
    gap: float
    error: float
    better: float
    equal: float

    def settled(self, confidence: float) -> bool:
        """Whether it is known which of the two is better, or that it makes no difference."""
        return self.better >= confidence or self.equal >= confidence


class Evidence(Struct, frozen=True):
    """What was known of the order after `matches` matches. wanted: how many pairs it is about."""

    matches: int
    wanted: int
    pairs: tuple[Pair, ...]


class Criterion(Struct, frozen=True):
    """How far one of the rules is: share from 0 to 1, and the same in words."""

    rule: str
    reached: bool
    share: float
    text: str


def due(matches: int, last: Evidence | None) -> bool:
    """Whether evidence should be looked for again."""
    return matches > 0 and (last is None or 10 * (matches - last.matches) >= last.matches)


def evidence(fit: Fit | None, lines: Sequence[Line], rules: Rules) -> Evidence:
    """What the matches so far say about the order of `lines`, the current ones of all bots.

    fit: over all matches so far; None before the first. Lines without a match settle nothing.
    """
    wanted = max(0, min(len(lines), rules.top or len(lines)) - 1)
    if fit is None or fit.sets < _FEWEST_SETS or any(line not in fit.lines for line in lines):
        return Evidence(0 if fit is None else fit.matches, wanted, ())
    order = sorted(lines, key=lambda line: (-fit.strength(line), line))
    pairs = []
    for first, second in pairwise(order[: wanted + 1]):
        gap, error = fit.difference(first, second)
        better = fit.better(first, second)
        equal = fit.equal(first, second, rules.indifference)
        pairs.append(Pair(first.bot, second.bot, gap, error, better, equal))
    return Evidence(fit.matches, wanted, tuple(pairs))


def contested(rules: Rules, found: Evidence | None) -> tuple[str, ...]:
    """The bots whose order is not settled yet: what more matches should be about."""
    if found is None or rules.rank_confidence is None:
        return ()
    bots: dict[str, None] = {}
    for pair in found.pairs:
        if not pair.settled(rules.rank_confidence):
            bots |= dict.fromkeys((pair.first, pair.second))
    return tuple(bots)


def criteria(
    rules: Rules, matches: int, hours: float, found: Evidence | None
) -> tuple[Criterion, ...]:
    """How far each rule that was asked for is. The season may stop when any is reached."""
    judged = []
    if rules.matches is not None:
        text = f"{matches} of {rules.matches} matches"
        judged.append(_criterion("matches", matches / rules.matches, text))
    if rules.hours is not None:
        text = f"{hours:.1f} of {rules.hours:g} hours"
        judged.append(_criterion("hours", hours / rules.hours, text))
    if rules.rank_confidence is not None:
        judged.append(_judge(rules.rank_confidence, found))
    return tuple(judged)


def decided(judged: Iterable[Criterion]) -> bool:
    """Whether any rule is reached."""
    return any(criterion.reached for criterion in judged)


def _judge(confidence: float, found: Evidence | None) -> Criterion:
    if found is None or not found.pairs:
        return Criterion("evidence", False, 0.0, "no evidence yet")
    settled = sum(pair.settled(confidence) for pair in found.pairs)
    text = f"{settled} of {found.wanted} neighbours settled at {confidence:.0%}"
    open_pairs = [pair for pair in found.pairs if not pair.settled(confidence)]
    if open_pairs:
        closest = min(open_pairs, key=lambda pair: max(pair.better, pair.equal))
        text += f"; {closest.first} over {closest.second}: {closest.better:.0%}"
    reached = settled == found.wanted
    return Criterion("evidence", reached, settled / found.wanted, text)


def _criterion(rule: str, share: float, text: str) -> Criterion:
    return Criterion(rule, share >= 1, min(1.0, share), text)
