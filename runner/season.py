"""A season: keeps matches going until it is over, and takes up where it stood.

What is in the ledger is over, what is in the journals is in play; nothing else is remembered.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import structlog
from msgspec import Struct

from ratings.field import Seating
from ratings.stopping import Criterion
from runner.books import Books
from runner.clock import CLOCK, LoopWatch
from runner.closing import Closing, is_fault
from runner.config import Config
from runner.dealer import Dealer, Dealt, MatchFault, SeasonError
from runner.meters import Meters
from runner.player import Player
from runner.schedule import Plan, Schedule

log: Any = structlog.get_logger()


class Progress(Struct, frozen=True):
    """Where a season stands, for whoever watches it.

    done: matches that count. wanted: how many there will be, where that is known. playing: how
    many are in play. decisions: settled by this process. waiting_for: bots that are not
    connected. out: bots that the runner has given up on, with the reason. criteria: how far
    each of the season's stopping rules is.
    """

    done: int
    wanted: int | None
    playing: int
    decisions: int
    waiting_for: tuple[str, ...]
    out: Mapping[str, str]
    criteria: tuple[Criterion, ...]


class Season:
    """The matches of one season, played by `players` and rated in `books`."""

    def __init__(
        self,
        config: Config,
        players: Mapping[str, Player],
        dealer: Dealer,
        schedule: Schedule,
        books: Books,
        closing: Closing,
        meters: Meters,
        watch: LoopWatch,
        on_match: Callable[[], None],
    ) -> None:
        """players: by name, in the order of the config. on_match: called before each match
        begins or goes on."""
        self._config = config
        self._players = players
        self._dealer = dealer
        self._schedule = schedule
        self._books = books
        self._closing = closing
        self._meters = meters
        self._watch = watch
        self._on_match = on_match
        self._out: dict[str, str] = {}
        self._left: list[Dealt] = []
        self._playing: dict[str, Seating] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._done = 0
        self._wanted: int | None = None
        self._criteria: tuple[Criterion, ...] = ()
        self._begun = False
        self._over = False
        self._stopping = False
        self._changed = asyncio.Event()

    def progress(self) -> Progress:
        """Where the season stands now."""
        return Progress(
            self._done,
            self._wanted,
            len(self._playing),
            self._meters.decisions.total(),
            tuple(name for name in self._expected() if not self._players[name].connected),
            dict(self._out),
            self._criteria,
        )

    @property
    def finished(self) -> bool:
        """Whether all that the season asks for has been played."""
        return self._over

    @property
    def faults(self) -> Sequence[str]:
        """A sentence for each match of this run that does not count because the game raised."""
        return self._closing.faults

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
        known = await self._books.use(lambda ledger: ledger.matches())
        self._left, faults = self._dealer.take_up(known)
        for fault in faults:
            await self._closing.fault(fault)
        plan = await self._books.use(
            lambda ledger: self._schedule.plan(ledger, [dealt.seating for dealt in self._left])
        )
        self._note(plan)
        self._done = await self._books.use(lambda ledger: ledger.matches_played)

    async def run(self) -> None:
        """Play until the season is over or stopped.

        Raises an exception group: SeasonError when it cannot go on, or what made a match fail
        (JournalError, LedgerError).
        """
        async with asyncio.TaskGroup() as matches:
            left, self._left = self._left, []
            for dealt in left:
                self._spawn(dealt, matches)
            while self._goes_on():
                self._changed.clear()
                await self._fill_tables(matches)
                if self._goes_on():
                    await self._changed.wait()

    def _goes_on(self) -> bool:
        return not self._over and not self._stopping

    def _expected(self) -> list[str]:
        return [name for name in self._players if name not in self._out]

    def _all_here(self) -> bool:
        return all(self._players[name].connected for name in self._expected())

    def _may_start(self) -> bool:
        """Whether the bots that the season waits for at its start have come."""
        if not self._begun:
            expected = self._expected()
            wanted = min(self._config.play.start_with or len(expected), len(expected))
            here = sum(self._players[name].connected for name in expected)
            self._begun = here >= wanted
        return self._begun

    async def _fill_tables(self, matches: asyncio.TaskGroup) -> None:
        """Start matches while there is room for them and a table can be filled."""
        limit = self._config.play.concurrent_matches
        while len(self._playing) < limit:
            # Looked at before the plan is made: much can change while the ledger's thread thinks,
            # and a plan without a bot that has just come must not decide who plays.
            ready = self._may_start()
            idle = not self._playing and self._all_here()
            plan = await self._plan()
            self._note(plan)
            if not self._goes_on() or not ready:
                return
            if plan.seating is None:
                if idle:
                    self._refuse_deadlock()
                return
            if not all(self._players[name].connected for name in plan.seating.bots):
                return
            try:
                dealt = self._dealer.deal(plan.seating)
            except MatchFault as fault:
                await self._closing.fault(fault)
            else:
                self._spawn(dealt, matches)

    async def _plan(self) -> Plan:
        """What the schedule says, as things stand."""
        in_play = list(self._playing.values())
        busy = Counter(name for seating in in_play for name in seating.bots)
        here = [self._players[name] for name in self._expected()]
        here = [player for player in here if player.connected]
        free = {player.name: max(0, player.max_matches - busy[player.name]) for player in here}
        versions = {player.name: player.version for player in here}
        out = tuple(self._out)
        return await self._books.use(
            lambda ledger: self._schedule.plan(ledger, in_play, free, versions, out)
        )

    def _note(self, plan: Plan) -> None:
        self._wanted = plan.wanted
        self._criteria = plan.criteria
        self._over = plan.over

    def _refuse_deadlock(self) -> None:
        """Raises SeasonError: all bots are here, and still no table can be filled."""
        expected = self._expected()
        reasons = "".join(f"; {name} {why}" for name, why in self._out.items())
        seats = self._config.season.sizes[0]
        raise SeasonError(
            f"no table of {seats} can be made of the {len(expected)} bots that can still play"
            f"{reasons}"
        )

    def _spawn(self, dealt: Dealt, matches: asyncio.TaskGroup) -> None:
        """Have a match played from where it stands."""
        self._on_match()
        self._playing[dealt.match] = dealt.seating
        task = matches.create_task(self._play(dealt), name=dealt.match)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _play(self, dealt: Dealt) -> None:
        structlog.contextvars.bind_contextvars(match=dealt.match)
        match = self._dealer.match(dealt)
        ready = partial(self._rejoin, dealt.seating.bots) if dealt.resumed else None
        begun = CLOCK()
        try:
            result = await match.run(ready)
        except Exception as error:
            if not is_fault(error):
                raise
            fault = MatchFault(dealt.match, dealt.seating.bots, error, told=True)
            await self._closing.fault(fault)
        else:
            self._done = await self._closing.result(result, self._stall_since(begun))
        del self._playing[dealt.match]
        self._changed.set()

    async def _rejoin(self, names: Sequence[str]) -> None:
        """Wait until the bots of a match that goes on are back, or no longer."""
        try:
            async with asyncio.timeout(self._config.play.rejoin_seconds):
                for name in names:
                    if name not in self._out:
                        await self._players[name].arrived.wait()
        except TimeoutError:
            log.warning("going on without all bots", players=list(names))

    def _stall_since(self, begun: float) -> str | None:
        """Why a match that began at `begun` does not count: the runner stood still; or None."""
        play = self._config.play
        stall_ms = self._watch.longest(begun) * 1000
        if stall_ms <= play.margin_ms + play.void_stall_ms:
            return None
        return f"the runner stood still for {stall_ms:.0f} ms"
