"""One match, from its first decision to its result: ask all, settle each, write, then tell."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec
import structlog
from msgspec import UNSET, Raw, UnsetType

from engine.game import Action, Event, Game, Outcome
from engine.transcript import Decision, End, Playthrough, Transcript
from engine.transcript import Fault as RecordedFault
from ratings.results import MatchResult
from runner import protocol as wire
from runner.clock import CLOCK, Clock
from runner.journal import Journal
from runner.meters import Meters
from runner.player import Player
from runner.scorecard import Scorecard
from runner.session import UNREADABLE, Accepted

log: Any = structlog.get_logger()

MAX_KEPT_ANSWER_BYTES = 4096

_NOT_YET = Raw(b"null")


class Match:
    """A match being played. The journal is its memory: what is settled there stays settled."""

    def __init__(
        self,
        found: Transcript,
        seed: bytes,
        play: Playthrough,
        players: Sequence[Player],
        journal: Journal,
        *,
        deadline_ms: int,
        margin_ms: int,
        now_ms: Callable[[], int],
        meters: Meters,
        clock: Clock = CLOCK,
    ) -> None:
        """found: what `journal` holds and `play` has been through; a header at least.
        players: by seat. now_ms: wall clock, Unix milliseconds. meters: counts every decision
        that is settled from now on."""
        self.header = found.header
        self._end = found.end
        self._seed = seed
        self._play = play
        self._players = players
        self._journal = journal
        self._deadline_ms = deadline_ms
        self._margin_s = margin_ms / 1000
        self._now_ms = now_ms
        self._meters = meters
        self._clock = clock
        self._card = Scorecard(found.header, found.decisions)
        self._judges = tuple(partial(_judge, play.game, seat) for seat in range(len(players)))

    async def run(self, ready: Callable[[], Awaitable[None]] | None = None) -> MatchResult:
        """Play to the end and close the journal; the result is not in the ledger yet.

        ready: what is waited for before anything is asked. A bot that comes in the meantime is
        told that it is in this match, as soon as it is welcome.
        Raises JournalError when a line cannot be written. Cancelled, the match can go on later
        from its journal.
        """
        play, header = self._play, self.header
        try:
            for seat, player in enumerate(self._players):
                player.enter(self._start_message(seat))
            if ready is not None:
                await ready()
            while waiting := play.waiting():
                await self._step(waiting)
            outcome = play.game.outcome()
            assert outcome is not None, f"{header.match}: nobody is asked, but it is not over"
            return self._finish(outcome)
        finally:
            self._journal.close()
            for player in self._players:
                player.leave(header.match)

    async def _step(self, waiting: Mapping[int, str]) -> None:
        """Settle every decision that is waited for; they are asked side by side."""
        asked = []
        for seat, kind in waiting.items():
            if self._play.resigned[seat]:
                decision = Decision(self._play.settled, seat, kind, _NOT_YET, "resigned")
                self._settle(decision, self._play.game.default(seat))
            else:
                asked.append((seat, kind))
        if len(asked) == 1:
            await self._decide(*asked[0])
        elif asked:
            # Nothing is applied before the last of them is settled, so all see the same match.
            async with asyncio.TaskGroup() as group:
                for seat, kind in asked:
                    group.create_task(self._decide(seat, kind))

    async def _decide(self, seat: int, kind: str) -> None:
        ready = self._clock()
        frame = self._request(seat, kind)
        player = self._players[seat]
        verdict = await player.ask(frame, self._judges[seat], self._margin_s)
        queue_ms = max(0.0, (verdict.at - ready) * 1000 - verdict.ms)
        decision = Decision(
            self._play.settled,
            seat,
            kind,
            _NOT_YET,
            "answer",
            round(verdict.ms, 3),
            round(queue_ms, 3),
            round(player.wire_ms, 3),
            frame.id,
        )
        if isinstance(verdict, Accepted):
            action = verdict.action
            self._meters.answer_time.add(verdict.ms / 1000)
        else:
            action = self._play.game.default(seat)
            decision.by = verdict.reason
            decision.fault = RecordedFault(verdict.code, verdict.message, _kept(verdict.answer))
        self._settle(decision, action)
        self._meters.delay.add(self._clock() - verdict.at)

    def _settle(self, decision: Decision, action: Action) -> None:
        """Write a decision, apply it, tell whom it concerns: in this order."""
        play, seat = self._play, decision.seat
        decision.action = Raw(wire.encode(action))
        self._journal.write(decision)
        self._card.seats[seat].count(decision)
        self._meters.decisions[decision.by] += 1
        events = play.settle(seat, action, decision.by)
        if decision.fault is not None:
            self._strike(decision, decision.fault)
        if events:
            self._tell_events(events)

    def _strike(self, decision: Decision, fault: RecordedFault) -> None:
        """Tell a bot, and the log, what it did wrong."""
        seat, reason = decision.seat, decision.by
        assert reason != "answer"
        assert reason != "resigned"
        assert decision.id is not None
        strikes = self._play.strikes[seat]
        log.info(
            "fault",
            bot=self.header.players[seat],
            seat=seat,
            kind=decision.kind,
            reason=reason,
            code=fault.code,
            message=fault.message,
            strikes=strikes,
        )
        self._players[seat].tell(
            wire.Strike(
                self.header.match,
                decision.id,
                reason,
                fault.code,
                fault.message,
                strikes,
                strikes >= wire.STRIKES_TO_RESIGN,
                decision.action,
            )
        )

    def _tell_events(self, events: Sequence[Event]) -> None:
        listeners = [player for player in self._players if player.events]
        if listeners:
            for event in events:
                message = wire.MatchEvent(self.header.match, Raw(wire.encode(event)))
                for player in listeners:
                    player.tell(message)

    def _start_message(self, seat: int) -> wire.MatchStart:
        header = self.header
        return wire.MatchStart(
            header.match,
            header.game,
            seat,
            header.players,
            self._deadline_ms,
            header.commitment,
            header.options,
        )

    def _request(self, seat: int, kind: str) -> wire.Request:
        view = Raw(wire.encode(self._play.game.view(seat)))
        header = self.header
        return wire.Request(-1, header.match, header.game, seat, kind, self._deadline_ms, view)

    def _finish(self, outcome: Outcome) -> MatchResult:
        """Write the end line, unless it was the last thing written before a restart."""
        play, end = self._play, self._end
        if end is None:
            end = End(
                outcome.placements,
                outcome.scores,
                outcome.reason,
                self._seed.hex(),
                self._now_ms(),
            )
            self._journal.write(end)
        transcript = self._journal.digest()
        return self._card.result(outcome, play.resigned, end.ended_ms, transcript)


def _judge(game: Game, seat: int, raw: Raw) -> Action:
    """What an answer of `seat` says, if the rules allow it. Raises ActionError."""
    action = game.decode(seat, raw)
    game.check(seat, action)
    return action


def _kept(answer: Raw | None) -> Raw | UnsetType:
    """What a bot sent, as one line of JSON for the transcript; UNSET if it is no such thing."""
    if answer is None or len(answer) > MAX_KEPT_ANSWER_BYTES:
        return UNSET
    try:
        return Raw(wire.encode(msgspec.json.decode(answer)))
    except (*UNREADABLE, OverflowError):
        return UNSET
