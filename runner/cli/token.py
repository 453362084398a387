"""`pioneers token`: issue, rotate, revoke and list the tokens of remote bots."""

from __future__ import annotations

from pathlib import Path

import typer

from runner.cli.output import fail, load_config
from runner.tokens import TokenBook, TokenError


def issue(path: Path, name: str) -> None:
    """Print a new token, alone on standard output."""
    try:
        _print(name, _book(path, name).issue(name))
    except TokenError as error:
        fail(str(error), 1)


def rotate(path: Path, name: str) -> None:
    """Print a new token, alone on standard output; those that the bot had are worthless."""
    try:
        _print(name, _book(path, name).rotate(name))
    except TokenError as error:
        fail(str(error), 1)


def _print(name: str, token: str) -> None:
    typer.echo(f"Token of {name!r}, shown only this once:", err=True)
    typer.echo(token)


def revoke(path: Path, name: str) -> None:
    """Forget all tokens of a bot."""
    try:
        count = _book(path, name).revoke(name)
    except TokenError as error:
        fail(str(error), 1)
    if not count:
        fail(f"{name!r} has no token", 1)
    typer.echo(f"{count} token{'s' if count > 1 else ''} of {name!r} revoked")


def show(path: Path) -> None:
    """Print who has tokens."""
    try:
        names = TokenBook(load_config(path).data).names()
    except TokenError as error:
        fail(str(error), 1)
    if not names:
        typer.echo("no tokens have been issued")
    for name, count in names.items():
        typer.echo(f"{name}: {count}")


def _book(path: Path, name: str) -> TokenBook:
    """The season's tokens, once it is sure that `name` is a remote bot of it."""
    loaded = load_config(path)
    remote = [bot.name for bot in loaded.config.bots if bot.remote]
    if name not in remote:
        known = ", ".join(remote) or "none"
        fail(f"{path}: no bot named {name!r} with `remote = true`; there are: {known}")
    return TokenBook(loaded.data)
