"""Who is meant by what an author types."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from runner.tryout.plan import Plan, PlanError, entrants, seats_for
from tests.runner.rounds import Rounds

BUILTINS = ("greedy", "random")


@pytest.fixture
def bot_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "my_bot.py"
    path.touch()
    return path


def test_reference_bots_files_and_command_lines(bot_file: Path) -> None:
    bots = entrants(["greedy", "my_bot.py", "node some/js_bot.js --fast x"], BUILTINS)
    assert [bot.name for bot in bots] == ["greedy", "my_bot", "js_bot"]
    assert [bot.builtin for bot in bots] == ["greedy", None, None]
    assert bots[1].command == (sys.executable, "-m", "runner.bot", str(bot_file))
    assert bots[2].command == ("node", "some/js_bot.js", "--fast", "x")


def test_names_can_be_given(bot_file: Path) -> None:
    bots = entrants(["a=greedy", "b=my_bot.py", "c=node bot.js --level=3"], BUILTINS)
    assert [bot.name for bot in bots] == ["a", "b", "c"]
    assert bots[2].command == ("node", "bot.js", "--level=3")


def test_an_equals_sign_in_a_command_line_gives_no_name() -> None:
    (bot,) = entrants(["node bot.js --level=3"], BUILTINS)
    assert (bot.name, bot.command) == ("bot", ("node", "bot.js", "--level=3"))


def test_names_that_come_several_times_are_numbered() -> None:
    names = [bot.name for bot in entrants(["random", "greedy", "random"], BUILTINS)]
    assert names == ["random-1", "greedy", "random-2"]


@pytest.mark.parametrize(
    ("specs", "says"),
    [
        (["deep_blue"], r"neither a reference bot \(greedy, random\)"),
        (["missing.py"], "pioneers bot new missing.py"),
        (["node 'open"], "not a command line"),
        (["$$=random"], "no name for a bot"),
        (["a=random", "a-1=random", "a=greedy"], "not all different"),
    ],
)
def test_what_cannot_play_is_told(specs: list[str], says: str) -> None:
    with pytest.raises(PlanError, match=says):
        entrants(specs, BUILTINS)


def test_a_table_is_as_large_as_there_are_bots() -> None:
    assert seats_for(Rounds, 3, None) == 3
    assert seats_for(Rounds, 7, None) == 4
    assert seats_for(Rounds, 7, 2) == 2


@pytest.mark.parametrize(
    ("bots", "wanted", "says"),
    [(1, None, "1 bot for a table of 2: name 1 more"), (2, 4, "2 more"), (9, 5, "2 or 3 or 4")],
)
def test_tables_that_cannot_be_filled(bots: int, wanted: int | None, says: str) -> None:
    with pytest.raises(PlanError, match=says):
        seats_for(Rounds, bots, wanted)


def test_the_same_seed_is_the_same_secret(tmp_path: Path) -> None:
    bots = entrants(["random", "greedy"], BUILTINS)

    def secret(seed: str | None) -> str | None:
        plan = Plan(Rounds, bots, 2, 1, 500, seed)
        return plan.season(tmp_path / "data", tmp_path).config.season.secret

    assert secret("a") == secret("a") != secret("b")
    assert secret(None) is None
