"""The commands that show what a season's ledger says: tables, on the screen or as files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import typer
from msgspec import Struct

from ratings.fit import Fit, fit
from ratings.ledger import Ledger, LedgerError
from ratings.lines import Line
from ratings.reports.bot import UnknownBot, bot_report
from ratings.reports.head_to_head import head_to_head
from ratings.reports.matches import match_table
from ratings.reports.page import page, rating_courses
from ratings.reports.rating import final_table, rating_table
from ratings.reports.seats import seat_table
from ratings.selection import SelectionError, sort, where
from ratings.tables import Table, to_json
from runner.app import open_ledger, skill_of
from runner.cli.output import Form, fail, load_config, print_table, progress_bar
from runner.config import Loaded


class Choice(Struct, frozen=True):
    """Which rows are shown, in which order and form."""

    form: Form
    order: str | None = None
    conditions: Sequence[str] = ()

    def show(self, table: Table) -> None:
        """Print the chosen rows; ends with an error where a column or condition is not known."""
        try:
            for condition in self.conditions:
                table = where(table, condition)
            if self.order is not None:
                table = sort(table, self.order)
        except SelectionError as error:
            fail(str(error))
        print_table(table, self.form)


def ratings(path: Path, choice: Choice, *, final: bool, html: Path | None) -> None:
    """Print the rating table, or the final one; or write a page with both and a plot."""
    loaded = load_config(path)
    title = loaded.config.season.name
    with _ledger(loaded) as ledger:
        online = rating_table(ledger.standings(), title)
        found = fitted(loaded, ledger) if final or html is not None else None
        last = None if found is None else final_of(found, ledger)
        if html is not None:
            tables = [online, *(() if last is None else (last,))]
            courses = rating_courses(ledger.results(), skill_of(loaded.config.rating))
            _write(html, page(title, tables, courses))
            return
    if not final:
        choice.show(online)
    elif last is None:
        fail("no match counts yet, so there is nothing to fit", 1)
    else:
        choice.show(last)


def duels(path: Path, choice: Choice) -> None:
    """Print how each bot fared against each other one."""
    loaded = load_config(path)
    settings = skill_of(loaded.config.rating).settings
    with _ledger(loaded) as ledger:
        choice.show(head_to_head(ledger.results(), ledger.ratings(), settings))


def seats(path: Path, choice: Choice) -> None:
    """Print what each seat is worth."""
    loaded = load_config(path)
    with _ledger(loaded) as ledger:
        found = fitted(loaded, ledger)
        choice.show(seat_table(ledger.results(), () if found is None else found.seats()))


def matches(path: Path, choice: Choice) -> None:
    """Print every match, void ones included."""
    with _ledger(load_config(path)) as ledger:
        choice.show(match_table(ledger.entries()))


def bot(path: Path, name: str, form: Form) -> None:
    """Print all there is to say about one bot; as JSON an object of tables by name."""
    loaded = load_config(path)
    with _ledger(loaded) as ledger:
        try:
            tables = bot_report(ledger.results(), skill_of(loaded.config.rating), name)
        except UnknownBot as error:
            fail(str(error))
    if form is Form.JSON:
        parts = ",\n".join(f'"{key}": {to_json(table)}' for key, table in tables.items())
        typer.echo(f"{{{parts}}}")
        return
    for n, table in enumerate(tables.values()):
        if n:
            typer.echo("")
        print_table(table, form)


def fitted(loaded: Loaded, ledger: Ledger) -> Fit | None:
    """The fit over all matches that count, with a progress bar; None where there are none."""
    if not ledger.matches_played:
        return None
    settings = skill_of(loaded.config.rating).settings
    with progress_bar("fitting all matches") as report:
        return fit(ledger.results(), settings, on_progress=report)


def season_final(loaded: Loaded) -> Table | None:
    """The final table of a season that is over; None where no match counts."""
    with _ledger(loaded) as ledger:
        found = fitted(loaded, ledger)
        return None if found is None else final_of(found, ledger)


def final_of(found: Fit, ledger: Ledger) -> Table:
    """The final table of a fit, beside the online ratings."""
    standings = ledger.standings()
    lines = [Line(row.bot, row.version) for row in standings]
    return final_table(found.table(lines), standings, "all matches at once")


@contextmanager
def _ledger(loaded: Loaded) -> Iterator[Ledger]:
    """The season's ledger, to be read; ends with an error where there is none."""
    try:
        with open_ledger(loaded, create=False) as ledger:
            yield ledger
    except LedgerError as error:
        fail(str(error), 1)


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        fail(f"{path}: {error.strerror}", 1)
    typer.echo(f"written to {path}")
