from __future__ import annotations

from collections import Counter

import pytest

from engine import catalog
from engine.game import Action
from runner import protocol as wire
from runner.bot.effects import Decide
from runner.bot.session import Session
from runner.bots.random_bot import RandomBot
from runner.bots.seeded import SeededBot
from tests.runner.bot import messages
from tests.runner.bot.toy import Toy
from tests.runner.bots.local import LocalMatch

NAMES = ("a", "b", "c", "d")


@pytest.fixture(autouse=True)
def _seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SeededBot, "seed", "7")


def start(match: str) -> LocalMatch:
    return LocalMatch(match, [RandomBot] * 4, NAMES)


def played(match: str) -> list[tuple[int, Action]]:
    local = start(match)
    local.play()
    return local.record


def pick(match: str, name: str = "me") -> int:
    """What the bot picks of 0 … 999 in the toy game, asked first thing in a match."""
    session = Session(RandomBot)
    session.receive(
        wire.encode(wire.MatchStart(match, Toy.id, 1, ("other", name), 1000, "00", {})), 0.0
    )
    (ask,) = session.receive(messages.request(0, match=match, below=1000), float("inf"))
    assert isinstance(ask, Decide)
    ask.table.bot.request = ask.request
    action = ask.table.bot.decide(ask.request)
    number: int = action.number  # type: ignore[union-attr]
    return number


def test_the_same_seed_plays_the_same_match() -> None:
    assert played("m1") == played("m1")


def test_other_matches_going_on_change_nothing() -> None:
    both = [start("m1"), start("m2")]
    going = both
    while going := [local for local in going if local.step()]:
        pass
    assert [local.record for local in both] == [played("m1"), played("m2")]


def test_it_plays_any_game_and_every_legal_action_is_as_likely(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(catalog.GAMES, Toy.id, Toy)
    counts = Counter(pick(f"m{match}") // 200 for match in range(1000))
    # 1000 draws from 5 fifths: mean 200, standard deviation below 13.
    assert sorted(counts) == [0, 1, 2, 3, 4]
    assert all(150 < count < 250 for count in counts.values())


def test_seed_match_and_name_each_make_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(catalog.GAMES, Toy.id, Toy)
    picks = [pick("m1"), pick("m2"), pick("m1", "you")]
    monkeypatch.setattr(SeededBot, "seed", "8")
    picks.append(pick("m1"))
    monkeypatch.setattr(SeededBot, "seed", None)
    picks.append(pick("m1"))
    picks.append(pick("m1"))
    # By chance alone two of six in a thousand are the same once in 67 times: the seeded four
    # are fixed, and the two without a seed are drawn from 2^256, so compare more of them.
    assert len(set(picks[:4])) == 4
    assert [pick("m1") for _ in range(20)] != [pick("m1") for _ in range(20)]
