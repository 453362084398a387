"""`pioneers verify` and `pioneers replay`: one match, checked and told."""

from __future__ import annotations

from pathlib import Path

import typer

from engine import catalog
from engine import transcript as record
from engine.game import Game
from runner.cli.output import fail


def verify(path: Path) -> None:
    """Replay a transcript; say that it is right, or where it first departs."""
    transcript, game = read_match(path)
    try:
        record.verify(transcript, game)
    except record.TranscriptError as error:
        fail(f"{path}: {error}", 1)
    header, end = transcript.header, transcript.end
    assert end is not None
    typer.echo(
        f"{path}: right. Match {header.match} of {header.game}: "
        f"{len(transcript.decisions)} decisions, ended by {end.reason}."
    )


def replay(path: Path, *, boards: bool) -> None:
    """Tell a match, finished or not, as sentences, with the board at its beginning and end."""
    transcript, game = read_match(path)
    header, end = transcript.header, transcript.end
    if end is None:
        fail(f"{path}: has no end line, and without the match's seed there is no replay", 1)
    try:
        play = record.deal(header, bytes.fromhex(end.seed), game)
        typer.echo(f"Match {header.match} of {header.game}, season {header.season}")
        for seat, name in enumerate(header.players):
            typer.echo(f"  seat {seat}: {name}")
        typer.echo("")
        typer.echo(game.draw(play.game.view(None)))
        for decision in transcript.decisions:
            if decision.by in record.FAULTS:
                why = decision.fault.message if decision.fault is not None else ""
                typer.echo(f"! seat {decision.seat} {decision.by} ({why}); default played")
            events = record.replay(play, decision)
            for event in events or ():
                typer.echo(game.narrate(event))
            if boards and events:
                typer.echo(game.draw(play.game.view(None)))
    except ValueError as error:
        fail(f"{path}: {error}", 1)
    typer.echo("")
    typer.echo(game.draw(play.game.view(None)))
    typer.echo(f"Ended by {end.reason}.")
    order = sorted(range(header.seats), key=lambda seat: (end.placements[seat], seat))
    for seat in order:
        name, score = header.players[seat], end.scores[seat]
        typer.echo(f"  {end.placements[seat]}. {name} (seat {seat}), {score} points")


def read_match(path: Path) -> tuple[record.Transcript, type[Game]]:
    """A transcript and its game; ends the command where there is none."""
    try:
        with path.open("rb") as file:
            transcript = record.read(file)
    except OSError as error:
        fail(f"{path}: {error.strerror}")
    except ValueError as error:
        where = "" if path.suffix == ".jsonl" else "; those of a season are in DATA/transcripts"
        fail(f"{path}: is no whole transcript: {error}{where}", 1)
    try:
        return transcript, catalog.find(transcript.header.game)
    except ValueError as error:
        fail(f"{path}: {error}", 1)
