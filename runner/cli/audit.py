"""`pioneers verify` of a whole season, and `pioneers void`."""

from __future__ import annotations

from pathlib import Path

import typer

from engine.catalog import find
from ratings.errors import DuplicateMatch, LedgerError
from ratings.tables import escaped
from runner.app import now_ms, open_ledger
from runner.audit import audit_season
from runner.cli.output import fail, load_config, progress_bar


def verify(path: Path, head: str | None) -> None:
    """Check a season; say that all of it is right, or where it first departs."""
    loaded = load_config(path)
    game = find(loaded.config.season.game)
    with progress_bar("replaying matches") as report:
        found = audit_season(loaded, game, head=head, on_progress=report)
    if found.departure is not None:
        fail(escaped(found.departure), 1)
    typer.echo(
        f"{path}: right. {found.entries} ledger entries, {found.transcripts} transcripts "
        f"replayed, every rating computed again."
    )
    if not found.seeds:
        typer.echo(
            "The seeds were checked against their commitments alone: the season's secret is "
            "published when it is over."
        )
    typer.echo(f"Head of the ledger: {found.head}")


def void(path: Path, match: str, reason: str) -> None:
    """Let a match not count, by a new entry of the ledger."""
    loaded = load_config(path)
    try:
        with open_ledger(loaded, create=False) as ledger:
            changed = ledger.void(match, reason, now_ms())
    except (LedgerError, DuplicateMatch) as error:
        fail(str(error), 1)
    typer.echo(f"Match {match} does not count any more: {escaped(reason)}")
    for change in changed:
        before, after = change.before.value, change.after.value
        typer.echo(f"  {escaped(change.bot)}: {before:.2f} -> {after:.2f}")
