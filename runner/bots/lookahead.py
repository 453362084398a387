"""What a seat can choose from, and how each choice is played on in the mind: to its next turn.

A choice is tried in a whole state, which is changed in place: hidden cards and dice are in it.
"""

from __future__ import annotations

from engine.game import Action
from engine.pioneers import Pioneers
from engine.pioneers.actions import MoveBandit, Respond
from engine.pioneers.cards import covers
from engine.pioneers.moves import ACCEPT, END_TURN, REJECT
from engine.pioneers.state import State
from runner.bots.bargains import Swap, would_take
from runner.bots.chances import strength, success
from runner.bots.judge import Judge
from runner.bots.plans import Plan
from runner.bots.playouts import play_round
from runner.bots.race import Option


def plan_option(judge: Judge, plan: Plan | None) -> Option[Plan | None]:
    """A plan, or none, and the end of the turn."""
    seat = judge.seat

    def play(s: State) -> None:
        game = Pioneers(s)
        for action in () if plan is None else plan.actions:
            if s.kind != "over":
                game.advance({seat: action})
        _pass_on(s, seat)

    return Option(plan, judge.stay if plan is None else plan.value, play)


def bandit_option(seat: int, move: MoveBandit, estimate: float) -> Option[MoveBandit]:
    """A move of the bandit, and what the seat can build in the rest of its turn."""

    def play(s: State) -> None:
        Pioneers(s).advance({seat: move})
        play_round(s, seat)
        _pass_on(s, seat)

    return Option(move, estimate, play)


def answer_option(
    seat: int, answer: Respond, estimate: float, asker: Judge, swap: Swap
) -> Option[Respond]:
    """An answer to an offer of the asker's; others answer by the hands that they have there."""

    def play(s: State) -> None:
        # The first to accept trades. The answer matters only if those before it refuse; and those
        # after it matter only if it refuses.
        before = (seat - asker.seat) % s.n
        answers: dict[int, Action] = {}
        for other in s.asked:
            later = (other - asker.seat) % s.n > before
            hand = s.hands[other]
            takes = answer is REJECT and later and covers(hand, swap.get)
            takes = takes and would_take(asker, swap, other, hand)
            answers[other] = ACCEPT if takes else REJECT
        answers[seat] = answer
        Pioneers(s).advance(answers)
        play_round(s, seat)

    return Option(answer, estimate, play)


def outcome(s: State, seat: int) -> float:
    """The success in a state, or, once it is over, as it came."""
    placed = Pioneers(s).outcome()
    if placed is None:
        return success([strength(s, other) for other in range(s.n)], seat)
    own = placed.placements[seat]
    behind = sum(place > own for place in placed.placements)
    level = sum(place == own for place in placed.placements) - 1
    return (own == 1) / 2 + (behind + level / 2) / (s.n - 1) / 2


def _pass_on(s: State, seat: int) -> None:
    """End the turn of the seat, unless that was its last, and play to its next one."""
    if s.kind != "over":
        Pioneers(s).advance({seat: END_TURN})
        play_round(s, seat)
