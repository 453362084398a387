"""What SQLite and PostgreSQL are told each in its own words: durability, locks, append-only.

Everything else of the ledger is SQL that both understand.
"""

from __future__ import annotations

import hashlib
from typing import Any

from sqlalchemy import DDL, Connection, Engine, MetaData, event, text
from sqlalchemy.schema import ExecutableDDLElement

KNOWN = ("sqlite", "postgresql")
_WRITERS = 7_304_518  # the number of the lock; any will do that nothing else in the database uses
_REFUSAL = "the ledger is append-only"


def prepare(engine: Engine) -> None:
    """Set up the connections of `engine`; call once, before the first of them."""
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _sqlite_connect)
        event.listen(engine, "begin", _sqlite_begin)


def _sqlite_connect(connection: Any, _record: object) -> None:
    # The driver's own idea of transactions would start them late and without the write lock.
    connection.isolation_level = None
    for pragma in (
        "journal_mode = WAL",
        "synchronous = FULL",  # a result that was told to anyone survives a power cut
        "foreign_keys = ON",
        "recursive_triggers = ON",  # else INSERT OR REPLACE deletes past the triggers
        "cell_size_check = ON",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _sqlite_begin(connection: Connection) -> None:
    # A writer takes its lock at once: upgrading a read lock fails where another one wrote.
    writes = connection.get_execution_options().get("ledger_writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def lock(connection: Connection) -> None:
    """Keep other writers out until the transaction of `connection` ends; readers go on."""
    if connection.dialect.name == "postgresql":
        # Not a lock on a table: the first writer makes the tables.
        connection.execute(text(f"SELECT pg_advisory_xact_lock({_WRITERS})"))


def digest(connection: Connection) -> str:
    """SHA-256 over the definitions of all tables, indexes and triggers, hex.

    "" for PostgreSQL, which keeps definitions in no one form of text.
    """
    if connection.dialect.name != "sqlite":
        return ""
    query = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"
    definitions = [tuple(row) for row in connection.exec_driver_sql(query)]
    return hashlib.sha256(repr(definitions).encode()).hexdigest()


def integrity(connection: Connection) -> str | None:
    """What the database itself finds wrong with its files, or None."""
    if connection.dialect.name != "sqlite":
        return None
    rows = connection.exec_driver_sql("PRAGMA integrity_check").scalars().all()
    if rows == ["ok"]:
        rows = [
            f"row {row} of {table} refers to a row that {parent} does not have"
            for table, row, parent, _ in connection.exec_driver_sql("PRAGMA foreign_key_check")
        ]
    return "; ".join(rows) or None


def guard(metadata: MetaData) -> None:
    """Have the database refuse to change or delete any row of any table of `metadata`."""
    _after_create_sqlite(metadata)
    _after_create_postgresql(metadata)


def _after_create_sqlite(metadata: MetaData) -> None:
    refuse = f"BEGIN SELECT RAISE(ABORT, '{_REFUSAL}'); END"
    for table in metadata.sorted_tables:
        name = table.name
        for action in ("UPDATE", "DELETE"):
            trigger = (
                f"CREATE TRIGGER {name}_no_{action.lower()} BEFORE {action} ON {name} {refuse}"
            )
            event.listen(table, "after_create", _ddl(trigger, "sqlite"))
        # For connections that are not ours, and leave recursive_triggers off.
        same = " AND ".join(f"{name}.{key.name} = NEW.{key.name}" for key in table.primary_key)
        there = f"EXISTS (SELECT 1 FROM {name} WHERE {same})"  # noqa: S608 (names of ours)
        trigger = f"CREATE TRIGGER {name}_no_replace BEFORE INSERT ON {name} WHEN {there} {refuse}"
        event.listen(table, "after_create", _ddl(trigger, "sqlite"))


def _after_create_postgresql(metadata: MetaData) -> None:
    function = (
        "CREATE FUNCTION ledger_refuse() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{_REFUSAL}'; END $$"
    )
    event.listen(metadata, "before_create", _ddl(function, "postgresql"))
    for table in metadata.sorted_tables:
        name = table.name
        for scope, actions in (("ROW", "UPDATE OR DELETE"), ("STATEMENT", "TRUNCATE")):
            trigger = (
                f"CREATE TRIGGER {name}_append_only_{scope.lower()} BEFORE {actions} ON {name} "
                f"FOR EACH {scope} EXECUTE FUNCTION ledger_refuse()"
            )
            event.listen(table, "after_create", _ddl(trigger, "postgresql"))


def _ddl(statement: str, dialect: str) -> ExecutableDDLElement:
    return DDL(statement).execute_if(dialect=dialect)  # type: ignore[no-untyped-call]
