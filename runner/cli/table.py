"""`pioneers table`."""

from __future__ import annotations

from pathlib import Path

from ratings.ledger import LedgerError
from ratings.reports.rating import rating_table
from runner.app import open_ledger
from runner.cli.output import Form, fail, load_config, print_table


def show(path: Path, form: Form) -> None:
    """Print the rating table of a season, as far as it has been played."""
    loaded = load_config(path)
    try:
        with open_ledger(loaded, create=False) as ledger:
            standings = ledger.standings()
    except LedgerError as error:
        fail(str(error), 1)
    print_table(rating_table(standings, loaded.config.season.name), form)
