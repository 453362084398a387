from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest
from msgspec import Raw
from msgspec.structs import replace

from engine.game import Action
from engine.pioneers import Pioneers
from engine.pioneers import events as ev
from engine.pioneers.actions import Bundle, Discard
from engine.pioneers.cards import ORE
from runner import protocol as wire
from runner.bot import Bot
from runner.bots.greedy import Greedy
from runner.bots.searcher import Searcher
from runner.bots.seeded import SeededBot
from tests.runner.bots import scenes
from tests.runner.bots.local import LocalMatch, play_sets
from tests.runner.bots.scenes import hand, opening, share_of_wins

NAMES = ("a", "b", "c", "d")


@pytest.fixture(autouse=True)
def _seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SeededBot, "seed", "7")


def record(bots: Sequence[type[Bot]]) -> list[tuple[int, Action]]:
    local = LocalMatch("m", bots, NAMES[: len(bots)])
    local.play()
    return local.record


def test_beats_greedy_clearly_and_every_action_is_legal() -> None:
    # LocalMatch checks each action; the kit's own check is off for this bot.
    assert Searcher.check_actions is False
    outcomes = play_sets((Searcher, Greedy, Greedy, Greedy), 16)
    assert share_of_wins(outcomes, [0]) >= 0.45
    assert all(outcome.reason == "win" for outcome in outcomes)


def test_the_seed_decides_among_its_like_and_at_three(monkeypatch: pytest.MonkeyPatch) -> None:
    first = record([Searcher] * 3)
    assert record([Searcher] * 3) == first
    monkeypatch.setattr(SeededBot, "seed", "8")
    assert record([Searcher] * 3) != first


def test_what_was_played_in_its_place_counts() -> None:
    bot = scenes.seated(Searcher)
    view = replace(hand(opening(), ore=3, grain=2, brick=4), must_discard=4)
    scenes.ask_again(bot, "discard", view, Pioneers.memory())
    applied = Raw(msgspec.json.encode(Discard(discard=Bundle(ore=2, grain=1, brick=1))))
    bot.on_strike(wire.Strike("m", 0, "timeout", "timeout", "late", 1, False, applied))
    bot.on_event(ev.Discarded(0, 4))
    bot.on_event(ev.BanditMoved(1, 3, 0, 1))
    counts = (4, view.hand_counts[1] + 1, *view.hand_counts[2:])
    after = replace(view, must_discard=0, hand=Bundle(grain=1, brick=3), hand_counts=counts)
    assert isinstance(bot, Searcher)
    before = [*bot._beliefs.hands[1]]
    scenes.ask_again(bot, "turn", after, Pioneers.memory())
    assert bot._beliefs.hands[1] == [possible + ORE for possible in before]
