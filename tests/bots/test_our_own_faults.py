"""An exception is our own bug: it ends the run with its traceback, and nothing hangs or is lost."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from engine.game import Action
from tests.bots.honest import honest
from tests.runner.ladder import Ladder
from tests.runner.rounds import Rounds


class OurBugError(Exception):
    """What no game should raise."""


async def test_a_game_that_breaks_ends_the_run_and_not_the_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ladder = Ladder(tmp_path, rounds=[[0, 1], [0, 1]])

    def broken(self: Rounds, seat: int, action: Action) -> None:
        raise OurBugError

    async with ladder.run() as house:
        ann, bob = await house.connect("ann"), await house.connect("bob")
        await ann.answer(await ann.hear("request"), number=1)
        await bob.answer(await bob.hear("request"), number=1)
        request = await ann.hear("request")
        with monkeypatch.context() as patch:
            patch.setattr(Rounds, "check", broken)
            await ann.answer(request, number=2)
            for bot in (ann, bob):
                assert (await bot.closed())[0] == 1001, "both are told to come back"
                assert bot.of_type("strike") == []
        with pytest.raises(ExceptionGroup) as caught:
            await house.over()
        assert caught.group_contains(OurBugError)

    async with ladder.run() as house:
        await asyncio.gather(*[honest(await house.connect(name)) for name in ladder.tokens])
        assert (await house.over()).finished
    assert ladder.faults("ann") == []
