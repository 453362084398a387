"""`pioneers simulate`: many matches of reference bots in this machine's memory."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor
from contextlib import closing

import msgspec
import typer
from msgspec import Struct
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from engine.catalog import GAMES
from ratings.tables import Column, Table, Value, escaped, ordinal, to_terminal
from runner.cli.output import console, fail
from runner.simulate import Parts, Plan, PlanError, simulate, usable_cores
from runner.summary import CONFIDENCE, Estimate, Length, Line, Summary, summarize
from runner.tally import Tally

INTERRUPTED = 130
_WIDE = 100


class Speed(Struct, frozen=True):
    """How fast it went: wall-clock seconds from the first match to the last, all jobs together."""

    jobs: int
    seconds: float
    actions: int
    actions_per_second: float


class Report(Struct, frozen=True):
    """What `--json` prints. All but `speed` is the same whenever the same plan is played."""

    game: str
    seed: str
    wanted: int
    rotate: bool
    confidence: float
    summary: Summary
    speed: Speed


def run(
    *,
    players: str,
    matches: int,
    game: str | None,
    seed: str | None,
    jobs: int | None,
    rotate: bool,
    as_json: bool,
) -> int:
    """Simulate and print; returns the exit status: 0, or 130 when it was stopped by Ctrl-C.

    players: names with commas between. game: None is the first of the catalogue. seed: None
    draws one. jobs: None is one per core.
    """
    plan = Plan(
        game=next(iter(GAMES)) if game is None else game,
        players=tuple(name.strip() for name in players.split(",")),
        matches=matches,
        seed=str(int.from_bytes(os.urandom(4), "big")) if seed is None else seed,
        rotate=rotate,
    )
    jobs = usable_cores() if jobs is None else jobs
    try:
        parts = simulate(plan, jobs)
    except PlanError as error:
        fail(f"--{error}")
    began = time.perf_counter()
    tally, finished = _follow(parts, plan)
    seconds = time.perf_counter() - began
    if not tally.matches:
        typer.echo("Stopped before the first match was over.", err=True)
        return INTERRUPTED
    speed = Speed(jobs, seconds, tally.actions, tally.actions / seconds)
    report = Report(
        plan.game, plan.seed, plan.matches, plan.rotate, CONFIDENCE, summarize(tally), speed
    )
    if as_json:
        text = msgspec.json.format(msgspec.json.encode(report), indent=2)
        sys.stdout.write(text.decode() + "\n")
    else:
        _print(report, console())
    if not finished:
        typer.echo(f"Stopped after {tally.matches} of {matches} matches.", err=True)
    return 0 if finished else INTERRUPTED


def _follow(parts: Parts, plan: Plan) -> tuple[Tally, bool]:
    """Add up the parts under a progress bar; False where Ctrl-C came before the last."""
    tally = Tally(plan.players)
    screen = Console(stderr=True)
    columns = (
        MofNCompleteColumn(),
        TextColumn("matches"),
        BarColumn(bar_width=None),
        TextColumn("{task.fields[rate]:,.0f} actions/s"),
        TimeRemainingColumn(),
    )
    bar = Progress(
        *columns, console=screen, transient=True, expand=True, disable=not screen.is_terminal
    )
    with closing(parts), bar:
        task = bar.add_task("", total=plan.matches, rate=0.0)
        began = time.perf_counter()
        try:
            for part in parts:
                tally.merge(part)
                rate = tally.actions / (time.perf_counter() - began)
                bar.update(task, completed=tally.matches, rate=rate)
        except KeyboardInterrupt:
            return tally, False
        except BrokenExecutor as error:
            fail(f"a process died: {error}", 1)
    return tally, True


def _print(report: Report, screen: Console) -> None:
    summary, speed = report.summary, report.speed
    seats = "seats rotated" if report.rotate else "everybody in the seat as listed"
    seed = escaped(report.seed)
    screen.print(
        f"{_count(summary.matches, 'match', 'matches')} of {report.game}, seed {seed}, {seats}\n",
        markup=False,
    )
    for table in (_players(summary), _seats(summary)):
        screen.print(to_terminal(table, screen.width))
        screen.print()
    turns = f"{GAMES[report.game].turn_field}s"
    for name, length in ((turns, summary.turns), ("decisions", summary.decisions)):
        screen.print(f"{name} per match: {_length(length)}")
    ended = (f"{reason} {100 * share:.1f} %" for reason, share in summary.reasons.items())
    screen.print(f"ended by: {', '.join(ended)}")
    screen.print(
        f"{speed.actions:,} actions in {speed.seconds:.1f} s, {_count(speed.jobs, 'job', 'jobs')}: "
        f"{speed.actions_per_second:,.0f} actions/s"
    )


def _players(summary: Summary) -> Table:
    lines = summary.players.items()
    rows = tuple(_row(line) | {"player": name, "places": line.places} for name, line in lines)
    columns = (
        Column("player", "player", "left", shrinks=True),
        Column("places", "places", needs=_WIDE),
        *_columns(summary.seats),
    )
    return Table("Players, per place", columns, rows)


def _seats(summary: Summary) -> Table:
    rows = tuple(_row(line) | {"seat": seat} for seat, line in enumerate(summary.seats))
    even = f"{100 * summary.seats[0].even:.1f} %"
    note = f"By chance alone a place wins {even}. Ranges and ± hold {100 * CONFIDENCE:.0f} %."
    return Table("Seats", (Column("seat", "seat"), *_columns(summary.seats)), rows, note)


def _columns(seats: Sequence[Line]) -> tuple[Column, ...]:
    return (
        Column("wins", "wins", needs=_WIDE),
        Column("win_rate", "win %"),
        Column("win_range", f"{100 * CONFIDENCE:.0f} %"),
        *(Column(f"placed_{n}", f"{ordinal(n)} %") for n in range(1, len(seats) + 1)),
        Column("placement", "placement"),
        Column("score", "score"),
    )


def _row(line: Line) -> dict[str, Value]:
    rate = line.win_rate
    assert rate.low is not None
    assert rate.high is not None
    total = sum(line.placed)
    row: dict[str, Value] = {
        "wins": f"{line.wins:,.1f}",
        "win_rate": f"{100 * rate.value:.1f}",
        "win_range": f"{100 * rate.low:.1f}–{100 * rate.high:.1f}",
        "placement": _plus_minus(line.placement, 2),
        "score": _plus_minus(line.score, 2),
    }
    for n, count in enumerate(line.placed, start=1):
        row[f"placed_{n}"] = f"{100 * count / total:.1f}"
    return row


def _length(length: Length) -> str:
    return (
        f"{_plus_minus(length.mean, 1)}, median {length.median:g}, "
        f"from {length.shortest} to {length.longest}"
    )


def _plus_minus(estimate: Estimate, digits: int) -> str:
    text = f"{estimate.value:.{digits}f}"
    if estimate.high is None:
        return text
    return f"{text} ± {estimate.high - estimate.value:.{digits}f}"


def _count(n: int, one: str, many: str) -> str:
    return f"{n:,} {one if n == 1 else many}"
