"""The Pioneers Program for a model: the rules in short, a view as text, actions in words."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from msgspec import Struct

from engine.game import Action
from engine.program.cards import Card
from engine.program.listing import describe
from engine.program.resources import Resources
from engine.program.resources import spell as spell_resources
from engine.program.text import draw
from engine.program.view import ProgramView

RULES = """\
You play The Pioneers Program, a card game in which 3 or 4 seats each build a town. The first to
four points who still holds them when a round ends wins; else the most points after the last round,
7 at the latest. Points are on headquarters, cards in the town (lost with them) and projects.
After a draft, each round has two turns for every seat, then maintenance, then the choice of a
survivor. In a turn one of: market (the card of a slot for 5 credits down to 0), wastes (draw a
card), plan (gain 3 responses, fewer in bigger towns), research (responses for tokens on a project;
who has as many as its value completes it). Besides, as often as it can be paid: play a card from
the hand for 1 response, activate a card, upgrade the headquarters (3 credits in a medium town, 5
in a large one; 5 structures make a town medium, 7 large). A pass gives up all turns of the round,
an end of turn only this one. Attacks and raids: the defender rolls two dice and adds what it
has and spends. In maintenance a card that needs upkeep and is not paid for leaves the town; food
that is missing can be paid with responses. What does not fit the pile is lost."""


def situation(view: ProgramView) -> str:
    """What the seat knows, in lines, and what is printed on the cards that concern it."""
    facts = [_printed(view.facts[name]) for name in dict.fromkeys(_names(view))]
    return "\n".join([f"You are seat {view.seat}.", draw(view), "Cards:", *facts])


def _names(view: ProgramView) -> Iterator[str]:
    """The cards that the seat has or could have soon; those in other towns are left out."""
    assert view.seat is not None
    own = view.towns[view.seat]
    projects = (project.card for project in view.projects if project is not None)
    fighting = () if view.combat is None else (view.combat.card,)
    shown = (view.choices, view.pack, view.hand, own.town, fighting, projects, view.market)
    for card in chain.from_iterable(cards or () for cards in shown):
        if card is not None:
            yield view.cards[card]


def _printed(card: Card) -> str:
    says = [
        f"makes {spell_resources(card.production)}" if card.production else "",
        f"needs {spell_resources(card.maintenance)}" if card.maintenance else "",
        f"points {card.points}" if card.points else "",
        *map(describe, card.effects),
    ]
    return f"- {card.name} ({card.type}): {'; '.join(filter(None, says)) or 'nothing more'}"


def spell(view: ProgramView, action: Action) -> str:
    """An action in words: its name, where it has one, and its fields."""
    tag = action.__struct_config__.tag
    name = "" if tag is None else str(tag).replace("_", " ")
    parts = []
    for field in action.__struct_fields__:
        value = getattr(action, field)
        if value is not None:
            label = "" if name.endswith(field) else f"{field} "
            parts.append(label + _value(view, field, value))
    return f"{name} {', '.join(parts)}".strip()


def _value(view: ProgramView, field: str, value: object) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case int() if field == "slot":
            card = view.market[value]
            named = "empty" if card is None else view.cards[card]
            return f"{value} ({named}, {len(view.market) - 1 - value} credits)"
        case int() if field == "survivor":
            (named,) = (one.name for one in view.survivors if one.number == value)
            return f"{value} ({named})"
        case str() if value in view.cards:
            return f"{view.cards[value]} ({value})"
        case tuple():
            return " and ".join(_value(view, field, item) for item in value) or "nothing"
        case Resources():
            return spell_resources(value)
        case Struct():
            told = ((inner, getattr(value, inner)) for inner in value.__struct_fields__)
            return " ".join(f"{inner} {_value(view, inner, held)}" for inner, held in told if held)
        case _:
            return str(value)
