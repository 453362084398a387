"""What happens when a match is over: into the ledger, published, and only then told."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import structlog

from ratings.errors import DuplicateMatch, LedgerError
from ratings.ledger import Ledger
from ratings.results import MatchResult, Rated
from runner import protocol as wire
from runner.books import Books
from runner.clock import CLOCK
from runner.dealer import Dealer, MatchFault, SeasonError
from runner.journal import JournalError
from runner.meters import Meters
from runner.player import Player
from runner.session import clip

log: Any = structlog.get_logger()

# The reason of a match that a fault of the game's ended, towards bots and in the ledger.
FAULT = "fault"
# So many of them, and nothing in between, are no accident any more.
FAULTS_IN_A_ROW = 3


class Closing:
    """Ends the matches of a season, those that count and those that do not."""

    def __init__(
        self,
        books: Books,
        dealer: Dealer,
        players: Mapping[str, Player],
        meters: Meters,
        now_ms: Callable[[], int],
    ) -> None:
        """players: by name. now_ms: wall clock, Unix milliseconds.

        `faults` has a sentence for each match of this run in which the game raised.
        """
        self._books = books
        self._dealer = dealer
        self._players = players
        self._meters = meters
        self._now_ms = now_ms
        self._in_a_row: list[str] = []
        self.faults: list[str] = []

    async def result(self, result: MatchResult, void: str | None) -> int:
        """Close a match that was played to its end; returns how many count now.

        void: why it does not count, or None. Raises LedgerError, JournalError.
        """
        begun = CLOCK()
        rated, done = await self._books.use(lambda ledger: self._append(ledger, result, void))
        self._meters.commit_time.add(CLOCK() - begun)
        self._dealer.publish(result.match)
        self._meters.matches += 1
        self._in_a_row.clear()
        self._tell(result, rated)
        log.info(
            "match over",
            match=result.match,
            reason=result.reason,
            void=void,
            players=[seat.bot for seat in result.seats],
            placements=[seat.placement for seat in result.seats],
        )
        return done

    async def fault(self, fault: MatchFault) -> None:
        """Close a match in which the game raised: it does not count, and the season goes on.

        Raises SeasonError where that happens again and again, LedgerError, JournalError.
        """
        match, what = fault.match, fault.what
        await self._books.use(lambda ledger: self._rule_out(ledger, match, what))
        journal = self._dealer.publish(match)
        log.error(
            "match void: the game raised",
            match=match,
            players=list(fault.players),
            journal=str(journal),
            exc_info=fault.error,
        )
        if fault.told:
            nobody_won = (1,) * len(fault.players)
            nothing = (0,) * len(fault.players)
            seed = self._dealer.seed(match).hex()
            for name in fault.players:
                self._players[name].tell(wire.MatchEnd(match, FAULT, nobody_won, nothing, seed))
        self.faults.append(f"match {match} does not count: the game raised {what} (see {journal})")
        self._in_a_row.append(match)
        if len(self._in_a_row) >= FAULTS_IN_A_ROW:
            raise SeasonError(
                f"the game raised in {len(self._in_a_row)} matches in a row "
                f"({', '.join(self._in_a_row)}), the last time {what}: it has to be mended; the "
                f"log has the tracebacks, the moves are in {journal.parent}"
            )

    def _append(
        self, ledger: Ledger, result: MatchResult, void: str | None
    ) -> tuple[Sequence[Rated], int]:
        """Write a result; what it did to the ratings, and how many matches count now.

        Called on the ledger's thread. The transcript comes first: the ledger has its hash.
        """
        self._dealer.sync(result.match)
        try:
            rated = ledger.append(result, void=void)
        except DuplicateMatch:
            # The organiser has ruled, while it was in play, that the match does not count.
            rated = ()
        return rated, ledger.matches_played

    def _rule_out(self, ledger: Ledger, match: str, what: str) -> None:
        """Write that a match does not count. Called on the ledger's thread."""
        self._dealer.sync(match)
        try:
            ledger.void(match, f"{FAULT}: {clip(what)}", self._now_ms())
        except DuplicateMatch:
            return  # the organiser was first

    def _tell(self, result: MatchResult, rated: Sequence[Rated]) -> None:
        changes = {change.bot: change for change in rated}
        seed = self._dealer.seed(result.match).hex()
        placements = tuple(seat.placement for seat in result.seats)
        scores = tuple(seat.score for seat in result.seats)
        for seat in result.seats:
            change = changes.get(seat.bot)
            rating = None
            if change is not None:
                rating = wire.RatingChange(change.before.value, change.after.value)
            self._players[seat.bot].tell(
                wire.MatchEnd(result.match, result.reason, placements, scores, seed, rating)
            )


def is_fault(error: Exception) -> bool:
    """Whether what a match raised is a bug, and nothing that is wrong outside of this program."""
    if isinstance(error, ExceptionGroup):
        return all(is_fault(inner) for inner in error.exceptions)
    return not isinstance(error, JournalError | LedgerError | OSError | MemoryError)
