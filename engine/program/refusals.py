"""Refusing an action or a position, and the checks that many actions share."""

from __future__ import annotations

from typing import NoReturn

from engine.game import IllegalAction, PositionError
from engine.program.cards import NUMBER_OF
from engine.program.player import Player


def refuse(code: str, message: str) -> NoReturn:
    """Raise IllegalAction."""
    raise IllegalAction(code, message)


def impossible(field: str, reason: str) -> NoReturn:
    """Raise PositionError."""
    raise PositionError(f"{field}: {reason}")


def in_hand(p: Player, card_id: str) -> int:
    """The number of a card in the hand; IllegalAction where it is not there."""
    card = NUMBER_OF.get(card_id, -1)
    if card not in p.hand:
        refuse("not_in_hand", f"{card_id!r} is not in your hand")
    return card


def in_town(p: Player, card_id: str) -> int:
    """The number of a card in the town; IllegalAction where it is not there."""
    card = NUMBER_OF.get(card_id, -1)
    if card not in p.town:
        refuse("not_in_town", f"{card_id!r} is not in your town")
    return card


def can_spend(p: Player, responses: int) -> None:
    """IllegalAction where the pile does not hold that many responses."""
    if responses > p.responses:
        refuse("too_few_responses", f"it takes {responses} responses and you have {p.responses}")


def can_pay(p: Player, credits_: int) -> None:
    """IllegalAction where the pile does not hold that many credits."""
    if credits_ > p.credits:
        refuse("too_few_credits", f"it costs {credits_} credits and you have {p.credits}")
