"""Events as sentences, for people."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from engine.program import events as ev
from engine.program.cards import NAME_OF, NUMBER_OF, SURVIVORS
from engine.program.resources import spell


def _name(card_id: str) -> str:
    return f"{NAME_OF[NUMBER_OF[card_id]]} ({card_id})"


def _names(card_ids: Iterable[str]) -> str:
    return ", ".join(_name(card) for card in card_ids)


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def narrate(event: ev.ProgramEvent) -> str:
    """One event as a sentence."""
    match event:
        case ev.Drafted(seat, card):
            how = "keeps a card" if card is None else f"plays {_name(card)} into the town"
            return f"seat {seat} {how}"
        case ev.RoundBegan(number, order, alarm):
            token = "" if alarm is None else f"; the alarm token is {alarm}"
            return f"round {number} begins, order {' '.join(map(str, order))}{token}"
        case ev.TurnBegan(seat, turn):
            return f"seat {seat} begins turn {turn}"
        case ev.Bought(seat, card, paid):
            return f"seat {seat} takes {_name(card)} from the market for {paid}"
        case ev.Drew(seat, count):
            return f"seat {seat} draws {_cards(count)} from the wastes"
        case ev.Kept(seat, discarded):
            return f"seat {seat} keeps a card and discards {_names(discarded)}"
        case ev.Gained(seat, resources):
            return f"seat {seat} gains {spell(resources)}"
        case ev.Researched(seat, project, tokens, paid):
            return f"seat {seat} places {tokens} tokens on {_name(project)} for {paid}"
        case ev.Completed(seat, project, following):
            opened = "no project follows" if following is None else f"{_name(following)} is open"
            return f"seat {seat} completes {_name(project)}; {opened}"
        case ev.Played(seat, card, paid, target):
            aim = "" if target is None else f" against seat {target}"
            return f"seat {seat} plays {_name(card)}{aim} for {paid}"
        case ev.Activated(seat, card, discarded):
            return f"seat {seat} {'discards and ' if discarded else ''}activates {_name(card)}"
        case ev.Upgraded(seat, hq, paid):
            return f"seat {seat} upgrades to {hq} for {paid}"
        case ev.Passed(seat):
            return f"seat {seat} passes"
        case ev.Prepared(seat, side, spent, cards, bonus):
            with_cards = f" and plays {_names(cards)}" if cards else ""
            return f"seat {seat} spends {spent}{with_cards}: +{bonus} on the {side} roll"
        case ev.Rolled(seat, side, (one, other), total, needed):
            against = "" if needed is None else f" against {needed}"
            return f"seat {seat} rolls {one} + {other}, {side} {total}{against}"
        case ev.Fought(seat, card, held):
            return f"seat {seat} {'holds out against' if held else 'falls to'} {_name(card)}"
        case ev.Taken(seat, by, resources):
            where = "" if by is None else f" to seat {by}"
            return f"seat {seat} loses {spell(resources)}{where}"
        case ev.Lost(seat, card):
            return f"seat {seat} loses {_name(card)}"
        case ev.Protected(seat, structure, card, paid):
            return f"seat {seat} saves {_name(structure)} with {_name(card)} for {paid}"
        case ev.MarketMoved(discarded, _):
            gone = "" if discarded is None else f"; {_name(discarded)} is discarded"
            return f"the market closes up{gone}"
        case ev.Maintained():
            return _maintained(event)
        case ev.SurvivorChosen(seat, number):
            return f"seat {seat} chooses survivor {number}, {SURVIVORS[number - 1].name}"
        case ev.Scored(seat, score):
            return f"seat {seat} now has {score} points"
        case ev.Ended(reason):
            return f"the match is over: {reason.replace('_', ' ')}"
        case _:
            assert_never(event)


def _maintained(event: ev.Maintained) -> str:
    parts = [f"seat {event.seat} produces {spell(event.produced)}"]
    if event.sold:
        parts.append(f"sells {event.sold} food for {event.earned}")
    if event.bought:
        parts.append(f"buys {event.bought} food")
    if event.paid:
        parts.append(f"pays for {_names(event.paid)}")
    if event.left:
        parts.append(f"gives up {_names(event.left)}")
    return ", ".join([*parts, f"stores {spell(event.pile)}"])
