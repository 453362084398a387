"""A season run by the real command in a process of its own, with bots that outlive it."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import msgspec

from engine import transcript as record
from engine.catalog import GAMES
from ratings.audit import audit
from ratings.results import MatchResult, Rating
from runner.app import LEDGER, open_ledger, skill_of
from runner.bot import Bot
from runner.bot.client import play
from runner.bot.retry import Retries
from runner.bots import PLAYS
from runner.bots.greedy import Greedy
from runner.config import load
from runner.tokens import TokenBook

ROOT = Path(__file__).resolve().parents[3]
HOOK = Path(__file__).parent / "hook"
SECRET = "c4" * 32
GUARD_SECONDS = 120
COMMAND = "from runner.cli import main; main()"

# Below the range from which the system takes ports for outgoing connections: a bot that dials a
# port where nobody listens yet must never get it for its own end.
_ports = count(20_000 + os.getpid() % 6_000)


def free_port() -> int:
    """A port on which a server can listen again and again."""
    for port in _ports:
        with socket.socket() as trial:
            try:
                trial.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("no port is free")


class Told(msgspec.Struct):
    """What of a season must not depend on how often its runner was killed.

    actions: by match and seat. Seats that decide side by side are settled in the order of their
    answers, which is nobody's promise.
    """

    matches: list[tuple[str, tuple[str, ...], tuple[int, ...], tuple[int, ...], str]]
    actions: dict[tuple[str, int], list[tuple[str, bytes, record.By]]]
    ratings: dict[str, Rating]


class KilledSeason:
    """A season of `pioneers` on disk, and the command that plays it."""

    def __init__(
        self,
        folder: Path,
        *,
        matches: int,
        names: Sequence[str] = ("ann", "bob", "cat", "dan"),
        builtin: str | None = None,
        concurrent: int = 1,
        **play_settings: Any,
    ) -> None:
        """builtin: the reference bot that the runner starts for every name; else all are
        remote."""
        folder.mkdir(exist_ok=True)
        self.port = free_port()
        settings = {
            "deadline_ms": 60_000,
            "concurrent_matches": concurrent,
            "void_stall_ms": 3_600_000,
            **play_settings,
        }
        lines = [
            "[season]",
            'name = "killed"',
            'game = "pioneers"',
            "seats = 3",
            'data = "data"',
            f'secret = "{SECRET}"',
            "[stop]",
            f"matches = {matches}",
            "[server]",
            f"port = {self.port}",
            "[play]",
            *(f"{key} = {value}" for key, value in settings.items()),
        ]
        kind = "remote = true" if builtin is None else f'builtin = "{builtin}"'
        for name in names:
            lines += ["[[bots]]", f'name = "{name}"', kind]
        self.path = folder / "season.toml"
        self.path.write_text("\n".join(lines), encoding="utf-8")
        self.loaded = load(self.path, games=GAMES, builtins=PLAYS)
        self.data = self.loaded.data
        book = TokenBook(self.data)
        self.tokens = {} if builtin else {name: book.issue(name) for name in names}

    @property
    def url(self) -> str:
        """Where bots connect."""
        return f"ws://127.0.0.1:{self.port}/play"

    @asynccontextmanager
    async def bots(self, bot: type[Bot] = Greedy) -> AsyncIterator[None]:
        """Bots that play, and come back, until the season is over."""
        # Bots that dial a server that is being restarted have much to say.
        logging.getLogger("runner.bot").setLevel(logging.ERROR)
        async with asyncio.timeout(GUARD_SECONDS * 10), asyncio.TaskGroup() as group:
            for token in self.tokens.values():
                group.create_task(play(bot, self.url, token, retries=Retries(0.02, 0.05)))
            yield

    async def run(self, kill_at: str | None = None) -> tuple[int, str]:
        """Run the command until it ends: its exit status, and what it said on standard error."""
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        if kill_at is not None:
            environment |= {"PYTHONPATH": f"{HOOK}:{ROOT}", "KILL_AT": kill_at}
        # A file, not a pipe: bots that outlive a killed runner could keep a pipe open.
        with TemporaryFile() as stderr:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-c", COMMAND, "season", "run", str(self.path)),
                env=environment,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=stderr,
            )
            try:
                async with asyncio.timeout(GUARD_SECONDS):
                    await process.wait()
            finally:
                if process.returncode is None:
                    process.kill()
                    await process.wait()
            stderr.seek(0)
            said = stderr.read().decode()
        assert process.returncode is not None
        return process.returncode, said

    async def struck(self, kill_at: str) -> bool:
        """Run the command until it is killed as `kill_at` says; False: the season was over
        before."""
        status, said = await self.run(kill_at)
        assert status in (0, -signal.SIGKILL), f"{kill_at}: ended with {status}: {said}"
        return status != 0

    async def kill(self, kill_at: str) -> None:
        """Run the command until it is killed as `kill_at` says."""
        assert await self.struck(kill_at), f"{kill_at}: the season was over before"

    async def finish(self) -> None:
        """Run the command to the end of the season."""
        status, said = await self.run()
        assert status == 0, said

    def results(self) -> list[MatchResult]:
        """What the ledger holds, in its order."""
        with open_ledger(self.loaded, create=False) as ledger:
            return list(ledger.results())

    def told(self) -> Told:
        """The season as it came out; every transcript and the whole ledger are verified."""
        config = self.loaded.config
        with open_ledger(self.loaded, create=False) as ledger:
            results, ratings = list(ledger.results()), ledger.ratings()
        found = audit(self.data / LEDGER, skill_of(config.rating), config.season.name)
        assert found.departure is None, found.departure
        assert list((self.data / "playing").iterdir()) == []
        assert list(self.data.glob(".*")) == [], "what was begun and not finished is swept up"
        files = sorted(path.stem for path in (self.data / "transcripts").iterdir())
        assert files == sorted(result.match for result in results)
        actions: dict[tuple[str, int], list[tuple[str, bytes, record.By]]] = {}
        for match in files:
            path = self.data / "transcripts" / f"{match}.jsonl"
            transcript = record.read(path.read_bytes().splitlines())
            record.verify(transcript, GAMES["pioneers"])
            ids = [(d.seat, d.id) for d in transcript.decisions if d.id is not None]
            assert len(set(ids)) == len(ids), f"{match}: a request id was used twice"
            for d in transcript.decisions:
                decided = actions.setdefault((match, d.seat), [])
                decided.append((d.kind, bytes(d.action), d.by))
        matches = [
            (
                result.match,
                tuple(seat.bot for seat in result.seats),
                tuple(seat.placement for seat in result.seats),
                tuple(seat.score for seat in result.seats),
                result.reason,
            )
            for result in results
        ]
        return Told(matches, actions, ratings)


def assert_same(one: Told, other: Told) -> None:
    """Fail at the first place where two seasons differ, and name it."""
    for this_match, that_match in zip(one.matches, other.matches, strict=True):
        assert this_match == that_match, f"{this_match} against {that_match}"
    assert one.ratings == other.ratings, f"{one.ratings} against {other.ratings}"
    assert one.actions.keys() == other.actions.keys()
    for place, actions in one.actions.items():
        for n, (this, that) in enumerate(zip(actions, other.actions[place], strict=True)):
            assert this == that, f"{place}, decision {n}"
