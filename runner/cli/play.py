"""`pioneers play`: matches on this machine, and how they went."""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
import tempfile
import textwrap
import time
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.text import Text

from ratings.tables import escaped, to_terminal
from runner.app import Running
from runner.bots import NAMES, check_plays, configured
from runner.cli.output import console, fail, find_game
from runner.cli.running import INTERRUPTED
from runner.cli.running import play as play_season
from runner.config import BotEntry, Loaded
from runner.tryout.onlooker import Onlooker, Scene
from runner.tryout.plan import Plan, entrants, seats_for
from runner.tryout.report import Account, logged_errors, read_all, result_table, tail
from runner.vault import SECRET

MATCHES = 10
REFRESH_SECONDS = 0.1
_STRIKES_SHOWN = 10
_ERRORS_SHOWN = 5
_LOG_LINES = 15
_TOLD_LINES = 4

Watcher = Callable[[Running], Coroutine[Any, Any, None]]


def run(
    specs: Sequence[str],
    *,
    matches: int | None,
    game: str | None,
    seats: int | None,
    deadline_ms: int,
    seed: str | None,
    pace_s: float | None,
    data: Path | None,
) -> int:
    """Play and print; returns the exit status: 0, or 130 when it was stopped.

    pace_s: seconds between two steps for people to watch, None if nobody does. The other
    arguments are as in `Plan`, None for what suits the bots.
    """
    kind = find_game(game)
    one_by_one = seed is not None or pace_s is not None
    try:
        bots = entrants(specs, NAMES)
        for bot in bots:
            if bot.builtin is not None:
                check_plays(bot.builtin, kind.id)
                configured(bot.builtin, os.environ)
        plan = Plan(
            kind,
            bots,
            seats_for(kind, len(bots), seats),
            matches or (1 if one_by_one else MATCHES),
            deadline_ms,
            seed,
            **({"concurrent_matches": 1} if one_by_one else {}),
        )
    except ValueError as error:
        fail(str(error))
    folder = _new_folder(data)
    loaded = plan.season(folder, Path.cwd())
    screen = console()
    keep = True
    try:
        finished = _play(loaded, plan, screen, pace_s)
        keep = _print_account(loaded, screen, temporary=data is None)
    except typer.Exit:
        _print_logs(loaded, plan.bots)
        raise
    finally:
        if data is None and not keep:
            shutil.rmtree(folder)
    return 0 if finished else INTERRUPTED


def _new_folder(data: Path | None) -> Path:
    if data is None:
        return Path(tempfile.mkdtemp(prefix="pioneers-play-"))
    if data.exists() and (not data.is_dir() or any(data.iterdir())):
        fail(f"--data {data}: there is something already; choose a new folder")
    return data


def _play(loaded: Loaded, plan: Plan, screen: Console, pace_s: float | None) -> bool:
    """Play the season with its progress on the screen; says whether it was played to its end."""
    if pace_s is None:
        return play_season(loaded, _bar(plan, screen)).finished
    with _Watch(loaded, plan, pace_s, screen) as watch:
        report = play_season(loaded, watch.beside)
        if report.finished:
            watch.rest()
    return report.finished


def _bar(plan: Plan, screen: Console) -> Watcher:
    """A bar with the matches that are over."""

    async def watch(running: Running) -> None:
        columns = (BarColumn(30), MofNCompleteColumn(), TextColumn("matches{task.fields[more]}"))
        with Progress(*columns, console=screen, transient=True) as bar:
            task = bar.add_task("", total=plan.matches, more="")
            while True:
                progress = running.season.progress()
                names = ", ".join(progress.waiting_for)
                more = f", waiting for {names}" if names else ""
                bar.update(task, completed=progress.done, more=more)
                await asyncio.sleep(REFRESH_SECONDS)

    return watch


