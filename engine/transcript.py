"""Transcripts: a match as JSON Lines, and replaying them as a pure fold.

A header, one line per settled decision, an end line. What is settled is a seat's decision: where
several seats decide at once there is a line for each, in the order in which they were settled,
and the game advances with the last of them. So a transcript cut anywhere between two lines is
the whole truth about the match so far, which makes it the journal to resume from.

`Playthrough` is the fold: the runner plays matches through it and `verify` replays them through
it, so both count strikes and resign seats by the same code.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from engine.chance import commitment
from engine.game import Action, ActionError, Event, Game

By: TypeAlias = Literal["answer", "timeout", "illegal", "error", "resigned"]
FAULTS = ("timeout", "illegal", "error")
STRIKES_TO_RESIGN = 3


class Line(Struct, rename="camel", tag_field="type", tag=True, omit_defaults=True):
    """Base of the three kinds of line."""


class Header(Line, tag="header"):
    """Line 1: what is played, by whom, and the SHA-256 of the seed it will be played with.

    players: bot names by seat. set: the set of matches on one board that it belongs to, if any.
    board_seed: hex, where the layout has a seed of its own.
    """

    match: str
    season: str
    game: str
    seats: int
    players: tuple[str, ...]
    commitment: str
    started_ms: int
    versions: tuple[str, ...] = ()
    options: dict[str, Any] = {}
    set: str | None = None
    board_seed: str | None = None


class Fault(Struct, rename="camel", omit_defaults=True):
    """Why a default was played: the rule's or field's code, a sentence, what the bot sent."""

    code: str
    message: str
    answer: Raw | UnsetType = UNSET


class Decision(Line, tag="decision"):
    """Lines 2 and on: the n-th settled decision, from 0.

    action: what was played. by: "answer" for the bot's own, otherwise why it is the default.
    ms: from asking to answering, null where nobody was asked; queue_ms: before that, from the
    moment when it could be asked; wire_ms: the network's part of ms, estimated. id: of the
    request.
    """

    n: int
    seat: int
    kind: str
    action: Raw
    by: By
    ms: float | None = None
    queue_ms: float | None = None
    wire_ms: float | None = None
    id: int | None = None
    fault: Fault | None = None


class End(Line, tag="end"):
    """The last line: how the match ended, and its seed in hex."""

    placements: tuple[int, ...]
    scores: tuple[int, ...]
    reason: str
    seed: str
    ended_ms: int


class TranscriptError(ValueError):
    """A transcript that cannot be read, or departs from the rules, at line `line` (from 1)."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(line, message)
        self.line = line
        self.message = message

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}"


class Transcript(Struct):
    """A transcript as read; `end` is None while the match goes on."""

    header: Header
    decisions: list[Decision]
    end: End | None


decode_line = msgspec.json.Decoder(Header | Decision | End).decode
encode_line = msgspec.json.Encoder().encode


class Playthrough:
    """A match with its conduct: whose decisions are settled, who has strikes, who resigned."""

    __slots__ = ("_actions", "game", "resigned", "settled", "strikes")

    def __init__(self, game: Game, seats: int) -> None:
        self.game = game
        self.settled = 0
        self.strikes = [0] * seats
        self.resigned = [False] * seats
        self._actions: dict[int, Action] = {}

    def waiting(self) -> Mapping[int, str]:
        """Seat -> kind of the decisions that are still to be settled, in seat order."""
        pending, done = self.game.pending(), self._actions
        if not done:
            return pending
        return {seat: kind for seat, kind in pending.items() if seat not in done}

    def settle(self, seat: int, action: Action, by: By) -> Sequence[Event] | None:
        """Settle what `seat` is asked; the game advances with the last seat of a step.

        Returns the step's events, or None while other seats still decide. A fault is a strike,
        and the third resigns the seat, before the step is applied.
        Raises IllegalAction; ValueError for a seat that is not waited for.
        """
        pending = self.game.pending()
        actions = self._actions
        if seat not in pending or seat in actions:
            raise ValueError(f"seat {seat} is not asked anything now")
        if by in FAULTS:
            self.strikes[seat] += 1
        if len(pending) == 1:
            self._resign_struck_out(pending)
            events = self.game.advance({seat: action})
        else:
            self.game.check(seat, action)
            actions[seat] = action
            if len(actions) < len(pending):
                self.settled += 1
                return None
            self._resign_struck_out(pending)
            self._actions = {}
            events = self.game.advance(actions)
        self.settled += 1
        return events

    def _resign_struck_out(self, seats: Iterable[int]) -> None:
        for seat in seats:
            if self.strikes[seat] >= STRIKES_TO_RESIGN and not self.resigned[seat]:
                self.resigned[seat] = True
                self.game.resign(seat)


