"""`pioneers doctor`."""

from __future__ import annotations

from pathlib import Path

import typer

from ratings.tables import escaped
from runner.cli.output import load_config
from runner.doctor import examine

_MARKS = {"well": "ok", "warning": "??", "ill": "!!"}


def show(path: Path) -> bool:
    """Print what was found, a line each; says whether a season could begin."""
    fit = True
    for finding in examine(load_config(path)):
        fit = fit and finding.state != "ill"
        typer.echo(f"{_MARKS[finding.state]} {finding.subject}: {escaped(finding.text)}")
    typer.echo("fit to begin" if fit else "mend what is marked !! first")
    return fit
