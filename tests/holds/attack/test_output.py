"""What programs print: kept within bounds, and no business of anybody else's."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest

from engine import catalog
from runner import output, processes
from runner.config import load
from runner.processes import BotProcess, Program
from tests.bots.honest import honest
from tests.runner.ladder import Ladder

LIMIT = 200_000
PIPE_AT_ONCE = 32 * (1 << 16)


def _process(folder: Path, code: str, deaths: list[str]) -> BotProcess:
    """A bot of Python code; its log is `cat.log` in `folder`."""
    argv = (sys.executable, "-c", code)
    program = Program("cat", argv, folder, folder / "cat.log", 0)
    return BotProcess(program, os.environ, lambda _, how, __: deaths.append(how))


async def test_the_last_of_what_a_program_says_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "MAX_LOG_BYTES", LIMIT)
    monkeypatch.setattr(output, "BYTES_PER_SECOND", 1 << 40)
    deaths: list[str] = []
    lines = 200_000
    await _process(tmp_path, f"for n in range({lines}): print(n)", deaths).run()
    assert deaths == ["exited with code 0"]
    newest, older = tmp_path / "cat.log", tmp_path / "cat.log.1"
    assert sorted(os.listdir(tmp_path)) == [newest.name, older.name]
    assert 0 < newest.stat().st_size <= LIMIT
    assert 0 < older.stat().st_size <= LIMIT
    kept = (older.read_bytes() + newest.read_bytes()).decode().split("\n")[1:-1]
    assert kept == [str(n) for n in range(lines - len(kept), lines)], "one piece, to the end"


async def test_a_log_goes_on_after_a_restart_and_within_its_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "MAX_LOG_BYTES", 10)
    for said in ("one", "two", "three"):
        await _process(tmp_path, f"print({said!r})", []).run()
    assert (tmp_path / "cat.log.1").read_text().split() == ["one", "two"]
    assert (tmp_path / "cat.log").read_text().split() == ["three"]


async def test_a_log_that_somebody_took_away_is_begun_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "MAX_LOG_BYTES", 10)
    with output.BoundedLog(tmp_path / "cat.log") as log:
        log.write(b"one\n")
        (tmp_path / "cat.log").unlink()
        log.write(b"two\n")
        log.write(b"three\n")
    assert (tmp_path / "cat.log").read_text() == "three\n"
    assert not (tmp_path / "cat.log.1").exists()


async def test_a_flood_is_read_no_faster_than_is_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "BYTES_PER_SECOND", 1)
    monkeypatch.setattr(processes, "EXIT_SECONDS", 0.2)
    os.mkfifo(tmp_path / "begun")
    code = "import os\nopen('begun', 'w').close()\nwhile True: os.write(1, bytes(10_000))"
    process = _process(tmp_path, code, [])
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(process.run())
        await asyncio.to_thread((tmp_path / "begun").read_bytes)
        process.stop()
    # What a loop takes from a pipe in one go, when it spoke and when it ended; not all that it
    # wanted to say in this time.
    assert 0 < (tmp_path / "cat.log").stat().st_size <= 2 * PIPE_AT_ONCE
    assert not (tmp_path / "cat.log.1").exists()


async def test_children_that_are_left_behind_keep_nobody_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "SILENCE_SECONDS", 0.05)
    deaths: list[str] = []
    child = f"{sys.executable!r}, '-c', 'import time; time.sleep(600)'"
    code = f"import subprocess; print(subprocess.Popen([{child}]).pid, flush=True); exit(3)"
    await _process(tmp_path, code, deaths).run()
    os.kill(int((tmp_path / "cat.log").read_text()), 9)
    assert deaths == ["exited with code 3"]


async def test_output_that_cannot_be_kept_is_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cat.log").symlink_to("/dev/full")
    deaths: list[str] = []
    await _process(tmp_path, "print('x' * 1_000_000)", deaths).run()
    assert deaths == ["exited with code 0"], "it never learns of that"


async def test_a_flood_of_output_is_nobody_elses_business(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ann and bob play while cat, which never connects, prints and prints."""
    monkeypatch.setattr(output, "MAX_LOG_BYTES", LIMIT)
    monkeypatch.setattr(processes, "EXIT_SECONDS", 0.1)
    ladder = Ladder(tmp_path, rounds=[[0, 1]] * 20, matches=3, start_with=2)
    with ladder.loaded.path.open("a", encoding="utf-8") as config:
        flood = (
            r"print('x' * 10_000, flush=True); open('begun', 'w').close()\n"
            r"while True: print('x' * 10_000)"
        )
        config.write(f'\n[[bots]]\nname = "cat"\ncommand = ["python", "-c", "{flood}"]\n')
    ladder.loaded = load(ladder.loaded.path, games=catalog.GAMES, builtins={})
    logs = ladder.loaded.data / "logs"
    logs.mkdir()
    os.mkfifo(tmp_path / "begun")
    async with ladder.run() as house:
        await asyncio.to_thread((tmp_path / "begun").read_bytes)
        bots = [await house.connect(name) for name in ("ann", "bob")]
        await asyncio.gather(*map(honest, bots))
        assert (await house.over()).finished
    assert ladder.faults("ann") == []
    assert 0 < sum(path.stat().st_size for path in logs.iterdir()) <= 2 * LIMIT
