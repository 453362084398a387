"""Opening a database as a ledger: where it is, whether it is one, and whether it is this one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from sqlalchemy import URL, Connection, Engine, create_engine, insert, inspect, make_url, select
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.pool import StaticPool

from ratings import dialects, schema
from ratings.chain import Season
from ratings.errors import LedgerError
from ratings.skill import Settings

dialects.guard(schema.metadata)


def connect(location: str | Path, *, create: bool) -> Engine:
    """An engine for a path (SQLite) or a database URL. Raises LedgerError."""
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


@contextmanager
def transaction(engine: Engine, *, writes: bool = False) -> Iterator[Connection]:
    """A transaction, undone where the block raises; with `writes`, the only writing one.

    Turns what the database reports into LedgerError.
    """
    try:
        with engine.connect() as connection:
            if writes:
                connection = connection.execution_options(ledger_writes=True)
            with connection.begin():
                if writes:
                    dialects.lock(connection)
                yield connection
    except SQLAlchemyError as error:
        cause = getattr(error, "orig", None) or error
        raise LedgerError(f"the ledger {_name(engine)} failed: {cause}") from error
    except UnicodeDecodeError as error:
        # A damaged file can make even SQLite's own messages unreadable.
        raise LedgerError(f"the ledger {_name(engine)} is damaged: {error}") from error


def settle(connection: Connection, name: str, skill: Settings, *, create: bool) -> Season:
    """What the database says its season is; where it is empty and `create`, the tables are made.

    Raises LedgerError unless it is a ledger, of this schema, of the season `name`, with these
    rating settings.
    """
    where = _name(connection.engine)
    tables = inspect(connection).get_table_names()
    if not tables and create:
        schema.metadata.create_all(connection)
        season = Season(schema.SCHEMA_VERSION, name, skill, dialects.digest(connection))
        row = {"id": 1} | msgspec.structs.asdict(season) | msgspec.structs.asdict(skill)
        del row["skill"]
        connection.execute(insert(schema.season), row)
        return season
    if schema.season.name not in tables:
        raise LedgerError(f"{where} is not a ledger")
    version = connection.execute(select(schema.season.c.schema_version)).scalar()
    if version != schema.SCHEMA_VERSION:
        raise LedgerError(
            f"the ledger {where} has schema version {version}; this program reads and "
            f"writes version {schema.SCHEMA_VERSION}"
        )
    stored = connection.execute(select(schema.season)).mappings().one()
    differing = [
        f"{setting} is {stored[setting]!r} there and {wanted!r} here"
        for setting, wanted in msgspec.structs.asdict(skill).items()
        if stored[setting] != wanted
    ]
    if stored["name"] != name:
        differing.append(f"the season is {stored['name']!r} there and {name!r} here")
    if differing:
        raise LedgerError(f"the ledger {where} was made for something else: {'; '.join(differing)}")
    return Season(version, name, skill, stored["tables"])


def _name(engine: Engine) -> str:
    return engine.url.render_as_string()
