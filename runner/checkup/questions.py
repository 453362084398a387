"""Single decisions put to a bot, over the protocol of a season, from the middle of matches."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable

from msgspec import Raw, Struct

from engine.chance import commitment
from engine.game import Action
from runner import protocol as wire
from runner.admin import LOOPBACK
from runner.app import CLOSE_NORMAL, SEASON_OVER
from runner.checkup.candidate import PATIENCE_S, Candidate
from runner.checkup.pace import ENOUGH_SLOW, too_slow
from runner.checkup.situations import Situation
from runner.checkup.table import EXIT_SECONDS, CheckError
from runner.clock import LoopWatch
from runner.deadlines import Deadlines
from runner.door import Door, Limits
from runner.files import private_folder
from runner.gateway import Gateway
from runner.meters import Meters
from runner.player import Player
from runner.processes import BotProcess, Program, environment_for
from runner.session import Accepted, Fault, Session, Verdict
from runner.tokens import TokenBook
from runner.tryout.report import logged_errors

_SEASON = "questions"
_FEW = Limits(8, 8)


class Replies(Struct, frozen=True):
    """What came of the questions. given: in the order asked; death: how the bot ended too early;
    errors: what a bot of the kit logged, and how often."""

    given: tuple[tuple[Situation, Verdict], ...]
    death: str | None
    errors: tuple[tuple[int, str], ...]


async def put(
    candidate: Candidate, name: str, situations: Iterable[Situation], seconds: float
) -> Replies:
    """Start the bot and put the situations to it, one by one, for so many seconds at most.

    name: of the folder for its log. Raises CheckError where the bot does not connect.
    """
    return await _Questions(candidate, name).put(situations, seconds)


class _Questions:
    def __init__(self, candidate: Candidate, name: str) -> None:
        self._candidate = candidate
        loop = asyncio.get_running_loop()
        self._watch = LoopWatch(loop)
        bot = candidate.bot.name
        self._player = Player(bot, Session(), loop, Deadlines(loop, self._watch), lambda: None)
        data = candidate.data / name
        self._log = private_folder(data / "logs") / f"{bot}.log"
        tokens = TokenBook(data)
        self._token = tokens.issue(bot)
        self._gateway = Gateway(
            loop,
            {bot: self._player},
            Door(tokens, _SEASON, _FEW),
            Meters(),
            season=_SEASON,
            commitment=commitment(b""),
        )
        self._ending: asyncio.Future[str] = loop.create_future()

    async def put(self, situations: Iterable[Situation], seconds: float) -> Replies:
        """See `put`."""
        given: list[tuple[Situation, Verdict]] = []
        self._watch.start()
        port = await self._gateway.open(LOOPBACK, 0)
        process = self._process(f"ws://{LOOPBACK}:{port}{wire.PATH}")
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(process.run())
            try:
                await self._connected()
                asking = tasks.create_task(self._ask_all(situations, given))
                await asyncio.wait(
                    (asking, self._ending), timeout=seconds, return_when=asyncio.FIRST_COMPLETED
                )
                asking.cancel()
                death = self._ending.result() if self._ending.done() else None
                await self._gateway.close(SEASON_OVER, CLOSE_NORMAL)
                await asyncio.wait((self._ending,), timeout=EXIT_SECONDS)
            finally:
                await self._gateway.close(SEASON_OVER, CLOSE_NORMAL)
                self._watch.stop()
                process.stop()
        return Replies(tuple(given), death, tuple(logged_errors(self._log)))

    def _process(self, url: str) -> BotProcess:
        candidate = self._candidate
        assert candidate.bot.command is not None
        program = Program(candidate.bot.name, candidate.bot.command, candidate.folder, self._log, 0)
        environment = environment_for(self._token, url, os.environ)
        return BotProcess(program, environment, lambda _, how, __: self._ending.set_result(how))

    async def _connected(self) -> None:
        """Wait for the bot. Raises CheckError."""
        arrived = asyncio.ensure_future(self._player.arrived.wait())
        await asyncio.wait(
            (arrived, self._ending), timeout=PATIENCE_S, return_when=asyncio.FIRST_COMPLETED
        )
        if not arrived.done():
            arrived.cancel()
            if self._ending.done():
                raise CheckError(f"the bot ended before it connected: it {self._ending.result()}")
            raise CheckError(f"the bot did not connect within {PATIENCE_S:.0f} s")

    async def _ask_all(
        self, situations: Iterable[Situation], given: list[tuple[Situation, Verdict]]
    ) -> None:
        """Ask; of a bot that is late again and again, each kind only once."""
        slow = 0
        asked: set[str] = set()
        for number, situation in enumerate(situations):
            if slow >= ENOUGH_SLOW and situation.kind in asked:
                continue
            verdict = await self._ask(f"m{number:06d}", situation)
            given.append((situation, verdict))
            asked.add(situation.kind)
            slow += too_slow(verdict.ms, self._candidate.deadline_ms)

    async def _ask(self, match: str, situation: Situation) -> Verdict:
        """One question: the bot takes a seat in the match, is asked, and hears how it ended."""
        candidate, player, game = self._candidate, self._player, situation.match
        seat, deadline_ms = situation.seat, candidate.deadline_ms
        names = list(candidate.others)
        names.insert(seat, candidate.bot.name)
        player.enter(
            wire.MatchStart(
                match, game.id, seat, tuple(names), deadline_ms, commitment(situation.seed), {}
            )
        )
        view = Raw(wire.encode(game.view(seat)))
        request = wire.Request(-1, match, game.id, seat, situation.kind, deadline_ms, view)

        def judge(raw: Raw) -> Action:
            action = game.decode(seat, raw)
            game.check(seat, action)
            return action

        try:
            verdict = await player.ask(request, judge, 0.0)
        finally:
            player.leave(match)
        if isinstance(verdict, Accepted):
            action = verdict.action
        else:
            action = game.default(seat)
            player.tell(_strike(request, verdict, action))
        outcome = situation.outcome(action)
        player.tell(
            wire.MatchEnd(
                match, outcome.reason, outcome.placements, outcome.scores, situation.seed.hex()
            )
        )
        return verdict


def _strike(request: wire.Request, fault: Fault, applied: Action) -> wire.Strike:
    return wire.Strike(
        request.match,
        request.id,
        fault.reason,
        fault.code,
        fault.message,
        1,
        False,
        Raw(wire.encode(applied)),
    )
