"""Methods that nothing calls, though their names nearly say otherwise."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

import pytest

from engine.catalog import GAMES, find
from runner import bots
from runner.bot import Bot
from runner.bot.names import misspelt
from runner.bot.session import Session
from runner.bots.starters import generic, pioneers, pioneers_program
from tests.runner.bot import messages


def slips(bot: type[Bot], game: str = "pioneers") -> Mapping[str, str]:
    return misspelt(bot, find(game), GAMES.values())


def with_methods(*names: str, **more: Any) -> type[Bot]:
    """A bot with methods of these names that take a view, and with other attributes."""

    def method(self: Bot, view: Any) -> None: ...

    return type("Made", (Bot,), {**dict.fromkeys(names, method), **more})


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("turnn", "turn"),
        ("trun", "turn"),
        ("Turn", "turn"),
        ("discrad", "discard"),
        ("bandits", "bandit"),
        ("set_up", "setup"),
        ("decid", "decide"),
        ("on_endd", "on_end"),
    ],
)
def test_a_slip_beside_correct_methods_is_found(name: str, meant: str) -> None:
    correct = {"turn", "trade", "setup"} - {meant}
    assert slips(with_methods(name, *correct)) == {name: meant}


@pytest.mark.parametrize(
    "name", ["best_city", "score", "plan", "value_of", "pick_road", "_turnn", "think", "robber"]
)
def test_helpers_of_other_names_are_left_alone(name: str) -> None:
    assert slips(with_methods(name)) == {}


def test_a_helper_beside_the_real_one_is_left_alone() -> None:
    assert slips(with_methods("turn", "turns")) == {}


def test_a_helper_that_is_called_is_left_alone() -> None:
    class Calls(Bot):
        def decide(self, request: Any) -> None:
            return self.on_ends(request)

        def on_ends(self, request: Any) -> None: ...

        @property
        def quick(self) -> Any:
            return self.on_starts()

        def on_starts(self) -> None: ...

        def on_strikes(self, strike: Any) -> Any:
            return getattr(self, "on_evnt")  # noqa: B009 - the name as a text

        def on_evnt(self, event: Any) -> None: ...

        def on_start(self) -> Any:
            return self.on_strikes(None)

    assert slips(Calls) == {}


def test_what_the_kit_could_not_call_is_left_alone() -> None:
    def helper(self: Bot, one: int, two: int) -> None: ...

    assert slips(with_methods(turnn=helper, trades=property(helper))) == {}


def test_kinds_of_another_game_are_no_slips() -> None:
    kinds = [kind for game in GAMES.values() for kind in game.kinds]
    for game in GAMES:
        assert slips(with_methods(*kinds), game) == {}


def test_who_decides_everything_has_no_need_of_kinds() -> None:
    assert slips(with_methods("decide", "turnn")) == {}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", bots.NAMES)
def test_reference_bots_raise_no_false_alarm(name: str, game: str) -> None:
    assert slips(bots.find(name), game) == {}


@pytest.mark.parametrize("starter", [generic, pioneers, pioneers_program])
@pytest.mark.parametrize("game", GAMES)
def test_starters_raise_no_false_alarm(starter: Any, game: str) -> None:
    assert slips(starter.MyBot, game) == {}


def test_the_kit_says_so(caplog: pytest.LogCaptureFixture) -> None:
    session = Session(with_methods("pick", "rset"))
    session.connecting()
    session.receive(messages.welcome(), 0.0)
    session.receive(messages.match_start(), 0.0)
    (record,) = caplog.records
    assert record.levelno == logging.ERROR
    assert "Made.rset is never called: is it to be `rest`?" in caplog.text
