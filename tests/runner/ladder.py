"""A real season in this process: real sockets, journals and ledger; the bots are the test's."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from engine import transcript as record
from engine.catalog import GAMES
from ratings.results import MatchResult
from runner import app
from runner.config import Loaded, load
from runner.protocol import STRIKES_TO_RESIGN
from runner.tokens import TokenBook
from tests.runner.rawbot import RawBot

SECRET = "5e" * 32
# No test waits for any of this; it only bounds what a broken runner can cost.
GUARD_SECONDS = 60
PATIENCE_MS = 60_000


class House:
    """A season that is being run now."""

    def __init__(self, ladder: Ladder, running: app.Running | None) -> None:
        self._ladder = ladder
        self._running = running
        self._stop = asyncio.Event()
        self._task: asyncio.Task[app.Report] | None = None
        self._bots: list[RawBot] = []

    @property
    def running(self) -> app.Running:
        """The season and its books."""
        assert self._task is not None
        if self._running is None:
            raise AssertionError(f"the season did not begin: {self._task.result()}")
        return self._running

    @property
    def url(self) -> str:
        """Where bots connect."""
        return self.running.url

    async def dial(self, name: str, **options: Any) -> RawBot:
        """A connection with the token of `name`, not greeted yet."""
        return self.keep(await RawBot.dial(self.url, self._ladder.tokens[name], **options))

    async def connect(self, name: str, **hello: Any) -> RawBot:
        """A bot that is in."""
        bot = await self.dial(name)
        welcome = await bot.hello(**hello)
        assert welcome["type"] == "welcome", welcome
        return bot

    def keep(self, bot: RawBot) -> RawBot:
        """Close the bot's connection in the end."""
        self._bots.append(bot)
        return bot

    def stop(self) -> None:
        """What Ctrl-C does."""
        self._stop.set()

    async def over(self) -> app.Report:
        """Wait for the end of the season, or of the run if it was stopped."""
        assert self._task is not None
        return await self._task

    async def _run(self, loaded: Loaded, ready: asyncio.Future[app.Running]) -> app.Report:
        async def watch(running: app.Running) -> None:
            ready.set_result(running)

        return await app.run_season(loaded, self._stop, watch)

    @asynccontextmanager
    async def _opened(self, loaded: Loaded) -> AsyncIterator[House]:
        loop = asyncio.get_running_loop()
        faults: list[dict[str, Any]] = []
        loop.set_exception_handler(lambda _, context: faults.append(context))
        ready: asyncio.Future[app.Running] = loop.create_future()
        async with asyncio.timeout(GUARD_SECONDS):
            self._task = asyncio.create_task(self._run(loaded, ready))
            try:
                await asyncio.wait((self._task, ready), return_when=asyncio.FIRST_COMPLETED)
                if ready.done():
                    self._running = ready.result()
                yield self
            finally:
                self.stop()
                await asyncio.gather(
                    self._task, *(bot.socket.close() for bot in self._bots), return_exceptions=True
                )
                loop.set_exception_handler(None)
            assert not faults, f"the runner has let exceptions through: {faults}"


class Ladder:
    """A season's config and data on disk, to be run as often as a test likes."""

    def __init__(
        self,
        folder: Path,
        names: Sequence[str] = ("ann", "bob"),
        *,
        seats: int | None = None,
        rounds: Sequence[Sequence[int]] | None = None,
        game: str = "rounds",
        matches: int = 1,
        deadline_ms: int = PATIENCE_MS,
        max_connections: int = 100,
        **play: Any,
    ) -> None:
        """rounds: which seats are asked in each round of the game `rounds`."""
        lines = [
            "[season]",
            'name = "test"',
            f'game = "{game}"',
            f"seats = {seats or len(names)}",
            'data = "data"',
            f'secret = "{SECRET}"',
        ]
        if rounds is not None:
            lines.append(f"options = {{ rounds = {json.dumps(rounds)} }}")
        lines += ["[stop]", f"matches = {matches}"]
        lines += ["[server]", "port = 0", f"max_connections = {max_connections}"]
        lines += ["[play]", f"deadline_ms = {deadline_ms}"]
        lines += [f"{key} = {value}" for key, value in play.items()]
        for name in names:
            lines += ["[[bots]]", f'name = "{name}"', "remote = true"]
        path = folder / "season.toml"
        path.write_text("\n".join(lines), encoding="utf-8")
        self.loaded = load(path, games=GAMES, builtins={})
        self.book = TokenBook(self.loaded.data)
        self.tokens = {name: self.book.issue(name) for name in names}

    @asynccontextmanager
    async def run(self) -> AsyncIterator[House]:
        """Run the season beside the body of the block; stopped at its end, if not over.

        Fails where an exception came out of a callback of the runner's.
        """
        async with House(self, None)._opened(self.loaded) as house:
            yield house

    def playing(self, match: str = "m000001") -> Path:
        """Where the journal of a match in play lies."""
        return self.loaded.data / "playing" / f"{match}.jsonl"

    def transcript(self, match: str = "m000001") -> record.Transcript:
        """The transcript of a finished match, which has been verified."""
        found = record.read(self._over(match).read_bytes().splitlines())
        record.verify(found, GAMES[found.header.game])
        return found

    def results(self) -> list[MatchResult]:
        """What the ledger holds."""
        with app.open_ledger(self.loaded, create=False) as ledger:
            return list(ledger.results())

    def faults(self, name: str, match: str = "m000001") -> list[tuple[str, str]]:
        """Reason and code of each fault of the bot's in a finished match, in order.

        Fails where another seat has a fault, or where the ledger says something else than the
        transcript: whatever one bot does, the others never notice.
        """
        found = self.transcript(match)
        players = found.header.players
        by_seat: list[list[tuple[str, str]]] = [[] for _ in players]
        for decision in found.decisions:
            if decision.fault is not None:
                by_seat[decision.seat].append((decision.by, decision.fault.code))
        mine = by_seat[players.index(name)]
        assert sum(map(len, by_seat)) == len(mine), f"others have faults: {by_seat}"
        assert found.end is not None
        (result,) = (result for result in self.results() if result.match == match)
        for seat, faults in zip(result.seats, by_seat, strict=True):
            assert sum(seat.strikes.values()) == len(faults)
            assert seat.strikes == Counter(by for by, _ in faults)
            assert seat.resigned == (len(faults) >= STRIKES_TO_RESIGN)
        assert tuple(seat.placement for seat in result.seats) == found.end.placements
        assert tuple(seat.score for seat in result.seats) == found.end.scores
        return mine

    def _over(self, match: str) -> Path:
        return self.loaded.data / "transcripts" / f"{match}.jsonl"
