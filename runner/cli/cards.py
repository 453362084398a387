"""`pioneers cards`: what a game has to look up, such as its card list."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import typer

from engine.catalog import GAMES
from engine.game import Game
from engine.game import Table as Reference
from ratings.tables import Column, Table, Value, to_markdown, to_terminal
from runner.cli.output import Form, console, fail, find_game, print_table


def show(game_id: str | None, form: Form) -> None:
    """Print the tables of one game, or of all that have any."""
    games = [*GAMES.values()] if game_id is None else [find_game(game_id)]
    found = [(game, table) for game in games for table in game.reference()]
    if not found:
        having = ", ".join(game.id for game in GAMES.values() if game.reference()) or "none"
        fail(f"{game_id} has no cards to list; games that have: {having}")
    if form is Form.JSON or form is Form.CSV:
        print_table(_one(found), form)
        return
    screen = console()
    for n, (_, reference) in enumerate(found):
        if n:
            typer.echo()
        if form is Form.MARKDOWN:
            sys.stdout.write(f"## {reference.title}\n\n{to_markdown(_table(reference))}")
        else:
            screen.print(to_terminal(_table(reference), screen.width))


def _table(reference: Reference) -> Table:
    """A table of a game's in the form in which all tables are printed."""
    columns = []
    for n, name in enumerate(reference.columns):
        cells = [row[n] for row in reference.rows]
        # The first column says what the row is about and stays whole; lists go on at a comma.
        pieces = [piece for cell in cells if ", " in cell for piece in cell.split(", ")]
        wraps = max(len(name), *(len(piece) + 1 for piece in pieces)) if n and pieces else 0
        numbers = all(cell.lstrip("+").isdecimal() for cell in cells if cell)
        columns.append(Column(name, name, "right" if numbers else "left", wraps=wraps))
    return Table(reference.title, tuple(columns), tuple(_rows(reference)))


def _one(found: Sequence[tuple[type[Game], Reference]]) -> Table:
    """All tables as one, for programs: every column that any has, and where a row is from."""
    names = dict.fromkeys(name for _, table in found for name in table.columns)
    columns = tuple(Column(name, name) for name in ("game", "table", *names))
    rows = [
        {**dict.fromkeys(names), "game": game.id, "table": table.title, **row}
        for game, table in found
        for row in _rows(table)
    ]
    return Table("", columns, tuple(rows))


def _rows(reference: Reference) -> list[dict[str, Value]]:
    """By column: what is in a cell, numbers as such, None for nothing."""
    return [
        {
            name: int(cell) if cell.isdecimal() else cell or None
            for name, cell in zip(reference.columns, row, strict=True)
        }
        for row in reference.rows
    ]
