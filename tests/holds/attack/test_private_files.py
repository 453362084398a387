"""What others who have an account on the organiser's machine can read of a season."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from runner.files import private_folder
from tests.runner.command import run, write_config

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="file modes are POSIX's")

PUBLIC = {"ledger.sqlite", "season.json", "transcripts", "transcripts/m000001.jsonl"}


@pytest.fixture(autouse=True)
def _open_handed() -> Iterator[None]:
    """The files of a user who leaves everything readable."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


async def test_all_but_results_is_the_organisers_alone(tmp_path: Path) -> None:
    bots: dict[str, Any] = {name: {"builtin": "random"} for name in ("ann", "bob", "cat")}
    ended = await run("season", "run", write_config(tmp_path, bots))
    assert (ended.status, ended.err) == (0, "")
    data = tmp_path / "data"
    modes = {str(path.relative_to(data)): _mode(path) for path in data.rglob("*")}
    assert {name for name, mode in modes.items() if mode & 0o077} == PUBLIC
    assert {modes[name] for name in ("logs", "playing")} == {0o700}
    assert {"logs/runner.jsonl", "logs/ann.log"} <= modes.keys()


def test_a_folder_of_before_becomes_private_and_keeps_its_files(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "ann.log").write_text("said before")
    assert _mode(folder) == 0o755
    assert private_folder(folder) == folder
    assert _mode(folder) == 0o700
    assert (folder / "ann.log").read_text() == "said before"


def test_a_folder_of_somebody_else_is_used_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def not_ours(self: Path, mode: int) -> None:
        raise PermissionError

    (tmp_path / "logs").mkdir()
    monkeypatch.setattr(Path, "chmod", not_ours)
    private_folder(tmp_path / "logs")
    assert _mode(tmp_path / "logs") == 0o755
