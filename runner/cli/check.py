"""`pioneers bot check`: a conformance run and its report."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from pathlib import Path

import structlog
import typer
from rich.console import Console
from rich.text import Text

from ratings.tables import escaped
from runner.bots import NAMES
from runner.checkup.exams import EXAMS, Candidate, Examined, Mark, entry, worst
from runner.checkup.table import CheckError
from runner.cli.output import console, fail, find_game
from runner.cli.running import loop_factory
from runner.config import BotEntry
from runner.telemetry import log_to
from runner.tryout.plan import PlanError, entrants
from runner.tryout.report import tail

_STYLES = {Mark.OK: "green", Mark.NOTE: "yellow", Mark.MEND: "red"}
_LOG_LINES = 15
INTERRUPTED = 130


def run(spec: str, game_id: str | None, deadline_ms: int) -> int:
    """Examine a bot and print the report; returns 0, or 1 where there is something to mend."""
    try:
        (bot,) = entrants([spec], NAMES)
    except PlanError as error:
        fail(str(error))
    if bot.command is None:
        fail(f"{spec} is a reference bot; name a Python file or a command line in quotes")
    data = Path(tempfile.mkdtemp(prefix="pioneers-check-"))
    candidate = Candidate(entry(bot), find_game(game_id), deadline_ms, data, Path.cwd())
    screen = console()
    mark = None
    try:
        with log_to(data / "runner.jsonl"), asyncio.Runner(loop_factory=loop_factory()) as runner:
            mark = worst(runner.run(_examine(candidate, screen)))
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        structlog.reset_defaults()
        if mark in (Mark.OK, Mark.NOTE):
            shutil.rmtree(data)
    if mark is Mark.MEND:
        screen.print(f"\nThere is something to mend. Transcripts and logs: {data}", soft_wrap=True)
        return 1
    screen.print("\nFit for a season.")
    return 0


async def _examine(candidate: Candidate, screen: Console) -> list[Examined]:
    """Every exam in turn, printed as it is over; ends where the bot does not even connect."""
    done = []
    for number, exam in enumerate(EXAMS, 1):
        about = (exam.__doc__ or "").rstrip(".")
        try:
            with screen.status(f"{number} of {len(EXAMS)}: {about}"):
                examined = await exam(candidate)
        except* CheckError as group:
            _give_up(candidate.bot, candidate.data, str(group.exceptions[0]))
        _print(examined, screen)
        done.append(examined)
    return done


def _print(examined: Examined, screen: Console) -> None:
    screen.print(Text(examined.title, style="bold"))
    for finding in examined.findings:
        first, *more = finding.text.split("\n")
        mark = Text(f"  {finding.mark.value:5}", style=_STYLES[finding.mark])
        screen.print(mark + Text(escaped(first), style="default"), soft_wrap=True)
        for line in more:
            screen.print(Text(f"       {escaped(line)}"), soft_wrap=True)


def _give_up(bot: BotEntry, data: Path, why: str) -> None:
    for log in sorted(data.glob(f"*/logs/{bot.name}.log")):
        for line in tail(log, _LOG_LINES):
            typer.echo(f"  {escaped(line)}", err=True)
    fail(f"{why}; this is the end of what it said", 1)
