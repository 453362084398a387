"""Bots that the runner starts itself: their processes, their logs, their restarts."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from runner.output import BoundedLog, Output

FIRST_RESTART_SECONDS = 0.5
LAST_RESTART_SECONDS = 10.0
EXIT_SECONDS = 3.0
SILENCE_SECONDS = 1.0

# What programs need to find their files, their language and their libraries.
HARMLESS = frozenset(
    (
        *("HOME", "USER", "LOGNAME", "SHELL", "PATH", "TMPDIR", "TMP", "TEMP", "TERM", "TZ"),
        *("LANG", "LANGUAGE", "VIRTUAL_ENV", "CONDA_PREFIX", "JAVA_HOME", "NODE_PATH", "GOROOT"),
        *("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES", "OMP_NUM_THREADS"),
        # Without these no program starts on Windows.
        *("SYSTEMROOT", "SYSTEMDRIVE", "COMSPEC", "PATHEXT", "WINDIR", "APPDATA", "USERPROFILE"),
    )
)
HARMLESS_PREFIXES = ("LC_", "PYTHON")


class Program(Struct, frozen=True):
    """What to start for a bot, where, and where the last of its output goes."""

    bot: str
    argv: tuple[str, ...]
    folder: Path
    log: Path
    max_restarts: int


class BotProcess:
    """The process of one bot, started again when it dies, up to `max_restarts` times."""

    def __init__(
        self,
        program: Program,
        environment: Mapping[str, str],
        on_death: Callable[[Program, str, bool], None],
    ) -> None:
        """on_death(program, how it died, whether it is started again)."""
        self._program = program
        self._environment = environment
        self._on_death = on_death
        self._stopping = asyncio.Event()

    def stop(self) -> None:
        """Start nothing again; the process that runs is given a moment to end by itself."""
        self._stopping.set()

    async def run(self) -> None:
        """Keep the bot running until `stop`, or until it has died too often."""
        pause = FIRST_RESTART_SECONDS
        for restarts_left in range(self._program.max_restarts, -1, -1):
            death = await self._run_once()
            if self._stopping.is_set():
                return
            self._on_death(self._program, death, restarts_left > 0)
            if restarts_left:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._stopping.wait(), pause)
                if self._stopping.is_set():
                    return
                pause = min(2 * pause, LAST_RESTART_SECONDS)

    async def _run_once(self) -> str:
        """Start the program and wait for its end; says how it ended."""
        program = self._program
        with BoundedLog(program.log) as log:
            try:
                process, output = await asyncio.get_running_loop().subprocess_exec(
                    lambda: Output(log),
                    *program.argv,
                    cwd=program.folder,
                    env=dict(self._environment),
                    stdin=asyncio.subprocess.DEVNULL,
                    stdout=asyncio.subprocess.PIPE,
                    stderr=asyncio.subprocess.STDOUT,
                    # A session of its own: Ctrl-C reaches the runner, which tells the bots.
                    start_new_session=True,
                )
            except OSError as error:
                return f"cannot be started: {program.argv[0]}: {error.strerror or error}"
            try:
                await self._until_ended(process, output)
                # What is still in the pipe. Children that were left behind may keep it open.
                await _come_to(output.fell_silent, SILENCE_SECONDS)
            finally:
                output.close()
                process.close()
            return _ending(process.get_returncode())

    async def _until_ended(self, process: asyncio.SubprocessTransport, output: Output) -> None:
        """Wait for a process to end, and see to it once the bot is to stop."""
        exited = asyncio.ensure_future(output.exited.wait())
        stopped = asyncio.ensure_future(self._stopping.wait())
        try:
            await asyncio.wait((exited, stopped), return_when=asyncio.FIRST_COMPLETED)
            if not exited.done():
                await _come_to(output.exited, EXIT_SECONDS)
        finally:
            exited.cancel()
            stopped.cancel()
            if not output.exited.is_set():
                await _end(process, output)


async def _end(process: asyncio.SubprocessTransport, output: Output) -> None:
    """End a process and what it has started: first asked, then made to."""
    for hard in (False, True):
        with contextlib.suppress(ProcessLookupError):
            _signal(process, hard)
        if await _come_to(output.exited, EXIT_SECONDS):
            return


async def _come_to(event: asyncio.Event, seconds: float) -> bool:
    """Wait for an event for so long; says whether it came."""
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), seconds)
    return event.is_set()


def _signal(process: asyncio.SubprocessTransport, hard: bool) -> None:
    if sys.platform == "win32":
        process.kill()
    else:
        os.killpg(process.get_pid(), signal.SIGKILL if hard else signal.SIGTERM)


def _ending(code: int | None) -> str:
    if code is None:
        return "cannot be ended"
    if code >= 0:
        return f"exited with code {code}"
    try:
        return f"was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"was ended by signal {-code}"


def environment_for(
    token: str, url: str, extra: Mapping[str, str], named: Collection[str] = ()
) -> dict[str, str]:
    """The environment of a bot: its token and url, `extra`, and what any program may know.

    named: further variables of this process's environment that the bot is to have. All others
    stay here: what an organiser's shell holds (keys of clouds and models, passwords of databases)
    is no business of the bots'.

    The interpreter that runs the season comes first in PATH, so that `python` in a command
    finds the packages that are installed beside it.
    """
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)))
    kept = {
        name: value
        for name, value in os.environ.items()
        if name in HARMLESS or name.startswith(HARMLESS_PREFIXES) or name in named
    }
    return {**kept, **extra, "PATH": path, "PIONEERS_URL": url, "PIONEERS_TOKEN": token}


def builtin_argv(name: str) -> Sequence[str]:
    """The command line of a reference bot."""
    return (sys.executable, "-m", "runner.bots", name)
