"""`pioneers bot check`: a conformance run and its report."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

import structlog
import typer
from rich.console import Console
from rich.text import Text

from ratings.tables import escaped
from runner.bots import NAMES
from runner.checkup.candidate import Candidate, entry
from runner.checkup.exams import EXAMS, LESS_TIME_MS
from runner.checkup.findings import Examined, Mark, worst
from runner.checkup.table import CheckError
from runner.cli.output import console, fail, find_game
from runner.cli.running import loop_factory
from runner.config import BotEntry
from runner.telemetry import log_to
from runner.tryout.plan import PlanError, entrants
from runner.tryout.report import tail

_STYLES = {Mark.OK: "green", Mark.NOTE: "yellow", Mark.OPEN: "yellow", Mark.MEND: "red"}
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
    examined: list[Examined] | None = None
    try:
        with log_to(data / "runner.jsonl"), asyncio.Runner(loop_factory=loop_factory()) as runner:
            examined = runner.run(_examine(candidate, screen))
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        structlog.reset_defaults()
        if examined is not None and worst(examined) is not Mark.MEND:
            shutil.rmtree(data)
    screen.print(f"\n{verdict(examined)}", soft_wrap=True)
    if worst(examined) is not Mark.MEND:
        return 0
    screen.print(f"Transcripts and logs: {data}", soft_wrap=True)
    return 1


def verdict(examined: Sequence[Examined]) -> str:
    """The whole report in a sentence or two; fit is only what was examined in everything."""
    gaps = ", ".join(gap for exam in examined for gap in exam.unexamined)
    match worst(examined), gaps:
        case Mark.MEND, "":
            return "There is something to mend."
        case Mark.MEND, _:
            return f"There is something to mend. Not examined: {gaps}."
        case Mark.OPEN, _:
            return f"Nothing to mend was found, but this was not examined: {gaps}."
    return "Fit for a season."


async def _examine(candidate: Candidate, screen: Console) -> list[Examined]:
    """Every exam in turn, printed as it is over; ends where the bot does not even connect.

    Once a bot is known to be slow, it gets less time for each decision: the others would not see
    anything else, only later.
    """
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
        if examined.slow:
            candidate = candidate.with_less_time(LESS_TIME_MS)
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
