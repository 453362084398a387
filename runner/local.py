"""A match in this process: bots asked directly, without sockets, deadlines or strikes.

The bots are those of the kit, and what they are handed is what the kit hands them in a season: a
view of their seat, what the seat remembers, the public events. A bot that fails or answers
against the rules is no data here but an exception, with a note that says where it was.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct

from engine.chance import commitment
from engine.game import Action, ActionError, Event, Game, Outcome
from runner import protocol as wire
from runner.bot import Bot, Request
from runner.bots.random_bot import RandomBot


def _blind(bot: type[Bot]) -> bool:
    """Whether a bot looks at nothing but the legal actions, so that it needs no views.

    Making them would be more than half of the work in a match of such bots.
    """
    return bot.decide is RandomBot.decide


class Played(Struct, frozen=True):
    """How a match went; `turns` in the game's own count, `decisions` of all seats together."""

    outcome: Outcome
    turns: int
    decisions: int


class LocalMatch:
    """One match of `bots`, one per seat. Their methods must be plain ones, not `async def`."""

    def __init__(
        self,
        game: type[Game],
        match: str,
        seed: bytes,
        bots: Sequence[type[Bot]],
        names: Sequence[str],
    ) -> None:
        """match: the match's id. seed: 32 bytes. names: of the bots, by seat, all different.

        Raises ValueError for a number of seats that the game does not have.
        """
        self.match = match
        self.game = game.deal(len(bots), seed)
        self._seed = seed
        self._seats = [
            (_BlindSeat if _blind(bot) else _Seat)(
                bot,
                self.game,
                wire.MatchStart(match, game.id, seat, tuple(names), 0, commitment(seed), {}),
            )
            for seat, bot in enumerate(bots)
        ]
        self._listening = [seat for seat in self._seats if seat.bot.events]
        self._decisions = 0

    def play(self) -> Played:
        """Play the match to its end."""
        game, seats = self.game, self._seats
        for seat in seats:
            seat.bot.on_start()
        while asked := game.pending():
            actions = {seat: self._ask(seat, kind) for seat, kind in asked.items()}
            self._tell(self._advance(actions))
        outcome = game.outcome()
        assert outcome is not None
        end = wire.MatchEnd(
            self.match, outcome.reason, outcome.placements, outcome.scores, self._seed.hex()
        )
        for seat in seats:
            seat.bot.on_end(end)
        turns: int = getattr(game.view(None), game.turn_field)
        return Played(outcome, turns, self._decisions)

    def _ask(self, seat: int, kind: str) -> Action:
        self._decisions += 1
        try:
            return self._seats[seat].decide(kind)
        except Exception as error:
            error.add_note(self._place(seat, kind))
            raise

    def _advance(self, actions: dict[int, Action]) -> Sequence[Event]:
        try:
            return self.game.advance(actions)
        except ActionError:
            # Nothing has changed, so that it can be found out whose action it was.
            for seat, action in actions.items():
                try:
                    self.game.check(seat, action)
                except ActionError as error:
                    error.add_note(f"{self._place(seat, self.game.pending()[seat])}: {action}")
                    raise
            raise

    def _tell(self, events: Sequence[Event]) -> None:
        for seat in self._listening:
            for event in events:
                seat.bot.on_event(event)

    def _place(self, seat: int, kind: str) -> str:
        bot = self._seats[seat].bot
        return (
            f"match {self.match}, decision {self._decisions}: "
            f"seat {seat} ({bot.name}), asked `{kind}`"
        )


class _Seat:
    """A bot at the table: it gets views of its seat and no hold of the match."""

    def __init__(self, bot: type[Bot], match: Game, start: wire.MatchStart) -> None:
        self.bot = bot(type(match), start)
        self._match = match
        self._memory = match.memory()
        self._asked = 0

    def decide(self, kind: str) -> Action:
        """The bot's answer, legal or not, or the default where it has none."""
        bot, match = self.bot, self._match
        request = Request(
            id=self._asked,
            match=bot.match,
            seat=bot.seat,
            kind=kind,
            view=match.view(bot.seat),
            number=self._asked,
            deadline=math.inf,
            deadline_ms=bot.deadline_ms,
            game=type(match),
            memory=self._memory,
        )
        if not self._asked:
            self._memory.begin(kind, request.view)
        self._asked += 1
        bot.request = request
        action = bot.decide(request)
        request.settled = True
        if action is None:
            action = request.default()
        if not isinstance(action, Struct):
            raise TypeError(f"expected an action, not {action!r}")
        self._memory.note(kind, request.view, action)
        return action


class _BlindSeat:
    """A bot that is told which actions are legal and nothing else."""

    def __init__(self, bot: type[Bot], match: Game, start: wire.MatchStart) -> None:
        self.bot = bot(type(match), start)
        self._request = self.bot.request = _BlindRequest(match, start)

    def decide(self, kind: str) -> Action:
        """The bot's answer."""
        request = self._request
        request.kind = kind
        action = self.bot.decide(request)
        request.number += 1
        assert isinstance(action, Struct)
        return action


class _BlindRequest(Request):
    """One request after the other; the legal actions come from the match itself.

    They are the same that a request with a view would work out from it: so says the contract of
    `Game.from_view`.
    """

    __slots__ = ("_match",)

    def __init__(self, match: Game, start: wire.MatchStart) -> None:
        super().__init__(
            id=0,
            match=start.match,
            seat=start.seat,
            kind="",
            view=None,
            number=0,
            deadline=math.inf,
            deadline_ms=start.deadline_ms,
            game=type(match),
            memory=match.memory(),
        )
        self._match = match

    def legal(self) -> Sequence[Action]:
        """Every legal answer, in the fixed order of `Game.legal`."""
        return self._match.legal(self.seat)
