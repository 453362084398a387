"""The course of a match: the deal, set-up, rolls, the end of a turn and of the match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.chance import Chance
from engine.game import Event, Outcome
from engine.pioneers import placing
from engine.pioneers.actions import RESOURCES, EndTurn, Setup
from engine.pioneers.bandit import check_discard, discard, must_discard
from engine.pioneers.board import HEX_MASK
from engine.pioneers.cards import LANE, UNITS
from engine.pioneers.devcards import DECK_COUNTS, VICTORY_POINT, hidden_points
from engine.pioneers.events import Ended, Rolled
from engine.pioneers.state import LAST_TURN, MAX_SEATS, WINNING_POINTS, State
from engine.pioneers.view import HexTile

HEXES_PER_RESOURCE = (3, 4, 4, 4, 3)
TOKENS = (2, 3, 3, 4, 4, 5, 5, 6, 6, 8, 8, 9, 9, 10, 10, 11, 11, 12)

_MOST_HIDDEN_POINTS = DECK_COUNTS[VICTORY_POINT]

WIN = "win"
TURN_CAP = "turn_cap"


def deal_board(chance: Chance) -> tuple[HexTile, ...]:
    """The 19 hexes: resources shuffled first, then the tokens by the same stream's next draws."""
    lands: list[Any] = [
        name for name, n in zip(RESOURCES, HEXES_PER_RESOURCE, strict=True) for _ in range(n)
    ]
    lands.append("desert")
    tokens = list(TOKENS)
    chance.shuffle("board", tokens, first=chance.shuffle("board", lands))
    rest = iter(tokens)
    return tuple(HexTile(land, None if land == "desert" else next(rest)) for land in lands)


def deal_deck(chance: Chance) -> tuple[int, ...]:
    """The dev cards as indexes into DEV_CARDS, the next one to buy first."""
    deck = [card for card, count in enumerate(DECK_COUNTS) for _ in range(count)]
    chance.shuffle("deck", deck)
    return tuple(deck)


def setup(s: State, action: Setup, events: list[Event]) -> None:
    """Place for the current seat; after the last placement the first turn begins."""
    placing.place(s, action, events)
    if s.placed < 2 * s.n:
        s.current = placing.snake_seat(s.placed, s.n)
        s.ask("setup", 1 << s.current)
    else:
        begin_turn(s, 1, events)


def end_turn(s: State, action: EndTurn, events: list[Event]) -> None:
    """Pass the turn on; cards bought this turn are playable from the next one."""
    seat = s.current
    if action.talk:
        s.say(seat, action.talk, events)
    s.dev[seat] += s.bought
    s.bought = 0
    s.offers = 0
    s.dev_played = False
    if s.turn == LAST_TURN:
        s.end(TURN_CAP)
        events.append(Ended(seat, TURN_CAP))
    else:
        begin_turn(s, s.turn + 1, events)


def begin_turn(s: State, turn: int, events: list[Event]) -> None:
    """Dice, payout, win check, and on a 7 the discards, then the bandit."""
    seat = (turn - 1) % s.n
    s.turn = turn
    s.current = seat
    draw = s.chance.draw
    d1 = draw("dice", 2 * turn - 2, 6) + 1
    d2 = draw("dice", 2 * turn - 1, 6) + 1
    s.dice = (d1, d2)
    roll = d1 + d2
    collected = _pay(s, roll) if roll != 7 else (0,) * s.n
    events.append(Rolled(seat, turn, s.dice, collected))
    if check_win(s, events):
        return
    if roll != 7:
        s.ask_to_act()
        return
    discarders = 0
    for other, hand in enumerate(s.hands):
        if must_discard(hand):
            discarders |= 1 << other
    if discarders:
        s.ask("discard", discarders)
    else:
        s.ask("bandit", 1 << seat)


def _pay(s: State, roll: int) -> tuple[int, ...]:
    """Pay out a roll; returns how many cards each seat collected."""
    n = s.n
    hands = s.hands
    gains = s.income[MAX_SEATS * roll : MAX_SEATS * roll + n]
    bandit = s.bandit
    if s.tokens[bandit] == roll:
        # The bandit's hex pays nothing: take back what the income table counts for it.
        unit = UNITS[s.lands[bandit]]
        around = HEX_MASK[bandit]
        for seat in range(n):
            pieces = (s.own[seat] & around).bit_count() + (s.own_cities[seat] & around).bit_count()
            gains[seat] -= pieces * unit
    for seat in range(n):
        hands[seat] += gains[seat]
    return tuple([gain % LANE for gain in gains])  # cards.total, without four calls


def discard_all(s: State, actions: Mapping[int, Any], events: list[Event]) -> None:
    """Settle the discards of a 7, if all are legal, in seat order; the bandit follows."""
    for seat in s.asked:
        check_discard(s, seat, actions[seat])
    for seat in s.asked:
        discard(s, seat, actions[seat], events)
    s.ask("bandit", 1 << s.current)


def true_points(s: State, seat: int) -> int:
    """A seat's points, hidden ones included."""
    return s.scores[seat] + hidden_points(s, seat)


def check_win(s: State, events: list[Event]) -> bool:
    """End the match if the current seat has won; to be asked after its roll and its actions."""
    seat = s.current
    # Most turns end here: not even all the victory point cards of the deck would be enough.
    if s.scores[seat] < WINNING_POINTS - _MOST_HIDDEN_POINTS:
        return False
    if true_points(s, seat) < WINNING_POINTS:
        return False
    s.end(WIN)
    events.append(Ended(seat, WIN))
    return True


def outcome(s: State) -> Outcome | None:
    """Placements: the winner first, everybody else by true points, ties sharing."""
    if s.reason is None:
        return None
    scores = tuple(true_points(s, seat) for seat in range(s.n))
    # A winner stands above all points that others may hold outside their own turn.
    ranks = [
        WINNING_POINTS * s.n if s.reason == WIN and seat == s.current else score
        for seat, score in enumerate(scores)
    ]
    placements = tuple(1 + sum(other > rank for other in ranks) for rank in ranks)
    return Outcome(placements=placements, scores=scores, reason=s.reason)
