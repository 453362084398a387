"""Refusing positions whose course is impossible: set-up, whose turn it is, what is asked."""

from __future__ import annotations

from typing import NoReturn

from engine.game import IllegalAction, PositionError
from engine.pioneers.actions import DEV_CARDS, RESOURCES
from engine.pioneers.bandit import must_discard
from engine.pioneers.board import EDGES
from engine.pioneers.cards import covers, pack, spell
from engine.pioneers.placing import harvest, snake_seat
from engine.pioneers.position import Position
from engine.pioneers.state import LAST_TURN
from engine.pioneers.trades import terms
from engine.pioneers.trading import MAX_OFFERS
from engine.pioneers.view import DevCards


def refuse(field: str, reason: str) -> NoReturn:
    """Raise PositionError, naming the JSON field."""
    raise PositionError(f"{field}: {reason}")


def _any_of(cards: tuple[DevCards, ...]) -> bool:
    return any(getattr(held, name) for held in cards for name in DEV_CARDS)


def check_setup(position: Position) -> None:
    """Turn 0: nothing but pieces placed in snake order."""
    nothing_yet = {
        "dice": position.dice is not None,
        "mustRoll": position.must_roll,
        "asked": position.asked is not None,
        "offer": position.offer is not None,
        "offersThisTurn": position.offers_this_turn,
        "devPlayed": position.dev_played,
        "steals": position.steals,
        "knights": any(position.knights),
        "cities": any(position.cities),
        "devCards": _any_of(position.dev_cards),
        "devBoughtThisTurn": _any_of(position.dev_bought_this_turn),
    }
    for field, there in nothing_yet.items():
        if there:
            refuse(field, "not in set-up (turn 0)")
    if position.hexes[position.bandit].resource != "desert":
        refuse("bandit", "in set-up it is on the desert")
    placed = sum(len(vertices) for vertices in position.settlements)
    seats = position.seats
    if placed >= 2 * seats:
        refuse("turn", "set-up is over, so the turn is at least 1")
    order = [snake_seat(i, seats) for i in range(2 * seats)]
    if position.current != order[placed]:
        refuse("current", f"seat {order[placed]} places next after {placed} placements")
    for seat in range(seats):
        _check_placements(position, seat, order[:placed].count(seat))


def _check_placements(position: Position, seat: int, due: int) -> None:
    settlements, roads = position.settlements[seat], position.roads[seat]
    if len(settlements) != due:
        refuse(f"settlements[{seat}]", f"{len(settlements)} placed where the order gives {due}")
    if len(roads) != due:
        refuse(f"roads[{seat}]", f"{len(roads)} placed with {due} settlements")
    for edge in roads:
        if not any(vertex in EDGES[edge] for vertex in settlements):
            refuse(f"roads[{seat}]", f"edge {edge} touches no settlement of the seat")
    lands = tuple(
        RESOURCES.index(tile.resource) if tile.resource != "desert" else -1
        for tile in position.hexes
    )
    hand = pack(position.hands[seat])
    could_hold = {harvest(lands, vertex) for vertex in settlements} if due == 2 else {0}
    if hand not in could_hold:
        refuse(f"hands[{seat}]", f"{spell(hand)} is not what a second settlement of theirs paid")


def check_turn(position: Position) -> None:
    """Turns 1 to 200, and 201 for a match ended by the turn cap."""
    turn, seats = position.turn, position.seats
    owner = (min(turn, LAST_TURN) - 1) % seats
    if position.current != owner:
        refuse("current", f"turn {turn} is seat {owner}'s, not seat {position.current}'s")
    for seat in range(seats):
        if len(position.settlements[seat]) + len(position.cities[seat]) < 2:
            refuse(f"settlements[{seat}]", "fewer than the 2 towns of set-up")
    most_steals = min(turn, LAST_TURN) + sum(position.knights)
    if position.steals > most_steals:
        refuse("steals", f"{position.steals}, with {most_steals} sevens and knights at most")
    if position.must_roll and turn > LAST_TURN:
        refuse("mustRoll", f"turn {LAST_TURN} is the last")
    if position.must_roll and position.dice is not None:
        refuse("dice", "the turn's roll is still to come (`mustRoll`)")
    if not position.must_roll and position.dice is None:
        refuse("dice", "missing; the roll is still to come only where `mustRoll` is true")
    if position.must_roll or turn > LAST_TURN:
        _check_idle(position)
    _check_asked(position)


def _check_idle(position: Position) -> None:
    """Nothing has been done yet in a turn that is to be rolled, nor is after the last."""
    if position.asked is not None:
        refuse("asked", "nobody is asked before the roll or after the last turn")
    if position.offer is not None or position.offers_this_turn:
        refuse("offersThisTurn", "no offers before the roll or after the last turn")
    if position.dev_played:
        refuse("devPlayed", "no dev card is played before the roll or after the last turn")
    if _any_of(position.dev_bought_this_turn):
        refuse("devBoughtThisTurn", "no dev card is bought before the roll or after the last turn")


def _check_asked(position: Position) -> None:
    seven = position.dice is not None and sum(position.dice) == 7
    acted = (
        position.dev_played or position.offers_this_turn or _any_of(position.dev_bought_this_turn)
    )
    if position.asked == "discard":
        if not seven or acted:
            refuse("asked", "discards follow at once on a roll of 7")
        if not any(must_discard(pack(hand)) for hand in position.hands):
            refuse("asked", "nobody holds enough cards to discard")
    elif position.asked == "bandit":
        knight = position.dev_played and position.knights[position.current]
        if not knight and (not seven or acted):
            refuse("asked", "the bandit moves after a roll of 7 or a knight")
    if position.offer is not None:
        _check_offer(position)


def _check_offer(position: Position) -> None:
    offer = position.offer
    assert offer is not None
    if position.asked is not None:
        refuse("offer", f"none can be open while `{position.asked}` is asked")
    if not 1 <= position.offers_this_turn <= MAX_OFFERS:
        refuse("offersThisTurn", "the open offer counts")
    if offer.to is not None and (offer.to == position.current or offer.to >= position.seats):
        refuse("offer.to", f"seat {offer.to} is no opponent of seat {position.current}")
    try:
        agreed = terms(offer.give, offer.get)
    except IllegalAction as error:
        refuse("offer", error.message)
    hand = pack(position.hands[position.current])
    if not covers(hand, agreed.give):
        refuse("offer.give", f"seat {position.current} holds {spell(hand)}")
