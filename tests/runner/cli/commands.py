"""Running the `pioneers` command in this process."""

from __future__ import annotations

from typer.testing import CliRunner, Result

from runner.cli import app


def pioneers(*arguments: str, env: dict[str, str] | None = None) -> Result:
    """What `pioneers ARGUMENTS` does and prints."""
    return CliRunner().invoke(app, list(arguments), env=env)
