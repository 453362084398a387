"""`pioneers play` and `pioneers explain`, with processes and sockets as an author has them."""

from __future__ import annotations

import io
import re
import tempfile
from pathlib import Path

import msgspec
import pytest
from rich.console import Console

from engine import transcript as record
from engine.catalog import find
from runner.cli.play import _Watch
from runner.tryout.onlooker import Scene
from runner.tryout.plan import Plan
from tests.runner.cli.commands import pioneers

README = Path(__file__).parents[3] / "runner/README.md"

# Plays against the rules in every third turn of its own, raises in every third.
BAD_BOT = """
from engine.pioneers.actions import BuildCity, EndTurn
from runner.bot import Bot

class Bad(Bot):
    check_actions = False

    def turn(self, view):
        if view.turn // 3 % 3 == 0:
            return BuildCity(vertex=3)
        if view.turn // 3 % 3 == 1:
            raise ValueError("what now?")
        return EndTurn()
"""


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))


def story(path: Path) -> list[str]:
    """What happened in a match, whatever the times."""
    with path.open("rb") as file:
        found = record.read(file)
    assert found.end is not None
    game = find(found.header.game)
    play = record.deal(found.header, bytes.fromhex(found.end.seed), game)
    told = [",".join(found.header.players)]
    for decision in found.decisions:
        events = record.replay(play, decision) or ()
        told += [msgspec.json.encode(event).decode() for event in events]
    return told


def test_a_new_bot_on_a_table(tmp_path: Path) -> None:
    assert pioneers("bot", "new", "my_bot.py").exit_code == 0
    result = pioneers("play", "my_bot.py", "greedy", "random", "--matches", "2")
    assert result.exit_code == 0, result.output
    rows = {line.split()[0]: line.split() for line in result.stdout.splitlines()[3:6]}
    assert set(rows) == {"my_bot", "greedy", "random"}
    (matches,) = {int(row[1]) for row in rows.values()}
    assert matches >= 2
    assert sum(float(row[2]) for row in rows.values()) == matches
    assert "Strikes" not in result.stdout
    assert [*(tmp_path / "temporary").iterdir()] == [], "nothing to look into, nothing left"


def test_the_bot_in_the_readme_plays_without_an_error() -> None:
    text = README.read_text(encoding="utf-8")
    found = re.search(r"### The kit\n\n```python\n(.*?)```", text, re.DOTALL)
    assert found is not None
    Path("bot.py").write_text(found[1], encoding="utf-8")
    result = pioneers("play", "bot.py", "random", "random", "--seed", "1")
    assert result.exit_code == 0, result.output
    assert "Errors" not in result.stdout
    assert "Strikes" not in result.stdout


def test_a_seed_repeats_a_match(tmp_path: Path) -> None:
    stories = []
    for name, seed in (("a", "x"), ("b", "x"), ("c", "y")):
        result = pioneers("play", *["greedy"] * 3, "--seed", seed, "--data", name)
        assert result.exit_code == 0, result.output
        stories.append(story(tmp_path / name / "transcripts/m000001.jsonl"))
    assert stories[0] == stories[1] != stories[2]


def test_strikes_and_errors_are_shown_and_explained() -> None:
    Path("bad.py").write_text(BAD_BOT, encoding="utf-8")
    result = pioneers("play", "bad.py", "random", "random", "--seed", "1")
    assert result.exit_code == 0, result.output
    assert "illegal (not_own_settlement)" in result.stdout
    assert re.search(r"\d × turn: ValueError: what now\?", result.stdout)
    hint = re.search(r"pioneers explain (\S+) --seat (\d) --decision (\d+)", result.stdout)
    assert hint is not None
    path, seat, decision = hint.groups()

    explained = pioneers("explain", path, "--seat", seat, "--decision", decision)
    assert explained.exit_code == 0, explained.output
    assert f"decision {decision}: seat {seat} (bad) was asked `turn`" in explained.stdout
    assert "hand: " in explained.stdout, "what the seat saw, not a spectator"
    assert re.search(r"Legal \(\d+\):\n  \{", explained.stdout)
    assert "Strike: illegal (not_own_settlement): vertex 3" in explained.stdout
    assert '{"type":"build_city","vertex":3}' in explained.stdout
    assert 'Played instead: {"type":"end_turn"}' in explained.stdout

    listed = pioneers("explain", path)
    assert hint.group() in listed.stdout
    other = (int(seat) + 1) % 3
    refused = pioneers("explain", path, "--seat", str(other), "--decision", decision)
    assert refused.exit_code == 2
    assert f"one of seat {seat} (bad); the nearest of seat {other}" in refused.stderr
    said, numbers, *_ = pioneers("explain", path, "--seat", str(other)).stdout.splitlines()
    assert said.startswith(f"No decision of seat {other} went wrong.")
    with Path(path).open("rb") as file:
        found = record.read(file)
    own = [line.n for line in found.decisions if line.seat == other]
    assert numbers == ", ".join(map(str, own))
    assert pioneers("explain", path, "--decision", str(own[-1])).exit_code == 0
    for arguments, says in (
        (("--seat", "3"), "the seats of this match are 0 to 2"),
        (("--decision", "99999"), "has the decisions 0 to "),
    ):
        refused = pioneers("explain", path, *arguments)
        assert refused.exit_code == 2
        assert says in refused.stderr


