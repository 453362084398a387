"""What is counted for the seats of a match as it goes, and the result that comes of it.

All of it is read off the settled decisions, so that a transcript tells the whole result.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.game import Outcome
from engine.transcript import FAULTS, Decision, Header
from ratings.latency import Latencies
from ratings.results import MatchResult, SeatResult, Timing


class _Times:
    """The answer times of one kind of decision, in ms, by where they went."""

    __slots__ = ("bot", "queue", "wire")

    def __init__(self) -> None:
        self.queue: list[float] = []
        self.wire: list[float] = []
        self.bot: list[float] = []


class SeatCard:
    """The counts of one seat."""

    __slots__ = ("_decisions", "_strikes", "_times", "_times_ms")

    def __init__(self) -> None:
        self._decisions = 0
        self._strikes: dict[str, int] = {}
        self._times_ms: list[float] = []
        self._times: dict[str, _Times] = {}

    def count(self, decision: Decision) -> None:
        """Count a settled decision."""
        self._decisions += 1
        by, ms = decision.by, decision.ms
        if by == "answer" and ms is not None:
            self._times_ms.append(ms)
            times = self._times.get(decision.kind)
            if times is None:
                times = self._times[decision.kind] = _Times()
            wire_ms = min(decision.wire_ms or 0.0, ms)
            times.queue.append(decision.queue_ms or 0.0)
            times.wire.append(wire_ms)
            times.bot.append(ms - wire_ms)
        elif by in FAULTS:
            self._strikes[by] = self._strikes.get(by, 0) + 1

    def result(
        self, bot: str, version: str, placement: int, score: int, resigned: bool
    ) -> SeatResult:
        """The counts as the ledger keeps them."""
        return SeatResult(
            bot=bot,
            version=version,
            placement=placement,
            score=score,
            strikes=dict(sorted(self._strikes.items())),
            resigned=resigned,
            decisions=self._decisions,
            latencies=Latencies.of(self._times_ms),
            timings={
                kind: Timing(
                    Latencies.of(times.queue), Latencies.of(times.wire), Latencies.of(times.bot)
                )
                for kind, times in sorted(self._times.items())
            },
        )


class Scorecard:
    """The counts of all seats of one match."""

    def __init__(self, header: Header, decisions: Iterable[Decision]) -> None:
        """decisions: those that were settled before this process took the match up."""
        self._header = header
        self.seats = tuple(SeatCard() for _ in range(header.seats))
        for decision in decisions:
            self.seats[decision.seat].count(decision)

    def result(
        self, outcome: Outcome, resigned: Sequence[bool], ended_ms: int, transcript: str
    ) -> MatchResult:
        """The facts of the finished match. transcript: SHA-256 of its file, hex."""
        header = self._header
        return MatchResult(
            match=header.match,
            game=header.game,
            reason=outcome.reason,
            started_ms=header.started_ms,
            ended_ms=ended_ms,
            set_id=header.set or "",
            transcript=transcript,
            seats=tuple(
                card.result(
                    header.players[seat],
                    header.versions[seat],
                    outcome.placements[seat],
                    outcome.scores[seat],
                    resigned[seat],
                )
                for seat, card in enumerate(self.seats)
            ),
        )
