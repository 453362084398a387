"""A match between a bot that misbehaves and one that does nothing wrong and notices nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from tests.bots.honest import honest
from tests.runner.ladder import PATIENCE_MS, House, Ladder
from tests.runner.rawbot import RawBot

Misbehaviour: TypeAlias = Callable[[House, RawBot], Awaitable[None]]

# Each seat is asked five times by itself and then twice together with the other.
ROUNDS: Sequence[Sequence[int]] = [[0], [1]] * 5 + [[0, 1]] * 2
DECISIONS = 7

# What the default of `rounds` looks like in a strike.
DEFAULT = {"number": 0}
# Short enough to wait for three times.
BRIEF_MS = 120

USUAL = {"welcome", "match_start", "request", "match_end", "goodbye"}


async def duel(
    folder: Path,
    misbehave: Misbehaviour,
    *,
    rounds: Sequence[Sequence[int]] = ROUNDS,
    deadline_ms: int = PATIENCE_MS,
    hello: dict[str, Any] | None = None,
    **play: Any,
) -> Ladder:
    """Play a match of ann, who does as `misbehave` says, against bob, who is honest.

    misbehave: is given the house and ann, greeted; sees the match to its end, or is resigned.
    """
    ladder = Ladder(folder, rounds=rounds, deadline_ms=deadline_ms, **play)
    async with ladder.run() as house:
        ann = await house.connect("ann", **(hello or {}))
        bob = await house.connect("bob")
        async with asyncio.TaskGroup() as group:
            group.create_task(honest(bob))
            await misbehave(house, ann)
        assert (await house.over()).finished
        assert {message["type"] for message in bob.heard} <= USUAL
        seats = [start["seat"] for start in bob.of_type("match_start")]
        turns = sum(seat in asked for seat in seats for asked in rounds)
        assert len(bob.of_type("request")) == turns
    return ladder
