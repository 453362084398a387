"""`pioneers bot new` and `pioneers bot run`."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import typer

from engine.game import Game
from runner.bot.load import BotFileError
from runner.bot.script import run_file
from runner.bots import starters
from runner.cli.output import fail, find_game


def new(path: Path, game_id: str | None) -> None:
    """Write a starter, and say what to do with it."""
    game = find_game(game_id)
    if path.suffix != ".py":
        fail(f"{path}: a bot is a Python file; call it {path.with_name(path.name + '.py')}")
    shown = shlex.quote(str(path))
    text = starters.source(game).replace("FILE", shown)
    try:
        # "x" fails where there is something already: a bot is never overwritten.
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        fail(f"{path} exists already, and is left as it is; choose another name")
    except OSError as error:
        fail(f"{path}: {error.strerror}")
    typer.echo(f"{path} is a bot for {game.id} that plays. Watch it, then make it yours:\n")
    for command in _next_steps(shown, game):
        typer.echo(f"  {command}")


def _next_steps(shown: str, game: type[Game]) -> tuple[str, ...]:
    others = " ".join(["random"] * (max(game.seat_counts) - 1))
    option = "" if game is find_game(None) else f" --game {game.id}"
    return (
        f"pioneers play {shown} {others} --matches 10{option}",
        f"pioneers play {shown} {others} --watch{option}",
        f"pioneers bot check {shown}{option}",
    )


def run(
    path: Path, url: str | None, token_env: str, max_matches: int | None, class_name: str | None
) -> None:
    """Play a season with the bot in a file."""
    token = os.environ.get(token_env)
    if not token:
        fail(f"the environment variable {token_env} is not set: it must hold the bot's token")
    try:
        run_file(path, class_name, url=url, token=token, max_matches=max_matches)
    except BotFileError as error:
        fail(str(error), 1)
