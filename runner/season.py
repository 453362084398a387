"""A season: keeps matches going until it is decided, and takes up where it stood.

What is in the ledger is over, what is in the journals is in play; nothing else is remembered.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import structlog
from msgspec import Struct

from engine import transcript as record
from engine.chance import commitment, derive_seed
from engine.game import Game
from ratings.pairing import Pairing, candidates
from ratings.results import MatchResult
from runner import protocol as wire
from runner.books import Books
from runner.clock import CLOCK
from runner.config import Config
from runner.journal import JournalStore
from runner.match import Match
from runner.meters import Meters
from runner.player import Player

log: Any = structlog.get_logger()


class SeasonError(Exception):
    """The season cannot go on; the message says why and what can be done."""


class Progress(Struct, frozen=True):
    """Where a season stands, for whoever watches it.

    done: matches in the ledger. playing: how many are in play. decisions: settled by this
    process. waiting_for: bots that are not connected. out: bots that the runner has given up
    on, with the reason.
    """

    done: int
    wanted: int
    playing: int
    decisions: int
    waiting_for: tuple[str, ...]
    out: Mapping[str, str]


class Season:
    """The matches of one season, played by `players` and rated in `books`."""

    def __init__(
        self,
        config: Config,
        game: type[Game],
        secret: bytes,
        players: Mapping[str, Player],
        books: Books,
        journals: JournalStore,
        meters: Meters,
        now_ms: Callable[[], int],
        on_match: Callable[[], None],
    ) -> None:
        """players: by name, in the order of the config. now_ms: wall clock, Unix milliseconds.
        on_match: called before each match begins or goes on."""
        self._config = config
        self._game = game
        self._secret = secret
        self._players = players
        self._books = books
        self._journals = journals
        self._meters = meters
        self._now_ms = now_ms
        self._on_match = on_match
        self._pairing = Pairing(derive_seed(secret, "pairing"))
        self._out: dict[str, str] = {}
        self._playing: dict[str, tuple[str, ...]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._left: list[tuple[record.Transcript, record.Playthrough]] = []
        self._next_number = 1
        self._done = 0
        self._begun = False
        self._stopping = False
        self._changed = asyncio.Event()

    @property
    def commitment(self) -> str:
        """SHA-256 of the season's secret, hex."""
        return commitment(self._secret)

    def progress(self) -> Progress:
        """Where the season stands now."""
        return Progress(
            self._done,
            self._config.stop.matches,
            len(self._playing),
            self._meters.decisions.total(),
            tuple(name for name in self._expected() if not self._players[name].connected),
            dict(self._out),
        )

    @property
    def finished(self) -> bool:
        """Whether every match that the season asks for is in the ledger, and none in play."""
        done = self._done >= self._config.stop.matches
        return done and not self._left and not self._playing

    def changed(self) -> None:
        """Something has happened that may make a new table possible."""
        self._changed.set()

    def give_up(self, bot: str, why: str) -> None:
        """`bot` will not come back: no table waits for it any more."""
        self._out[bot] = why
        self._changed.set()

    def stop(self) -> None:
        """End soon: matches in play stay in their journals, to be taken up another time."""
        self._stopping = True
        for task in self._tasks:
            task.cancel()
        self._changed.set()

    async def prepare(self) -> None:
        """Find out where the season stands: what is over, what was in play.

        Raises SeasonError for a match that cannot go on, LedgerError, JournalError.
        """
        known = frozenset(await self._books.use(lambda ledger: tuple(ledger.matches())))
        self._done = await self._books.use(lambda ledger: ledger.matches_played)
        numbers = [int(match[1:]) for match in known]
        for match in self._journals.in_play():
            numbers.append(int(match[1:]))
            if match in known:
                self._journals.finish(match)
                continue
            try:
                found = self._journals.recover(match)
                play = None if found is None else self._replay(found)
            except record.TranscriptError as error:
                raise SeasonError(f"the journal of match {match} is damaged: {error}") from error
            if found is None or play is None:
                continue
            strangers = [name for name in found.header.players if name not in self._players]
            if strangers:
                names = ", ".join(strangers)
                raise SeasonError(f"match {match} is in play, but the config has no {names}")
            self._left.append((found, play))
        self._next_number = max(numbers, default=0) + 1

    async def run(self) -> None:
        """Play until the season is decided or stopped.

        Raises an exception group: SeasonError when it cannot go on, or what made a match fail
        (JournalError, LedgerError).
        """
        async with asyncio.TaskGroup() as matches:
            left, self._left = self._left, []
            for found, play in left:
                self._spawn(found, play, matches, rejoin=True)
            while self._wants_tables():
                self._changed.clear()
                await self._fill_tables(matches)
                if self._wants_tables():
                    self._refuse_deadlock()
                    await self._changed.wait()

    def _wants_tables(self) -> bool:
        """Whether more matches are to begin."""
        return not self._stopping and self._done + len(self._playing) < self._config.stop.matches

    def _expected(self) -> list[str]:
        return [name for name in self._players if name not in self._out]

    def _may_start(self) -> bool:
        """Whether the bots that the season waits for at its start have come."""
        if not self._begun:
            expected = self._expected()
            wanted = min(self._config.play.start_with or len(expected), len(expected))
            here = sum(self._players[name].connected for name in expected)
            self._begun = here >= wanted
        return self._begun

    def _refuse_deadlock(self) -> None:
        """Raises SeasonError when no table can ever be filled again."""
        left, seats = len(self._expected()), self._config.season.seats
        if left < seats and not self._playing:
            reasons = "; ".join(f"{name} {why}" for name, why in self._out.items())
            raise SeasonError(f"a table needs {seats} bots and {left} can still play: {reasons}")

    async def _fill_tables(self, matches: asyncio.TaskGroup) -> None:
        """Start matches while there is room for them and a table can be filled."""
        if not self._may_start():
            return
        limit = self._config.play.concurrent_matches
        while self._wants_tables() and len(self._playing) < limit:
            table = await self._next_table()
            if self._stopping or table is None:
                return
            if not all(self._players[name].connected for name in table):
                return
            self._start(table, matches)

    async def _next_table(self) -> tuple[str, ...] | None:
        in_play = list(self._playing.values())
        busy = Counter(name for table in in_play for name in table)
        here = [self._players[name] for name in self._expected()]
        here = [player for player in here if player.connected]
        free = {player.name: player.max_matches - busy[player.name] for player in here}
        versions = {player.name: player.version for player in here}
        return await self._books.use(
            lambda ledger: self._pairing.next_table(
                candidates(ledger, in_play, free, versions), self._config.season.seats
            )
        )

    def _start(self, table: tuple[str, ...], matches: asyncio.TaskGroup) -> None:
        """Deal a match and have it played."""
        match_id = f"m{self._next_number:06d}"
        self._next_number += 1
        season = self._config.season
        header = record.Header(
            match=match_id,
            season=season.name,
            game=season.game,
            seats=season.seats,
            players=table,
            versions=tuple(self._players[name].version for name in table),
            commitment=commitment(self._seed(match_id)),
            started_ms=self._now_ms(),
            options=season.options,
        )
        self._journals.begin(header)
        found = record.Transcript(header, [], None)
        self._spawn(found, self._replay(found), matches)

    def _seed(self, match_id: str) -> bytes:
        return derive_seed(self._secret, match_id)

    def _replay(self, found: record.Transcript) -> record.Playthrough:
        """A match as far as its journal goes. Raises TranscriptError."""
        play = record.deal(found.header, self._seed(found.header.match), self._game)
        for decision in found.decisions:
            record.replay(play, decision)
        return play

    def _spawn(
        self,
        found: record.Transcript,
        play: record.Playthrough,
        matches: asyncio.TaskGroup,
        *,
        rejoin: bool = False,
    ) -> None:
        """Have a match played from where its journal stands."""
        header = found.header
        self._on_match()
        self._playing[header.match] = header.players
        task = matches.create_task(self._play(found, play, rejoin), name=header.match)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _play(self, found: record.Transcript, play: record.Playthrough, rejoin: bool) -> None:
        header = found.header
        structlog.contextvars.bind_contextvars(match=header.match)
        seed = self._seed(header.match)
        match = Match(
            found,
            seed,
            play,
            [self._players[name] for name in header.players],
            self._journals.open(header.match),
            deadline_ms=self._config.play.deadline_ms,
            margin_ms=self._config.play.margin_ms,
            now_ms=self._now_ms,
            meters=self._meters,
        )
        if rejoin:
            await self._rejoin(header.players)
        await self._close(await match.run(), seed)

    async def _close(self, result: MatchResult, seed: bytes) -> None:
        """Write a result into the ledger, publish its transcript, and only then tell."""
        begun = CLOCK()
        rated = await self._books.use(lambda ledger: ledger.append(result))
        self._meters.commit_time.add(CLOCK() - begun)
        self._journals.finish(result.match)
        del self._playing[result.match]
        self._done += 1
        self._meters.matches += 1
        changes = {change.bot: change for change in rated}
        for seat in result.seats:
            change = changes[seat.bot]
            rating = wire.RatingChange(change.before.value, change.after.value)
            self._players[seat.bot].tell(
                wire.MatchEnd(
                    result.match,
                    result.reason,
                    tuple(seat.placement for seat in result.seats),
                    tuple(seat.score for seat in result.seats),
                    seed.hex(),
                    rating,
                )
            )
        log.info(
            "match over",
            match=result.match,
            reason=result.reason,
            players=[seat.bot for seat in result.seats],
            placements=[seat.placement for seat in result.seats],
        )
        self._changed.set()

    async def _rejoin(self, names: Sequence[str]) -> None:
        """Wait until the bots of a match that goes on are back, or no longer."""
        back = [self._players[name].arrived.wait() for name in names if name not in self._out]
        try:
            await asyncio.wait_for(asyncio.gather(*back), self._config.play.rejoin_seconds)
        except TimeoutError:
            log.warning("going on without all bots", players=list(names))
