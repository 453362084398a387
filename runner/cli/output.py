"""What the commands share: forms of output, how errors are shown, how a config is found."""

from __future__ import annotations

import enum
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from engine.game import Game
    from ratings.tables import Table
    from runner.config import Loaded


class Form(enum.Enum):
    """How a table is printed."""

    TERMINAL = "terminal"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"


def fail(message: str, status: int = 2) -> NoReturn:
    """Print an error as one sentence and end: status 2 for bad input, 1 for what failed."""
    typer.echo(f"pioneers: {message}", err=True)
    raise typer.Exit(status)


def console(*, error: bool = False) -> Console:
    """A console on standard output, or error, as wide as the terminal."""
    from rich.console import Console

    return Console(highlight=False, stderr=error)


def find_game(game_id: str | None) -> type[Game]:
    """The game with this id, the first of the catalogue for None; or an error and the end."""
    from engine.catalog import GAMES, find

    try:
        return find(next(iter(GAMES)) if game_id is None else game_id)
    except ValueError as error:
        fail(str(error))


def load_config(path: Path) -> Loaded:
    """The season of a config file, or an error message and the end."""
    from engine.catalog import GAMES
    from runner.bots import PLAYS
    from runner.config import ConfigError, load

    try:
        return load(path, games=GAMES, builtins=PLAYS)
    except ConfigError as error:
        fail(str(error))


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on standard error while something takes long: call with what is done, and in all.

    Only a terminal shows it, and only until it is over.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    screen = console(error=True)
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn())
    bar = Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal)
    with bar:
        task = bar.add_task("", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def print_table(table: Table, form: Form) -> None:
    """Print a table in one of its forms."""
    from ratings import tables

    if form is Form.TERMINAL:
        screen = console()
        screen.print(tables.to_terminal(table, screen.width))
    else:
        text = {
            Form.JSON: tables.to_json,
            Form.CSV: tables.to_csv,
            Form.MARKDOWN: tables.to_markdown,
        }[form](table)
        sys.stdout.write(text if text.endswith("\n") else f"{text}\n")
