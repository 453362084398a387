"""A disk that is full, or that nothing can be written to: said clearly, and nothing is lost."""

from __future__ import annotations

import asyncio
import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.transcript import Header
from runner.journal import JournalError, JournalStore
from tests.bots.honest import honest
from tests.holds.crash.seasons import KilledSeason, assert_same
from tests.runner.ladder import Ladder

ROUNDS = [[0], [1], [0, 1], [0, 1]]
LINES = 1 + 6 + 1  # header, decisions, end


class FullDisk:
    """Takes so many lines of journals, and of the next one `part` bytes; then it is full."""

    def __init__(self, patch: pytest.MonkeyPatch, lines: int, part: int) -> None:
        self._write = os.write
        self._left = lines
        self._part = part
        self.refused = 0
        patch.setattr(os, "write", self.write)

    def write(self, fd: int, data: bytes) -> int:
        self._left -= 1
        if self._left >= 0:
            return self._write(fd, data)
        part, self._part = self._part, 0
        if part:
            return self._write(fd, data[:part])
        self.refused += 1
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("part", [0, 20])
@pytest.mark.parametrize("lines", range(LINES))
async def test_a_full_disk_ends_the_run_and_room_lets_it_go_on(
    lines: int, part: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ladder = Ladder(tmp_path, rounds=ROUNDS)
    with monkeypatch.context() as patch:
        FullDisk(patch, lines, part)
        async with ladder.run() as house:
            bots = [await house.connect(name) for name in ladder.tokens]
            tasks = [asyncio.create_task(honest(bot)) for bot in bots]
            with pytest.raises(ExceptionGroup) as failed:
                await house.over()
            await asyncio.gather(*tasks, return_exceptions=True)
            # The bots are told that it is not over for good.
            assert [bot.of_type("goodbye")[0]["retryMs"] for bot in bots] == [2000, 2000]
            assert all(bot.of_type("match_end") == [] for bot in bots)
    reasons = [str(error) for error in _leaves(failed.value)]
    assert all("m000001.jsonl" in reason and "space" in reason for reason in reasons), reasons
    assert ladder.results() == []
    whole = ladder.playing().read_bytes() if ladder.playing().exists() else b""
    assert whole.count(b"\n") <= lines
    assert whole == b"" or whole.endswith(b"\n"), "nothing half-written is left"

    async with ladder.run() as house:
        bots = [await house.connect(name) for name in ladder.tokens]
        await asyncio.gather(*map(honest, bots))
        assert (await house.over()).finished
    after = (ladder.loaded.data / "transcripts" / "m000001.jsonl").read_bytes()
    assert after.startswith(whole)
    assert ladder.faults("ann") == []


def _leaves(group: BaseException) -> Iterator[BaseException]:
    if isinstance(group, BaseExceptionGroup):
        for error in group.exceptions:
            yield from _leaves(error)
    else:
        yield group


def test_a_journal_that_failed_takes_no_more_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line behind one that is torn would make the whole journal unreadable."""
    store = JournalStore(tmp_path)
    header = Header("m000001", "s", "rounds", 2, ("ann", "bob"), "00", 0)
    with monkeypatch.context() as patch:
        FullDisk(patch, 1, 5)
        patch.setattr(os, "ftruncate", _fails)
        book = store.open("m000001")
        book.write(header)
        with pytest.raises(JournalError, match=r"m000001\.jsonl"):
            book.write(header)
        patch.undo()
        with pytest.raises(JournalError, match=r"m000001\.jsonl"):
            book.write(header)
        book.close()
    found = store.recover("m000001")
    assert found is not None
    assert found.header == header
    assert found.decisions == []


def _fails(fd: int, size: int) -> None:
    raise OSError(errno.EIO, os.strerror(errno.EIO))


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own, of one megabyte."""
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("only root on Linux can mount a small disk")
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = _mount("-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk))
    if mounted.returncode:
        pytest.skip(f"nothing can be mounted here: {mounted.stderr}")
    try:
        yield disk
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def _mount(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["mount", *arguments], capture_output=True, text=True, check=False)


@pytest.mark.slow
async def test_the_real_command_on_a_disk_that_fills_up(small_disk: Path, tmp_path: Path) -> None:
    season = KilledSeason(small_disk / "season", matches=3)
    whole = KilledSeason(tmp_path / "whole", matches=3)
    ballast = small_disk / "ballast"
    runs = 0
    async with season.bots():
        for left in (24, 60, 100, 160):  # KiB
            fill = os.statvfs(small_disk).f_bavail * 4096 - left * 1024
            ballast.write_bytes(bytes(max(0, fill)))
            status, said = await season.run()
            ballast.unlink()
            assert "Traceback" not in said
            if status == 0:
                break
            assert status == 1
            assert said.startswith("pioneers: ")
            assert "no space left: " in said, said
            assert str(season.data) in said
            runs += 1
        assert runs, "the disk was never full"
        assert not _mount("-o", "remount,size=50m", str(small_disk)).returncode
        await season.finish()
    async with whole.bots():
        await whole.finish()
    assert_same(season.told(), whole.told())


async def test_the_real_command_on_a_disk_that_is_read_only(small_disk: Path) -> None:
    season = KilledSeason(small_disk / "season", matches=1)
    assert not _mount("-o", "remount,ro", str(small_disk)).returncode
    status, said = await season.run()
    assert status == 1
    assert said.startswith("pioneers: ")
    assert "Read-only file system" in said
    assert str(season.data) in said
    assert "Traceback" not in said
