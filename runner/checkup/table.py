"""One season among reference bots for a bot under examination, which connects over a relay."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from runner.app import Running, run_season
from runner.checkup.pace import ENOUGH_SLOW, Pace
from runner.checkup.relay import Disturb, Frame, Relay
from runner.config import BotEntry, Loaded
from runner.files import private_folder
from runner.processes import BotProcess, Program, environment_for
from runner.tokens import TokenBook
from runner.tryout.plan import Plan
from runner.tryout.report import Account, Strike, logged_errors, read_all

EXIT_SECONDS = 5.0


class CheckError(Exception):
    """The examination cannot go on; the message says why and shows what the bot said."""


class Sitting(Struct, frozen=True):
    """What came of one season. ending: how the bot's process ended by itself, None if it had to
    be made to. errors: what a bot of the kit logged, and how often.

    cut: why the season was not played to its end, None if it was. slow: whether that was for
    answers that came too late. times_ms: of the answers, as seen on the wire.
    """

    frames: tuple[Frame, ...]
    connections: int
    account: Account
    ending: str | None
    errors: tuple[tuple[int, str], ...]
    times_ms: tuple[float, ...] = ()
    cut: str | None = None
    slow: bool = False

    def strikes_of(self, bot: str) -> tuple[Strike, ...]:
        """The strikes of one bot."""
        return tuple(strike for strike in self.account.strikes if strike.bot == bot)

    def sent(self, type_: str) -> list[dict[str, Any]]:
        """Every message of a type that the server sent to the bot."""
        return [
            frame.message
            for frame in self.frames
            if not frame.from_bot and frame.message is not None and frame.type == type_
        ]


class Table:
    """A season to be played once; `restart` stops its server and starts it again."""

    def __init__(
        self,
        plan: Plan,
        bot: BotEntry,
        data: Path,
        folder: Path,
        patience_s: float,
        seconds: float,
    ) -> None:
        """plan: its first bot is `bot`, as a remote one. folder: where programs are started.
        patience_s: how long the bot may take to connect. seconds: for the whole season."""
        self._loaded = plan.season(data, folder)
        self._bot = bot
        self._patience_s = patience_s
        self._seconds = seconds
        self._cut: str | None = None
        self._stop = asyncio.Event()
        self._gone = False
        self._ending: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def restart(self) -> None:
        """Stop the server; it starts again, with another port, and goes on with the season."""
        self._stop.set()

    async def play(self, disturb: Disturb | None = None, pace: Pace | None = None) -> Sitting:
        """Play the season to its end, or until it is clear how it goes on: `pace` has seen enough
        slow answers, or the time is over. Raises CheckError, or what `run_season` raises."""
        pace = pace or Pace()
        loaded = self._loaded
        log = private_folder(loaded.data / "logs") / f"{self._bot.name}.log"
        token = TokenBook(loaded.data).issue(self._bot.name)
        async with Relay(disturb).open() as relay, asyncio.TaskGroup() as tasks:
            process = self._process(loaded, log, environment_for(token, relay.url, os.environ))
            try:
                cutting = tasks.create_task(self._cut_short(relay, pace))
                await self._play_on(loaded, relay, process, tasks)
                cutting.cancel()
                if self._cut is None:
                    await asyncio.wait((self._ending,), timeout=EXIT_SECONDS)
            finally:
                process.stop()
        return Sitting(
            tuple(relay.frames),
            relay.connections,
            read_all(loaded.data / "transcripts"),
            self._ending.result() if self._ending.done() else None,
            tuple(logged_errors(log)),
            tuple(pace.times_ms),
            self._cut,
            self._cut is not None and pace.slow >= ENOUGH_SLOW,
        )

    async def _cut_short(self, relay: Relay, pace: Pace) -> None:
        """End the season as soon as it can bring nothing new, or takes too long."""
        try:
            async with asyncio.timeout(self._seconds):
                await relay.heard(pace.note)
            self._cut = f"{pace.slow} answers came at the end of their time, or not at all"
        except TimeoutError:
            self._cut = f"not through after {self._seconds:.0f} s"
        self._stop.set()

    def _process(self, loaded: Loaded, log: Path, environment: dict[str, str]) -> BotProcess:
        assert self._bot.command is not None
        program = Program(self._bot.name, self._bot.command, loaded.path.parent, log, 0)
        return BotProcess(program, environment, lambda _, how, __: self._ending.set_result(how))

    async def _play_on(
        self, loaded: Loaded, relay: Relay, process: BotProcess, tasks: asyncio.TaskGroup
    ) -> None:
        """Run the season to its end, or until the bot does not come back any more."""
        up = asyncio.Event()

        async def lead(running: Running) -> None:
            relay.lead_to(running.url)
            up.set()

        async def start_bot() -> None:
            await up.wait()
            tasks.create_task(process.run())
            await self._until_gone(relay)
            self._gone = True
            self._stop.set()

        watching = tasks.create_task(start_bot())
        try:
            while True:
                self._stop.clear()
                report = await run_season(loaded, self._stop, lead)
                if report.finished:
                    return
                if self._cut is not None and relay.connections:
                    return
                if self._gone:
                    if relay.connections:
                        return
                    raise CheckError(self._absence())
        finally:
            watching.cancel()

    async def _until_gone(self, relay: Relay) -> None:
        """Wait until the bot's process has ended, or has not been connected for long."""
        deserted = asyncio.ensure_future(relay.deserted(self._patience_s))
        await asyncio.wait((deserted, self._ending), return_when=asyncio.FIRST_COMPLETED)
        deserted.cancel()

    def _absence(self) -> str:
        if self._ending.done():
            return f"the bot ended before it connected: it {self._ending.result()}"
        return f"the bot did not connect within {self._patience_s:.0f} s"


def remote(bot: BotEntry) -> BotEntry:
    """The same bot, connecting by itself."""
    return msgspec.structs.replace(bot, command=None, builtin=None, remote=True)
