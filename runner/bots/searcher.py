"""`searcher`: the planner that counts cards, and plays on in its mind before it decides.

It keeps what the others may hold true to all that happens in public (`engine.pioneers.beliefs`),
weighs plans in the state that this makes likeliest, and offers with an eye on what each partner
would do with each hand that it may hold. Where plans, places for the bandit, or the answers to an
offer come near each other, it tries them out: it draws hidden states from its beliefs, plays each
choice in each of them on to its own next turn (`lookahead`), and compares how it stands then
(`race`), until the answer is clear or its time is used up.

What time allows differs from run to run, and with it the answers; `samples` makes them repeatable.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from typing import ClassVar, TypeVar

import msgspec

from engine.game import Action, Event, Game
from engine.pioneers.actions import MoveBandit, Respond
from engine.pioneers.beliefs import Beliefs
from engine.pioneers.determinize import Unknown
from engine.pioneers.moves import ACCEPT, REJECT
from engine.pioneers.state import State
from engine.pioneers.view import PioneersView
from runner import protocol as wire
from runner.bot import Request
from runner.bots.bargains import (
    BelievedPartner,
    Partner,
    Swap,
    if_accepted,
    if_refused,
    to_ask,
)
from runner.bots.chances import Hands
from runner.bots.judge import Judge
from runner.bots.lookahead import answer_option, bandit_option, outcome, plan_option
from runner.bots.planner import ACCEPT_BY, Planner
from runner.bots.plans import Plan, bandit_moves
from runner.bots.race import Option, best_of
from runner.bots.seeded import SeededBot

_SEEDS = 1 << 64
_NEAR = 0.02  # in success, behind the best by estimate: what is worth a second thought
_MOST_OPTIONS = 5

# Answers to offers are many, and less hangs on each.
_NEAR_ANSWERS = 0.012
_PART_FOR_ANSWERS = 0.25

T = TypeVar("T")


class Searcher(Planner, SeededBot):
    """The planner, with beliefs about what others hold and a search over what may follow."""

    version = "1"
    events = True
    inline = False
    max_matches = 16

    samples: ClassVar[int | None] = None
    """How many hidden states to try plans in; None: as many as time allows."""

    share: ClassVar[float] = 0.25
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

    def bandit(self, view: PioneersView) -> MoveBandit:
        """Where the bandit serves it best, as far as it can see ahead."""
        unknown = self._unknown(view)
        judge = self._judge(unknown, view)
        found = sorted(bandit_moves(judge), key=lambda found: -found[0])
        near = [(value, move) for value, move in found if value > found[0][0] - _NEAR]
        options = [bandit_option(judge.seat, move, value) for value, move in near]
        return self._best(judge, unknown, options)

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

    def _reconsidered(
        self, judge: Judge, unknown: Unknown, found: Sequence[Plan], best: Plan | None
    ) -> Plan | None:
        value = judge.stay if best is None else best.value
        others: list[Plan | None] = [] if best is None else [None]
        others += (plan for plan in _by_outcome(found) if plan is not best)
        options = [plan_option(judge, plan) for plan in (best, *others)]
        options = [option for option in options if option.estimate > value - _NEAR]
        return self._best(judge, unknown, options)

    def _answer(self, judge: Judge, unknown: Unknown) -> Respond:
        s, seat = judge.state, judge.seat
        offer, asking = s.offer, s.current
        assert offer is not None
        asker = Judge(s, asking, judge.strengths)
        gain = Hands(s, asking).gain(s.hands[asking] - offer.give + offer.get)
        swap = Swap(offer.give, offer.get, gain)
        accepted, refused = if_accepted(judge), self._if_refused(judge, asker, swap) + ACCEPT_BY
        options = [
            answer_option(seat, REJECT, refused, asker, swap),
            answer_option(seat, ACCEPT, accepted, asker, swap),
        ]
        options.sort(key=lambda option: -option.estimate)
        if abs(accepted - refused) > _NEAR_ANSWERS:
            return options[0].choice
        return self._best(judge, unknown, options, _PART_FOR_ANSWERS)

    def _if_refused(self, judge: Judge, asker: Judge, swap: Swap) -> float:
        """The success if it turns down an offer, which others may take then if it is open."""
        s = judge.state
        if s.offer_to is not None:
            return judge.stay
        asked = to_ask(s, asker.seat)
        later = asked[asked.index(judge.seat) + 1 :]
        return if_refused(judge, asker, swap, [self._believed(asker, seat) for seat in later])

    def _best(
        self, judge: Judge, unknown: Unknown, options: Sequence[Option[T]], part: float = 1.0
    ) -> T:
        """The option that comes off best in the hidden states that it has the time to look at.

        options: the best by estimate first. part: of what a search may take at most.
        """
        return best_of(
            options[:_MOST_OPTIONS],
            self._sampler(unknown),
            lambda s: outcome(s, judge.seat),
            self._limit(part),
        )

    def _sampler(self, unknown: Unknown) -> Callable[[], State]:
        """Hidden states as the beliefs make them likely, by a stream of this decision's own."""
        draw = random.Random(self.draw(_SEEDS)).randrange  # noqa: S311 - no secret
        return lambda: unknown.sample(draw, self._beliefs.hands)

    def _limit(self, part: float) -> Callable[[int], bool]:
        """Whether another sample is allowed after so many, from now on."""
        if self.samples is not None:
            most = round(self.samples * part)
            return lambda looked_at: looked_at < most
        now = self.clock()
        until = now + min(self.share * (self.request.deadline - now), part * self.most_ms / 1000)
        return lambda _: self.clock() < until


def _by_outcome(found: Sequence[Plan]) -> list[Plan]:
    """The best plan for each last action, best first: ways to pay for the same do not count."""
    best: dict[Action, Plan] = {}
    for plan in sorted(found, key=lambda plan: -plan.value):
        best.setdefault(plan.actions[-1], plan)
    return [*best.values()]
