"""What a bot is examined in: each exam is a season of its own in which something goes wrong."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

from runner.bot.session import OVERDUE
from runner.checkup.candidate import Candidate
from runner.checkup.findings import (
    Examined,
    Finding,
    Mark,
    at_once,
    came_back,
    cut_short,
    ending,
    faults,
    logged,
    played_by_the_kit,
    refused,
    times,
)
from runner.checkup.kinds import every_kind
from runner.checkup.pace import Pace
from runner.checkup.relay import Frame, Relay
from runner.checkup.table import Sitting

MATCHES = 4
SHORT_DEADLINE_MS = 250
LATE_DEADLINE_MS = 1500
LESS_TIME_MS = 1500
# The longest that an exam takes before it is ended: all together, with what starting and stopping
# take, less than the ten minutes that the command's help promises.
MATCHES_SECONDS = 180.0
SECONDS = 60.0
# Far enough into a match to be in the middle of its turns.
_REQUESTS_BEFORE = 6

Exam: TypeAlias = Callable[[Candidate], Awaitable[Examined]]


async def whole_matches(candidate: Candidate) -> Examined:
    """Some matches in peace: several at once, the end."""
    table = candidate.table("matches", seconds=MATCHES_SECONDS, matches=MATCHES, several=True)
    sitting = await table.play()
    name = candidate.bot.name
    findings = [
        *_kinds(sitting, candidate),
        *cut_short(sitting),
        times(sitting, name, candidate.deadline_ms),
        at_once(sitting),
        *faults(sitting, name),
        *refused(sitting),
        *ending(sitting),
    ]
    return Examined(f"{MATCHES} matches, several at once", tuple(findings), slow=sitting.slow)


async def short_deadline(candidate: Candidate) -> Examined:
    """A match with very little time for each decision."""
    deadline_ms = min(SHORT_DEADLINE_MS, candidate.deadline_ms)
    table = candidate.table("short", seconds=SECONDS, deadline_ms=deadline_ms)
    sitting = await table.play()
    return Examined(f"{deadline_ms} ms for each decision", tuple(in_short_time(sitting)))


def in_short_time(sitting: Sitting) -> Sequence[Finding]:
    """Whether the answers came in time, and whether they were the author's."""
    late = [strike for strike in sitting.sent("strike") if strike["reason"] == "timeout"]
    asked = len(sitting.sent("request"))
    by_the_kit = played_by_the_kit(sitting.errors, asked)
    if late:
        text = (
            f"{len(late)} of {asked} answers came too late; `deadlineMs` says how much time there "
            f"is: answer something before it is over"
        )
        first = Finding(Mark.MEND, text)
    elif by_the_kit is not None:
        first = by_the_kit
    elif not asked:
        first = Finding(Mark.MEND, "not one request was answered")
    else:
        first = Finding(Mark.OK, f"all {asked} answers came in time")
    wrong = logged([(count, text) for count, text in sitting.errors if OVERDUE not in text])
    return (first, *cut_short(sitting), *wrong)


async def late_answer(candidate: Candidate) -> Examined:
    """The network holds a request back until its time is up: the answer comes in vain."""
    held: list[int] = []

    async def hold(relay: Relay, frame: Frame) -> None:
        request = _nth_request(relay, frame)
        if request is not None and not held:
            held.append(request)
            await relay.heard(lambda f: f.type == "strike" and _id(f) == request)

    table = candidate.table("late", seconds=SECONDS, deadline_ms=LATE_DEADLINE_MS)
    sitting = await table.play(hold, Pace(lambda: bool(held)))
    title = "an answer that comes too late"
    if not held:
        return _not_tried(title, sitting)
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
    return Examined(title, (finding, *refused(sitting)))


async def lost_connection(candidate: Candidate) -> Examined:
    """The connection breaks in the middle of a match."""
    cut: list[int] = []

    async def drop(relay: Relay, frame: Frame) -> None:
        request = _nth_request(relay, frame)
        if request is not None and not cut:
            cut.append(request)
            relay.cut()

    sitting = await candidate.table("lost", seconds=SECONDS).play(drop, Pace(lambda: bool(cut)))
    title = "a connection that breaks"
    if not cut:
        return _not_tried(title, sitting)
    finding = came_back(
        sitting,
        candidate.bot.name,
        "connect again, with the same token, whenever the connection breaks; open requests come "
        "again, with the same `id`",
    )
    return Examined(title, (finding, *refused(sitting)))


async def server_restart(candidate: Candidate) -> Examined:
    """The server stops in the middle of a match, and starts again."""
    table = candidate.table("restart", seconds=SECONDS)
    stopped: list[int] = []

    async def restart(relay: Relay, frame: Frame) -> None:
        request = _nth_request(relay, frame)
        if request is not None and not stopped:
            stopped.append(request)
            table.restart()

    sitting = await table.play(restart, Pace(lambda: bool(stopped)))
    title = "a server that restarts"
    if not stopped:
        return _not_tried(title, sitting)
    finding = came_back(
        sitting,
        candidate.bot.name,
        "after `goodbye` with `retryMs`, or a close with 1001, wait a moment and connect again, "
        "as often as it takes",
    )
    return Examined(title, (finding, *refused(sitting)))


EXAMS: tuple[Exam, ...] = (
    whole_matches,
    every_kind,
    short_deadline,
    late_answer,
    lost_connection,
    server_restart,
)


def _nth_request(relay: Relay, frame: Frame) -> int | None:
    """The id of a request once there have been a few, else None.

    With a strike it has been long enough: a seat that resigns is asked nothing more.
    """
    if frame.type != "request":
        return None
    sent = [f.type for f in relay.frames if not f.from_bot]
    ripe = sent.count("request") >= _REQUESTS_BEFORE or "strike" in sent
    return _id(frame) if ripe else None


def _id(frame: Frame) -> int:
    assert frame.message is not None
    return int(frame.message["id"])


def _not_tried(title: str, sitting: Sitting) -> Examined:
    """The season was over, or given up, before anything went wrong in it."""
    why = "the match was over too soon" if sitting.cut is None else sitting.cut
    return Examined(title, (Finding(Mark.OPEN, f"not examined: {why}"),), unexamined=(title,))


def _kinds(sitting: Sitting, candidate: Candidate) -> list[Finding]:
    """Which kinds of decision the matches asked; `every_kind` asks the others."""
    asked = {request["kind"] for request in sitting.sent("request")}
    met = [kind for kind in candidate.game.kinds if kind in asked]
    return [Finding(Mark.OK, f"kinds of decision asked: {', '.join(met)}")] if met else []
