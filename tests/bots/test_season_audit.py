"""`pioneers verify CONFIG`: an audit of a whole season finds whatever was changed in it."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from engine.chance import derive_seed
from runner import app
from runner.audit import SeasonAudit, audit_season
from runner.config import Loaded
from runner.journal import digest_of, transcript_paths
from runner.vault import PUBLIC
from tests.bots.honest import honest
from tests.runner.ladder import SECRET, Ladder
from tests.runner.rounds import Rounds

MATCHES = 4


@pytest.fixture
async def season(tmp_path: Path) -> Loaded:
    """A finished season of two sets, with a fault in it."""
    ladder = Ladder(tmp_path, rounds=[[0, 1], [0], [1]], matches=MATCHES)
    async with ladder.run() as house:
        ann, bob = await house.connect("ann"), await house.connect("bob", version="2")
        await ann.answer(await ann.hear("request"), number=7)
        await asyncio.gather(honest(ann), honest(bob))
        assert (await house.over()).finished
    return ladder.loaded


def check(loaded: Loaded, head: str | None = None) -> SeasonAudit:
    return audit_season(loaded, Rounds, head=head)


async def test_an_honest_season_is_right(season: Loaded) -> None:
    found = check(season)
    assert found.departure is None
    assert (found.entries, found.transcripts, found.seeds) == (MATCHES, MATCHES, True)
    assert check(season, found.head).departure is None
    departure = check(season, "0" * 64).departure
    assert departure is not None
    assert "ends with" in departure


async def test_matches_of_a_set_share_the_board_and_nothing_else(season: Loaded) -> None:
    lines = [path.read_bytes().splitlines() for path in transcript_paths(season.data).values()]
    headers = [msgspec.json.decode(match[0]) for match in lines]
    secret = bytes.fromhex(SECRET)
    for header in headers:
        assert header["boardSeed"] == derive_seed(secret, header["set"]).hex()
    assert len({header["boardSeed"] for header in headers}) == 2
    assert len({header["commitment"] for header in headers}) == MATCHES
    for set_id in {header["set"] for header in headers}:
        seats = [tuple(header["players"]) for header in headers if header["set"] == set_id]
        assert sorted(seats) == [("ann", "bob"), ("bob", "ann")]


def flip_and_find(season: Loaded, step: int) -> None:
    """Flip a bit in every `step`-th byte of a transcript, one at a time."""
    path = transcript_paths(season.data)["m000001"]
    whole = path.read_bytes()
    for place in range(0, len(whole), step):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << place % 8
        path.write_bytes(damaged)
        departure = check(season).departure
        assert departure is not None, f"byte {place}"
        assert "m000001" in departure
    path.write_bytes(whole)
    assert check(season).departure is None


async def test_flipped_bits_of_a_transcript_are_found(season: Loaded) -> None:
    flip_and_find(season, 31)


@pytest.mark.slow
async def test_a_flipped_bit_in_any_byte_of_a_transcript_is_found(season: Loaded) -> None:
    flip_and_find(season, 1)


async def test_flipped_bytes_of_the_public_file_are_found(season: Loaded) -> None:
    path = season.data / PUBLIC
    whole = path.read_bytes()
    for place in range(len(whole)):
        damaged = bytearray(whole)
        damaged[place] ^= 1
        path.write_bytes(damaged)
        try:
            same = msgspec.json.decode(damaged) == msgspec.json.decode(whole)
        except (msgspec.DecodeError, UnicodeDecodeError):
            same = False
        if not same:
            assert check(season).departure is not None, f"byte {place}"


def forge(
    season: Loaded, match: str, change: Callable[[bytes], bytes], patch: pytest.MonkeyPatch
) -> str | None:
    """What the audit says of a changed transcript whose hash comes out right all the same."""
    path = transcript_paths(season.data)[match]
    right = path.read_bytes()
    forged = change(right)
    assert forged != right
    path.write_bytes(forged)
    patch.setattr(
        "runner.audit.digest_of", lambda data: digest_of(right if data == forged else data)
    )
    return check(season).departure


async def test_a_forged_course_is_found_even_under_its_own_hash(
    season: Loaded, monkeypatch: pytest.MonkeyPatch
) -> None:
    def better(data: bytes) -> bytes:
        return data.replace(b'"number":1', b'"number":9', 1)

    departure = forge(season, "m000002", better, monkeypatch)
    assert departure is not None
    assert "m000002" in departure
    assert "scores" in departure


async def test_answer_times_that_depart_from_the_ledger_are_found(
    season: Loaded, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slower(data: bytes) -> bytes:
        lines = data.splitlines(keepends=True)
        decision = msgspec.json.decode(lines[1])
        decision["ms"] += 1000
        return b"".join((lines[0], msgspec.json.encode(decision) + b"\n", *lines[2:]))

    departure = forge(season, "m000002", slower, monkeypatch)
    assert departure is not None
    assert "m000002: seats in the ledger departs" in departure


async def test_a_board_of_another_set_is_found(
    season: Loaded, monkeypatch: pytest.MonkeyPatch
) -> None:
    def other_board(data: bytes) -> bytes:
        right = msgspec.json.decode(data.splitlines()[0])["boardSeed"]
        other = derive_seed(bytes.fromhex(SECRET), "another set").hex()
        return data.replace(right.encode(), other.encode())

    departure = forge(season, "m000001", other_board, monkeypatch)
    assert departure is not None
    assert "boardSeed" in departure


async def test_transcripts_that_are_missing_or_too_many_are_found(season: Loaded) -> None:
    paths = transcript_paths(season.data)
    extra = paths["m000001"].with_name("m000009.jsonl")
    shutil.copy(paths["m000001"], extra)
    assert check(season).departure == "match m000009: it has a transcript and no result"
    extra.unlink()
    paths["m000003"].unlink()
    assert check(season).departure == "match m000003: it has a result and no transcript"


async def test_a_void_match_stays_in_the_books(season: Loaded) -> None:
    with app.open_ledger(season, create=False) as ledger:
        ledger.void("m000002", "the organiser slept", 1)
        assert ledger.matches_played == MATCHES - 1
    found = check(season)
    assert found.departure is None
    assert (found.entries, found.transcripts) == (MATCHES + 1, MATCHES)


async def test_a_season_whose_secret_is_published_is_never_gone_on_with(season: Loaded) -> None:
    with app.open_ledger(season, create=False) as ledger:
        ledger.void("m000002", "so that a match is missing", 1)

    async def watch(_: app.Running) -> None:
        raise AssertionError("a match could be played with dice that everybody knows")

    report = await app.run_season(season, asyncio.Event(), watch)
    assert report.finished
