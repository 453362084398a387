"""The ledger: what goes in comes out, once, in order, and nothing is ever changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from threading import Thread

import msgspec
import pytest
from sqlalchemy import Table

from ratings import rows, schema
from ratings.chain import Void
from ratings.latency import Latencies
from ratings.ledger import DuplicateMatch, Ledger, LedgerError
from ratings.lines import Line
from ratings.results import MatchResult, Rated, Rating, Timing
from ratings.skill import Skill
from ratings.standings import standings
from tests.ratings.made import ranked, result, season, seat

SKILL = Skill()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "season.db"


@pytest.fixture
def ledger(path: Path) -> Iterator[Ledger]:
    with Ledger.open(path, SKILL, "test") as ledger:
        yield ledger


def rows_by_table(path: Path) -> dict[str, list[tuple[object, ...]]]:
    with sqlite3.connect(path) as connection:
        rows = {
            table.name: connection.execute(f"SELECT * FROM {table.name}").fetchall()
            for table in schema.metadata.sorted_tables
        }
    connection.close()
    return rows


def test_results_come_back_as_they_went_in(ledger: Ledger, path: Path) -> None:
    rich = msgspec.structs.replace(
        seat("日本\x1b[31m", 1, version="ü|1", strikes={"timeout": 2, "illegal": 1}, resigned=True),
        timings={"turn": Timing(Latencies.of([0.1]), Latencies.of([1.0, 70.0]), Latencies({}))},
        score=-3,
    )
    first = result("m1", rich, seat("b", 2), seat("c", 2, version=""), set_id="s1")
    second = result(
        "m2", seat("c", 1), seat("b", 2), seat("a", 3), seat("d", 4), started_ms=1 << 40
    )
    ledger.append(first)
    ledger.append(second)
    assert list(ledger.results()) == [first, second]
    with Ledger.open(path, SKILL, "test") as again:
        assert list(again.results()) == [first, second]
        assert again.matches_played == 2
        assert again.matches() == {"m1", "m2"}
        assert again.head == ledger.head


def test_append_returns_what_it_stores(ledger: Ledger) -> None:
    first = ledger.append(ranked("m1", "b", "a", "c"))
    second = ledger.append(ranked("m2", "c", "b", "a"))
    assert [rated.bot for rated in first] == ["b", "a", "c"]
    assert all(rated.before == SKILL.new() for rated in first)
    after_first = {rated.bot: rated.after for rated in first}
    assert {rated.bot: rated.before for rated in second} == after_first
    assert ledger.ratings() == dict(sorted((rated.bot, rated.after) for rated in second))
    assert [entry.ratings for entry in ledger.entries()] == [first, second]


def test_stored_ratings_are_the_fold_over_the_results(ledger: Ledger, path: Path) -> None:
    for played in season(120, 9, seed=5):
        ledger.append(played)
    assert ledger.standings() == standings(ledger.results(), SKILL)
    with Ledger.open(path, SKILL, "test") as again:
        assert again.standings() == ledger.standings()


def test_more_results_than_one_batch_come_back_in_order(
    ledger: Ledger, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "read", partial(rows.read, limit=7))
    played = season(40, 6, seed=1, seats=3)
    for one in played:
        ledger.append(one)
    assert list(ledger.results()) == played
    with Ledger.open(path, SKILL, "test") as again:
        assert again.standings() == ledger.standings()


def test_a_match_is_taken_once(ledger: Ledger, path: Path) -> None:
    ledger.append(ranked("m1", "a", "b", "c"))
    before, table = rows_by_table(path), ledger.standings()
    with pytest.raises(DuplicateMatch, match="match m1 is already in the ledger, as entry 1"):
        ledger.append(ranked("m1", "c", "b", "a"))
    assert rows_by_table(path) == before
    assert ledger.standings() == table
    ledger.append(ranked("m2", "a", "b", "c"))
    assert ledger.matches_played == 2


def test_nothing_is_written_where_a_part_of_it_fails(
    ledger: Ledger, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger.append(ranked("m1", "a", "b", "c"))
    before, table = rows_by_table(path), ledger.standings()
    # The database refuses the very last rows of the transaction.
    with sqlite3.connect(path) as saboteur:
        saboteur.execute(
            "CREATE TRIGGER full BEFORE INSERT ON ratings BEGIN SELECT RAISE(ABORT, 'disk'); END"
        )
    saboteur.close()
    with pytest.raises(LedgerError, match=r"season\.db failed: disk"):
        ledger.append(ranked("m2", "a", "b", "c"))
    assert rows_by_table(path) == before
    assert ledger.standings() == table


def test_a_void_match_is_in_the_ledger_and_not_rated(ledger: Ledger, path: Path) -> None:
    ledger.append(ranked("m1", "a", "b", "c"))
    table = ledger.standings()
    stalled = ranked("m2", "c", "b", "a")
    assert ledger.append(stalled, void="the runner stalled for 1.2 s") == ()
    assert ledger.standings() == table
    assert ledger.matches_played == 1
    assert [result.match for result in ledger.results()] == ["m1"]
    _, entry, correction = ledger.entries()
    assert entry.body == stalled
    assert correction.body == Void("m2", "the runner stalled for 1.2 s", stalled.ended_ms)
    with pytest.raises(DuplicateMatch):
        ledger.append(stalled)
    with Ledger.open(path, SKILL, "test") as again:
        assert again.standings() == table


@pytest.mark.parametrize("table", schema.metadata.sorted_tables, ids=lambda table: table.name)
@pytest.mark.parametrize("recursive", ["ON", "OFF"])
def test_the_database_refuses_every_change(
    ledger: Ledger, path: Path, table: Table, recursive: str
) -> None:
    ledger.append(ranked("m1", "a", "b", "c"))
    ledger.append(ranked("m2", "a", "b", "c"), void="stalled")
    before = rows_by_table(path)
    column = table.columns.values()[-1].name
    with sqlite3.connect(path) as stranger:
        stranger.execute(f"PRAGMA recursive_triggers = {recursive}")
        stored = stranger.execute(f"SELECT * FROM {table.name}").fetchone()
        marks = ", ".join("?" for _ in stored)
        for statement, values in (
            (f"UPDATE {table.name} SET {column} = {column}", ()),
            (f"DELETE FROM {table.name}", ()),
            (f"INSERT OR REPLACE INTO {table.name} VALUES ({marks})", stored),
            (f"REPLACE INTO {table.name} VALUES ({marks})", stored),
        ):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                stranger.execute(statement, values)
    stranger.close()
    assert rows_by_table(path) == before


def test_the_connection_is_as_durable_as_promised(ledger: Ledger) -> None:
    with ledger._transaction() as connection:
        for pragma, value in (
            ("journal_mode", "wal"),
            ("synchronous", 2),
            ("foreign_keys", 1),
            ("recursive_triggers", 1),
        ):
            assert connection.exec_driver_sql(f"PRAGMA {pragma}").scalar() == value


def test_two_writers_see_each_other(ledger: Ledger, path: Path) -> None:
    with Ledger.open(path, SKILL, "test") as other:
        ledger.append(ranked("m1", "a", "b", "c"))
        second = other.append(ranked("m2", "b", "a", "c"))
        third = ledger.append(ranked("m3", "c", "a", "b"))
        with pytest.raises(DuplicateMatch):
            other.append(ranked("m3", "c", "a", "b"))
        assert {rated.bot: rated.before for rated in third} == {
            rated.bot: rated.after for rated in second
        }
        ledger.append(ranked("m4", "c", "a", "b"))
        assert other.standings() != ledger.standings()
        other.refresh()
        assert other.standings() == ledger.standings()
        assert ledger.standings() == standings(ledger.results(), SKILL)


def test_results_can_be_read_while_more_are_written(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "read", partial(rows.read, limit=7))
    for played in season(20, 5, seed=2, seats=3):
        ledger.append(played)
    reader = ledger.results()
    next(reader)
    ledger.append(ranked("late", "a", "b", "c"))
    assert [played.match for played in reader][-1] == "late"


def test_a_ledger_opened_in_one_thread_is_used_in_another(ledger: Ledger) -> None:
    rated: list[tuple[Rated, ...]] = []
    thread = Thread(target=lambda: rated.append(ledger.append(ranked("m1", "a", "b", "c"))))
    thread.start()
    thread.join()
    assert len(rated[0]) == 3


def test_a_ledger_in_memory_works_across_threads() -> None:
    with Ledger.open("sqlite://", SKILL) as ledger:
        thread = Thread(target=lambda: ledger.append(ranked("m1", "a", "b", "c")))
        thread.start()
        thread.join()
        assert ledger.matches() == {"m1"}


class TestHistory:
    def played(self) -> list[MatchResult]:
        orders = (("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b"))
        return [
            msgspec.structs.replace(ranked(f"m{n}", *bots), set_id="s1")
            for n, bots in enumerate(orders)
        ]

    def test_it_is_the_fold_over_the_results(self, ledger: Ledger, path: Path) -> None:
        assert ledger.history.sets == {}
        for one in self.played():
            ledger.append(one)
        with Ledger.open(path, SKILL, "test") as again:
            for history in (ledger.history, again.history):
                assert history.sets["s1"].complete
                assert history.open == {}
                assert history.games == {"a": 3, "b": 3, "c": 3}

    def test_a_void_match_of_a_set_is_due_again(self, ledger: Ledger, path: Path) -> None:
        first, second, third = self.played()
        ledger.append(first)
        assert ledger.history.games["a"] == 1
        ledger.append(second, void="the runner stalled")
        ledger.append(third)
        ledger.void(third.match, "why", 1)
        with Ledger.open(path, SKILL, "test") as again:
            for history in (ledger.history, again.history):
                assert list(history.open["s1"].left()) == [("b", "c", "a"), ("c", "a", "b")]
                assert history.games == {"a": 1, "b": 1, "c": 1}


class TestRefusals:
    def test_other_rating_settings(self, ledger: Ledger, path: Path) -> None:
        other = Skill(tau=0.1, draw_probability=0.05)
        with pytest.raises(LedgerError) as refusal:
            Ledger.open(path, other, "test")
        assert "tau is 0.008 there and 0.1 here" in str(refusal.value)
        assert "draw_probability is 0.02 there and 0.05 here" in str(refusal.value)
        assert "beta" not in str(refusal.value)

    def test_another_season(self, ledger: Ledger, path: Path) -> None:
        with pytest.raises(LedgerError, match="the season is 'test' there and 'winter' here"):
            Ledger.open(path, SKILL, "winter")

    def test_another_schema_version(
        self, ledger: Ledger, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(schema, "SCHEMA_VERSION", 99)
        with pytest.raises(LedgerError, match=r"has schema version 1; this program .* version 99"):
            Ledger.open(path, SKILL, "test")

    def test_a_database_of_something_else(self, path: Path) -> None:
        with sqlite3.connect(path) as connection:
            connection.execute("CREATE TABLE films (title)")
        connection.close()
        with pytest.raises(LedgerError, match=r"season\.db is not a ledger"):
            Ledger.open(path, SKILL, "test")
        with sqlite3.connect(path) as connection:
            names = connection.execute("SELECT name FROM sqlite_master").fetchall()
        connection.close()
        assert names == [("films",)]

    def test_a_file_that_is_no_database(self, path: Path) -> None:
        path.write_text("to whom it may concern\n" * 100)
        with pytest.raises(LedgerError, match="file is not a database"):
            Ledger.open(path, SKILL, "test")

    def test_a_ledger_that_is_not_there(self, path: Path) -> None:
        with pytest.raises(LedgerError, match=r"there is no ledger at .*season\.db"):
            Ledger.open(path, SKILL, "test", create=False)
        assert not path.exists()

    def test_a_folder_that_is_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(LedgerError, match="unable to open database file"):
            Ledger.open(tmp_path / "nowhere" / "season.db", SKILL, "test")

    @pytest.mark.parametrize(
        ("location", "why"),
        [
            ("mysql://host/name", "kept in sqlite or postgresql, not mysql"),
            ("postgresql+nonesuch://host/name", "cannot use postgresql.nonesuch"),
            ("://", "is no database URL"),
        ],
    )
    def test_a_database_that_is_not_known(self, location: str, why: str) -> None:
        with pytest.raises(LedgerError, match=why):
            Ledger.open(location, SKILL, "test")

    def test_a_password_is_not_shown(self) -> None:
        with pytest.raises(LedgerError) as refusal:
            Ledger.open("postgresql+nonesuch://me:hunter2@host/name", SKILL, "test")
        assert "hunter2" not in str(refusal.value)


class TestResultsThatNoMatchCanHave:
    @pytest.mark.parametrize("placements", [(1, 1, 2), (2, 3, 4), (1, 2, 2, 3), (0, 1, 2)])
    def test_placements(self, placements: tuple[int, ...]) -> None:
        seats = (seat(f"bot{n}", place) for n, place in enumerate(placements))
        with pytest.raises(ValueError, match="match m1: placements count from 1"):
            result("m1", *seats)

    def test_bots(self) -> None:
        with pytest.raises(ValueError, match="match m1: each seat needs a bot of its own"):
            ranked("m1", "a", "b", "a")
        with pytest.raises(ValueError, match="match m1: each seat needs a bot of its own"):
            ranked("m1", "a", "")

    def test_too_few_seats_and_no_id(self) -> None:
        with pytest.raises(ValueError, match="match m1: a result has at least 2 seats"):
            ranked("m1", "a")
        with pytest.raises(ValueError, match="a result needs the id of its match"):
            ranked("", "a", "b")


class TestLines:
    def test_a_new_version_inherits_the_mean_and_is_uncertain(self, ledger: Ledger) -> None:
        for n in range(10):
            ledger.append(ranked(f"m{n}", "a", "b", "c", version="", started_ms=n))
        old = ledger.rating("a")
        assert ledger.rating("a", "1.2") == Rating(old.mu, SKILL.settings.sigma)
        changed = result(
            "m10", seat("a", 1, version="1.2"), seat("b", 2), seat("c", 3), started_ms=10
        )
        rated = ledger.append(changed)
        assert rated[0] == Rated("a", Rating(old.mu, 25 / 3), rated[0].after, "1.2")
        row = next(row for row in ledger.standings() if row.bot == "a")
        assert (row.version, row.earlier, row.games) == ("1.2", ("",), 1)
        assert row.sigma == rated[0].after.sigma
        assert sum(ledger.seat_games("a")) == 11

    def test_an_old_build_goes_on_with_its_line(self, ledger: Ledger) -> None:
        def play(n: int, version: str, started_ms: int) -> Rated:
            seats = (seat("a", 1, version=version), seat("b", 2), seat("c", 3))
            return ledger.append(result(f"m{n}", *seats, started_ms=started_ms))[0]

        first = play(1, "1", 10)
        play(2, "2", 30)
        # It began before the bot came back with version 2, and ended later.
        late = play(3, "1", 20)
        assert late.before == first.after
        assert ledger.standings()[0].version == "2"
        back = play(4, "1", 40)
        assert back.before == late.after
        row = ledger.standings()[0]
        assert (row.version, row.earlier, row.games) == ("1", ("2",), 3)

    def test_every_line_is_kept(self, ledger: Ledger) -> None:
        ledger.append(ranked("m1", "a", "b"))
        ledger.append(ranked("m2", "a", "b", version="2", started_ms=5))
        lines = ledger._standings.lines.all()
        assert list(lines) == [Line("a", "1"), Line("b", "1"), Line("a", "2"), Line("b", "2")]
