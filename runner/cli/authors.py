"""The commands for bot authors: `bot`, `play`, `explain`, `schema`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup


class _BotGroup(TyperGroup):
    """`pioneers bot CONFIG NAME` is short for `pioneers bot show CONFIG NAME`."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and args[0] not in self.commands and args[0].endswith(".toml"):
            args = ["show", *args]
        return super().resolve_command(ctx, args)


bot_app = typer.Typer(
    cls=_BotGroup,
    help="Write, run and check a bot of your own; show one of a season.",
    no_args_is_help=True,
)

BotFile = Annotated[
    Path, typer.Argument(metavar="FILE", help="A Python file with a subclass of runner.bot.Bot.")
]
ClassName = Annotated[
    str | None,
    typer.Option("--class", metavar="NAME", help="Which class of FILE, if it has several."),
]


def add_to(app: typer.Typer) -> None:
    """Add the commands to the `pioneers` command."""
    app.add_typer(bot_app, name="bot")
    app.command("play")(play)
    app.command("explain")(explain)
    app.command("schema")(schema)


@bot_app.command("new")
def bot_new(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write it, a .py file.")],
    game: Annotated[
        str | None, typer.Option(metavar="ID", help="Which game; the first one if not given.")
    ] = None,
) -> None:
    """Write a bot to begin with: FILE, commented, ready to play."""
    from runner.cli import bot

    bot.new(file, game)


@bot_app.command("run")
def bot_run(
    file: BotFile,
    url: Annotated[
        str | None,
        typer.Option(metavar="URL", help="The server; from PIONEERS_URL if not given."),
    ] = None,
    token_env: Annotated[
        str,
        typer.Option(metavar="VARIABLE", help="The environment variable that holds the token."),
    ] = "PIONEERS_TOKEN",  # noqa: S107 - the name of a variable, not a token
    max_matches: Annotated[
        int | None,
        typer.Option(min=1, max=1000, help="Matches at once; what the class says if not given."),
    ] = None,
    class_name: ClassName = None,
) -> None:
    """Play the season at URL with the bot in FILE, to its end."""
    from runner.cli import bot

    bot.run(file, url, token_env, max_matches, class_name)


@bot_app.command("check")
def bot_check(
    bot: Annotated[
        str,
        typer.Argument(
            metavar="BOT", help="A Python file, or a command line in quotes: 'node my_bot.js'."
        ),
    ],
    game: Annotated[
        str | None, typer.Option(metavar="ID", help="Which game; the first one if not given.")
    ] = None,
    deadline_ms: Annotated[
        int, typer.Option(min=100, max=600_000, help="Time for each decision.")
    ] = 5000,
) -> None:
    """Play matches against BOT that go wrong in all the usual ways, and say what to mend.

    Takes ten minutes at the most, whatever the bot does; one that answers at once, less than one.
    """
    from runner.cli import check

    raise typer.Exit(check.run(bot, game, deadline_ms))


def play(
    bots: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT…",
            help="Reference bots by name, Python files, or command lines in quotes; "
            "NAME=BOT gives it another name.",
        ),
    ],
    matches: Annotated[
        int | None, typer.Option(min=1, help="How many; 10 if not given, 1 with --seed or --watch.")
    ] = None,
    game: Annotated[
        str | None, typer.Option(metavar="ID", help="Which game; the first one if not given.")
    ] = None,
    seats: Annotated[
        int | None, typer.Option(help="Seats at a table; as many as there are bots, if it can be.")
    ] = None,
    deadline_ms: Annotated[
        int, typer.Option(min=1, max=3_600_000, help="Time for each decision.")
    ] = 5000,
    seed: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="Any text: fixes all dice, so that a match repeats."),
    ] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Draw the board as it goes.")] = False,
    pace: Annotated[
        float, typer.Option(min=0.0, max=60.0, help="With --watch: seconds between two steps.")
    ] = 0.3,
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Where transcripts and logs go; if not given, they are kept "
            "in a temporary folder where there is something to look into.",
        ),
    ] = None,
) -> None:
    """Play matches on this machine, every bot a process of its own, and print how they went."""
    from runner.cli import play as command

    raise typer.Exit(
        command.run(
            bots,
            matches=matches,
            game=game,
            seats=seats,
            deadline_ms=deadline_ms,
            seed=seed,
            pace_s=pace if watch else None,
            data=data,
        )
    )


def explain(
    transcript: Annotated[
        Path, typer.Argument(metavar="TRANSCRIPT", help="A match's transcript, a .jsonl file.")
    ],
    decision: Annotated[
        int | None, typer.Option(metavar="N", help="The decision, `n` in the transcript, from 0.")
    ] = None,
    seat: Annotated[
        int | None, typer.Option(help="Whose decision it is; without --decision: list its faults.")
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="List every legal action, however many.")
    ] = False,
) -> None:
    """Show what a bot saw, what was legal, what it answered and why it was refused."""
    from runner.cli import explain as command

    command.run(transcript, decision, seat, every=every)


def schema(
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The folder to write to.")],
) -> None:
    """Write JSON Schemas of all messages, views, actions and events, and an AsyncAPI document."""
    from runner.cli import schema as command

    command.run(out)
