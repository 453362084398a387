"""Standard output that cannot be written: one sentence and status 1, for every command."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from runner.cli import main
from tests.runner.command import PIONEERS, ROOT, run, write_config

FULL = Path("/dev/full")
SENTENCE = "pioneers: standard output: No space left on device\n"

pytestmark = pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full")


@pytest.mark.parametrize(
    "command",
    [
        ("--help",),
        ("table", "--help"),
        ("cards",),
        ("cards", "--json"),
        ("token", "list", "CONFIG"),
        ("token", "issue", "CONFIG", "ann"),
        ("doctor", "CONFIG"),
        ("simulate", "--players", "random,random,random", "--matches", "2", "--jobs", "1"),
    ],
    ids=" ".join,
)
def test_a_full_disk_is_a_sentence(
    command: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    config = write_config(tmp_path, {name: {"remote": True} for name in ("ann", "bob", "cat")})
    words = [str(config) if word == "CONFIG" else word for word in command]
    monkeypatch.setattr(sys, "argv", ["pioneers", *words])
    with FULL.open("w") as full:
        monkeypatch.setattr(sys, "stdout", full)
        with pytest.raises(SystemExit) as ended:
            main()
        assert sys.stdout is full
    assert ended.value.code == 1
    assert capsys.readouterr().err.splitlines(keepends=True)[-1] == SENTENCE


def _written_to(stdout: int, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """A command as a process, with its standard output somewhere else."""
    return subprocess.run(
        [*PIONEERS, *map(str, arguments)],
        stdout=stdout,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        text=True,
        check=False,
    )


def test_nothing_more_is_said_when_the_process_ends() -> None:
    with FULL.open("wb") as full:
        ended = _written_to(full.fileno(), "cards")
    assert (ended.returncode, ended.stderr) == (1, SENTENCE)


def test_a_pipe_that_nobody_reads_is_no_error_to_speak_of() -> None:
    read, write = os.pipe()
    os.close(read)
    ended = _written_to(write, "cards", "--json")
    os.close(write)
    assert (ended.returncode, ended.stderr) == (1, "")


@pytest.mark.parametrize("command", [("--help",), ("cards",), ("cards", "--json")], ids=" ".join)
def test_where_there_is_no_standard_output_nothing_is_said(command: tuple[str, ...]) -> None:
    """As a service may be started: Python has no `sys.stdout` then."""
    closed = subprocess.run(
        ["/bin/sh", "-c", 'exec "$@" >&-', "sh", *PIONEERS, *command],
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        text=True,
        check=False,
    )
    assert (closed.returncode, closed.stderr) == (0, "")


def test_a_season_that_cannot_show_its_progress_ends_in_good_order(tmp_path: Path) -> None:
    config = write_config(tmp_path, {name: {"builtin": "random"} for name in ("ann", "bob", "cat")})
    with FULL.open("wb") as full:
        ended = _written_to(full.fileno(), "season", "run", config)
    assert (ended.returncode, ended.stderr) == (1, SENTENCE)


async def test_an_error_that_is_not_the_outputs_is_not_called_one(tmp_path: Path) -> None:
    ended = await run("table", tmp_path / "nothing.toml")
    assert ended.status == 2
    assert "standard output" not in ended.err
