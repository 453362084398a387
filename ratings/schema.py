"""The ledger's tables, in SQL that every database understands.

`entries` is the chain; `results` and `seats`, or `voids`, hold what an entry says, and `ratings`
what it did. Rows are only ever added: `ratings.dialects` has the database refuse anything else.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Double,
    ForeignKey,
    Integer,
    MetaData,
    SmallInteger,
    String,
    Table,
    Text,
    UniqueConstraint,
)

SCHEMA_VERSION = 1

metadata = MetaData()


def _entry(*, primary_key: bool) -> Column[int]:
    return Column(
        "entry",
        ForeignKey("entries.number"),
        primary_key=primary_key,
        nullable=False,
        autoincrement=False,
    )


season = Table(
    "season",
    metadata,
    Column("id", Integer, CheckConstraint("id = 1"), primary_key=True, autoincrement=False),
    Column("schema_version", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("tables", Text, nullable=False),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("beta", Double, nullable=False),
    Column("tau", Double, nullable=False),
    Column("draw_probability", Double, nullable=False),
)

entries = Table(
    "entries",
    metadata,
    Column("number", Integer, CheckConstraint("number > 0"), primary_key=True, autoincrement=False),
    Column("kind", Text, CheckConstraint("kind IN ('result', 'void')"), nullable=False),
    Column("prev", String(64), nullable=False, unique=True),
    Column("hash", String(64), nullable=False, unique=True),
)

results = Table(
    "results",
    metadata,
    _entry(primary_key=True),
    Column("match", Text, nullable=False, unique=True),
    Column("set_id", Text, nullable=False, index=True),
    Column("game", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("started_ms", BigInteger, nullable=False),
    Column("ended_ms", BigInteger, nullable=False),
    Column("transcript", Text, nullable=False, comment="SHA-256 of the file, hex, or empty"),
)

seats = Table(
    "seats",
    metadata,
    _entry(primary_key=True),
    Column("seat", SmallInteger, CheckConstraint("seat >= 0"), primary_key=True),
    Column("bot", Text, nullable=False, index=True),
    Column("version", Text, nullable=False),
    Column("placement", SmallInteger, CheckConstraint("placement > 0"), nullable=False),
    Column("score", Integer, nullable=False),
    Column("resigned", SmallInteger, CheckConstraint("resigned IN (0, 1)"), nullable=False),
    Column("decisions", Integer, CheckConstraint("decisions >= 0"), nullable=False),
    Column("strikes", Text, nullable=False, comment="JSON: count by reason"),
    Column("latencies", Text, nullable=False, comment="JSON: count by bucket"),
    Column("timings", Text, nullable=False, comment="JSON: latencies by kind and part"),
    UniqueConstraint("entry", "bot"),
)

voids = Table(
    "voids",
    metadata,
    _entry(primary_key=True),
    Column("match", Text, nullable=False, unique=True),
    Column("reason", Text, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
)

ratings = Table(
    "ratings",
    metadata,
    _entry(primary_key=True),
    Column("n", SmallInteger, primary_key=True, comment="counts the entry's ratings from 0"),
    Column("bot", Text, nullable=False),
    Column("version", Text, nullable=False),
    Column("mu_before", Double, nullable=False),
    Column("sigma_before", Double, nullable=False),
    Column("mu_after", Double, nullable=False),
    Column("sigma_after", Double, nullable=False),
    UniqueConstraint("entry", "bot", "version"),
)
