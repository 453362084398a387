"""Matches between bot classes without any socket: the kit's session on one side, a game on the
other, so that what is tested is what plays in a season."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

import msgspec
from msgspec import Raw

from engine.game import Action, Event, Game, Outcome
from engine.pioneers import Pioneers
from runner import protocol as wire
from runner.bot import Bot
from runner.bot.effects import Call, Decide
from runner.bot.session import Session

Watch = Callable[[Game, int, Action], None]


class LocalMatch:
    """One match; every answer is checked by the game, as the server would."""

    def __init__(self, match: str, bots: Sequence[type[Bot]], names: Sequence[str]) -> None:
        self.match = match
        self.game: Game = Pioneers.deal(len(bots), hashlib.sha256(match.encode()).digest())
        self.record: list[tuple[int, Action]] = []
        self._bots = bots
        self._sessions = [Session(bot) for bot in bots]
        self._next_id = 0
        for seat, session in enumerate(self._sessions):
            start = wire.MatchStart(match, Pioneers.id, seat, tuple(names), 5000, "00", options={})
            session.receive(wire.encode(start), 0.0)

    def step(self) -> bool:
        """Settle the pending decisions; False if the match is over."""
        actions: dict[int, Action] = {}
        for seat, kind in self.game.pending().items():
            action = self.game.decode(seat, self._ask(seat, kind))
            self.game.check(seat, action)
            actions[seat] = action
            self.record.append((seat, action))
        if actions:
            self._tell(self.game.advance(actions))
        return bool(actions)

    def play(self) -> Outcome:
        while self.step():
            pass
        outcome = self.game.outcome()
        assert outcome is not None
        return outcome

    def _tell(self, events: Sequence[Event]) -> None:
        for event in events:
            frame = wire.encode(wire.MatchEvent(self.match, Raw(msgspec.json.encode(event))))
            for bot, session in zip(self._bots, self._sessions, strict=True):
                for effect in session.receive(frame, 0.0) if bot.events else ():
                    assert isinstance(effect, Call)
                    getattr(effect.table.bot, effect.hook)(*effect.arguments)

    def _ask(self, seat: int, kind: str) -> Raw:
        session = self._sessions[seat]
        view = Raw(msgspec.json.encode(self.game.view(seat)))
        frame = wire.Request(self._next_id, self.match, Pioneers.id, seat, kind, 5000, view)
        self._next_id += 1
        (ask,) = session.receive(wire.encode(frame), float("inf"))
        assert isinstance(ask, Decide)
        bot = ask.table.bot
        bot.request = ask.request
        answer = session.answer(ask.table, ask.request, bot.decide(ask.request))
        assert answer is not None
        action = wire.decode_answer(answer).action
        assert isinstance(action, Raw)
        return action


def play_sets(bots: Sequence[type[Bot]], matches: int) -> list[Outcome]:
    """Matches with the seats passed on by one each time; outcomes are in the order of `bots`."""
    outcomes = []
    for n in range(matches):
        seats = [(n + place) % len(bots) for place in range(len(bots))]
        names = [f"{bots[place].__name__}-{place}" for place in seats]
        outcome = LocalMatch(f"match {n}", [bots[place] for place in seats], names).play()
        placements, scores = [0] * len(bots), [0] * len(bots)
        for seat, place in enumerate(seats):
            placements[place] = outcome.placements[seat]
            scores[place] = outcome.scores[seat]
        outcomes.append(Outcome(tuple(placements), tuple(scores), outcome.reason))
    return outcomes
