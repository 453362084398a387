"""The card list as tables, for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from engine.game import Table
from engine.program import effects as fx
from engine.program.cards import DECKS, HQS, LIST, SURVIVORS, Card, Deck
from engine.program.resources import Resources, spell

_COLUMNS = ("card", "copies", "type", "production", "maintenance", "VP", "effect")
_TITLES: dict[Deck, str] = {
    "market": "Market deck",
    "wastes": "Wastes deck",
    "projects": "Projects",
}


def tables() -> Sequence[Table]:
    """HQs, the cards of each deck, survivors."""
    return (_hqs(), *(_deck(deck) for deck in DECKS), _survivors())


def _hqs() -> Table:
    rows = [
        (
            hq.name,
            hq.size,
            str(hq.cost or ""),
            _amount(hq.production),
            str(hq.points or ""),
            _effects(hq.effects),
        )
        for hq in HQS
    ]
    columns = ("HQ", "town at least", "credits", "production", "VP", "effect")
    return Table("Headquarters", columns, tuple(rows))


def _deck(deck: Deck) -> Table:
    rows = [
        (
            card.name,
            str(getattr(card.copies, deck)),
            f"project, value {card.value}" if card.type == "project" else card.type,
            _amount(card.production),
            _amount(card.maintenance),
            str(card.points or ""),
            _effects(card.effects),
        )
        for card in _of(deck)
    ]
    return Table(_TITLES[deck], _COLUMNS, tuple(rows))


def _of(deck: Deck) -> list[Card]:
    return [card for card in LIST.cards if getattr(card.copies, deck)]


def _survivors() -> Table:
    rows = [
        (str(s.number), s.name, f"+{s.modifier}", _amount(s.production), _effects(s.effects))
        for s in SURVIVORS
    ]
    columns = ("number", "survivor", "defence rolls", "production", "skill")
    return Table("Survivors", columns, tuple(rows))


def _amount(resources: Resources) -> str:
    return spell(resources) if resources else ""


def _effects(effects: Sequence[fx.AnyEffect]) -> str:
    return "; ".join(map(describe, effects))


def describe(effect: fx.AnyEffect) -> str:
    """An effect in words."""
    match effect:
        case fx.Defence(amount=amount):
            return f"+{amount} on own defence rolls"
        case fx.Raiding(amount=amount):
            return f"+{amount} on own raid rolls"
        case fx.Storage(kind=kind, amount=amount):
            return f"stores {amount} {'of any kind' if kind == 'any' else kind}"
        case fx.FreeReroll():
            return "first reroll of each combat free"
        case fx.ExtraResearch(tokens=tokens):
            return f"research places {tokens} more, free"
        case fx.CheaperUpgrades(credits=credits_):
            return f"HQ upgrades cost {credits_} less"
        case fx.FreePlays(type=card_type):
            return f"playing a card of type {card_type} is free"
        case fx.FirstPlayFree():
            return "first card played each turn free"
        case fx.BetterSales(credits=credits_):
            return f"food sales give {credits_} more"
        case fx.CheaperMarket(credits=credits_):
            return f"market cards cost {credits_} less"
        case fx.BetterPlans(responses=responses):
            return f"plan gives {responses} more"
        case fx.WastesChoice(cards=cards):
            return f"wastes action draws {cards}, keeps 1"
        case fx.NoMaintenance(type=card_type):
            return f"cards of type {card_type} need no maintenance"
        case fx.Activate(gain=gain, pay=pay, discard=discard, once=once):
            costs = ([spell(pay)] if pay else []) + (["this card"] if discard else [])
            often = "once a turn" if once else "activate"
            return f"{often}: {' and '.join(costs) or 'nothing'} for {spell(gain)}"
        case fx.KeepStructure():
            return "reaction: a structure under attack stays"
        case fx.Boost(side=side, amount=amount):
            return f"reaction: +{amount} on this {side} roll"
        case fx.ExtraTurn():
            return "one more turn this round"
        case fx.Gain(resources=resources):
            return f"gain {spell(resources)}"
        case fx.TakeMarket():
            return "take any market card, free"
        case fx.PermanentPoints(points=points, size=size):
            return f"{points} permanent, in a {size} town"
        case fx.DrawWastes(cards=cards):
            return f"draw {cards} wastes cards"
        case fx.Raid(bonus=bonus):
            return f"raid, +{bonus} on its roll" if bonus else "raid"
        case fx.Attack(difficulty=difficulty, failure=failure):
            return f"difficulty {difficulty}, failure: {_describe_failure(failure)}"
        case _:
            assert_never(effect)


def _describe_failure(failure: fx.Failure) -> str:
    match failure:
        case fx.GiveUp(type=card_type):
            return f"the defender gives up a card of type {card_type}"
        case fx.Rob(resources=resources):
            return f"{spell(resources)} of the defender's go to the attacker"
        case fx.Spoil(count=count):
            return f"{count} resources of the attacker's choice are discarded"
        case _:
            assert_never(failure)
