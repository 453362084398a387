"""What the seats of a match are rewarded with at its end. Each sums to 0 over the seats."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from engine.game import Outcome

Rewards: TypeAlias = Callable[[Outcome], tuple[float, ...]]


def by_placement(outcome: Outcome) -> tuple[float, ...]:
    """1 for the first place down to -1 for the last, in equal steps; who ties shares the mean."""
    n = len(outcome.placements)
    rewards = []
    for placement in outcome.placements:
        # Seats that tie at place p take the places p, p + 1, … between them.
        sharing = outcome.placements.count(placement)
        place = placement + (sharing - 1) / 2
        rewards.append((n + 1 - 2 * place) / (n - 1))
    return tuple(rewards)


def by_win(outcome: Outcome) -> tuple[float, ...]:
    """1 for the winner and -1 / (n - 1) for each other seat; winners that tie share what is won."""
    n = len(outcome.placements)
    won = n / outcome.placements.count(1)
    return tuple((won * (placement == 1) - 1) / (n - 1) for placement in outcome.placements)
