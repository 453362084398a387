"""The `pioneers` command, as a process of its own or, where that does not matter, in this one."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from runner.cli import app

ROOT = Path(__file__).parents[2]
PIONEERS = (sys.executable, "-c", "from runner.cli import main; main()")
# Nothing is expected to take so long; a command that hangs fails its test instead.
GUARD_SECONDS = 60


@dataclass
class Ended:
    """What a command printed, and its exit status."""

    status: int
    out: str
    err: str


# Wide, so that no table is folded; plain, so that no word is coloured.
SCREEN = {"COLUMNS": "200", "NO_COLOR": "1"}


def pioneers(*arguments: str | Path) -> Ended:
    """`pioneers ARGUMENTS` in this process: for what needs no event loop and no signals."""
    result = CliRunner().invoke(app, [*map(str, arguments)], env=SCREEN)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Ended(result.exit_code, result.stdout, result.stderr)


class Command:
    """A command that is running."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self._printed = ""

    async def url(self) -> str:
        """Where bots connect, as the command prints it while it waits for them."""
        assert self.process.stdout is not None
        while (found := re.search(r"waiting at (ws://\S+) for", self._printed)) is None:
            line = await self.process.stdout.readline()
            assert line, f"ended without an address:\n{self._printed}"
            self._printed += line.decode()
        return found[1]

    def signal(self, number: int) -> None:
        """Send a signal to the command's process alone."""
        self.process.send_signal(number)

    async def end(self) -> Ended:
        """Wait for the end."""
        out, err = await self.process.communicate()
        status = self.process.returncode
        assert status is not None
        return Ended(status, self._printed + out.decode(), err.decode())


@asynccontextmanager
async def started(*arguments: str | Path) -> AsyncIterator[Command]:
    """`pioneers ARGUMENTS`, running beside the body of the block; killed at its end."""
    async with asyncio.timeout(GUARD_SECONDS):
        process = await asyncio.create_subprocess_exec(
            *PIONEERS,
            *map(str, arguments),
            env={**os.environ, **SCREEN, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        command = Command(process)
        try:
            yield command
        finally:
            if process.returncode is None:
                process.kill()
                await process.communicate()


async def run(*arguments: str | Path) -> Ended:
    """`pioneers ARGUMENTS` as a process, to its end."""
    async with started(*arguments) as command:
        return await command.end()


def write_config(
    folder: Path, bots: dict[str, dict[str, Any]], *, matches: int = 1, port: int = 0, **play: Any
) -> Path:
    """A season file for matches of three; the keys of `bots` are their names."""
    lines = ["[season]", 'name = "test"', 'game = "pioneers"', "seats = 3", 'data = "data"']
    lines += [f'secret = "{"5e" * 32}"', "[stop]", f"matches = {matches}"]
    lines += ["[server]", f"port = {port}", "[play]"]
    lines += [f"{key} = {json.dumps(value)}" for key, value in play.items()]
    for name, keys in bots.items():
        lines += ["[[bots]]", f'name = "{name}"']
        lines += [f"{key} = {json.dumps(value)}" for key, value in keys.items()]
    path = folder / "season.toml"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def matches_of(folder: Path) -> Sequence[Path]:
    """The transcripts of a season, in order."""
    return sorted((folder / "data" / "transcripts").glob("*.jsonl"))
