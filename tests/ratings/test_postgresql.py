"""The ledger on PostgreSQL, where the environment names a server to try it on.

    LADDER_POSTGRESQL=postgresql+psycopg://user@host/postgres pytest tests/ratings

The user must be allowed to create databases.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from threading import Thread

import pytest
from sqlalchemy import create_engine, make_url, text
from sqlalchemy.exc import SQLAlchemyError

from ratings.audit import audit
from ratings.ledger import DuplicateMatch, Ledger, LedgerError
from ratings.skill import Skill
from ratings.standings import standings
from tests.ratings.made import ranked, season

SERVER = os.environ.get("LADDER_POSTGRESQL")
SKILL = Skill()

pytestmark = pytest.mark.skipif(SERVER is None, reason="LADDER_POSTGRESQL names no server")


@pytest.fixture
def url() -> Iterator[str]:
    assert SERVER is not None
    name = f"ladder_test_{os.getpid()}"
    server = create_engine(SERVER, isolation_level="AUTOCOMMIT")
    with server.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    yield make_url(SERVER).set(database=name).render_as_string(hide_password=False)
    with server.connect() as connection:
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    server.dispose()


def test_the_same_ledger_as_on_sqlite(url: str) -> None:
    with Ledger.open(url, SKILL, "test") as ledger, Ledger.open("sqlite://", SKILL, "test") as lite:
        for one in season(40, 6, seed=1):
            assert ledger.append(one) == lite.append(one)
        assert ledger.void("m7", "why", 5) == lite.void("m7", "why", 5)
        ledger.append(ranked("m99", "a", "日本\x1b"), void="stalled")
        with pytest.raises(DuplicateMatch):
            ledger.append(ranked("m99", "a", "b"))
        assert ledger.standings() == lite.standings()
        with Ledger.open(url, SKILL, "test") as again:
            assert again.standings() == standings(again.results(), SKILL)
    assert audit(url, SKILL, "test").departure is None
    with pytest.raises(LedgerError, match=r"tau is 0.008 there and 0.1 here"):
        Ledger.open(url, Skill(tau=0.1), "test")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE seats SET score = 0",
        "DELETE FROM results",
        "TRUNCATE ratings CASCADE",
        "DELETE FROM season",
    ],
)
def test_the_database_refuses_every_change(url: str, statement: str) -> None:
    with Ledger.open(url, SKILL, "test") as ledger:
        ledger.append(ranked("m1", "a", "b"))
    engine = create_engine(url)
    with pytest.raises(SQLAlchemyError, match="append-only"), engine.begin() as connection:
        connection.execute(text(statement))
    engine.dispose()


def test_writers_take_turns(url: str) -> None:
    def write(writer: int) -> None:
        with Ledger.open(url, SKILL, "test") as ledger:
            for n in range(20):
                ledger.append(ranked(f"m{writer}-{n}", "a", "b", "c"))

    writers = [Thread(target=write, args=(n,)) for n in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    found = audit(url, SKILL, "test")
    assert (found.entries, found.departure) == (60, None)