class _Watch:
    """Shows the matches step by step, at a pace for people; the matches do not wait for it."""

    def __init__(self, loaded: Loaded, plan: Plan, pace_s: float, screen: Console) -> None:
        self._data = loaded.data
        self._plan = plan
        self._pace_s = pace_s
        self._screen = screen
        self._live = Live(console=screen, auto_refresh=False)
        self._onlooker: Onlooker | None = None
        self._told: deque[str] = deque(maxlen=_TOLD_LINES)

    def __enter__(self) -> _Watch:
        if self._screen.is_terminal:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()
        if self._onlooker is not None:
            self._onlooker.close()

    async def beside(self, _: Running) -> None:
        """Show what happens while the season runs."""
        while True:
            pause = self._pace_s if self._show_next() else REFRESH_SECONDS
            await asyncio.sleep(pause)

    def rest(self) -> None:
        """Show what was not seen yet when the season ended; Ctrl-C leaves it out."""
        try:
            while self._show_next():
                time.sleep(self._pace_s)
        except KeyboardInterrupt:
            return

    def _show_next(self) -> bool:
        if self._onlooker is None:
            secret = bytes.fromhex((self._data / SECRET).read_text(encoding="ascii"))
            self._onlooker = Onlooker(self._data, self._plan.game, secret)
        scene = self._onlooker.next()
        if scene is None:
            return False
        if self._screen.is_terminal:
            self._live.update(self._picture(scene), refresh=True)
        else:
            self._print(scene)
        return True

    def _picture(self, scene: Scene) -> Group:
        self._told.extend(scene.told)
        told = [escaped(line) for line in (*self._told, *_ending(scene))][-_TOLD_LINES:]
        # What happens stands above the board, of which a low terminal cuts off the end.
        lines = [_title(scene), *told, *[""] * (_TOLD_LINES - len(told))]
        drawn = self._plan.game.draw(scene.view).splitlines()
        lines += [part for line in drawn for part in _wrapped(line, self._screen.width)]
        height = self._screen.height - 1
        if len(lines) > height:
            more = f"(a terminal of {len(lines) + 1} lines shows all of it)"
            lines = [*lines[: height - 1], more]
        return Group(*(Text(line, no_wrap=True, overflow="ellipsis") for line in lines))

    def _print(self, scene: Scene) -> None:
        """Without a terminal: what happens as lines, the board at the end."""
        for told in scene.told:
            typer.echo(escaped(told))
        if scene.end is not None:
            typer.echo(_title(scene))
            typer.echo(self._plan.game.draw(scene.view))
            for line in _ending(scene):
                typer.echo(line)


def _wrapped(line: str, width: int) -> list[str]:
    """A line as those that it takes on a narrow terminal."""
    if len(line) <= width:
        return [line]
    return textwrap.wrap(line, width, subsequent_indent="    ", break_on_hyphens=False)


def _title(scene: Scene) -> str:
    header = scene.header
    seats = ", ".join(f"{seat} {name}" for seat, name in enumerate(header.players))
    return f"match {header.match}, seats: {seats}"


def _ending(scene: Scene) -> list[str]:
    end = scene.end
    if end is None:
        return []
    winners = [
        n for n, place in zip(scene.header.players, end.placements, strict=True) if place == 1
    ]
    return [f"over ({end.reason}): {' and '.join(winners)} first"]


def _print_account(loaded: Loaded, screen: Console, *, temporary: bool) -> bool:
    """Print how the matches went; says whether there is something to look into."""
    account = read_all(loaded.data / "transcripts")
    if account.matches:
        screen.print(to_terminal(result_table(account), screen.width))
    _print_strikes(account)
    errors = _print_errors(loaded)
    look = bool(account.strikes) or errors
    if look or not temporary:
        typer.echo(f"\nTranscripts and logs: {loaded.data}")
    return look


def _print_strikes(account: Account) -> None:
    if not account.strikes:
        return
    typer.echo("\nStrikes:")
    for strike in account.strikes[:_STRIKES_SHOWN]:
        typer.echo(
            f"  {strike.bot}, match {strike.match}, asked {strike.kind}: {strike.by} "
            f"({strike.code}): {escaped(strike.message)}\n"
            f"    pioneers explain {shlex.quote(str(strike.transcript))} "
            f"--seat {strike.seat} --decision {strike.decision}"
        )
    more = len(account.strikes) - _STRIKES_SHOWN
    if more > 0:
        typer.echo(f"  and {more} more")


def _print_errors(loaded: Loaded) -> bool:
    """Print the errors that bots of the kit logged; says whether there was anything."""
    found = False
    for bot in loaded.config.bots:
        log = _log(loaded, bot)
        errors = logged_errors(log)
        if errors:
            found = True
            typer.echo(f"\nErrors of {bot.name} (all of them, with tracebacks: {log}):")
            for count, message in errors[:_ERRORS_SHOWN]:
                typer.echo(f"  {count} × {escaped(message)}")
    return found


def _print_logs(loaded: Loaded, bots: Sequence[BotEntry]) -> None:
    """Where the matches could not be played: what the author's bots said last."""
    for bot in bots:
        said = () if bot.builtin is not None else tail(_log(loaded, bot), _LOG_LINES)
        if said:
            typer.echo(f"\nThe last that {bot.name} said:", err=True)
            for line in said:
                typer.echo(f"  {escaped(line)}", err=True)


def _log(loaded: Loaded, bot: BotEntry) -> Path:
    return loaded.data / "logs" / f"{bot.name}.log"
