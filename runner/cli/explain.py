"""`pioneers explain`: one decision of a match, as the bot had it before it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

import typer

from engine import transcript as record
from engine.game import Action, Game
from engine.plain import printable
from ratings.tables import escaped
from runner import protocol as wire
from runner.cli.output import fail
from runner.cli.transcripts import read_match

_LEGAL_SHOWN = 30
_LINE = 200


def run(path: Path, decision: int | None, seat: int | None, *, every: bool) -> None:
    """Explain a decision; without one, list those that went wrong, of `seat` or of all."""
    found, game = read_match(path)
    try:
        if seat is not None and not 0 <= seat < found.header.seats:
            fail(f"--seat {seat}: the seats of this match are 0 to {found.header.seats - 1}")
        if decision is None:
            _list_faults(path, found, seat)
        else:
            _explain(path, found, game, _find(found, decision, seat), every=every)
    except ValueError as error:
        fail(f"{path}: {error}", 1)


def _list_faults(path: Path, found: record.Transcript, seat: int | None) -> None:
    faults = [
        line
        for line in found.decisions
        if line.by in record.FAULTS and (seat is None or line.seat == seat)
    ]
    whose = "" if seat is None else f" of seat {seat}"
    if not faults:
        typer.echo(f"No decision{whose} went wrong. `--decision N` explains any of them:")
        typer.echo(_numbers(found, seat))
        return
    typer.echo(f"Decisions{whose} that went wrong:")
    for line in faults:
        typer.echo(
            f"  {_who(found, line.seat)}, asked {line.kind}: {_why(line)}\n"
            f"    pioneers explain {shlex.quote(str(path))} --seat {line.seat} --decision {line.n}"
        )


def _numbers(found: record.Transcript, seat: int | None) -> str:
    """What N can be."""
    if seat is None:
        return f"0 to {len(found.decisions) - 1}, those of one seat with --seat"
    return ", ".join(str(line.n) for line in found.decisions if line.seat == seat)


def _find(found: record.Transcript, number: int, seat: int | None) -> record.Decision:
    if not 0 <= number < len(found.decisions):
        fail(f"--decision {number}: this match has the decisions 0 to {len(found.decisions) - 1}")
    line = found.decisions[number]
    if seat is not None and line.seat != seat:
        own = [other.n for other in found.decisions if other.seat == seat]
        near = sorted(sorted(own, key=lambda n: abs(n - number))[:4])
        fail(
            f"--decision {number} is one of {_who(found, line.seat)}; "
            f"the nearest of seat {seat}: {', '.join(map(str, near)) or 'none'}"
        )
    return line


def _explain(
    path: Path, found: record.Transcript, kind: type[Game], line: record.Decision, *, every: bool
) -> None:
    if found.end is None:
        fail(f"{path}: has no end line, and without the match's seed there is no replay", 1)
    play = record.deal(found.header, bytes.fromhex(found.end.seed), kind)
    for earlier in found.decisions[: line.n]:
        record.replay(play, earlier)
    game, seat = play.game, line.seat
    typer.echo(
        f"Match {found.header.match}, decision {line.n}: {_who(found, seat)} was asked "
        f"`{line.kind}`.\n"
    )
    typer.echo(kind.draw(game.view(seat)))
    _print_legal(game.legal(seat), every=every)
    typer.echo(f"\n{_answer(line)}")
    if line.by != "answer":
        typer.echo(f"Played instead: {_json(line.action)}")


def _print_legal(legal: Sequence[Action], *, every: bool) -> None:
    shown = len(legal) if every else min(len(legal), _LEGAL_SHOWN)
    typer.echo(f"\nLegal ({len(legal)}):")
    for n in range(shown):
        typer.echo(f"  {_json(wire.encode(legal[n]))}")
    if shown < len(legal):
        typer.echo(f"  … and {len(legal) - shown} more (--all)")


def _answer(line: record.Decision) -> str:
    """What the bot answered, and what was wrong with it."""
    took = "" if line.ms is None else f" after {line.ms:.1f} ms"
    if line.by == "answer":
        return f"Answered{took}: {_json(line.action)}"
    if line.by == "resigned":
        return "Not asked: the seat had resigned after three strikes."
    if line.fault is None or not line.fault.answer:
        return f"Strike{took}: {_why(line)}"
    return f"Strike: {_why(line)}\nAnswered{took}: {_json(line.fault.answer)}"


def _why(line: record.Decision) -> str:
    if line.fault is None:
        return line.by
    return f"{line.by} ({line.fault.code}): {escaped(line.fault.message)}"


def _who(found: record.Transcript, seat: int) -> str:
    return f"seat {seat} ({escaped(found.header.players[seat])})"


def _json(raw: object) -> str:
    text = bytes(raw).decode(errors="replace")  # type: ignore[call-overload]
    return printable(text, _LINE)
