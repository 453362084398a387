"""The ledger: results are appended and rated in one transaction, and never changed.

Synchronous and for one thread at a time. Several processes may have the same ledger open: a
writer first takes in what others have written.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

import msgspec
from sqlalchemy import (
    URL,
    Connection,
    Engine,
    create_engine,
    func,
    insert,
    inspect,
    make_url,
    select,
)
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.pool import StaticPool

from ratings import dialects, rows, schema
from ratings.chain import Entry, Season, Void, genesis, seal
from ratings.errors import DuplicateMatch, LedgerError
from ratings.results import MatchResult, Rated, Rating
from ratings.skill import Settings, Skill
from ratings.standings import Standing, Standings

__all__ = ["DuplicateMatch", "Ledger", "LedgerError"]

dialects.guard(schema.metadata)


class Ledger:
    """The results of one season, in the order in which they came, and the ratings after them."""

    def __init__(self, engine: Engine, season: Season) -> None:
        """For `open`, which checks that `engine` holds a ledger of `season`."""
        self._engine = engine
        self._skill = Skill.of(season.skill)
        self.season = season
        self._genesis = genesis(season)
        self._forget()

    @classmethod
    def open(
        cls, location: str | Path, skill: Skill, season: str = "", *, create: bool = True
    ) -> Self:
        """The ledger at a path (SQLite) or a database URL; made if it is not there.

        create: False to refuse, rather than make, a ledger that is not there.
        Raises LedgerError when it cannot be opened, is no ledger, or was made for another
        season, with other rating settings or in another version of the schema.
        """
        wanted = Season(schema.SCHEMA_VERSION, season, skill.settings)
        engine = _engine(location, create)
        ledger = cls(engine, wanted)
        try:
            with ledger._transaction(writes=create) as connection:
                ledger._prepare(connection, create)
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
        Raises DuplicateMatch for a match that has an entry already, and LedgerError where the
        database fails; then nothing was written.
        """
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

    def ratings(self) -> dict[str, Rating]:
        """The current rating of every bot that has played, sorted by name."""
        return self._standings.lines.ratings()

    def rating(self, bot: str, version: str | None = None) -> Rating:
        """The rating with which `bot` would enter a match now; see `Lines.rating`."""
        return self._standings.rating(bot, version)

    def seat_games(self, bot: str) -> tuple[int, ...]:
        """How many matches that count `bot` has played in each seat."""
        return self._standings.seat_games(bot)

    def _forget(self) -> None:
        self._standings = Standings(self._skill)
        self._number = 0
        self._hash = self._genesis

    def _seal(self, body: MatchResult | Void, ratings: tuple[Rated, ...]) -> Entry:
        return seal(self._number + 1, body, ratings, self._hash)

    def _take(self, entry: Entry) -> None:
        if isinstance(entry.body, MatchResult) and entry.ratings:
            self._standings.add(entry.body, entry.ratings)
        self._number, self._hash = entry.number, entry.hash

    def _catch_up(self, connection: Connection) -> None:
        last = connection.execute(select(func.max(schema.entries.c.number))).scalar() or 0
        while self._number < last:
            for entry in list(rows.read(connection, self._number)):
                self._take(entry)

    def _refuse_known(self, connection: Connection, match: str) -> None:
        for table in (schema.results, schema.voids):
            query = select(table.c.entry).where(table.c.match == match)
            entry = connection.execute(query).scalar()
            if entry is not None:
                raise DuplicateMatch(match, entry)

    def _prepare(self, connection: Connection, create: bool) -> None:
        """Make the tables in an empty database; in any other, see that they are ours."""
        where = self._engine.url.render_as_string()
        tables = inspect(connection).get_table_names()
        if not tables and create:
            schema.metadata.create_all(connection)
            row = {"id": 1, "schema_version": self.season.schema_version, "name": self.season.name}
            connection.execute(
                insert(schema.season), row | msgspec.structs.asdict(self.season.skill)
            )
            return
        if schema.season.name not in tables:
            raise LedgerError(f"{where} is not a ledger")
        version = connection.execute(select(schema.season.c.schema_version)).scalar()
        if version != self.season.schema_version:
            raise LedgerError(
                f"the ledger {where} has schema version {version}; this program reads and "
                f"writes version {self.season.schema_version}"
            )
        stored = connection.execute(select(schema.season)).mappings().one()
        found = {name: stored[name] for name in Settings.__struct_fields__}
        wanted = msgspec.structs.asdict(self.season.skill)
        differing = [
            f"{name} is {found[name]!r} there and {wanted[name]!r} here"
            for name in wanted
            if found[name] != wanted[name]
        ]
        if stored["name"] != self.season.name:
            differing.append(
                f"the season is {stored['name']!r} there and {self.season.name!r} here"
            )
        if differing:
            raise LedgerError(
                f"the ledger {where} was made for something else: {'; '.join(differing)}"
            )

    @contextmanager
    def _transaction(self, *, writes: bool = False) -> Iterator[Connection]:
        try:
            with self._engine.connect() as connection:
                if writes:
                    connection = connection.execution_options(ledger_writes=True)
                with connection.begin():
                    if writes:
                        dialects.lock(connection)
                    yield connection
        except SQLAlchemyError as error:
            cause = getattr(error, "orig", None) or error
            where = self._engine.url.render_as_string()
            raise LedgerError(f"the ledger {where} failed: {cause}") from error


def _engine(location: str | Path, create: bool) -> Engine:
    if isinstance(location, Path) or "://" not in location:
        if not create and not Path(location).exists():
            raise LedgerError(f"there is no ledger at {location}")
        url = URL.create("sqlite", database=str(location))
    else:
        try:
            url = make_url(location)
        except ArgumentError as error:
            raise LedgerError(f"{location!r} is no database URL: {error}") from error
    if url.get_backend_name() not in dialects.KNOWN:
        raise LedgerError(
            f"a ledger can be kept in {' or '.join(dialects.KNOWN)}, not {url.get_backend_name()}"
        )
    memory = url.get_backend_name() == "sqlite" and url.database in (None, "", ":memory:")
    try:
        # A database in memory belongs to its connection, so that there must be just one.
        engine = (
            create_engine(url, poolclass=StaticPool, connect_args={"check_same_thread": False})
            if memory
            else create_engine(url)
        )
    except (ImportError, SQLAlchemyError) as error:
        raise LedgerError(f"cannot use {url.render_as_string()}: {error}") from error
    dialects.prepare(engine)
    return engine
