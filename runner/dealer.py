"""Dealing matches, and taking up those that were in play: seeds, headers, journals."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from engine import transcript as record
from engine.chance import commitment, derive_seed
from engine.game import Game
from ratings.field import Seating
from runner.config import Config
from runner.journal import JournalStore
from runner.match import Match
from runner.meters import Meters
from runner.player import Player


class SeasonError(Exception):
    """The season cannot go on; the message says why and what can be done."""


class MatchFault(Exception):
    """The game raised what no game may raise, in one match. A bug: nothing can be done but mend it.

    players: by seat. told: whether they have been told that the match has begun.
    """

    def __init__(
        self, match: str, players: Sequence[str], error: Exception, *, told: bool = False
    ) -> None:
        super().__init__(match, error)
        self.match = match
        self.players = players
        self.error = error
        self.told = told

    @property
    def what(self) -> str:
        """What the game raised first, as a line."""
        error = self.error
        while isinstance(error, ExceptionGroup):
            error = error.exceptions[0]
        return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


class Dealt(Struct, frozen=True):
    """A match that can be played: what its journal holds, and where that has brought it.

    resumed: whether it was in play before this process.
    """

    found: record.Transcript
    play: record.Playthrough
    resumed: bool = False

    @property
    def match(self) -> str:
        """Its id."""
        return self.found.header.match

    @property
    def seating(self) -> Seating:
        """The set that it belongs to, and who sits where."""
        header = self.found.header
        return Seating(header.set or header.match, header.players)


class Dealer:
    """Gives every match its number, its seed, its journal and its players."""

    def __init__(
        self,
        config: Config,
        game: type[Game],
        secret: bytes,
        players: Mapping[str, Player],
        journals: JournalStore,
        meters: Meters,
        now_ms: Callable[[], int],
    ) -> None:
        """now_ms: wall clock, Unix milliseconds."""
        self._config = config
        self._game = game
        self._secret = secret
        self._players = players
        self._journals = journals
        self._meters = meters
        self._now_ms = now_ms
        self._next_number = 1

    def seed(self, name: str) -> bytes:
        """The seed of the match or set of that id."""
        return derive_seed(self._secret, name)

    def take_up(self, known: Collection[str]) -> tuple[list[Dealt], list[MatchFault]]:
        """The matches that were in play when the runner last stopped, in their order.

        Those in which the game raises now, as it may have done then, are given apart.

        known: ids of matches that are in the ledger; their transcripts are published if they
        are not yet. Raises SeasonError for a match that cannot go on, JournalError.
        """
        left, faults = [], []
        numbers = [int(match[1:]) for match in known]
        for match in self._journals.in_play():
            if match in known:
                self._journals.finish(match)
                continue
            try:
                dealt = self._recover(match)
            except MatchFault as fault:
                numbers.append(int(match[1:]))
                faults.append(fault)
                continue
            if dealt is not None:
                # Nobody has heard of a match without a header: its number goes to the next one.
                numbers.append(int(match[1:]))
                left.append(dealt)
        self._next_number = max(numbers, default=0) + 1
        return left, faults

    def deal(self, seating: Seating) -> Dealt:
        """Begin a match: its header is in its journal before anybody hears of it.

        Raises MatchFault, JournalError.
        """
        match = f"m{self._next_number:06d}"
        self._next_number += 1
        season = self._config.season
        header = record.Header(
            match=match,
            season=season.name,
            game=season.game,
            seats=len(seating.bots),
            players=seating.bots,
            versions=tuple(self._players[name].version for name in seating.bots),
            commitment=commitment(self.seed(match)),
            started_ms=self._now_ms(),
            options=season.options,
            set=seating.set_id,
            board_seed=self.seed(seating.set_id).hex(),
        )
        self._journals.begin(header)
        found = record.Transcript(header, [], None)
        try:
            return Dealt(found, self._replay(found))
        except record.TranscriptError as error:  # the header is ours: the game does not take it
            raise MatchFault(match, seating.bots, error) from error

    def match(self, dealt: Dealt) -> Match:
        """The match, ready to be played from where it stands."""
        header, play = dealt.found.header, self._config.play
        return Match(
            dealt.found,
            self.seed(header.match),
            dealt.play,
            [self._players[name] for name in header.players],
            self._journals.open(header.match),
            deadline_ms=play.deadline_ms,
            margin_ms=play.margin_ms,
            now_ms=self._now_ms,
            meters=self._meters,
        )

    def sync(self, match: str) -> None:
        """Have the transcript of a finished match on disk; see `JournalStore.sync`."""
        self._journals.sync(match)

    def publish(self, match: str) -> Path:
        """Let everybody read the transcript of a match that is in the ledger; where it is."""
        return self._journals.finish(match)

    def _recover(self, match: str) -> Dealt | None:
        """A match from its journal; None if it never began. Raises as `take_up`, MatchFault."""
        try:
            found = self._journals.recover(match)
            if found is None:
                return None
            play = self._replay(found)
        except record.TranscriptError as error:
            raise SeasonError(
                f"the journal of match {match} is damaged: {error}; mend it, or let the match "
                f"not count: `pioneers void CONFIG {match} --reason …`"
            ) from error
        strangers = [name for name in found.header.players if name not in self._players]
        if strangers:
            names = ", ".join(strangers)
            raise SeasonError(f"match {match} is in play, but the config has no {names}")
        return Dealt(found, play, resumed=True)

    def _replay(self, found: record.Transcript) -> record.Playthrough:
        """A match as far as its journal goes. Raises TranscriptError, MatchFault."""
        header = found.header
        try:
            play = record.deal(header, self.seed(header.match), self._game)
            for decision in found.decisions:
                record.replay(play, decision)
        except record.TranscriptError:
            raise
        except Exception as error:
            raise MatchFault(header.match, header.players, error) from error
        return play
