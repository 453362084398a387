"""Finding the bot in an author's file."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

from runner.bot.load import BotFileError, load_bot
from tests.runner.bot import messages
from tests.runner.bot.scripted import scripted_server

BOT = """
from runner.bot import Bot

class Mine(Bot):
    version = "7"
"""


def written(folder: Path, text: str, name: str = "my_bot.py") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture(autouse=True)
def _path_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])


def test_the_only_class_is_the_bot(tmp_path: Path) -> None:
    assert load_bot(written(tmp_path, BOT)).version == "7"


def test_a_base_class_in_the_same_file_is_no_candidate(tmp_path: Path) -> None:
    path = written(tmp_path, BOT + '\nclass Better(Mine):\n    version = "8"\n')
    assert load_bot(path).version == "8"
    assert load_bot(path, "Mine").version == "7"


def test_modules_beside_the_file_are_found(tmp_path: Path) -> None:
    written(tmp_path, "VERSION = '9'", "beside_it.py")
    text = "from beside_it import VERSION\n" + BOT.replace('"7"', "VERSION")
    assert load_bot(written(tmp_path, text)).version == "9"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("x = 1", "expected one bot class, found none: subclass runner.bot.Bot"),
        (BOT + "\nclass Other(Bot): ...", "found Mine, Other; say which with --class"),
        ("def f(:", "SyntaxError"),
        ("import no_such_module_anywhere", "No module named 'no_such_module_anywhere'"),
        ("1 / 0", "ZeroDivisionError"),
    ],
)
def test_what_is_wrong_with_a_file_is_told(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(BotFileError) as caught:
        load_bot(written(tmp_path, text))
    assert says in str(caught.value)
    assert "load.py" not in str(caught.value), "the traceback is the author's"


def test_a_class_that_is_not_there_lists_those_that_are(tmp_path: Path) -> None:
    with pytest.raises(BotFileError, match="no bot class 'Yours'; it has Mine"):
        load_bot(written(tmp_path, BOT), "Yours")


@pytest.mark.parametrize("name", ["missing.py", "my_bot.txt"])
def test_a_file_that_is_none(tmp_path: Path, name: str) -> None:
    written(tmp_path, BOT, "my_bot.txt")
    with pytest.raises(BotFileError, match=r"no such file|must end in \.py"):
        load_bot(tmp_path / name)


async def test_as_a_process_of_its_own(tmp_path: Path) -> None:
    path = written(tmp_path, BOT)
    async with scripted_server() as server, asyncio.timeout(30):
        environment = {**os.environ, "PIONEERS_URL": server.url, "PIONEERS_TOKEN": "secret"}
        started = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "runner.bot", str(path), env=environment, stderr=PIPE
        )
        try:
            peer = await server.peer()
            assert (await peer.greet())["version"] == "7"
            await peer.send(messages.goodbye("season over"))
            await peer.end()
        finally:
            _, said = await started.communicate()
    assert started.returncode == 0, said


async def test_a_process_without_a_bot_says_so_and_ends(tmp_path: Path) -> None:
    started = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "runner.bot", str(tmp_path / "none.py"), stderr=PIPE
    )
    _, said = await started.communicate()
    assert started.returncode == 1
    assert said.decode().strip() == f"{tmp_path / 'none.py'}: no such file"