def read(lines: Iterable[bytes]) -> Transcript:
    """Read a transcript. Raises TranscriptError for a line that is not what it should be."""
    header: Header | None = None
    decisions: list[Decision] = []
    end: End | None = None
    number = 0
    for number, text in enumerate(lines, 1):
        try:
            line = decode_line(text)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise TranscriptError(number, str(error)) from error
        if end is not None:
            raise TranscriptError(number, "nothing may follow the end line")
        if header is None:
            if not isinstance(line, Header):
                raise TranscriptError(number, "the first line must be the header")
            header = line
        elif isinstance(line, Header):
            raise TranscriptError(number, "a second header")
        elif isinstance(line, Decision):
            if line.n != len(decisions):
                raise TranscriptError(number, f"decision {line.n} where {len(decisions)} is due")
            decisions.append(line)
        else:
            end = line
    if header is None:
        raise TranscriptError(number + 1, "empty: a transcript starts with a header")
    return Transcript(header, decisions, end)


def deal(header: Header, seed: bytes, game: type[Game]) -> Playthrough:
    """The match of `header` before its first decision. Raises TranscriptError (line 1)."""
    if header.game != game.id:
        raise TranscriptError(1, f"a match of {header.game!r}, not of {game.id!r}")
    if commitment(seed) != header.commitment:
        raise TranscriptError(1, "commitment is not the SHA-256 of the match's seed")
    try:
        board_seed = None if header.board_seed is None else bytes.fromhex(header.board_seed)
        match = game.deal(header.seats, seed, header.options, board_seed=board_seed)
    except ValueError as error:
        raise TranscriptError(1, str(error)) from error
    if len(header.players) != header.seats:
        raise TranscriptError(1, f"{len(header.players)} players for {header.seats} seats")
    if header.versions and len(header.versions) != header.seats:
        raise TranscriptError(1, f"{len(header.versions)} versions for {header.seats} seats")
    return Playthrough(match, header.seats)


def replay(play: Playthrough, decision: Decision) -> Sequence[Event] | None:
    """Settle one recorded decision, checking everything it claims.

    Returns the events of the step it completes, or None. Raises TranscriptError.
    """
    line = decision.n + 2
    game, seat = play.game, decision.seat
    kind = play.waiting().get(seat)
    if kind is None:
        raise TranscriptError(line, f"seat {seat} is not asked anything here")
    if kind != decision.kind:
        raise TranscriptError(line, f"seat {seat} is asked {kind!r} here, not {decision.kind!r}")
    if (decision.by == "resigned") != play.resigned[seat]:
        state = "has resigned" if play.resigned[seat] else "has not resigned"
        raise TranscriptError(line, f"by {decision.by!r}, but seat {seat} {state}")
    _check_account(decision)
    try:
        action = game.decode(seat, decision.action)
        if decision.by != "answer" and action != game.default(seat):
            raise TranscriptError(line, f"by {decision.by!r}, but not the default of seat {seat}")
        return play.settle(seat, action, decision.by)
    except ActionError as error:
        raise TranscriptError(line, f"seat {seat}: {error}") from error


def _check_account(decision: Decision) -> None:
    """What is told about a decision must fit with how it came about. Raises TranscriptError."""
    line, by = decision.n + 2, decision.by
    if (decision.fault is not None) != (by in FAULTS):
        has = "has no fault" if decision.fault is None else "has a fault"
        raise TranscriptError(line, f"by {by!r}, but it {has}")
    for field in ("id", "ms"):
        if (getattr(decision, field) is None) != (by == "resigned"):
            has = "has no" if by != "resigned" else "has an"
            raise TranscriptError(line, f"by {by!r}, but it {has} `{field}`")


def verify(transcript: Transcript, game: type[Game], seed: bytes | None = None) -> Playthrough:
    """Replay a whole match from its seed and compare everything that the transcript says.

    seed: where the caller knows it; otherwise the one on the end line.
    Returns the finished match. Raises TranscriptError at the first departure.
    """
    end = transcript.end
    last = len(transcript.decisions) + 2
    if end is None:
        raise TranscriptError(last, "no end line: the match was not played to its end")
    try:
        published = bytes.fromhex(end.seed)
    except ValueError:
        raise TranscriptError(last, "seed is not hexadecimal") from None
    if seed is not None and seed != published:
        raise TranscriptError(last, "seed is not the one that the season's secret gives")
    play = deal(transcript.header, published, game)
    last_ids: dict[int, int] = {}
    for decision in transcript.decisions:
        replay(play, decision)
        if decision.id is not None:
            if decision.id <= last_ids.get(decision.seat, -1):
                text = f"request id {decision.id} of seat {decision.seat} is not above its last"
                raise TranscriptError(decision.n + 2, text)
            last_ids[decision.seat] = decision.id
    outcome = play.game.outcome()
    if outcome is None:
        raise TranscriptError(last, "the match is not over after the last decision")
    for field in ("placements", "scores", "reason"):
        said, true = getattr(end, field), getattr(outcome, field)
        if said != true:
            raise TranscriptError(last, f"{field} says {said!r}, the replay gives {true!r}")
    return play
