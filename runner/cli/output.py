"""What the commands share: forms of output, how errors are shown, how a config is found."""

from __future__ import annotations

import enum
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TextIO, cast

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


STANDARD_OUTPUT = "standard output"


class _Output:
    """Standard output, whose errors say that they are its own: they look like any file's."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        with _named():
            return self._stream.write(text)

    def flush(self) -> None:
        with _named():
            self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def _named() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, STANDARD_OUTPUT) from error


@contextmanager
def checked_output() -> Iterator[None]:
    """End with one sentence and status 1 where standard output cannot be written.

    Quietly where it is a pipe that nobody reads any more, as the programs of a shell do. Where
    there is none, because it was closed before the start, nothing is printed.
    """
    if sys.stdout is None:
        with open(os.devnull, "w", encoding="utf-8") as nowhere, redirect_stdout(nowhere):
            yield
        return
    stream = sys.stdout
    sys.stdout = cast(TextIO, _Output(stream))
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except OSError as error:
        if error.filename != STANDARD_OUTPUT:
            raise
        # What is left in the buffer would be written, and fail again, when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        if not isinstance(error, BrokenPipeError):
            typer.echo(f"pioneers: {STANDARD_OUTPUT}: {error.strerror}", err=True)
        raise SystemExit(1) from None
    finally:
        sys.stdout = stream


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
