"""Auditing a whole season: ledger, transcripts and seeds, against each other and by replay.

Anybody who has the data directory of a finished season can run it. It stops at the first
departure and names it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec import Struct

from engine import transcript as record
from engine.chance import commitment, derive_seed
from engine.game import Game
from ratings.audit import audit
from ratings.chain import Void
from ratings.errors import LedgerError
from ratings.results import MatchResult
from runner.app import LEDGER, open_ledger, skill_of
from runner.config import Loaded
from runner.journal import OVER, digest_of, transcript_paths
from runner.scorecard import Scorecard
from runner.vault import PUBLIC, PublicSeason


class SeasonAudit(Struct, frozen=True):
    """What an audit found. head: the hash of the ledger's last entry. seeds: whether the seeds
    were checked too, which needs the published secret. departure: the first one, or None."""

    entries: int
    transcripts: int
    head: str
    seeds: bool
    departure: str | None


class _Departed(Exception):
    """The first departure, as a sentence that names the place."""


def audit_season(
    loaded: Loaded,
    game: type[Game],
    *,
    head: str | None = None,
    on_progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> SeasonAudit:
    """Check a season from its first ledger entry to its last.

    head: the hash that the last entry must have, where it was published. on_progress: called
    with matches replayed and matches in all.
    """
    walk = _Walk(loaded, game)
    departure = None
    try:
        walk.public()
        walk.ledger(head)
        walk.matches(on_progress)
    except _Departed as departed:
        departure = str(departed)
    return SeasonAudit(
        walk.entries, walk.transcripts, walk.head, walk.secret is not None, departure
    )


class _Walk:
    def __init__(self, loaded: Loaded, game: type[Game]) -> None:
        self.entries = 0
        self.transcripts = 0
        self.head = ""
        self.secret: bytes | None = None
        self._loaded = loaded
        self._game = game

    def public(self) -> None:
        """`season.json`: the season is this one, and a published secret has its commitment."""
        path = self._loaded.data / PUBLIC
        season = self._loaded.config.season
        try:
            public = msgspec.json.decode(path.read_bytes(), type=PublicSeason)
            if public.secret is not None:
                self.secret = bytes.fromhex(public.secret)
        except OSError as error:
            raise _Departed(f"{path}: {error.strerror}") from error
        except (msgspec.DecodeError, ValueError) as error:
            raise _Departed(f"{path}: {error}") from error
        if (public.season, public.game) != (season.name, season.game):
            raise _Departed(f"{path}: is of season {public.season!r} of {public.game!r}")
        if self.secret is not None and commitment(self.secret) != public.commitment:
            raise _Departed(f"{path}: the secret does not have the commitment")

    def ledger(self, head: str | None) -> None:
        """The chain of hashes, and every rating computed again."""
        config = self._loaded.config
        found = audit(
            self._loaded.data / LEDGER, skill_of(config.rating), config.season.name, head=head
        )
        self.entries, self.head = found.entries, found.head
        if found.departure is not None:
            raise _Departed(f"ledger, {found.departure}")

    def matches(self, on_progress: Callable[[int, int], None]) -> None:
        """Every result against the replay of its transcript; no transcript without a result."""
        try:
            with open_ledger(self._loaded, create=False) as ledger:
                entries = list(ledger.entries())
        except LedgerError as error:
            raise _Departed(f"ledger: {error}") from error
        results = [entry.body for entry in entries if isinstance(entry.body, MatchResult)]
        paths = transcript_paths(self._loaded.data)
        for done, result in enumerate(results, 1):
            path = paths.pop(result.match, None)
            if path is None:
                raise _Departed(f"match {result.match}: it has a result and no transcript")
            self._match(result, path)
            self.transcripts += 1
            on_progress(done, len(results))
        void = {entry.body.match for entry in entries if isinstance(entry.body, Void)}
        for match in sorted(paths.keys() - void):
            if paths[match].parent.name == OVER:
                raise _Departed(f"match {match}: it has a transcript and no result")

    def _match(self, result: MatchResult, path: Path) -> None:
        """One match: its file, its seeds, its course, and what the ledger says of it."""
        try:
            data = path.read_bytes()
        except OSError as error:
            raise _Departed(f"{path}: {error.strerror}") from error
        try:
            if digest_of(data) != result.transcript:
                # Where possible, say where: the replay finds most changes.
                self._replay(record.read(data.splitlines()))
                raise _Departed(f"{path}: the file is not the one that the ledger has the hash of")
            transcript = record.read(data.splitlines())
            play = self._replay(transcript)
        except record.TranscriptError as error:
            raise _Departed(f"{path}: {error}") from error
        outcome, end = play.game.outcome(), transcript.end
        assert outcome is not None
        assert end is not None
        card = Scorecard(transcript.header, transcript.decisions)
        found = card.result(outcome, play.resigned, end.ended_ms, result.transcript)
        for field in MatchResult.__struct_fields__:
            if getattr(found, field) != getattr(result, field):
                raise _Departed(f"match {result.match}: {field} in the ledger departs from {path}")

    def _replay(self, transcript: record.Transcript) -> record.Playthrough:
        header = transcript.header
        seed = None
        if self.secret is not None:
            seed = derive_seed(self.secret, header.match)
            if header.set is not None:
                board_seed = derive_seed(self.secret, header.set).hex()
                if header.board_seed != board_seed:
                    raise record.TranscriptError(1, "boardSeed is not the one of its set")
        return record.verify(transcript, self._game, seed)
