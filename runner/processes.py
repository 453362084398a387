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

FIRST_RESTART_SECONDS = 0.5
LAST_RESTART_SECONDS = 10.0
EXIT_SECONDS = 3.0

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
# The adapter to language models is told by these where its model is, and with which key.
MODEL_PREFIX = "PIONEERS_LLM_"


class Program(Struct, frozen=True):
    """What to start for a bot, where, and where its output goes."""

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
        with program.log.open("ab") as log:
            try:
                process = await asyncio.create_subprocess_exec(
                    *program.argv,
                    cwd=program.folder,
                    env=dict(self._environment),
                    stdin=asyncio.subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    # A session of its own: Ctrl-C reaches the runner, which tells the bots.
                    start_new_session=True,
                )
            except OSError as error:
                return f"cannot be started: {program.argv[0]}: {error.strerror or error}"
        ended = asyncio.ensure_future(process.wait())
        stopped = asyncio.ensure_future(self._stopping.wait())
        try:
            await asyncio.wait((ended, stopped), return_when=asyncio.FIRST_COMPLETED)
            if not ended.done():
                await asyncio.wait((ended,), timeout=EXIT_SECONDS)
        finally:
            stopped.cancel()
            if not ended.done():
                await _end(process, ended)
        return _ending(ended.result())


async def _end(process: asyncio.subprocess.Process, ended: asyncio.Future[int]) -> None:
    """End a process and what it has started: first asked, then made to."""
    for hard in (False, True):
        with contextlib.suppress(ProcessLookupError):
            _signal(process, hard)
        await asyncio.wait((ended,), timeout=EXIT_SECONDS)
        if ended.done():
            return


def _signal(process: asyncio.subprocess.Process, hard: bool) -> None:
    if sys.platform == "win32":
        process.kill()
    else:
        os.killpg(process.pid, signal.SIGKILL if hard else signal.SIGTERM)


def _ending(code: int) -> str:
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
