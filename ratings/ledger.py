"""The ledger: results are appended and rated in one transaction, and never changed.

Synchronous and for one thread at a time. Several processes may have the same ledger open: a
writer first takes in what others have written.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Self

from sqlalchemy import Connection, Engine, Table, func, select

from ratings import rows, schema, storage
from ratings.chain import Entry, Season, Void, genesis, seal
from ratings.errors import DuplicateMatch, LedgerError
from ratings.field import History
from ratings.lines import Lines
from ratings.results import MatchResult, Rated, Rating
from ratings.skill import Skill
from ratings.standings import Standing, Standings

__all__ = ["DuplicateMatch", "Ledger", "LedgerError"]


class Ledger:
    """The results of one season, in the order in which they came, and the ratings after them."""

    def __init__(self, engine: Engine, season: Season) -> None:
        """For `open`, which checks that `engine` holds a ledger of `season`."""
        self._engine = engine
        self._skill = Skill.of(season.skill)
        self.season = season
        self._standings = Standings(self._skill)
        self._history: History | None = None
        self._number = 0
        self._hash = genesis(season)

    @classmethod
    def open(
        cls, location: str | Path, skill: Skill, season: str = "", *, create: bool = True
    ) -> Self:
        """The ledger at a path (SQLite) or a database URL; made if it is not there.

        create: False to refuse, rather than make, a ledger that is not there.
        Raises LedgerError when it cannot be opened, is no ledger, or was made for another
        season, with other rating settings or in another version of the schema.
        """
        engine = storage.connect(location, create=create)
        try:
            with storage.transaction(engine, writes=create) as connection:
                found = storage.settle(connection, season, skill.settings, create=create)
                ledger = cls(engine, found)
                ledger._catch_up(connection)
        except BaseException:
            engine.dispose()
            raise
        return ledger

    def close(self) -> None:
        """Let go of the database; the ledger is of no use afterwards."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def append(self, result: MatchResult, *, void: str | None = None) -> tuple[Rated, ...]:
        """Write a result and what it did to the ratings; returns the latter, in seat order.

        void: why the match does not count, for one in which the runner was at fault: it is
        written, its correction right behind it, and nothing is rated.
        Raises DuplicateMatch for a match that has an entry already, LedgerError where the reason is
        empty or the database fails; then nothing was written.
        """
        if void is not None:
            _require_reason(result.match, void)
        with self._transaction(writes=True) as connection:
            self._catch_up(connection)
            self._refuse_known(connection, result.match)
            rated = () if void is not None else self._standings.lines.rate(result)
            entries = [self._seal(result, rated)]
            if void is not None:
                correction = Void(result.match, void, result.ended_ms)
                entries.append(seal(entries[0].number + 1, correction, (), entries[0].hash))
            for entry in entries:
                rows.write(connection, entry)
        for entry in entries:
            self._take(entry)
        return rated

    def void(self, match: str, reason: str, at_ms: int) -> tuple[Rated, ...]:
        """Rule that a match does not count, by a new entry; the ratings become those without it.

        The match may have no result, and then never gets one. Returns the ratings that changed,
        sorted by bot. Raises DuplicateMatch for a match that is void already, LedgerError where
        no reason is given or the database fails; then nothing was written.
        """
        _require_reason(match, reason)
        with self._transaction(writes=True) as connection:
            self._catch_up(connection)
            self._refuse_known(connection, match, schema.voids)
            result = self._counted(connection, match)
            lines = self._standings.lines
            remaining = lines if result is None else lines.without(match)
            entry = self._seal(Void(match, reason, at_ms), lines.changes(remaining))
            rows.write(connection, entry)
        self._take(entry, result, remaining)
        return entry.ratings

    def entries(self) -> Iterator[Entry]:
        """Everything that was ever written, oldest first."""
        after = 0
        while True:
            with self._transaction() as connection:
                batch = list(rows.read(connection, after))
            if not batch:
                return
            yield from batch
            after = batch[-1].number

    def results(self) -> Iterator[MatchResult]:
        """The results that count, in ledger order; void ones are left out."""
        with self._transaction() as connection:
            void = set(connection.execute(select(schema.voids.c.match)).scalars())
        for entry in self.entries():
            if isinstance(entry.body, MatchResult) and entry.body.match not in void:
                yield entry.body

    def matches(self) -> frozenset[str]:
        """The ids of all matches that have an entry, void ones included."""
        found: set[str] = set()
        with self._transaction() as connection:
            for table in (schema.results, schema.voids):
                found.update(connection.execute(select(table.c.match)).scalars())
        return frozenset(found)

    def refresh(self) -> None:
        """Take in what other processes have written since."""
        with self._transaction() as connection:
            self._catch_up(connection)

    def standings(self) -> tuple[Standing, ...]:
        """The table, best rating first, as of the last `append` or `refresh`."""
        return self._standings.rows()

    @property
    def matches_played(self) -> int:
        """How many matches count."""
        return self._standings.matches

    @property
    def head(self) -> str:
        """The hash of the last entry: published, it pins down everything before."""
        return self._hash

    @property
    def history(self) -> History:
        """What the results say that matters for pairing."""
        if self._history is None:
            void = {entry.body.match for entry in self.entries() if isinstance(entry.body, Void)}
            history = History()
            for entry in self.entries():
                if isinstance(entry.body, MatchResult) and entry.number <= self._number:
                    counts = entry.body.match not in void
                    history.add(entry.body) if counts else history.add_void(entry.body)
            self._history = history
        return self._history

    def ratings(self) -> dict[str, Rating]:
        """The current rating of every bot that has played, sorted by name."""
        return self._standings.lines.ratings()

    def rating(self, bot: str, version: str | None = None) -> Rating:
        """The rating with which `bot` would enter a match now; see `Lines.rating`."""
        return self._standings.rating(bot, version)

    def seat_games(self, bot: str) -> tuple[int, ...]:
        """How many matches that count `bot` has played in each seat."""
        return self._standings.seat_games(bot)

    def _seal(self, body: MatchResult | Void, ratings: tuple[Rated, ...]) -> Entry:
        return seal(self._number + 1, body, ratings, self._hash)

    def _take(
        self, entry: Entry, voided: MatchResult | None = None, lines: Lines | None = None
    ) -> None:
        """Let an entry that is in the database have its effect.

        voided: the result that it takes out, if any; lines: the ratings without it.
        """
        if (entry.number, entry.prev) != (self._number + 1, self._hash):
            raise LedgerError(f"entry {entry.number} does not follow entry {self._number}")
        if isinstance(entry.body, MatchResult) and entry.ratings:
            self._standings.add(entry.body, entry.ratings)
            if self._history is not None:
                self._history.add(entry.body)
        else:
            self._history = None
        if voided is not None:
            self._standings.remove(voided, lines)
        self._number, self._hash = entry.number, entry.hash

    def _catch_up(self, connection: Connection) -> None:
        last = connection.execute(select(func.max(schema.entries.c.number))).scalar() or 0
        while self._number < last:
            for entry in list(rows.read(connection, self._number)):
                voided = None
                if isinstance(entry.body, Void):
                    voided = self._counted(connection, entry.body.match)
                self._take(entry, voided)

    def _counted(self, connection: Connection, match: str) -> MatchResult | None:
        """The result of `match` where it has one that was rated."""
        query = (
            select(schema.results.c.entry)
            .join(schema.ratings, schema.ratings.c.entry == schema.results.c.entry)
            .where(schema.results.c.match == match)
            .limit(1)
        )
        number = connection.execute(query).scalar()
        if number is None:
            return None
        body = next(rows.read(connection, number - 1, limit=1)).body
        return body if isinstance(body, MatchResult) else None

    def _refuse_known(self, connection: Connection, match: str, *tables: Table) -> None:
        for table in tables or (schema.results, schema.voids):
            query = select(table.c.entry).where(table.c.match == match)
            entry = connection.execute(query).scalar()
            if entry is not None:
                raise DuplicateMatch(match, entry)

    def _transaction(self, *, writes: bool = False) -> AbstractContextManager[Connection]:
        return storage.transaction(self._engine, writes=writes)


def _require_reason(match: str, reason: str) -> None:
    if not reason.strip():
        raise LedgerError(f"match {match} cannot be made void without a reason")
