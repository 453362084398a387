"""The audit: an honest ledger passes, and whatever is changed in one is found and named."""

from __future__ import annotations

import json
import sqlite3
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest

from ratings import chain
from ratings.audit import Audit, audit
from ratings.chain import Season, canonical
from ratings.ledger import DuplicateMatch, Ledger, LedgerError
from ratings.lines import Lines
from ratings.results import MatchResult, Rated, Rating
from ratings.schema import metadata
from ratings.skill import Skill
from ratings.standings import standings
from tests.ratings.made import ranked, season

SKILL = Skill()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A small season with everything that an entry can be."""
    path = tmp_path / "season.db"
    with Ledger.open(path, SKILL, "test") as ledger:
        for played in season(12, 6, seed=1):
            ledger.append(played)
        ledger.void("m3", "the board was dealt twice", 5000)
        ledger.append(ranked("m12", "bot000", "bot001"), void="the runner stalled")
        ledger.void("lost", "killed without a journal", 6000)
        ledger.append(ranked("m13", "bot002", "new"))
    return path


def find(path: Path, head: str | None = None) -> Audit:
    return audit(path, SKILL, "test", head=head)


def tamper(path: Path, *statements: str) -> None:
    """Change a ledger as somebody would who owns the file."""
    with sqlite3.connect(path) as connection:
        kept = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        triggers = kept.fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            connection.execute(statement)
        for _, sql in triggers:
            connection.execute(sql)
    connection.close()


def test_an_honest_ledger_passes(path: Path) -> None:
    seen: list[tuple[int, int]] = []
    found = audit(path, SKILL, "test", on_progress=lambda done, of: seen.append((done, of)))
    with Ledger.open(path, SKILL, "test") as ledger:
        assert found == Audit(17, ledger.head, None)
    assert seen[-1] == (17, 17)
    assert find(path, found.head).departure is None


def test_entries_cut_off_at_the_end_are_found_by_the_published_head(path: Path) -> None:
    head = find(path).head
    tamper(
        path,
        "DELETE FROM ratings WHERE entry = 17",
        "DELETE FROM seats WHERE entry = 17",
        "DELETE FROM results WHERE entry = 17",
        "DELETE FROM entries WHERE number = 17",
    )
    assert find(path).departure is None
    assert "not with" in str(find(path, head).departure)


@pytest.mark.parametrize(
    ("entry", "statement"),
    [
        (5, "UPDATE seats SET score = score + 1 WHERE entry = 5 AND seat = 2"),
        (5, "UPDATE seats SET placement = 5 - placement WHERE entry = 5"),
        (6, "UPDATE seats SET latencies = '{\"counts\":{}}' WHERE entry = 6 AND seat = 0"),
        (6, "UPDATE seats SET strikes = 'not json' WHERE entry = 6 AND seat = 0"),
        (6, "UPDATE seats SET bot = 'bot009' WHERE entry = 6 AND seat = 0"),
        (1, "UPDATE results SET reason = 'cap' WHERE entry = 1"),
        (2, "UPDATE results SET match = 'm99' WHERE entry = 2"),
        (7, "UPDATE ratings SET mu_after = mu_after + 1e-12 WHERE entry = 7 AND n = 0"),
        (13, "UPDATE voids SET reason = 'none' WHERE entry = 13"),
        (4, "UPDATE entries SET kind = 'void' WHERE number = 4"),
        (4, "UPDATE entries SET hash = upper(hash) WHERE number = 4"),
        (8, "UPDATE entries SET prev = upper(prev) WHERE number = 8"),
        (8, "DELETE FROM ratings WHERE entry = 8 AND n = 3"),
        (8, "DELETE FROM ratings WHERE entry = 8"),
        (15, "DELETE FROM voids WHERE entry = 15"),
        (0, "DELETE FROM entries WHERE number = 9"),
        (0, "UPDATE season SET tables = ''"),
        (0, "UPDATE season SET mu = 26"),
        (0, "DROP INDEX ix_results_set_id"),
    ],
)
def test_a_change_is_found_and_its_entry_named(path: Path, entry: int, statement: str) -> None:
    tamper(path, statement)
    departure = find(path).departure
    assert departure is not None
    assert departure.entry == entry


def test_a_trigger_taken_away_is_found(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TRIGGER seats_no_update")
    connection.close()
    assert "triggers are not those" in str(find(path).departure)


def test_a_forged_rating_under_sound_hashes_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "season.db"
    honest = Lines.rate

    def forge(lines: Lines, played: MatchResult) -> tuple[Rated, ...]:
        rated = honest(lines, played)
        if played.match != "m2":
            return rated
        first = rated[0]
        lifted = Rating(first.after.mu + 1, first.after.sigma)
        return (Rated(first.bot, first.before, lifted, first.version), *rated[1:])

    with monkeypatch.context() as patch, Ledger.open(path, SKILL, "test") as ledger:
        patch.setattr(Lines, "rate", forge)
        for played in season(6, 6, seed=1):
            ledger.append(played)
        stored = list(ledger.entries())[2].ratings[0]
    departure = find(path).departure
    assert departure is not None
    assert (departure.entry, departure.match) == (3, "m2")
    assert f"the rating of {stored.bot} after it is {stored.after.mu:.9f}" in departure.what


def test_the_chain_is_what_its_documentation_says(path: Path) -> None:
    with Ledger.open(path, SKILL, "test") as ledger:
        entries = list(ledger.entries())
        head = json.dumps(
            {
                "schemaVersion": 1,
                "name": "test",
                "skill": {
                    "mu": 25.0,
                    "sigma": 25 / 3,
                    "beta": 25 / 6,
                    "tau": 0.008,
                    "draw_probability": 0.02,
                },
                "tables": ledger.season.tables,
            },
            sort_keys=True,
            separators=(",", ":"),
        )
    prev = sha256(head.encode()).hexdigest()
    for entry in entries:
        assert entry.prev == prev
        plain = {
            "number": entry.number,
            "kind": entry.kind,
            "body": json.loads(canonical(entry.body)),
            "ratings": json.loads(canonical(entry.ratings)),
            "prev": prev,
        }
        text = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        prev = sha256(text.encode()).hexdigest()
        assert entry.hash == prev


def contents(path: Path) -> object:
    """All that a database says: its definitions and every row, with the types of its values."""
    tables = [table.name for table in metadata.sorted_tables]
    try:
        connection = sqlite3.connect(path)
        try:
            master = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master")
            found = [master.fetchall()]
            found += [connection.execute(f"SELECT * FROM {name}").fetchall() for name in tables]
        finally:
            connection.close()
    except (sqlite3.Error, UnicodeDecodeError) as error:
        return str(error)
    return repr(found)


def flip_bytes(path: Path, positions: list[int], rng: Random) -> None:
    """Flip one bit of each of these bytes, one at a time: found, or without any effect."""
    data = path.read_bytes()
    before = contents(path)
    flipped = path.with_name("flipped.db")
    missed = []
    for position in positions:
        damaged = bytearray(data)
        damaged[position] ^= 1 << rng.randrange(8)
        flipped.write_bytes(damaged)
        if find(flipped).departure is None and contents(flipped) != before:
            missed.append(position)
        for leftover in ("-wal", "-shm"):
            flipped.with_name(flipped.name + leftover).unlink(missing_ok=True)
    assert missed == []


def test_a_flipped_bit_is_found(path: Path) -> None:
    data = path.read_bytes()
    used = [position for position, byte in enumerate(data) if byte]
    rng = Random(11)
    flip_bytes(path, sorted(rng.sample(used, 200)) + rng.sample(range(len(data)), 20), rng)


@pytest.mark.slow
def test_a_flipped_bit_in_any_used_byte_is_found(path: Path) -> None:
    data = path.read_bytes()
    flip_bytes(path, [position for position, byte in enumerate(data) if byte], Random(12))


class TestVoid:
    @pytest.mark.parametrize("match", ["m0", "m3", "m7", "m11"])
    def test_the_ratings_become_those_without_the_match(self, tmp_path: Path, match: str) -> None:
        played = season(12, 6, seed=3)
        path = tmp_path / "season.db"
        with Ledger.open(path, SKILL, "test") as ledger:
            for one in played:
                ledger.append(one)
            changed = ledger.void(match, "why", 1)
            rest = [one for one in played if one.match != match]
            assert ledger.standings() == standings(rest, SKILL)
            assert ledger.matches_played == 11
            assert changed == tuple(sorted(changed, key=lambda rated: rated.bot))
            assert all(rated.before != rated.after for rated in changed)
            late = ledger.append(ranked("late", "bot000", "bot001", "bot002"))
        with Ledger.open(path, SKILL, "test") as again:
            everything = [*rest, ranked("late", "bot000", "bot001", "bot002")]
            assert again.standings() == standings(everything, SKILL)
            assert list(again.entries())[-1].ratings == late
        assert audit(path, SKILL, "test").departure is None

    def test_another_process_takes_it_in(self, path: Path) -> None:
        with Ledger.open(path, SKILL, "test") as runner:
            with Ledger.open(path, SKILL, "test") as organiser:
                organiser.void("m5", "why", 1)
            runner.append(ranked("late", "bot000", "bot001", "bot002"))
            assert runner.standings() == standings(runner.results(), SKILL)
        assert find(path).departure is None

    def test_a_line_without_matches_is_gone(self, tmp_path: Path) -> None:
        with Ledger.open(tmp_path / "season.db", SKILL) as ledger:
            ledger.append(ranked("m1", "a", "b"))
            ledger.append(ranked("m2", "a", "c", version="2"))
            ledger.void("m2", "why", 1)
            assert ledger.standings() == standings([ranked("m1", "a", "b")], SKILL)
            assert ledger.standings()[0].version == "1"

    def test_refusals(self, path: Path) -> None:
        with Ledger.open(path, SKILL, "test") as ledger:
            table = ledger.standings()
            with pytest.raises(DuplicateMatch, match="match m3 is already"):
                ledger.void("m3", "again", 1)
            with pytest.raises(LedgerError, match="without a reason"):
                ledger.void("m4", " ", 1)
            with pytest.raises(LedgerError, match="without a reason"):
                ledger.append(ranked("m99", "a", "b"), void="")
            with pytest.raises(DuplicateMatch, match="match lost is already in the ledger"):
                ledger.append(ranked("lost", "a", "b"))
            assert ledger.standings() == table
        assert find(path).departure is None


def test_canonical_json_has_one_form_for_one_value() -> None:
    one = Season(1, "é \x1b\u2028", SKILL.settings, "")
    assert canonical(one) == canonical(json.loads(canonical(one)))
    assert chain.genesis(one) != chain.genesis(Season(1, "e", SKILL.settings, ""))
