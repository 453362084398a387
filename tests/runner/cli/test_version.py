"""`pioneers --version`."""

from __future__ import annotations

import tomllib
from pathlib import Path

from tests.runner.cli.commands import pioneers

PROJECT = Path(__file__).parents[3] / "pyproject.toml"


def test_the_version_is_that_of_the_package() -> None:
    declared = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["version"]
    result = pioneers("--version")
    assert result.exit_code == 0
    assert result.stdout == f"pioneers {declared}\n"


def test_the_help_names_the_option_and_the_commands() -> None:
    shown = pioneers("--help").stdout
    assert "Run ladders of bots" in shown
    assert "--version" in shown
    assert "season" in shown
