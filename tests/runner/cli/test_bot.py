"""`pioneers bot new` and `pioneers bot run`."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from engine.catalog import GAMES, find
from engine.game import Game
from runner.bot.load import load_bot
from runner.bots import find as find_bot
from runner.bots import starters
from runner.local import LocalMatch
from tests.runner.cli.commands import pioneers
from tests.runner.rounds import Rounds


@pytest.mark.parametrize("game", GAMES)
def test_a_new_bot_plays_its_game(game: str, tmp_path: Path) -> None:
    path = tmp_path / "my_bot.py"
    result = pioneers("bot", "new", str(path), "--game", game)
    assert result.exit_code == 0, result.output
    assert "pioneers play" in result.stdout
    assert f"pioneers bot check {path}" in path.read_text(encoding="utf-8")
    kind = find(game)
    bots = [load_bot(path), *[find_bot("random")] * (kind.seat_counts[0] - 1)]
    match = LocalMatch(kind, "m", bytes(32), bots, [f"bot {n}" for n in range(len(bots))])
    assert match.play().decisions


@pytest.mark.parametrize("game", [game for game in GAMES.values() if starters.has_own(game)])
def test_a_starter_of_its_own_beats_random(game: type[Game], tmp_path: Path) -> None:
    path = tmp_path / "my_bot.py"
    path.write_text(starters.source(game), encoding="utf-8")
    bot, wins = load_bot(path), 0
    for number in range(12):
        seats = [find_bot("random")] * max(game.seat_counts)
        mine = number % len(seats)
        seats[mine] = bot
        seed = hashlib.sha256(f"starter {number}".encode()).digest()
        played = LocalMatch(game, "m", seed, seats, [f"bot {n}" for n in range(len(seats))]).play()
        wins += played.outcome.placements[mine] == 1
    assert wins >= 9, "chance is 3 of 12"


def test_a_game_without_a_starter_of_its_own_gets_the_generic_one(tmp_path: Path) -> None:
    text = starters.source(Rounds)
    assert "A bot for rounds." in text
    assert "these kinds: `say`." in text
    compile(text, "my_bot.py", "exec")


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "my_bot.py"
    path.write_text("precious", encoding="utf-8")
    result = pioneers("bot", "new", str(path))
    assert result.exit_code == 2
    assert f"{path} exists already" in result.stderr
    assert path.read_text(encoding="utf-8") == "precious"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("bot.txt",), "bot.txt.py"),
        (("missing/bot.py",), "No such file or directory"),
        (("bot.py", "--game", "chess"), "unknown game 'chess'; known games: "),
    ],
)
def test_what_cannot_be_written_is_told(
    arguments: tuple[str, ...], says: str, tmp_path: Path
) -> None:
    result = pioneers("bot", "new", str(tmp_path / arguments[0]), *arguments[1:])
    assert result.exit_code == 2
    assert says in result.stderr
    assert [*tmp_path.iterdir()] == []


def test_run_names_the_variable_that_is_not_set(tmp_path: Path) -> None:
    result = pioneers("bot", "run", str(tmp_path / "bot.py"), "--token-env", "MY_TOKEN_VARIABLE")
    assert result.exit_code == 2
    assert "MY_TOKEN_VARIABLE is not set" in result.stderr


def test_run_says_what_is_wrong_with_the_file(tmp_path: Path) -> None:
    result = pioneers("bot", "run", str(tmp_path / "bot.py"), env={"PIONEERS_TOKEN": "secret"})
    assert result.exit_code == 1
    assert "no such file" in result.stderr
