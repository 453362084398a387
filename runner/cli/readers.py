"""The commands that read a season: `table`, `head-to-head`, `seats`, `matches`, `bot`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from runner.cli.output import Form, fail

if TYPE_CHECKING:
    from runner.cli.table import Choice

ConfigPath = Annotated[Path, typer.Argument(metavar="CONFIG", help="The season's TOML file.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
AsCsv = Annotated[bool, typer.Option("--csv", help="Print CSV.")]
AsMarkdown = Annotated[bool, typer.Option("--markdown", help="Print a Markdown table.")]
Sort = Annotated[
    str | None,
    typer.Option("--sort", metavar="COLUMN", help="Order by a column; -COLUMN for the reverse."),
]
Where = Annotated[
    list[str] | None,
    typer.Option("--where", metavar="CONDITION", help="Only such rows: 'games>=40', 'bot~gree'."),
]


def add_to(app: typer.Typer, bot_app: typer.Typer) -> None:
    """Add the commands to the `pioneers` command and to its `bot` group."""
    app.command("table")(show_ratings)
    app.command("head-to-head")(show_duels)
    app.command("seats")(show_seats)
    app.command("matches")(show_matches)
    bot_app.command("show")(show_bot)


def show_ratings(
    config: ConfigPath,
    final: Annotated[
        bool, typer.Option("--final", help="Fit all matches at once instead of in their order.")
    ] = False,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Write a page with tables and a rating plot."),
    ] = None,
    order: Sort = None,
    conditions: Where = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    as_markdown: AsMarkdown = False,
) -> None:
    """Print the rating table of CONFIG's season."""
    from runner.cli import table

    choice = choice_of(order, conditions, as_json, as_csv, as_markdown)
    table.ratings(config, choice, final=final, html=html)


def show_duels(
    config: ConfigPath,
    order: Sort = None,
    conditions: Where = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    as_markdown: AsMarkdown = False,
) -> None:
    """Print how each bot fared against each other one."""
    from runner.cli import table

    table.duels(config, choice_of(order, conditions, as_json, as_csv, as_markdown))


def show_seats(
    config: ConfigPath,
    order: Sort = None,
    conditions: Where = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    as_markdown: AsMarkdown = False,
) -> None:
    """Print what each seat is worth, with the strengths of its bots taken out."""
    from runner.cli import table

    table.seats(config, choice_of(order, conditions, as_json, as_csv, as_markdown))


def show_matches(
    config: ConfigPath,
    order: Sort = None,
    conditions: Where = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    as_markdown: AsMarkdown = False,
) -> None:
    """Print all matches, those included that do not count."""
    from runner.cli import table

    table.matches(config, choice_of(order, conditions, as_json, as_csv, as_markdown))


def show_bot(
    config: ConfigPath,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The bot's name in the season.")],
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    as_markdown: AsMarkdown = False,
) -> None:
    """Print all about one bot: versions, opponents, seats, faults, answer times."""
    from runner.cli import table

    table.bot(config, name, form_of(as_json, as_csv, as_markdown))


def choice_of(
    order: str | None,
    conditions: list[str] | None,
    as_json: bool,
    as_csv: bool,
    as_markdown: bool,
) -> Choice:
    """What the options of a table ask for."""
    from runner.cli.table import Choice

    return Choice(form_of(as_json, as_csv, as_markdown), order, conditions or ())


def form_of(as_json: bool, as_csv: bool, as_markdown: bool) -> Form:
    """The one form that was asked for; ends with an error for several."""
    chosen = [
        form
        for form, wanted in (("json", as_json), ("csv", as_csv), ("markdown", as_markdown))
        if wanted
    ]
    if len(chosen) > 1:
        fail(f"choose one of --json, --csv and --markdown, not --{' and --'.join(chosen)}")
    return Form(chosen[0]) if chosen else Form.TERMINAL
