"""What an examination says: marks, findings, and what is read from a season that was played."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from enum import Enum
from typing import TypeAlias

from msgspec import Struct

from ratings.latency import Latencies
from runner.bot.session import DEFAULT_INSTEAD, OVERDUE
from runner.checkup.table import Sitting
from runner.tryout.report import Strike

# As of `logged_errors`: how often, and what.
Logged: TypeAlias = Sequence[tuple[int, str]]

# From this share of the answers on, what the kit played is no exception any more.
_MANY_DEFAULTS = 0.05


class Mark(Enum):
    """OK: nothing to do. NOTE: worth knowing. OPEN: not examined. MEND: costs matches in a
    season."""

    OK = "ok"
    NOTE = "note"
    OPEN = "open"
    MEND = "mend"


class Finding(Struct, frozen=True):
    """One line of the report."""

    mark: Mark
    text: str


class Examined(Struct, frozen=True):
    """An exam and what was found.

    slow: so many answers were late that further exams are to give less time for each.
    unexamined: what the exam is there for and could not look at, in a few words each.
    """

    title: str
    findings: tuple[Finding, ...]
    slow: bool = False
    unexamined: tuple[str, ...] = ()


def worst(examined: Iterable[Examined]) -> Mark:
    """The gravest mark of all."""
    marks = {finding.mark for exam in examined for finding in exam.findings}
    return next((mark for mark in (Mark.MEND, Mark.OPEN, Mark.NOTE) if mark in marks), Mark.OK)


def defaults_of(errors: Logged) -> int:
    """How many answers were not the author's but the kit's, by what the kit has logged."""
    return sum(count for count, message in errors if DEFAULT_INSTEAD in message)


def played_by_the_kit(errors: Logged, answers: int) -> Finding | None:
    """What to say about answers that only look well; None where there are none."""
    defaults = defaults_of(errors)
    if not defaults:
        return None
    late = defaults_of([(count, message) for count, message in errors if OVERDUE in message])
    causes = []
    if late:
        causes.append(
            f"{late} times your code was late: `self.request.left` says how many seconds are "
            f"left, return an action before they are over"
        )
    if late < defaults:
        causes.append(f"{defaults - late} times it raised, or answered what is not allowed")
    text = (
        f"{defaults} of {answers} answers were not yours but the game's default, which the kit "
        f"plays in your place; {'; '.join(causes)}"
    )
    return Finding(Mark.MEND if defaults >= _MANY_DEFAULTS * answers else Mark.NOTE, text)


def times(sitting: Sitting, bot: str, deadline_ms: int) -> Finding:
    """How long the answers took, and whose they were."""
    lines = sitting.account.bots.get(bot)
    # A season that was cut short has no transcripts of what was in play.
    whole = lines is not None and sitting.cut is None
    times_ms = lines.times_ms if whole and lines is not None else list(sitting.times_ms)
    if not times_ms:
        return Finding(Mark.MEND, "not one request was answered")
    defaults = played_by_the_kit(sitting.errors, len(times_ms))
    if defaults is not None:
        return defaults
    median_ms = Latencies.of(times_ms).percentile(0.5)
    text = (
        f"{len(times_ms)} answers, half of them within {median_ms:.1f} ms, "
        f"the slowest after {max(times_ms):.0f} of {deadline_ms} ms"
    )
    return Finding(Mark.OK, text)


def cut_short(sitting: Sitting) -> list[Finding]:
    """Why the season was not played to its end, if it was not."""
    if sitting.cut is None:
        return []
    return [Finding(Mark.MEND if sitting.slow else Mark.NOTE, f"ended early: {sitting.cut}")]


def faults(sitting: Sitting, bot: str) -> list[Finding]:
    """Strikes, each reason once, and what the kit has kept from becoming one."""
    seen: dict[tuple[str, str, str], int] = {}
    examples: dict[tuple[str, str, str], Strike] = {}
    for strike in sitting.strikes_of(bot):
        key = (strike.kind, strike.by, strike.code)
        seen[key] = seen.get(key, 0) + 1
        examples.setdefault(key, strike)
    findings = []
    for (kind, by, code), count in seen.items():
        strike = examples[kind, by, code]
        text = f"{count} × {kind}: {by} ({code}), for example: {shown(strike)}"
        findings.append(Finding(Mark.MEND, text))
    findings += logged(sitting.errors)
    if findings or sitting.sent("strike"):
        return findings
    return [Finding(Mark.OK, "no strikes, no errors")]


def logged(errors: Logged) -> list[Finding]:
    """What a bot of the kit logged as errors."""
    return [Finding(Mark.MEND, f"{count} × logged: {message}") for count, message in errors]


def shown(strike: Strike) -> str:
    """What was wrong, and the command that shows more of it."""
    command = f"pioneers explain {shlex.quote(str(strike.transcript))} --seat {strike.seat}"
    return f"{strike.message}\n{command} --decision {strike.decision}"


def refused(sitting: Sitting) -> list[Finding]:
    """What the server has told the bot about messages that it did not understand."""
    # Answers that lose a race are no fault of the bot's.
    races = ("late_answer", "duplicate_answer")
    errors = [error for error in sitting.sent("error") if error["code"] not in races]
    codes = {error["code"]: error["message"] for error in errors}
    return [
        Finding(Mark.MEND, f"the server's error {code}: {message}")
        for code, message in codes.items()
    ]


def at_once(sitting: Sitting) -> Finding:
    """How many matches it sat in at the same time."""
    most = now = 0
    for frame in sitting.frames:
        if frame.type in ("match_start", "match_end") and not frame.from_bot:
            now += 1 if frame.type == "match_start" else -1
            most = max(most, now)
    if most > 1:
        return Finding(Mark.OK, f"up to {most} matches at once")
    text = "one match at a time: raise `maxMatches` in `hello` to be in more of a season's matches"
    return Finding(Mark.NOTE, text)


def ending(sitting: Sitting) -> list[Finding]:
    """How the bot took the season's end, if there was one."""
    if sitting.cut is not None:
        return []
    if sitting.ending is None:
        text = "still running after the season's end: stop after `goodbye` without `retryMs`"
        return [Finding(Mark.NOTE, text)]
    if sitting.ending != "exited with code 0":
        return [Finding(Mark.NOTE, f"at the season's end it {sitting.ending}; 0 says all is well")]
    return [Finding(Mark.OK, "ended by itself at the season's end")]


def came_back(sitting: Sitting, bot: str, advice: str) -> Finding:
    """Whether the bot connected again and went on as before."""
    if sitting.connections < 2:
        return Finding(Mark.MEND, f"did not come back: {advice}")
    late = [strike for strike in sitting.sent("strike") if strike["reason"] == "timeout"]
    if late:
        return Finding(Mark.MEND, f"came back, but {len(late)} answers came too late: {advice}")
    strikes = sitting.strikes_of(bot)
    if strikes:
        one = strikes[0]
        text = f"came back, but had {len(strikes)} strikes, for example {one.by} ({one.code}): "
        return Finding(Mark.MEND, text + shown(one))
    return Finding(Mark.OK, "came back and went on without a strike")
