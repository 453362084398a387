"""What a bot is examined in: each exam is a season of its own in which something goes wrong."""

from __future__ import annotations

import shlex
from collections.abc import Awaitable, Callable, Iterable
from enum import Enum
from pathlib import Path
from typing import TypeAlias

import msgspec
from msgspec import Struct

from engine.game import Game
from ratings.latency import Latencies
from runner.checkup.relay import Frame, Relay
from runner.checkup.table import Sitting, Table, remote
from runner.config import BotEntry
from runner.tryout.plan import Plan
from runner.tryout.report import Strike

MATCHES = 4
SHORT_DEADLINE_MS = 250
LATE_DEADLINE_MS = 1500
REJOIN_SECONDS = 10.0
PATIENCE_S = 20.0
# Far enough into a match to be in the middle of its turns.
_REQUESTS_BEFORE = 6


class Mark(Enum):
    """OK: nothing to do. NOTE: worth knowing. MEND: costs matches in a season."""

    OK = "ok"
    NOTE = "note"
    MEND = "mend"


class Finding(Struct, frozen=True):
    """One line of the report."""

    mark: Mark
    text: str


class Examined(Struct, frozen=True):
    """An exam and what was found."""

    title: str
    findings: tuple[Finding, ...]


class Candidate(Struct, frozen=True):
    """Whom to examine, at which game, and where files go."""

    bot: BotEntry
    game: type[Game]
    deadline_ms: int
    data: Path
    folder: Path

    def table(self, name: str, *, matches: int = 1, deadline_ms: int, several: bool) -> Table:
        """A season with this bot among random ones."""
        seats = max(self.game.seat_counts)
        others = [BotEntry(name=f"other-{n}", builtin="random") for n in range(1, seats)]
        plan = Plan(
            self.game,
            (remote(self.bot), *others),
            seats,
            matches,
            deadline_ms,
            concurrent_matches=4 if several else 1,
            rejoin_seconds=REJOIN_SECONDS,
        )
        return Table(plan, self.bot, self.data / name, self.folder, PATIENCE_S)


Exam: TypeAlias = Callable[[Candidate], Awaitable[Examined]]


async def whole_matches(candidate: Candidate) -> Examined:
    """Some matches in peace: every kind of decision, several matches at once, the end."""
    deadline_ms = candidate.deadline_ms
    table = candidate.table("matches", matches=MATCHES, deadline_ms=deadline_ms, several=True)
    sitting = await table.play()
    findings = [
        *_kinds(sitting, candidate),
        _times(sitting, candidate),
        _at_once(sitting),
        *_faults(sitting, candidate.bot.name),
        *_refused(sitting),
        _ending(sitting),
    ]
    return Examined(f"{sitting.account.matches} matches, several at once", tuple(findings))


async def short_deadline(candidate: Candidate) -> Examined:
    """A match with very little time for each decision."""
    deadline_ms = min(SHORT_DEADLINE_MS, candidate.deadline_ms)
    sitting = await candidate.table("short", deadline_ms=deadline_ms, several=False).play()
    late = [s for s in sitting.strikes_of(candidate.bot.name) if s.by == "timeout"]
    asked = len(sitting.sent("request"))
    if late:
        text = (
            f"{len(late)} of {asked} answers came too late; `deadlineMs` says how much time there "
            f"is: answer something before it is over"
        )
        finding = Finding(Mark.MEND, text)
    else:
        finding = Finding(Mark.OK, f"all {asked} answers came in time")
    slow = [Finding(Mark.NOTE, f"{count} × logged: {text}") for count, text in sitting.errors]
    return Examined(f"{deadline_ms} ms for each decision", (finding, *slow))


async def late_answer(candidate: Candidate) -> Examined:
    """The network holds a request back until its time is up: the answer comes in vain."""
    held: list[int] = []

    async def hold(relay: Relay, frame: Frame) -> None:
        request = _nth_request(relay, frame)
        if request is not None and not held:
            held.append(request)
            await relay.heard(lambda f: f.type == "strike" and _id(f) == request)

    deadline_ms = LATE_DEADLINE_MS
    sitting = await candidate.table("late", deadline_ms=deadline_ms, several=False).play(hold)
    if not held:
        return Examined("an answer that comes too late", (Finding(Mark.NOTE, "not tried"),))
    after = [request for request in sitting.sent("request") if request["id"] > held[0]]
    strikes = [strike for strike in sitting.sent("strike") if strike["id"] > held[0]]
    late = [strike for strike in strikes if strike["reason"] == "timeout"]
    if after and not late:
        text = f"a strike for what the network lost, then {len(after)} more requests in time"
        finding = Finding(Mark.OK, text)
    else:
        text = (
            f"after one answer that came too late, {len(late)} more requests timed out; go on "
            f"after `strike` and after `error` with the code `late_answer`"
        )
        finding = Finding(Mark.MEND, text)
    return Examined("an answer that comes too late", (finding, *_refused(sitting)))


async def lost_connection(candidate: Candidate) -> Examined:
    """The connection breaks in the middle of a match."""
    cut: list[int] = []

    async def drop(relay: Relay, frame: Frame) -> None:
        request = _nth_request(relay, frame)
        if request is not None and not cut:
            cut.append(request)
            relay.cut()

    table = candidate.table("lost", deadline_ms=candidate.deadline_ms, several=False)
    sitting = await table.play(drop)
    finding = _came_back(
        sitting,
        candidate.bot.name,
        "connect again, with the same token, whenever the connection breaks; open requests come "
        "again, with the same `id`",
    )
    return Examined("a connection that breaks", (finding, *_refused(sitting)))


