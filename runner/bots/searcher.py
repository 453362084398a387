"""`searcher`: the planner that counts cards.

It keeps what the others may hold true to all that happens in public (`engine.pioneers.beliefs`),
weighs plans in the state that this makes likeliest, and offers with an eye on what each partner
would do with each hand that it may hold.
"""

from __future__ import annotations

import random

import msgspec

from engine.game import Action, Event, Game
from engine.pioneers.beliefs import Beliefs
from engine.pioneers.determinize import Unknown
from engine.pioneers.state import State
from engine.pioneers.view import PioneersView
from runner import protocol as wire
from runner.bot import Request
from runner.bots.bargains import BelievedPartner, Partner
from runner.bots.planner import Planner
from runner.bots.seeded import SeededBot

_SEEDS = 1 << 64


class Searcher(Planner, SeededBot):
    """The planner, with beliefs about what others hold."""

    version = "1"
    events = True

    def __init__(self, game: type[Game], start: wire.MatchStart) -> None:
        super().__init__(game, start)
        chance = random.Random(self._chance.draw("beliefs", 0, _SEEDS))  # noqa: S311 - no secret
        self._beliefs = Beliefs(chance.randrange)
        self._asked: Request | None = None

    def decide(self, request: Request) -> Action:
        """The planner's answer, remembered."""
        self._asked = request
        action = super().decide(request)
        assert isinstance(action, Action)
        self._beliefs.did(action)
        return action

    def on_event(self, event: Event) -> None:
        """Count along."""
        self._beliefs.heard(event)

    def on_strike(self, strike: wire.Strike) -> None:
        """What was played instead is what the seat did."""
        asked = self._asked
        if asked is not None and asked.id == strike.id:
            kind = self.game.kinds[asked.kind]
            self._beliefs.did(msgspec.json.decode(strike.applied, type=kind))

    def _unknown(self, view: PioneersView) -> Unknown:
        unknown = super()._unknown(view)
        self._beliefs.saw(view, unknown.weights)
        return unknown

    def _suppose(self, unknown: Unknown) -> State:
        return unknown.likely(self._beliefs.hands)

    def _partner(
        self,
        unknown: Unknown,  # noqa: ARG002 - the beliefs say more
        s: State,
        seat: int,
    ) -> Partner:
        return BelievedPartner(s, seat, self._beliefs.hands[seat])
