"""A journal that ends anywhere at all: what is whole in it is kept, the rest never was."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest
from msgspec import Raw

from engine import transcript as record
from engine.chance import derive_seed
from runner.journal import JournalStore
from runner.vault import IDS
from tests.bots.honest import HONEST_NUMBER, honest
from tests.runner.ladder import SECRET, Ladder
from tests.runner.rounds import Rounds, Say

ROUNDS = [[0], [1], [0, 1]]


async def _whole(folder: Path) -> tuple[Ladder, bytes]:
    """A match that was played to its end, and its transcript."""
    ladder = Ladder(folder, rounds=ROUNDS)
    await _finish(ladder)
    return ladder, (ladder.loaded.data / "transcripts" / "m000001.jsonl").read_bytes()


async def _finish(ladder: Ladder) -> None:
    async with ladder.run() as house:
        bots = [await house.connect(name) for name in ladder.tokens]
        await asyncio.gather(*map(honest, bots))
        assert (await house.over()).finished


def _played_on(found: record.Transcript) -> record.Playthrough:
    """The match from where its journal stands to its end."""
    seed = derive_seed(bytes.fromhex(SECRET), found.header.match)
    play = record.deal(found.header, seed, Rounds)
    for decision in found.decisions:
        record.replay(play, decision)
    while waiting := play.waiting():
        play.settle(min(waiting), Say(HONEST_NUMBER), "answer")
    return play


async def test_wherever_a_journal_is_cut_it_goes_on_to_the_same_end(tmp_path: Path) -> None:
    _, whole = await _whole(tmp_path)
    lines = whole.splitlines(keepends=True)
    outcome = _played_on(record.read(whole.splitlines())).game.outcome()
    store = JournalStore(tmp_path / "cut")
    path = tmp_path / "cut" / "playing" / "m000001.jsonl"
    for cut in range(len(whole) + 1):
        path.write_bytes(whole[:cut])
        found = store.recover("m000001")
        kept = whole[: whole.rfind(b"\n", 0, cut) + 1]
        if not kept:
            assert found is None
            assert not path.exists()
            continue
        assert found is not None
        assert path.read_bytes() == kept
        count = kept.count(b"\n")
        assert len(found.decisions) == min(count, len(lines) - 1) - 1
        assert (found.end is None) == (count < len(lines))
        assert _played_on(found).game.outcome() == outcome
        # What is appended later begins a line of its own.
        with_more = store.open("m000001")
        decision = record.Decision(len(found.decisions), 0, "say", Raw(b"{}"), "answer")
        with_more.write(decision)
        with_more.close()
        assert path.read_bytes() == kept + record.encode_line(decision) + b"\n"


async def _goes_on(tmp_path: Path, whole_ladder: Ladder, whole: bytes, cuts: list[int]) -> None:
    for cut in cuts:
        ladder = Ladder(_folder(tmp_path, cut), rounds=ROUNDS)
        ladder.playing().parent.mkdir(parents=True)
        ladder.playing().write_bytes(whole[:cut])
        shutil.copy(whole_ladder.loaded.data / IDS, ladder.loaded.data / IDS)
        await _finish(ladder)
        kept = whole[: whole.rfind(b"\n", 0, cut) + 1]
        after = (ladder.loaded.data / "transcripts" / "m000001.jsonl").read_bytes()
        assert after.startswith(kept), "what was settled stays as it was"
        ours, theirs = ladder.transcript(), whole_ladder.transcript()
        assert ours.end is not None
        assert theirs.end is not None
        assert (ours.end.placements, ours.end.scores) == (theirs.end.placements, theirs.end.scores)
        assert [result.match for result in ladder.results()] == ["m000001"]


def _folder(tmp_path: Path, cut: int) -> Path:
    folder = tmp_path / str(cut)
    folder.mkdir()
    return folder


async def test_a_season_goes_on_from_a_journal_cut_about_its_last_lines(tmp_path: Path) -> None:
    ladder, whole = await _whole(tmp_path)
    ends = [place + 1 for place, byte in enumerate(whole) if byte == ord("\n")]
    about = {end + by for end in ends[-3:] for by in (-2, -1, 0, 1)}
    await _goes_on(tmp_path, ladder, whole, sorted(cut for cut in about if cut <= len(whole)))


@pytest.mark.slow
async def test_a_season_goes_on_from_a_journal_cut_at_any_byte_of_its_last_lines(
    tmp_path: Path,
) -> None:
    ladder, whole = await _whole(tmp_path)
    begin = len(b"".join(whole.splitlines(keepends=True)[:-3]))
    async with asyncio.timeout(600):
        await _goes_on(tmp_path, ladder, whole, list(range(begin, len(whole) + 1)))
