"""`planner`: weighs every plan for its turn by the chances that it leaves.

Before each decision it fills in what it cannot see with what is likeliest, lists what it could
do (purchases with the trades at the bank that pay for them, dev cards, swaps with others), and
takes what raises its chances of a good placement most. What makes chances is in `prospects`, how
much in `weights`. Deterministic.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import Game
from engine.pioneers.actions import (
    BankTrade,
    Discard,
    MoveBandit,
    OfferTrade,
    Respond,
    Setup,
    TurnAction,
)
from engine.pioneers.analysis import odds_of_holding, offers_left
from engine.pioneers.cards import UNITS, counts, covers, unpack
from engine.pioneers.determinize import Unknown
from engine.pioneers.moves import ACCEPT, END_TURN, REJECT
from engine.pioneers.state import State
from engine.pioneers.view import PioneersView
from runner import protocol as wire
from runner.bot import Bot
from runner.bots.bargains import GuessedPartner, Partner, Swap, if_accepted, swaps, to_ask
from runner.bots.chances import Hands
from runner.bots.judge import WON, Judge
from runner.bots.opening import first_settlement, second_settlement
from runner.bots.plans import Plan, best_bandit, plans
from runner.bots.tried import Tried

# In success. Estimates are no finer; and a swap helps somebody else for sure.
_BETTER_BY = 0.0005
ACCEPT_BY = 0.001


class Planner(Bot):
    """Plays what leaves it the best chances."""

    version = "1"
    max_matches = 64
    inline = True
    check_actions = False  # a test plays whole matches to see that all it does is legal

    def __init__(self, game: type[Game], start: wire.MatchStart) -> None:
        super().__init__(game, start)
        self._tried = Tried()

    def setup(self, view: PioneersView) -> Setup:
        """The sites that work best together, and a road to where there is room."""
        s = self._suppose(self._unknown(view))
        assert view.seat is not None
        if s.settlements[view.seat]:
            return second_settlement(s, view.seat)
        return first_settlement(s, view.seat)

    def turn(self, view: PioneersView) -> TurnAction:
        """The first step of the best plan; offers come before trades at the bank."""
        unknown = self._unknown(view)
        judge = self._judge(unknown, view)
        found = plans(judge, unknown.unseen)
        best = max(found, key=lambda plan: plan.value, default=None)
        if best is not None and best.value >= WON:
            return best.first
        if best is not None and best.value <= judge.stay + _BETTER_BY:
            best = None
        if best is None or isinstance(best.first, BankTrade):
            swap = self._swap(judge, unknown, view)
            if swap is not None:
                return OfferTrade(give=unpack(swap.give), get=unpack(swap.get))
        best = self._reconsidered(judge, unknown, found, best)
        return END_TURN if best is None else best.first

    def discard(self, view: PioneersView) -> Discard:
        """One card after the other, each the one that is missed least."""
        s = self._suppose(self._unknown(view))
        seat = view.seat
        assert seat is not None
        hand = kept = s.hands[seat]
        hands = Hands(s, seat)
        for _ in range(view.must_discard):
            rests = [kept - unit for count, unit in zip(counts(kept), UNITS, strict=True) if count]
            kept = max(rests, key=hands.worth)
        return Discard(discard=unpack(hand - kept))

    def bandit(self, view: PioneersView) -> MoveBandit:
        """Where it raises the seat's chances most."""
        _, move = best_bandit(self._judge(self._unknown(view), view))
        return move

    def trade(self, view: PioneersView) -> Respond:
        """Accepts what raises its chances, what it does for the offerer considered."""
        unknown = self._unknown(view)
        judge = self._judge(unknown, view)
        offer = judge.state.offer
        assert offer is not None
        if not covers(judge.state.hands[judge.seat], offer.get):
            return REJECT
        return self._answer(judge, unknown)

    def _answer(self, judge: Judge, unknown: Unknown) -> Respond:  # noqa: ARG002 - as below
        """The answer to an offer that it could take."""
        return ACCEPT if if_accepted(judge) > judge.stay + ACCEPT_BY else REJECT

    def _reconsidered(
        self,
        judge: Judge,  # noqa: ARG002 - for bots that look further
        unknown: Unknown,  # noqa: ARG002
        found: Sequence[Plan],  # noqa: ARG002
        best: Plan | None,
    ) -> Plan | None:
        """What to do of all that was found, given the best by itself; None: end the turn."""
        return best

    def _unknown(self, view: PioneersView) -> Unknown:
        return Unknown(self.request.kind, view, self.request.memory)

    def _suppose(self, unknown: Unknown) -> State:
        """The state that the seat takes to be the real one."""
        return unknown.likely()

    def _partner(self, judge: Judge, unknown: Unknown, seat: int) -> Partner:
        """Another seat, to be asked for swaps."""
        count, weights = unknown.hand_counts[seat], unknown.weights[seat]

        def odds(wanted: int) -> float:
            return odds_of_holding(counts(wanted), count, weights)

        return GuessedPartner(judge, seat, odds)

    def _judge(self, unknown: Unknown, view: PioneersView) -> Judge:
        assert view.seat is not None
        return Judge(self._suppose(unknown), view.seat)

    def _swap(self, judge: Judge, unknown: Unknown, view: PioneersView) -> Swap | None:
        """The next offer to make: of those left worth trying, the one that gains most."""
        self._tried.begin(view.turn)
        left = offers_left(view, self.request.memory)
        if not left:
            return None
        asked = to_ask(judge.state, judge.seat)
        partners = [self._partner(judge, unknown, seat) for seat in asked]
        promising = [
            swap for swap in swaps(judge, partners) if (swap.give, swap.get) not in self._tried
        ]
        swap = max(promising[:left], key=lambda swap: swap.gain, default=None)
        if swap is not None:
            self._tried.add((swap.give, swap.get))
        return swap