def test_what_is_no_transcript_is_not_explained() -> None:
    Path("season.toml").write_text("[season]\n", encoding="utf-8")
    refused = pioneers("explain", "season.toml")
    assert refused.exit_code == 1
    assert "season.toml: is no whole transcript: " in refused.stderr
    assert "those of a season are in DATA/transcripts" in refused.stderr
    missing = pioneers("explain", "m000001.jsonl")
    assert missing.exit_code == 2
    assert "m000001.jsonl: No such file or directory" in missing.stderr


def test_a_bot_that_cannot_start_is_shown_at_once() -> None:
    Path("broken.py").write_text("x = (", encoding="utf-8")
    result = pioneers("play", "broken.py", "random", "random")
    assert result.exit_code == 1
    assert "broken exited with code 1" in result.stderr
    assert "SyntaxError: '(' was never closed" in result.stderr


def test_watching_shows_every_step_and_the_board() -> None:
    result = pioneers("play", *["greedy"] * 3, "--seed", "z", "--watch", "--pace", "0")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == "the match begins"
    begun = lines.count("the match begins")
    assert sum("places a settlement" in line for line in lines) == 6 * begun
    assert any(line.startswith("match m000001, seats: 0 greedy-") for line in lines)
    assert any(re.fullmatch(r"over \(win\): greedy-\d first", line) for line in lines)


def test_a_narrow_terminal_shows_all_of_a_line(tmp_path: Path) -> None:
    game = find("pioneers")
    header = record.Header("m000001", "s", game.id, 3, ("ann", "bob", "cat"), "", 0)
    scene = Scene(header, game.deal(3, bytes(32), {}).view(None), ())
    plan = Plan(game, (), 3, 1, 5000)
    screen = Console(file=io.StringIO(), force_terminal=True, width=80, height=60)
    watch = _Watch(plan.season(tmp_path, tmp_path), plan, 0, screen)
    screen.print(watch._picture(scene))
    shown = screen.file.getvalue()
    drawn = game.draw(scene.view)
    assert max(map(len, drawn.splitlines())) > 80, "there is something to wrap"
    assert "…" not in shown
    assert shown.split()[-len(drawn.split()) :] == drawn.split()


def test_a_bot_with_no_method_for_the_game_is_named() -> None:
    Path("mistyped.py").write_text(
        "from runner.bot import Bot\n\n\nclass Mistyped(Bot):\n    def turns(self, view):\n"
        "        return None\n",
        encoding="utf-8",
    )
    result = pioneers("play", "mistyped.py", "random", "random", "--matches", "1")
    assert result.exit_code == 0, result.output
    assert "Errors of mistyped" in result.stdout
    assert "Mistyped has no method for any decision of pioneers (setup, turn," in result.stdout


def test_data_goes_into_a_new_folder_only() -> None:
    Path("there").mkdir()
    Path("there/file").touch()
    result = pioneers("play", *["random"] * 3, "--data", "there")
    assert result.exit_code == 2
    assert "there is something already" in result.stderr


def test_bots_that_are_none() -> None:
    result = pioneers("play", "random", "deep_blue", "random")
    assert result.exit_code == 2
    assert "deep_blue: neither a reference bot" in result.stderr


def test_bots_for_another_game() -> None:
    result = pioneers("play", *["greedy"] * 3, "--game", "pioneers-program")
    assert result.exit_code == 2
    assert "greedy does not play pioneers-program; bots that do: llm, random, " in result.stderr


@pytest.mark.parametrize(
    ("text", "status", "says"),
    [(None, 2, "No such file"), ("{}", 1, "line 1: "), ("", 1, "line 1: empty")],
)
def test_transcripts_that_are_none(text: str | None, status: int, says: str) -> None:
    if text is not None:
        Path("t.jsonl").write_text(text, encoding="utf-8")
    result = pioneers("explain", "t.jsonl", "--decision", "0")
    assert result.exit_code == status
    assert says in result.stderr
