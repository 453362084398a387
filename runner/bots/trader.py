"""`trader`: greedy that deals with the other seats, and talks about it. Deterministic.

In its turn it offers, to all at once, the swaps of cards that add most to its own hand and seem
to add to somebody else's too; it starts with what gains it most and comes down within its five
offers. It answers offers by what they add to its hand, and says what it needs when they do not.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import Game
from engine.pioneers.actions import RESOURCES, Bundle, MoveBandit, OfferTrade, Respond, TurnAction
from engine.pioneers.analysis import offers_left
from engine.pioneers.cards import spell_bundle
from engine.pioneers.view import PioneersView
from runner import protocol as wire
from runner.bots.goals import Goal, Outlook
from runner.bots.greedy import NEAR_THE_END, Greedy, less
from runner.bots.offers import Deal, Partner, deals
from runner.bots.tried import Tried


class Trader(Greedy):
    """Greedy, with offers and answers by marginal value."""

    version = "1"

    def __init__(self, game: type[Game], start: wire.MatchStart) -> None:
        super().__init__(game, start)
        self._tried = Tried()

    def deal(self, outlook: Outlook, goals: Sequence[Goal]) -> TurnAction | None:
        """The next offer: of those still worth trying this turn, the one that gains most."""
        view = outlook.view
        self._tried.begin(view.turn)
        left = offers_left(view, self.request.memory)
        if not left or not any(outlook.hand):
            return None
        partners = [Partner(view, seat) for seat in range(view.seats) if _deals_with(view, seat)]
        promising = [
            deal
            for deal in deals(outlook, goals, partners)
            if (deal.give, deal.get) not in self._tried
        ]
        best = max(promising[:left], key=lambda deal: deal.gain, default=None)
        if best is None:
            return None
        self._tried.add((best.give, best.get))
        give, get = Bundle(*best.give), Bundle(*best.get)
        return OfferTrade(give=give, get=get, talk=_pitch(best))

    def trade(self, view: PioneersView) -> Respond:
        """Greedy's answer, in words."""
        answer = super().trade(view)
        return Respond(accept=answer.accept, talk="Done." if answer.accept else _needs(view))

    def bandit(self, view: PioneersView) -> MoveBandit:
        """Greedy's move, with an excuse."""
        move = super().bandit(view)
        if move.victim is None:
            return move
        return MoveBandit(hex=move.hex, victim=move.victim, talk=_excuse(view, move.victim))


def _deals_with(view: PioneersView, seat: int) -> bool:
    """Whether the seat can answer, has cards, and is not too near the end to be helped."""
    return (
        seat != view.seat
        and not view.resigned[seat]
        and view.hand_counts[seat] > 0
        and view.scores[seat] < NEAR_THE_END
    )


def _pitch(deal: Deal) -> str:
    return f"{spell_bundle(Bundle(*deal.give))} for {spell_bundle(Bundle(*deal.get))}, anyone?"


def _needs(view: PioneersView) -> str | None:
    """What would have been welcome, said once in a while: not to every offer of a turn."""
    offer = view.offer
    assert offer is not None
    if any(said.seat == view.seat and said.turn == view.turn for said in view.talk):
        return None
    outlook = Outlook(view)
    goals = outlook.ranked()
    lacking = less(goals[0].cost, outlook.hand) if goals else ()
    wanted = " or ".join(name for name, short in zip(RESOURCES, lacking, strict=False) if short)
    return f"Not for that. I could use {wanted}." if wanted else "No, thank you."


def _excuse(view: PioneersView, victim: int) -> str:
    leads = view.scores[victim] == max(view.scores)
    return f"Sorry, seat {victim}" + (": you lead." if leads else ": you had a card too many.")
