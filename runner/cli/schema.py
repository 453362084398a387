"""`pioneers schema`: the published reference as files."""

from __future__ import annotations

from pathlib import Path

import typer

from engine.catalog import GAMES
from runner.cli.output import fail
from runner.schema.reference import documents, write


def run(folder: Path) -> None:
    """Write every document below `folder`."""
    try:
        # Before the work is done: making the documents takes a few seconds.
        folder.mkdir(parents=True, exist_ok=True)
        made = documents(GAMES.values())
        write(made, folder)
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}", 1)
    typer.echo(f"{len(made)} documents in {folder}; begin with {folder / 'asyncapi.json'}")