async def server_restart(candidate: Candidate) -> Examined:
    """The server stops in the middle of a match, and starts again."""
    table = candidate.table("restart", deadline_ms=candidate.deadline_ms, several=False)
    stopped: list[int] = []

    async def restart(relay: Relay, frame: Frame) -> None:
        request = _nth_request(relay, frame)
        if request is not None and not stopped:
            stopped.append(request)
            table.restart()

    sitting = await table.play(restart)
    finding = _came_back(
        sitting,
        candidate.bot.name,
        "after `goodbye` with `retryMs`, or a close with 1001, wait a moment and connect again, "
        "as often as it takes",
    )
    return Examined("a server that restarts", (finding, *_refused(sitting)))


EXAMS: tuple[Exam, ...] = (
    whole_matches,
    short_deadline,
    late_answer,
    lost_connection,
    server_restart,
)


def _nth_request(relay: Relay, frame: Frame) -> int | None:
    """The id of a request once there have been a few, else None."""
    asked = sum(not f.from_bot and f.type == "request" for f in relay.frames)
    return _id(frame) if frame.type == "request" and asked >= _REQUESTS_BEFORE else None


def _id(frame: Frame) -> int:
    assert frame.message is not None
    return int(frame.message["id"])


def _kinds(sitting: Sitting, candidate: Candidate) -> list[Finding]:
    """Which kinds of decision the bot was asked."""
    asked = {request["kind"] for request in sitting.sent("request")}
    met = [kind for kind in candidate.game.kinds if kind in asked]
    missed = [kind for kind in candidate.game.kinds if kind not in asked]
    findings = [Finding(Mark.OK, f"kinds of decision asked: {', '.join(met)}")]
    if missed:
        findings.append(Finding(Mark.NOTE, f"never asked, so not examined: {', '.join(missed)}"))
    return findings


def _times(sitting: Sitting, candidate: Candidate) -> Finding:
    lines = sitting.account.bots.get(candidate.bot.name)
    times_ms = [] if lines is None else lines.times_ms
    if not times_ms:
        return Finding(Mark.MEND, "not one request was answered")
    times = Latencies.of(times_ms)
    text = (
        f"{len(times_ms)} answers, half of them within {times.percentile(0.5):.1f} ms, "
        f"the slowest after {max(times_ms):.0f} of {candidate.deadline_ms} ms"
    )
    return Finding(Mark.OK, text)


def _at_once(sitting: Sitting) -> Finding:
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


def _faults(sitting: Sitting, bot: str) -> list[Finding]:
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
        text = f"{count} × {kind}: {by} ({code}), for example: {_shown(strike)}"
        findings.append(Finding(Mark.MEND, text))
    findings += [
        Finding(Mark.MEND, f"{count} × logged: {message}") for count, message in sitting.errors
    ]
    return findings or [Finding(Mark.OK, "no strikes, no errors")]


def _shown(strike: Strike) -> str:
    """What was wrong, and the command that shows more of it."""
    command = f"pioneers explain {shlex.quote(str(strike.transcript))} --seat {strike.seat}"
    return f"{strike.message}\n{command} --decision {strike.decision}"


def _refused(sitting: Sitting) -> list[Finding]:
    """What the server has told the bot about messages that it did not understand."""
    # Answers that lose a race are no fault of the bot's.
    races = ("late_answer", "duplicate_answer")
    errors = [error for error in sitting.sent("error") if error["code"] not in races]
    codes = {error["code"]: error["message"] for error in errors}
    return [
        Finding(Mark.MEND, f"the server's error {code}: {message}")
        for code, message in codes.items()
    ]


def _ending(sitting: Sitting) -> Finding:
    if sitting.ending is None:
        text = "still running after the season's end: stop after `goodbye` without `retryMs`"
        return Finding(Mark.NOTE, text)
    if sitting.ending != "exited with code 0":
        return Finding(Mark.NOTE, f"at the season's end it {sitting.ending}; 0 says all is well")
    return Finding(Mark.OK, "ended by itself at the season's end")


def _came_back(sitting: Sitting, bot: str, advice: str) -> Finding:
    strikes = sitting.strikes_of(bot)
    if sitting.connections < 2:
        return Finding(Mark.MEND, f"did not come back: {advice}")
    late = [strike for strike in strikes if strike.by == "timeout"]
    if late:
        return Finding(Mark.MEND, f"came back, but {len(late)} answers came too late: {advice}")
    if strikes:
        one = strikes[0]
        text = f"came back, but had {len(strikes)} strikes, for example {one.by} ({one.code}): "
        return Finding(Mark.MEND, text + _shown(one))
    return Finding(Mark.OK, "came back and went on without a strike")


def worst(examined: Iterable[Examined]) -> Mark:
    """The gravest mark of all."""
    marks = {finding.mark for exam in examined for finding in exam.findings}
    return next((mark for mark in (Mark.MEND, Mark.NOTE) if mark in marks), Mark.OK)


def entry(bot: BotEntry) -> BotEntry:
    """A bot to be examined, under a name that no other at the table has."""
    return msgspec.structs.replace(bot, name="examined")
