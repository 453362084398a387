"""A bot in JavaScript that knows nothing but the two READMEs plays a season like any other."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from runner.tryout.report import read_all
from tests.runner.cli.commands import pioneers

FOLDER = Path(__file__).parent / "js"

pytestmark = [
    pytest.mark.skipif(shutil.which("node") is None, reason="needs node"),
    pytest.mark.skipif(
        not (FOLDER / "node_modules/ws").is_dir(), reason="`npm install` in tests/bots/js brings ws"
    ),
]


def test_the_bot_in_javascript_plays_a_season(tmp_path: Path) -> None:
    bots = [f"js=node {FOLDER / 'bot.js'}", *["random"] * 3]
    data = tmp_path / "data"
    result = pioneers("play", *bots, "--game", "pioneers", "--matches", "4", "--data", str(data))
    assert result.exit_code == 0, result.output
    account = read_all(data / "transcripts")
    assert account.matches >= 4
    assert account.strikes == ()
    js = account.bots["js"]
    assert js.matches == account.matches
    others = [lines.points for name, lines in account.bots.items() if name != "js"]
    assert js.points > max(others), "it builds, and the others play at random"
    assert (data / "logs/js.log").read_text(encoding="utf-8") == ""
