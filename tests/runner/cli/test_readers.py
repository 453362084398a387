"""The commands that read a season's ledger, on a small season of two sets."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ratings.latency import Latencies
from ratings.ledger import Ledger
from ratings.results import MatchResult, SeatResult
from ratings.skill import Skill
from runner.app import LEDGER
from runner.cli import app

ORDER = ("ann", "bob", "cat", "dan")
COMMANDS = ("table", "head-to-head", "seats", "matches")


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("season")
    bots = "".join(f'[[bots]]\nname = "{name}"\nremote = true\n' for name in ORDER)
    path = folder / "season.toml"
    path.write_text(
        f'[season]\nname = "small"\ngame = "pioneers"\ndata = "data"\n[stop]\nmatches = 8\n{bots}',
        encoding="utf-8",
    )
    (folder / "data").mkdir()
    with Ledger.open(folder / "data" / LEDGER, Skill(), "small") as ledger:
        for number in range(8):
            turn = number % 4
            ledger.append(result(number, (*ORDER[turn:], *ORDER[:turn])))
        ledger.void("m000008", "the organiser slept", 1)
    return path


def result(number: int, bots: tuple[str, ...]) -> MatchResult:
    """A match that the bots finish in the order of their names."""
    return MatchResult(
        match=f"m{number + 1:06d}",
        game="pioneers",
        reason="win",
        started_ms=number,
        ended_ms=number + 1,
        set_id=f"s{number // 4}",
        seats=tuple(
            SeatResult(bot, "", 1 + ORDER.index(bot), 10, {}, False, 9, Latencies.of([1.0]))
            for bot in bots
        ),
    )


def pioneers(*arguments: object) -> Any:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def rows(*arguments: object) -> list[dict[str, Any]]:
    shown = pioneers(*arguments, "--json")
    assert shown.exit_code == 0, shown.output
    found: list[dict[str, Any]] = json.loads(shown.stdout)
    return found


@pytest.mark.parametrize("command", COMMANDS)
def test_all_forms_have_the_same_rows(command: str, config: Path) -> None:
    expected = rows(command, config)
    assert expected
    as_csv = list(csv.DictReader(io.StringIO(pioneers(command, config, "--csv").stdout)))
    assert [list(row) for row in as_csv] == [list(row) for row in expected]
    markdown = pioneers(command, config, "--markdown").stdout.splitlines()
    assert len(markdown) == len(expected) + 2
    assert pioneers(command, config).exit_code == 0
    assert pioneers(command, config, "--json", "--csv").exit_code == 2


def test_the_table_counts_what_counts(config: Path) -> None:
    found = rows("table", config)
    assert [row["bot"] for row in found] == list(ORDER)
    assert [row["games"] for row in found] == [7] * 4
    final = rows("table", config, "--final")
    assert [row["bot"] for row in final] == list(ORDER)
    assert all(row["low"] < row["strength"] < row["high"] for row in final)


def test_rows_are_chosen_and_ordered(config: Path) -> None:
    assert [row["bot"] for row in rows("table", config, "--sort", "mu")] == list(ORDER[::-1])
    assert [row["bot"] for row in rows("table", config, "--sort", "-mu")] == list(ORDER)
    chosen = rows("table", config, "--where", "bot~a", "--where", "rank<=3")
    assert [row["bot"] for row in chosen] == ["ann", "cat"]
    void = rows("matches", config, "--where", "void!=")
    assert [(row["match"], row["void"]) for row in void] == [("m000008", "the organiser slept")]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--sort", "luck"), "there is no column 'luck'; there are rank, bot"),
        (("--where", "luck"), "is no condition"),
        (("--where", "games=many"), "games holds numbers"),
    ],
)
def test_what_is_not_known_is_named(arguments: tuple[str, ...], words: str, config: Path) -> None:
    shown = pioneers("table", config, *arguments)
    assert shown.exit_code == 2
    assert words in shown.output


def test_who_beat_whom(config: Path) -> None:
    duel = rows("head-to-head", config, "--where", "bot=ann", "--where", "opponent=dan")
    assert [(row["matches"], row["ahead"]) for row in duel] == [(7, 7)]


def test_a_bot_is_shown_whole(config: Path) -> None:
    shown = pioneers("bot", config, "bob", "--json")
    assert shown.exit_code == 0, shown.output
    report = json.loads(shown.stdout)
    assert set(report) == {"versions", "opponents", "seats", "faults", "times"}
    assert report["versions"][0]["games"] == 7
    assert pioneers("bot", "show", config, "bob").exit_code == 0
    stranger = pioneers("bot", config, "eve")
    assert stranger.exit_code == 2
    assert "'eve' has not played; known: ann, bob, cat, dan" in stranger.output


def test_a_page_needs_nothing_from_elsewhere(config: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert pioneers("table", config, "--html", page).exit_code == 0
    text = page.read_text(encoding="utf-8")
    assert all(name in text for name in ORDER)
    assert "<svg" in text
    assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "<script" not in text
    missing = pioneers("table", config, "--html", tmp_path / "no" / "page.html")
    assert missing.exit_code == 1
    assert "No such file" in missing.output


def test_a_season_that_has_not_begun(tmp_path: Path, config: Path) -> None:
    other = tmp_path / "season.toml"
    other.write_text(config.read_text(encoding="utf-8"), encoding="utf-8")
    for command in COMMANDS:
        shown = pioneers(command, other)
        assert shown.exit_code == 1
        assert "there is no ledger" in shown.output
