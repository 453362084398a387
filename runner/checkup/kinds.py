"""The exam in every kind of decision that the game has, however seldom matches ask it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest

from engine.game import Game
from runner.bot.session import DEFAULT_INSTEAD
from runner.checkup.candidate import Candidate
from runner.checkup.findings import Examined, Finding, Mark, defaults_of, logged
from runner.checkup.pace import ENOUGH_SLOW
from runner.checkup.questions import Replies, put
from runner.checkup.situations import Found, Situation, find_situations
from runner.session import Fault

SECONDS = 60.0
_SHOWN_ANSWER = 200


async def every_kind(candidate: Candidate) -> Examined:
    """Single decisions of every kind, from the middle of random matches."""
    found = await asyncio.to_thread(find_situations, candidate.game, candidate.seats)
    replies = await put(candidate, "kinds", in_rounds(found), SECONDS)
    return judged(candidate.game, found, replies)


def in_rounds(found: Found) -> Iterator[Situation]:
    """Each kind once, then each once more, …: so that, should time be short, none is left out."""
    for round_ in zip_longest(*found.values()):
        yield from (situation for situation in round_ if situation is not None)


def judged(game: type[Game], found: Found, replies: Replies) -> Examined:
    """What the replies say about the bot."""
    asked = [situation.kind for situation, _ in replies.given]
    faults = _faults(replies)
    faulty = {situation.kind for situation, verdict in replies.given if isinstance(verdict, Fault)}
    # What the kit played in the bot's place is legal, and says nothing about the bot.
    faulty |= {text.split(":")[0] for _, text in replies.errors if DEFAULT_INSTEAD in text}
    well = [kind for kind in game.kinds if kind in asked and kind not in faulty]
    late = sum(
        isinstance(verdict, Fault) and verdict.reason == "timeout" for _, verdict in replies.given
    )
    findings = list(faults)
    if well:
        findings.append(Finding(Mark.OK, f"legal answers to: {', '.join(well)}"))
    findings += logged(replies.errors)
    if replies.death is not None:
        findings.append(Finding(Mark.MEND, f"in the middle of the questions it {replies.death}"))
    unexamined = tuple(kind for kind in game.kinds if kind not in asked)
    findings += _not_asked(unexamined, found)
    return Examined(
        f"{len(asked)} single decisions, of every kind that there is",
        tuple(findings),
        slow=late + defaults_of(replies.errors) >= ENOUGH_SLOW,
        unexamined=unexamined,
    )


def _faults(replies: Replies) -> Iterable[Finding]:
    """The faults, each reason once for each kind."""
    seen: dict[tuple[str, str, str], list[Fault]] = {}
    for situation, verdict in replies.given:
        if isinstance(verdict, Fault):
            key = (situation.kind, verdict.reason, verdict.code)
            seen.setdefault(key, []).append(verdict)
    for (kind, reason, code), faults in seen.items():
        text = f"{len(faults)} × {kind}: {reason} ({code}), for example: {faults[0].message}"
        if faults[0].answer is not None:
            answer = bytes(faults[0].answer).decode(errors="replace")
            text += f"\nthe answer was {answer[:_SHOWN_ANSWER]}"
        yield Finding(Mark.MEND, text)


def _not_asked(kinds: Sequence[str], found: Mapping[str, Sequence[Situation]]) -> Iterable[Finding]:
    unreached = [kind for kind in kinds if not found[kind]]
    no_time = [kind for kind in kinds if found[kind]]
    if unreached:
        text = f"not examined, as no random match came to it: {', '.join(unreached)}"
        yield Finding(Mark.OPEN, text)
    if no_time:
        yield Finding(Mark.OPEN, f"not examined, as the time was over: {', '.join(no_time)}")
