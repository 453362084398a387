"""`searcher`: the planner that counts cards, and plays on in its mind before it decides.

It keeps what the others may hold true to all that happens in public (`engine.pioneers.beliefs`),
weighs plans in the state that this makes likeliest, and offers with an eye on what each partner
would do with each hand that it may hold. Where several plans come near each other, it tries them
out: it draws hidden states from its beliefs, plays each plan in each of them on to its own next
turn (`playouts`), and compares how it stands then (`race`), until the answer is clear or its time
is used up.

What time allows differs from run to run, and with it the answers; `samples` makes them repeatable.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from typing import ClassVar

import msgspec

from engine.game import Action, Event, Game
from engine.pioneers import Pioneers
from engine.pioneers.beliefs import Beliefs
from engine.pioneers.determinize import Unknown
from engine.pioneers.moves import END_TURN
from engine.pioneers.state import State
from engine.pioneers.view import PioneersView
from runner import protocol as wire
from runner.bot import Request
from runner.bots.bargains import BelievedPartner, Partner, Swap, if_refused, to_ask
from runner.bots.chances import Hands, strength, success
from runner.bots.judge import Judge
from runner.bots.planner import Planner
from runner.bots.plans import Plan
from runner.bots.playouts import play_round
from runner.bots.race import Option, best_of
from runner.bots.seeded import SeededBot

_SEEDS = 1 << 64
_NEAR = 0.02  # in success, behind the best plan: what is worth a second thought
_MOST_OPTIONS = 5


class Searcher(Planner, SeededBot):
    """The planner, with beliefs about what others hold and a search over what may follow."""

    version = "1"
    events = True
    inline = False
    max_matches = 16

    samples: ClassVar[int | None] = None
    """How many hidden states to try plans in; None: as many as time allows."""

    share: ClassVar[float] = 0.5
    """Of the time that is left for an answer, how much a search may take."""

    most_ms: ClassVar[float] = 100.0
    """How long a search takes at most, however late the deadline."""

    def __init__(self, game: type[Game], start: wire.MatchStart) -> None:
        super().__init__(game, start)
        chance = random.Random(self._chance.draw("beliefs", 0, _SEEDS))  # noqa: S311 - no secret
        self._beliefs = Beliefs(chance.randrange)
        self._asked: Request | None = None

    @staticmethod
    def clock() -> float:
        """Seconds on the clock of `Request.deadline`."""
        return time.monotonic()

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
        judge: Judge,
        unknown: Unknown,  # noqa: ARG002 - the beliefs say more
        seat: int,
    ) -> Partner:
        return self._believed(judge, seat)

    def _believed(self, judge: Judge, seat: int) -> BelievedPartner:
        return BelievedPartner(judge, seat, self._beliefs.hands[seat])

    def _if_refused(self, judge: Judge) -> float:
        """Others may take an open offer, so that it is not for nothing to turn it down."""
        s = judge.state
        offer, asking = s.offer, s.current
        assert offer is not None
        if s.offer_to is not None:
            return judge.stay
        asker = Judge(s, asking, judge.strengths)
        hand = s.hands[asking]
        gain = Hands(s, asking).gain(hand - offer.give + offer.get)
        asked = to_ask(s, asking)
        later = asked[asked.index(judge.seat) + 1 :]
        partners = [self._believed(asker, seat) for seat in later]
        return if_refused(judge, asker, Swap(offer.give, offer.get, gain), partners)

    def _reconsidered(
        self, judge: Judge, unknown: Unknown, found: Sequence[Plan], best: Plan | None
    ) -> Plan | None:
        """The plan that comes off best where plans near the best one are tried out."""
        value = judge.stay if best is None else best.value
        others: list[Plan | None] = [plan for plan in _by_outcome(found) if plan is not best]
        near = [plan for plan in others if plan is not None and plan.value > value - _NEAR]
        options = [self._option(judge, best)]
        if best is not None and judge.stay > value - _NEAR:
            options.append(self._option(judge, None))
        options += [self._option(judge, plan) for plan in near]
        return best_of(
            options[:_MOST_OPTIONS],
            self._sampler(unknown),
            lambda s: outcome(s, judge.seat),
            self._limit(),
        )

    def _option(self, judge: Judge, plan: Plan | None) -> Option[Plan | None]:
        seat = judge.seat

        def play(s: State) -> None:
            game = Pioneers(s)
            for action in () if plan is None else plan.actions:
                if s.kind != "over":
                    game.advance({seat: action})
            if s.kind == "turn":
                game.advance({seat: END_TURN})
            play_round(s, seat)

        return Option(plan, judge.stay if plan is None else plan.value, play)

    def _sampler(self, unknown: Unknown) -> Callable[[], State]:
        """Hidden states as the beliefs make them likely, by a stream of this decision's own."""
        draw = random.Random(self.draw(_SEEDS)).randrange  # noqa: S311 - no secret
        return lambda: unknown.sample(draw, self._beliefs.hands)

    def _limit(self) -> Callable[[int], bool]:
        """Whether another sample is allowed after so many, from now on."""
        if self.samples is not None:
            return self.samples.__gt__
        now = self.clock()
        until = now + min(self.share * (self.request.deadline - now), self.most_ms / 1000)
        return lambda _: self.clock() < until


def outcome(s: State, seat: int) -> float:
    """The success in a state, or, once it is over, as it came."""
    placed = Pioneers(s).outcome()
    if placed is None:
        return success([strength(s, other) for other in range(s.n)], seat)
    own = placed.placements[seat]
    behind = sum(place > own for place in placed.placements)
    level = sum(place == own for place in placed.placements) - 1
    return (own == 1) / 2 + (behind + level / 2) / (s.n - 1) / 2


def _by_outcome(found: Sequence[Plan]) -> list[Plan]:
    """The best plan for each last action: ways to pay for the same do not count."""
    best: dict[Action, Plan] = {}
    for plan in sorted(found, key=lambda plan: -plan.value):
        best.setdefault(plan.actions[-1], plan)
    return [*best.values()]
