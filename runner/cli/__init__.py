"""The `pioneers` command. Each subcommand has a module of its own, imported when it is used."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

from runner.cli import authors, readers
from runner.cli.output import checked_output, fail
from runner.cli.readers import AsCsv, AsJson, AsMarkdown, ConfigPath, form_of

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
season_app = typer.Typer(help="Play a season.", no_args_is_help=True)
token_app = typer.Typer(help="Tokens of remote bots.", no_args_is_help=True)
app.add_typer(season_app, name="season")
app.add_typer(token_app, name="token")
authors.add_to(app)
readers.add_to(app, authors.bot_app)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"pioneers {version('pioneers-ladder')}")
        raise typer.Exit


@app.callback()
def pioneers(
    _: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Run ladders of bots: seasons, tokens, tables, transcripts."""


TranscriptPath = Annotated[
    Path, typer.Argument(metavar="TRANSCRIPT", help="A match's transcript, a .jsonl file.")
]
BotName = Annotated[str, typer.Argument(metavar="NAME", help="The bot's name in the config.")]


@season_app.command("run")
def season_run(
    config: ConfigPath,
    log: Annotated[
        bool, typer.Option("--log", help="Show the log on standard error, no live table.")
    ] = False,
) -> None:
    """Play the season of CONFIG to its end; run it again to go on after a stop."""
    from runner.cli import season

    raise typer.Exit(season.run(config, log=log))


# A function must not be called like the module that it imports, or it would import itself.
@app.command("doctor")
def doctor(config: ConfigPath) -> None:
    """Look at all that CONFIG's season needs, and say what to mend before it begins."""
    from runner.cli.doctor import show

    raise typer.Exit(0 if show(config) else 1)


@token_app.command("issue")
def token_issue(config: ConfigPath, name: BotName) -> None:
    """Print a new token for the remote bot NAME, once; only its hash is kept."""
    from runner.cli import token

    token.issue(config, name)


@token_app.command("rotate")
def token_rotate(config: ConfigPath, name: BotName) -> None:
    """Print a new token for NAME, once, in place of all that it had."""
    from runner.cli import token

    token.rotate(config, name)


@token_app.command("revoke")
def token_revoke(config: ConfigPath, name: BotName) -> None:
    """Make every token of NAME worthless, at once, also while the season runs."""
    from runner.cli import token

    token.revoke(config, name)


@token_app.command("list")
def token_list(config: ConfigPath) -> None:
    """Print which bots have tokens, and how many."""
    from runner.cli import token

    token.show(config)


@app.command("verify")
def verify(
    path: Annotated[
        Path,
        typer.Argument(metavar="TRANSCRIPT|CONFIG", help="A match's .jsonl or a season's .toml."),
    ],
    head: Annotated[
        str | None, typer.Option(help="For a season: the hash its ledger must end with.")
    ] = None,
) -> None:
    """Replay a match from its seed, or audit a whole season: is every line of it right?"""
    if path.suffix == ".toml":
        from runner.cli.audit import verify as verify_season

        verify_season(path, head)
    elif head is not None:
        fail("--head is for a season's .toml file")
    else:
        from runner.cli import transcripts

        transcripts.verify(path)


@app.command("void")
def void(
    config: ConfigPath,
    match: Annotated[str, typer.Argument(metavar="MATCH", help="The match's id, as m000012.")],
    reason: Annotated[str, typer.Option(help="Why it does not count; kept in the ledger.")],
) -> None:
    """Rule that a match does not count. The ledger keeps it, and this ruling."""
    from runner.cli.audit import void as void_match

    void_match(config, match, reason)


@app.command("replay")
def replay(
    transcript: TranscriptPath,
    boards: Annotated[
        bool, typer.Option("--boards", help="Draw the board after each step.")
    ] = False,
) -> None:
    """Print a match for people: what happened, turn by turn, and the board."""
    from runner.cli import transcripts

    transcripts.replay(transcript, boards=boards)


@app.command("simulate")
def simulate_matches(
    players: Annotated[
        str,
        typer.Option(
            metavar="NAME,NAME,…", help="Reference bots, one per seat, with commas between."
        ),
    ],
    matches: Annotated[int, typer.Option(help="How many matches to play.")] = 1000,
    game: Annotated[
        str | None, typer.Option(help="Which game to play; the first one if not given.")
    ] = None,
    seed: Annotated[
        str | None, typer.Option(help="Any text; the same one plays the same matches again.")
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(help="How many processes; one per core if not given.")
    ] = None,
    rotate: Annotated[
        bool, typer.Option(help="Bring each player to each seat, or leave them as listed.")
    ] = True,
    as_json: AsJson = False,
) -> None:
    """Play many matches of reference bots in memory and print how they went."""
    from runner.cli import simulate

    raise typer.Exit(
        simulate.run(
            players=players,
            matches=matches,
            game=game,
            seed=seed,
            jobs=jobs,
            rotate=rotate,
            as_json=as_json,
        )
    )


@app.command("cards")
def cards(
    game: Annotated[
        str | None, typer.Option(metavar="ID", help="Which game; all that have any if not given.")
    ] = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    as_markdown: AsMarkdown = False,
) -> None:
    """Print the cards of a game."""
    from runner.cli.cards import show

    show(game, form_of(as_json, as_csv, as_markdown))


def main() -> None:
    """The entry point of the `pioneers` command."""
    with checked_output():
        app()
