"""`pioneers season run`: a season with its progress on the screen."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from ratings.reports.rating import rating_table
from ratings.standings import Standing
from ratings.tables import escaped, to_terminal
from runner.app import Report, Running
from runner.cli.output import console, load_config
from runner.cli.running import INTERRUPTED, play
from runner.config import Loaded
from runner.season import Progress

REFRESH_SECONDS = 0.25
PLAIN_SECONDS = 5.0
SHOWN_FAULTS = 3


def run(path: Path, *, log: bool = False) -> int:
    """Play a season; returns the exit status: 0 when it is over, 130 when it was stopped.

    log: show what is logged on standard error instead of the live table.
    """
    loaded = load_config(path)
    screen = console()
    watcher = _watcher(loaded, screen, live=screen.is_terminal and not log)
    report = play(loaded, watcher, log=log)
    for fault in report.faults:
        typer.echo(f"pioneers: {escaped(fault)}", err=True)
    title = loaded.config.season.name
    screen.print(to_terminal(rating_table(report.standings, title), screen.width))
    if report.finished:
        # Only now: what fits a season takes a second to import.
        from runner.cli.table import season_final

        final = season_final(loaded)
        if final is not None:
            screen.print(to_terminal(final, screen.width))
        screen.print(Text(_farewell(loaded, report)))
        return 0
    typer.echo(f"Stopped. `pioneers season run {path}` goes on from here.", err=True)
    return INTERRUPTED


def _farewell(loaded: Loaded, report: Report) -> str:
    """What there is to say at the end of a season, or when it had ended already."""
    text = f"The season is over: {report.matches} matches count. Its files are in {loaded.data}"
    if report.closed:
        text += (
            "\nIt was over before: its secret is published, so that no more matches are played. "
            "For another season choose another season.name and season.data."
        )
    return text


def _watcher(
    loaded: Loaded, screen: Console, *, live: bool
) -> Callable[[Running], Coroutine[Any, Any, None]]:
    """What shows the progress: a live table on a terminal, a line now and then elsewhere."""

    async def show_live(running: Running) -> None:
        rate = _Rate()
        with Live(console=screen, auto_refresh=False, transient=True) as shown:
            while True:
                progress = running.season.progress()
                standings = await running.books.use(lambda ledger: ledger.standings())
                text = _status(progress, rate.of(progress.decisions), running)
                shown.update(_screen(loaded, screen, text, standings), refresh=True)
                await asyncio.sleep(REFRESH_SECONDS)

    async def show_lines(running: Running) -> None:
        rate = _Rate()
        while True:
            progress = running.season.progress()
            screen.print(_status(progress, rate.of(progress.decisions), running))
            await asyncio.sleep(PLAIN_SECONDS)

    return show_live if live else show_lines


def _screen(
    loaded: Loaded, screen: Console, status: Text, standings: tuple[Standing, ...]
) -> Group:
    """The live picture, cut to what the terminal can hold."""
    rows = standings[: max(1, screen.height - 8)]
    table = rating_table(rows, loaded.config.season.name)
    return Group(to_terminal(table, screen.width), status) if rows else Group(status)


def _status(progress: Progress, per_second: float, running: Running) -> Text:
    if running.season.finished:
        return Text(f"the season is over; bots that have not heard of it are told at {running.url}")
    parts = [
        f"{progress.done} of {progress.wanted} matches"
        if progress.wanted is not None
        else f"{progress.done} matches",
        f"{progress.playing} in play",
        f"{per_second:,.0f} decisions/s",
    ]
    text = ", ".join(parts)
    for criterion in progress.criteria:
        if criterion.rule != "matches":  # which the line above has already
            text += f"\n{escaped(criterion.text)}"
    if progress.waiting_for:
        text += f"\nwaiting at {running.url} for: {_names(progress.waiting_for)}"
    for fault in running.season.faults[-SHOWN_FAULTS:]:
        text += f"\n{escaped(fault)}"
    for name, why in progress.out.items():
        text += f"\n{escaped(name)} {escaped(why)}"
    return Text(text)


def _names(names: tuple[str, ...], most: int = 8) -> str:
    shown = ", ".join(escaped(name) for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


class _Rate:
    """Something per second between one look and the next."""

    def __init__(self) -> None:
        self._then = time.monotonic()
        self._count = 0

    def of(self, count: int) -> float:
        now = time.monotonic()
        rate = (count - self._count) / max(now - self._then, 1e-9)
        self._then, self._count = now, count
        return rate
