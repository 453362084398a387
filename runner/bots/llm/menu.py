"""Which of the legal actions a model is shown: all, or as many as fit, of every sort some."""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import Action

MOST = 80
_TOO_MANY_TO_SORT = 5000  # beyond this a game makes them on demand, and all are of one sort


def menu(legal: Sequence[Action], keep: Action, most: int = MOST) -> list[Action]:
    """At most `most` of the legal actions, in their order; `keep`, where left out, comes last.

    Sorts of actions of which there are few are shown whole, others in even steps.
    """
    shown = _shortened(legal, most - 1) if len(legal) > most else list(legal)
    return shown if keep in shown else [*shown, keep]


def _shortened(legal: Sequence[Action], most: int) -> list[Action]:
    if len(legal) > _TOO_MANY_TO_SORT:
        return _spread(legal, most)
    sorts: dict[type[Action], list[Action]] = {}
    for action in legal:
        sorts.setdefault(type(action), []).append(action)
    left = most
    shown = {}
    for n, sort in enumerate(sorted(sorts, key=lambda sort: len(sorts[sort]))):
        shown[sort] = _spread(sorts[sort], left // (len(sorts) - n))
        left -= len(shown[sort])
    return [action for sort in sorts for action in shown[sort]]


def _spread(actions: Sequence[Action], count: int) -> list[Action]:
    """`count` of the actions in even steps, the first and the last among them."""
    if len(actions) <= count:
        return list(actions)
    return [actions[n * (len(actions) - 1) // max(1, count - 1)] for n in range(count)]
