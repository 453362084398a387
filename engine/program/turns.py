"""The course of a match: rounds, turns, the end of the actions step, survivors, the end."""

from __future__ import annotations

from typing import Literal

from engine.game import Event, Outcome
from engine.program.actions import ChooseSurvivor, EndTurn, Pass
from engine.program.cards import SURVIVORS
from engine.program.decks import move_market
from engine.program.events import Ended, Passed, RoundBegan, SurvivorChosen, TurnBegan
from engine.program.refusals import refuse
from engine.program.state import ALARM_ROUNDS, MOST_TURNS, TURNS_PER_ROUND, State

FOUR_POINTS = "four_points"
LAST_ROUND = "last_round"


def begin_round(s: State, events: list[Event]) -> None:
    """The alarm token turns over, survivors go to work, the first of them takes its turn."""
    s.round += 1
    s.tokens = ()
    s.order = by_survivor(s)
    for seat in range(s.n):
        s.refresh(seat, events)
    alarm: Literal["quiet", "arc"] | None = None
    if s.round in ALARM_ROUNDS:
        alarm = "arc" if s.round == s.arc else "quiet"
    events.append(RoundBegan(s.round, s.order, alarm))
    _begin_turn(s, s.order[0], 1, events)


def by_survivor(s: State) -> tuple[int, ...]:
    """The seats, highest survivor number first."""
    return tuple(sorted(range(s.n), key=lambda seat: -s.players[seat].survivor))


def _begin_turn(s: State, seat: int, turn: int, events: list[Event]) -> None:
    s.current = seat
    s.turn = turn
    s.opened = s.acted = False
    s.played = 0
    s.used = ()
    events.append(TurnBegan(seat, turn))
    s.ask("turn", seat)


def check_pass(s: State, _seat: int, _action: Pass) -> None:
    """Raise IllegalAction unless nothing has been done in this turn yet."""
    if s.opened:
        refuse("turn_begun", "a pass is the first answer of a turn or none")


def pass_round(s: State, _action: Pass, events: list[Event]) -> None:
    """Place the player token: no more turns this round, an earlier choice of survivor."""
    s.tokens = (*s.tokens, s.current)
    events.append(Passed(s.current))
    _next_turn(s, events)


def end_turn(s: State, _action: EndTurn, events: list[Event]) -> None:
    """Hand on to the seat that is next."""
    _next_turn(s, events)


def _next_turn(s: State, events: list[Event]) -> None:
    """The next seat in survivor order that has not passed; a third turn for those who hold one."""
    turn, place = s.turn, s.order.index(s.current) + 1
    while turn <= MOST_TURNS:
        for seat in s.order[place:]:
            if seat not in s.tokens and (turn <= TURNS_PER_ROUND or s.players[seat].extra):
                _begin_turn(s, seat, turn, events)
                return
        turn, place = turn + 1, 0
    move_market(s, events)
    s.turn = 0
    s.opened = s.acted = False
    s.played = 0
    s.used = ()
    s.ask_all("maintenance")


def end_round(s: State, events: list[Event]) -> None:
    """After maintenance: the match ends, or survivors go back and are chosen anew."""
    if reason := _ending(s):
        s.end()
        events.append(Ended(reason))
        return
    s.tokens += tuple([seat for seat in s.order if seat not in s.tokens])
    s.order = s.tokens
    for seat, p in enumerate(s.players):
        p.survivor = 0
        p.extra = False
        s.refresh(seat, events)
    s.current = s.order[0]
    s.ask("survivor", s.current)


def _ending(s: State) -> str | None:
    """Why the match ends with this round, if it does."""
    if any(p.four for p in s.players):
        return FOUR_POINTS
    return LAST_ROUND if s.round == s.arc + 1 else None


def last_round(s: State) -> int | None:
    """The number of the last round, once the Arc alarm is known."""
    return s.arc + 1 if s.round >= s.arc else None


def survivors_left(s: State) -> list[int]:
    """The numbers of the survivors that nobody has."""
    taken = [p.survivor for p in s.players]
    return [survivor.number for survivor in SURVIVORS if survivor.number not in taken]


def check_survivor(s: State, _seat: int, action: ChooseSurvivor) -> None:
    """Raise IllegalAction unless the survivor is in the pool."""
    left = survivors_left(s)
    if action.survivor not in left:
        refuse("survivor_gone", f"survivor {action.survivor} is not among those left: {left}")


def choose_survivor(s: State, action: ChooseSurvivor, events: list[Event]) -> None:
    """Take a survivor; after the last choice the next round begins."""
    seat = s.current
    s.players[seat].survivor = action.survivor
    s.refresh(seat, events)
    events.append(SurvivorChosen(seat, action.survivor))
    chosen = s.order.index(seat) + 1
    if chosen < s.n:
        s.current = s.order[chosen]
        s.ask("survivor", s.current)
    else:
        begin_round(s, events)


def outcome(s: State) -> Outcome | None:
    """Placements once the match is over.

    First is who came to four first and still holds them; everybody else, and everybody where
    nobody holds four, stands by score, then by the earlier arrival on it.
    """
    if s.kind != "over":
        return None
    _, winner = min(((p.four, seat) for seat, p in enumerate(s.players) if p.four), default=(0, -1))
    ranks = [
        (seat != winner, -p.score if seat != winner else 0, p.arrival if seat != winner else 0)
        for seat, p in enumerate(s.players)
    ]
    return Outcome(
        placements=tuple(1 + sum(other < rank for other in ranks) for rank in ranks),
        scores=tuple(p.score for p in s.players),
        reason=LAST_ROUND if winner < 0 else FOUR_POINTS,
    )
