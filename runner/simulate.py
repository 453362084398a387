"""Many matches in this process, or in one process per core, as fast as they go.

Everything that a simulation does by chance follows from its seed: the seed of each match, who
sits where, what the bots draw. So the same plan plays the same matches, however many processes
share them and on whatever Python.
"""

from __future__ import annotations

import hashlib
import inspect
import multiprocessing
import os
import signal
import threading
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import takewhile
from multiprocessing.synchronize import Event
from typing import TypeAlias

from engine import catalog
from engine.chance import Chance, derive_seed
from engine.game import Game
from runner import bots
from runner.bot import Bot
from runner.bots.seeded import SeededBot
from runner.local import LocalMatch
from runner.tally import Tally

# Short enough to show progress and to stop at once, long enough that handing out costs nothing.
_MOST_IN_CHUNK = 16
_CHUNKS_AHEAD = 2

Parts: TypeAlias = Generator[Tally, None, None]


class PlanError(ValueError):
    """A plan that cannot be played; `option` is the part that is wrong."""

    def __init__(self, option: str, message: str) -> None:
        super().__init__(option, message)
        self.option = option
        self.message = message

    def __str__(self) -> str:
        return f"{self.option}: {self.message}"


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be simulated.

    game: id. players: names of reference bots, one per seat. seed: any text.
    rotate: every block of as many matches as there are seats brings each player to each seat
    once, in an order around the table that changes from block to block; otherwise the players
    sit as they are listed.
    """

    game: str
    players: tuple[str, ...]
    matches: int
    seed: str
    rotate: bool = True

    def check(self) -> None:
        """Raise PlanError, naming the field, unless the plan can be played."""
        try:
            game = catalog.find(self.game)
        except ValueError as error:
            raise PlanError("game", str(error)) from None
        for name in self.players:
            try:
                bot = bots.find(name)
                bots.check_plays(name, self.game)
            except ValueError as error:
                raise PlanError("players", str(error)) from None
            if inspect.iscoroutinefunction(bot.decide):
                text = f"{name} waits for others while it decides: `pioneers play` has it play"
                raise PlanError("players", text)
        if len(self.players) not in game.seat_counts:
            allowed = " or ".join(map(str, game.seat_counts))
            raise PlanError(
                "players", f"{self.game} is for {allowed} players, not {len(self.players)}"
            )
        if self.matches < 1:
            raise PlanError("matches", f"must be at least 1, not {self.matches}")


def usable_cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def simulate(plan: Plan, jobs: int = 1) -> Parts:
    """Play `plan` in `jobs` processes; yields the tally of a few matches now and then.

    Together they are the tally of the plan, in whatever order they come. Closing the generator,
    or an exception in it, ends the processes once their present matches are over. Raises
    PlanError at once, and later whatever a bot raises, with a note that says where.
    """
    plan.check()
    if jobs < 1:
        raise PlanError("jobs", f"must be at least 1, not {jobs}")
    size = max(1, min(_MOST_IN_CHUNK, plan.matches // (4 * jobs)))
    chunks = (range(n, min(n + size, plan.matches)) for n in range(0, plan.matches, size))
    return _alone(plan, chunks) if min(jobs, plan.matches) == 1 else _spread(plan, jobs, chunks)


class Table:
    """The players of a plan, ready to play any of its matches."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._game: type[Game] = catalog.find(plan.game)
        self._secret = hashlib.sha256(plan.seed.encode()).digest()
        self._chance = Chance(derive_seed(self._secret, "seats"))
        # As in a season, bots of one kind draw differently because their names differ.
        self.labels = _labels(plan.players)
        seed = derive_seed(self._secret, "bots").hex()
        self._bots = [_seeded(bots.find(name), seed) for name in plan.players]

    def play(self, matches: Iterable[int]) -> Tally:
        """Play the matches with these numbers, from 0."""
        tally = Tally(self._plan.players)
        for number in matches:
            seating = self.seating(number)
            match = f"match {number}"
            local = LocalMatch(
                self._game,
                match,
                derive_seed(self._secret, match),
                [self._bots[place] for place in seating],
                [self.labels[place] for place in seating],
            )
            tally.add(local.play(), [self._plan.players[place] for place in seating])
        return tally

    def seating(self, number: int) -> Sequence[int]:
        """Who plays match `number`: by seat, the place in the plan's `players`."""
        places = list(range(len(self._plan.players)))
        if not self._plan.rotate:
            return places
        block, turn = divmod(number, len(places))
        self._chance.shuffle(f"block {block}", places)
        return places[turn:] + places[:turn]


def _labels(players: Sequence[str]) -> list[str]:
    """The players' names, numbered where one comes more than once: random-1, greedy, random-2."""
    often = Counter(players)
    seen: Counter[str] = Counter()
    labels = []
    for name in players:
        seen[name] += 1
        labels.append(f"{name}-{seen[name]}" if often[name] > 1 else name)
    return labels


def _seeded(bot: type[Bot], seed: str) -> type[Bot]:
    """`bot`, drawing from `seed` where it draws at all."""
    if not issubclass(bot, SeededBot):
        return bot
    return type(bot.__name__, (bot,), {"seed": seed})


def _alone(plan: Plan, chunks: Iterator[range]) -> Parts:
    """Play `chunks` in this process."""
    table = Table(plan)
    for chunk in chunks:
        yield table.play(chunk)


def _spread(plan: Plan, jobs: int, chunks: Iterator[range]) -> Parts:
    """Play `chunks` in processes of their own."""
    # Spawned ones everywhere: forking would copy threads and locks of whoever calls.
    context = multiprocessing.get_context("spawn")
    stop = context.Event()
    pool = ProcessPoolExecutor(jobs, context, _begin, (plan, stop))
    waiting: set[Future[Tally]] = set()
    try:
        with _interrupts_held():
            for _ in range(jobs * _CHUNKS_AHEAD):
                waiting |= _submit(pool, chunks)
        while waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                waiting |= _submit(pool, chunks)
                yield future.result()
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)


def _submit(pool: ProcessPoolExecutor, chunks: Iterator[range]) -> set[Future[Tally]]:
    chunk = next(chunks, None)
    return set() if chunk is None else {pool.submit(_play, chunk)}


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Ctrl-C waits meanwhile, and never reaches processes that are started here.

    A terminal sends it to all processes in it; a worker would die of it in the middle of its
    imports with a traceback. Started with the signal blocked, it leaves the matter to us.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# In a worker process

_table: Table
_stop: Event


def _begin(plan: Plan, stop: Event) -> None:
    global _table, _stop
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _table, _stop = Table(plan), stop
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    """A worker whose parent was killed would wait for work for ever."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _play(chunk: range) -> Tally:
    return _table.play(takewhile(lambda _: not _stop.is_set(), chunk))
