"""Journals: whole lines in order, torn lines cut off, full disks told, digests of what is there."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import Raw

from engine.transcript import Decision, End, Fault, Header, TranscriptError, read
from runner.journal import Journal, JournalError, JournalStore

HEADER = Header(
    match="m000001",
    season="test",
    game="rounds",
    seats=2,
    players=("ann", "bob"),
    commitment="ab" * 32,
    started_ms=1,
    versions=("", "2"),
)
END = End((1, 2), (9, 3), "played", "cd" * 32, 2)


def decision(n: int) -> Decision:
    return Decision(n, n % 2, "say", Raw(b'{"number":1}'), "answer", ms=0.125, id=n)


@pytest.fixture
def store(tmp_path: Path) -> JournalStore:
    return JournalStore(tmp_path)


def lines_of(path: Path) -> int:
    return len(path.read_bytes().splitlines())


def test_a_journal_is_the_lines_that_were_written(store: JournalStore, tmp_path: Path) -> None:
    store.begin(HEADER)
    journal = store.open("m000001")
    for n in range(3):
        journal.write(decision(n))
    journal.write(END)
    journal.close()
    content = (tmp_path / "playing" / "m000001.jsonl").read_bytes()
    assert content.endswith(b"\n")
    found = read(content.splitlines())
    assert (found.header, found.end) == (HEADER, END)
    assert [line.n for line in found.decisions] == [0, 1, 2]
    assert journal.digest() == hashlib.sha256(content).hexdigest()


def test_every_line_is_in_the_file_at_once(store: JournalStore, tmp_path: Path) -> None:
    store.begin(HEADER)
    path = tmp_path / "playing" / "m000001.jsonl"
    assert lines_of(path) == 1
    journal = store.open("m000001")
    for n in range(3):
        journal.write(decision(n))
        assert lines_of(path) == 2 + n
        assert journal.digest() == hashlib.sha256(path.read_bytes()).hexdigest()
    journal.close()


def test_a_journal_is_opened_again_where_it_ends(store: JournalStore, tmp_path: Path) -> None:
    store.begin(HEADER)
    for n in range(3):
        journal = store.open("m000001")
        journal.write(decision(n))
        journal.close()
    found = store.recover("m000001")
    assert found is not None
    assert len(found.decisions) == 3
    content = (tmp_path / "playing" / "m000001.jsonl").read_bytes()
    assert journal.digest() == hashlib.sha256(content).hexdigest()


def test_what_a_bot_says_never_breaks_a_line(store: JournalStore) -> None:
    answer = Raw(b'{"text":"a\\nb\\u2028\\u0085\\r\xe2\x80\xa8\xc2\x85\x7f"}')
    fault = Fault("no\n", "\r\n\x0b\x1c", answer)
    line = Decision(0, 0, "say", answer, "illegal", ms=1.0, id=7, fault=fault)
    store.begin(HEADER)
    journal = store.open("m000001")
    journal.write(line)
    journal.close()
    found = store.recover("m000001")
    assert found is not None
    assert found.decisions == [line]


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_a_torn_last_line_is_cut_off(cut: int, store: JournalStore, tmp_path: Path) -> None:
    store.begin(HEADER)
    journal = store.open("m000001")
    journal.write(decision(0))
    journal.write(decision(1))
    journal.close()
    path = tmp_path / "playing" / "m000001.jsonl"
    whole = path.read_bytes()
    kept = b"".join(whole.splitlines(keepends=True)[:2])
    assert len(whole) - len(kept) > 60
    path.write_bytes(whole[:-cut])
    found = store.recover("m000001")
    assert found is not None
    assert [line.n for line in found.decisions] == [0]
    assert path.read_bytes() == kept
    journal = store.open("m000001")
    journal.write(decision(1))
    journal.close()
    assert path.read_bytes() == whole
    assert journal.digest() == hashlib.sha256(whole).hexdigest()


def test_of_a_match_without_a_whole_header_nothing_is_left(
    store: JournalStore, tmp_path: Path
) -> None:
    path = tmp_path / "playing" / "m000001.jsonl"
    for content in (b"", b"{", b'{"type":"header","match":"m000001"}'):
        path.write_bytes(content)
        assert store.recover("m000001") is None
        assert not path.exists()


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"\n", 1),
        (b"{}\n", 1),
        (b'{"type":"end"}\n', 1),
        (b"\x00\x00\x00\n", 1),
    ],
)
def test_damage_anywhere_else_is_an_error(
    content: bytes, line: int, store: JournalStore, tmp_path: Path
) -> None:
    (tmp_path / "playing" / "m000001.jsonl").write_bytes(content)
    with pytest.raises(TranscriptError) as caught:
        store.recover("m000001")
    assert caught.value.line == line
    assert (tmp_path / "playing" / "m000001.jsonl").read_bytes() == content


def test_a_journal_that_is_not_there_cannot_be_recovered(store: JournalStore) -> None:
    with pytest.raises(JournalError, match="m000009"):
        store.recover("m000009")


def _half(fd: int, data: bytes) -> int:
    return os.pwrite(fd, data[: len(data) // 2], os.fstat(fd).st_size)


def _nothing(fd: int, data: bytes) -> int:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("write", [_half, _nothing], ids=["a part fits", "nothing fits"])
def test_a_full_disk_leaves_whole_lines(
    write: Callable[[int, bytes], int],
    store: JournalStore,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store.begin(HEADER)
    path = tmp_path / "playing" / "m000001.jsonl"
    journal = store.open("m000001")
    journal.write(decision(0))
    before = path.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", write)
        with pytest.raises(JournalError, match=r"m000001.jsonl: (?i:no space left)"):
            journal.write(decision(1))
    assert path.read_bytes() == before
    assert journal.digest() == hashlib.sha256(before).hexdigest()
    # There may be room again by now, but this runner does not know what it has told.
    with pytest.raises(JournalError, match="m000001"):
        journal.write(decision(1))
    journal.close()
    assert path.read_bytes() == before
    again = store.open("m000001")
    again.write(decision(1))
    again.close()
    found = store.recover("m000001")
    assert found is not None
    assert len(found.decisions) == 2


def test_a_disk_that_is_full_when_a_match_begins(
    store: JournalStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", _half)
        with pytest.raises(JournalError):
            store.begin(HEADER)
    assert store.in_play() == ["m000001"]
    assert store.recover("m000001") is None, "it never began"
    assert store.in_play() == []


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="nowhere"):
        Journal(tmp_path / "nowhere" / "m000001.jsonl")


def test_matches_in_play_are_found_in_order(store: JournalStore, tmp_path: Path) -> None:
    for number in (3, 1, 2):
        store.begin(Header(f"m00000{number}", "s", "g", 2, ("a", "b"), "00", 1))
    (tmp_path / "playing" / "notes.txt").write_text("not a journal")
    assert store.in_play() == ["m000001", "m000002", "m000003"]


def test_a_finished_match_moves_and_becomes_public(store: JournalStore, tmp_path: Path) -> None:
    store.begin(HEADER)
    before = (tmp_path / "playing" / "m000001.jsonl").read_bytes()
    store.finish("m000001")
    path = tmp_path / "transcripts" / "m000001.jsonl"
    assert path.read_bytes() == before
    assert store.in_play() == []
    if sys.platform != "win32":
        assert stat.S_IMODE(path.stat().st_mode) == 0o644


@pytest.mark.skipif(sys.platform == "win32", reason="file modes are POSIX's")
def test_a_match_in_play_is_the_organisers_secret(store: JournalStore, tmp_path: Path) -> None:
    store.begin(HEADER)
    assert stat.S_IMODE((tmp_path / "playing").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "playing" / "m000001.jsonl").stat().st_mode) == 0o600
