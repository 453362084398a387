"""Tokens: kept as hashes alone, revoked at once, private to their owner."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import stat
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from runner.tokens import FILE, TokenBook, TokenError


@pytest.fixture
def book(tmp_path: Path) -> TokenBook:
    return TokenBook(tmp_path)


def test_a_token_says_who_it_is(book: TokenBook) -> None:
    tokens = {name: book.issue(name) for name in ("ann", "bob")}
    assert {name: book.find(token) for name, token in tokens.items()} == {
        "ann": "ann",
        "bob": "bob",
    }


@pytest.mark.parametrize("token", ["", "x", "ann", "\udcff", "ü", 10_000 * "x"])
def test_any_other_text_is_nobody(token: str, book: TokenBook) -> None:
    assert book.find(token) is None
    known = book.issue("ann")
    assert book.find(token) is None
    assert book.find(known[:-1]) is None
    assert book.find(known + "=") is None
    assert book.find(known.swapcase()) is None


def test_a_hash_is_no_token(book: TokenBook) -> None:
    token = book.issue("ann")
    assert book.find(hashlib.sha256(token.encode()).hexdigest()) is None


def test_tokens_are_long_and_never_the_same(book: TokenBook) -> None:
    tokens = {book.issue("ann") for _ in range(20)}
    assert len(tokens) == 20
    assert min(map(len, tokens)) >= 43  # 256 bits in base64


def test_only_hashes_are_on_disk(book: TokenBook, tmp_path: Path) -> None:
    token = book.issue("ann")
    lent = book.lend("bob")
    content = (tmp_path / FILE).read_text()
    assert json.loads(content) == {"ann": [hashlib.sha256(token.encode()).hexdigest()]}
    for secret in (token, lent, hashlib.sha256(lent.encode()).hexdigest()):
        assert (secret in content) == (secret == hashlib.sha256(token.encode()).hexdigest())


@pytest.mark.skipif(sys.platform == "win32", reason="file modes are POSIX's")
def test_the_file_is_the_owners_alone(book: TokenBook, tmp_path: Path) -> None:
    for change in (
        lambda: book.issue("ann"),
        lambda: book.issue("bob"),
        lambda: book.revoke("ann"),
    ):
        change()
        assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == [FILE, "tokens.lock"], "no temporary files are left"


def test_the_folder_is_made(tmp_path: Path) -> None:
    book = TokenBook(tmp_path / "not" / "there")
    assert book.find("x") is None
    assert book.find(book.issue("ann")) == "ann"


def test_a_bot_may_have_several_tokens(book: TokenBook) -> None:
    tokens = [book.issue("ann") for _ in range(3)]
    assert [book.find(token) for token in tokens] == 3 * ["ann"]
    assert book.names() == {"ann": 3}
    assert book.revoke("ann") == 3
    assert [book.find(token) for token in tokens] == 3 * [None]
    assert (book.names(), book.revoke("ann")) == ({}, 0)


def test_a_running_book_sees_what_another_process_does(tmp_path: Path) -> None:
    running, elsewhere = TokenBook(tmp_path), TokenBook(tmp_path)
    assert running.find("x") is None
    token = elsewhere.issue("ann")
    assert running.find(token) == "ann"
    other = elsewhere.issue("bob")
    elsewhere.revoke("ann")
    assert (running.find(token), running.find(other)) == (None, "bob")
    again = elsewhere.issue("ann")
    assert (running.find(token), running.find(again)) == (None, "ann")


def test_books_do_not_undo_each_other(tmp_path: Path) -> None:
    one, two = TokenBook(tmp_path), TokenBook(tmp_path)
    first = one.issue("ann")
    second = two.issue("ann")
    third = one.issue("bob")
    for token, name in ((first, "ann"), (second, "ann"), (third, "bob")):
        assert one.find(token) == two.find(token) == name


def test_a_file_that_is_gone_revokes_everything_but_what_is_lent(
    book: TokenBook, tmp_path: Path
) -> None:
    token, lent = book.issue("ann"), book.lend("bob")
    (tmp_path / FILE).unlink()
    assert (book.find(token), book.find(lent)) == (None, "bob")


def test_a_lent_token_is_good_for_its_own_book_alone(tmp_path: Path) -> None:
    mine, other = TokenBook(tmp_path), TokenBook(tmp_path)
    lent = mine.lend("ann")
    assert (mine.find(lent), other.find(lent)) == ("ann", None)
    assert not (tmp_path / FILE).exists()


@pytest.mark.parametrize("content", ["", "{", "[]", '{"ann": "abc"}', '{"ann": [1]}'])
def test_a_damaged_file_is_named_and_left_alone(
    content: str, book: TokenBook, tmp_path: Path
) -> None:
    (tmp_path / FILE).write_text(content)
    for use in (lambda: book.find("x"), lambda: book.issue("ann"), book.names):
        with pytest.raises(TokenError, match=FILE):
            use()
    assert (tmp_path / FILE).read_text() == content


def _issue(data: Path) -> str:
    return TokenBook(data).issue("ann")


def test_tokens_issued_at_the_same_time_are_all_kept(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(4, mp_context=context) as processes:
        tokens = list(processes.map(_issue, [tmp_path] * 8))
    book = TokenBook(tmp_path)
    assert book.names() == {"ann": 8}
    assert [book.find(token) for token in tokens] == ["ann"] * 8
