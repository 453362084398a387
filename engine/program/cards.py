"""The card list: `cards.toml` decoded into typed structs, checked, and numbered.

A card is a number inside the engine and an id, "c" and the number, outside. Numbers follow the
card list deck by deck and copy by copy; no shuffle touches them, so an id gives nothing away.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from importlib.resources import files
from typing import Annotated, Any, Literal, TypeAlias, TypeVar, get_args

import msgspec
from msgspec import Meta, Struct

from engine.program.effects import (
    Activate,
    AnyEffect,
    AnyType,
    Attack,
    DrawWastes,
    ExtraTurn,
    Gain,
    Passive,
    PermanentPoints,
    Raid,
    Reaction,
    Size,
    TakeMarket,
)
from engine.program.resources import NOTHING, Resources

Deck: TypeAlias = Literal["market", "wastes", "projects"]
Points: TypeAlias = Annotated[int, Meta(ge=0, le=99)]
Copies: TypeAlias = Annotated[int, Meta(ge=0, le=99)]
Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=40)]

DECKS: tuple[Deck, ...] = get_args(Deck)
SIZES: tuple[Size, ...] = get_args(Size)


class CardError(ValueError):
    """A card list that the game cannot be played with; the message names the card."""


class DeckCopies(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """How many copies of a card are in each deck."""

    market: Copies = 0
    """In the market deck. [cards]"""
    wastes: Copies = 0
    """In the wastes deck. [cards]"""
    projects: Copies = 0
    """In the deck of projects. [cards]"""


class Card(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is printed on a card."""

    name: Name
    """The same for all copies. Example: `"Farm"`"""
    type: AnyType
    """What sort of card it is: structures, personalities and items stand in a town."""
    copies: DeckCopies
    """How many there are in each deck."""
    production: Resources = NOTHING
    """What it brings each round."""
    maintenance: Resources = NOTHING
    """What it takes each round to stay in the town."""
    points: Points = 0
    """While in the town; a project's are permanent. [points]"""
    value: Points = 0
    """What completes a project; 0 for other cards. [research tokens]"""
    effects: tuple[AnyEffect, ...] = ()
    """What else it does."""


class Hq(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A level of the headquarters."""

    name: Name
    """Its name. Example: `"Medium HQ"`"""
    size: Size
    """The smallest town that can have it."""
    cost: Points = 0
    """What the upgrade to it costs. [credits]"""
    points: Points = 0
    """While it is the level. [points]"""
    production: Resources = NOTHING
    """What it brings each round."""
    effects: tuple[Passive, ...] = ()
    """What else it does."""


class Survivor(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A survivor; its production and effects are its skill, idle in round 1."""

    number: Annotated[int, Meta(ge=1, le=99)]
    """Its place in the turn order, highest first. [survivor number]"""
    name: Name
    """Its name. Example: `"Cook"`"""
    modifier: Points = 0
    """What it adds to defence rolls. [pips]"""
    production: Resources = NOTHING
    """What it brings each round, but for the first."""
    effects: tuple[Passive, ...] = ()
    """What else it does, but for the first round."""


class CardList(Struct, frozen=True):
    """A whole card list, HQs by level, survivors by number."""

    hqs: tuple[Hq, ...]
    cards: tuple[Card, ...]
    survivors: tuple[Survivor, ...]


_ON_EVENT = (ExtraTurn, Gain, TakeMarket, PermanentPoints, DrawWastes)
_PASSIVE: tuple[type, ...] = get_args(Passive)
_REACTION: tuple[type, ...] = get_args(Reaction)

# Which effects a card of a type can have: what is in a town acts all the time or when it is
# activated, reactions come from the hand, everything else happens once.
_EFFECTS_OF: dict[str, tuple[type, ...]] = {
    "structure": (*_PASSIVE, Activate),
    "personality": (*_PASSIVE, Activate),
    "item": (*_PASSIVE, Activate, *_REACTION),
    "event": _ON_EVENT,
    "attack": (Attack,),
    "raid": (Raid,),
    "project": (*_PASSIVE, Gain),
}
IN_TOWN = ("structure", "personality", "item")

_Entry = TypeVar("_Entry", Card, Hq, Survivor)


def load(text: str) -> CardList:
    """Read a card list from TOML. Raises CardError that names the card and what is wrong."""
    try:
        plain = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise CardError(f"the card list is not TOML: {error}") from error
    if unknown := sorted(plain.keys() - {"hq", "card", "survivor"}):
        raise CardError(f"the card list has no section {unknown[0]!r}: hq, card and survivor")
    cards = _read(plain.get("card", []), Card, "card")
    hqs = _read(plain.get("hq", []), Hq, "hq")
    survivors = _read(plain.get("survivor", []), Survivor, "survivor")
    _check_names([entry.name for entries in (hqs, cards, survivors) for entry in entries])
    for card in cards:
        _check_card(card)
    for section, expected, found in (
        ("hq", [*SIZES], [hq.size for hq in hqs]),
        ("survivor", [*range(1, len(survivors) + 1)], [s.number for s in survivors]),
    ):
        if expected != found:
            raise CardError(f"section {section}: expected {expected} in this order, got {found}")
    return CardList(hqs, cards, survivors)


def _read(entries: Any, as_type: type[_Entry], section: str) -> tuple[_Entry, ...]:
    if not isinstance(entries, list):
        raise CardError(f"section {section} is not a list of tables, [[{section}]]")
    found = []
    for i, entry in enumerate(entries):
        name = entry.get("name", f"{section} number {i + 1}") if isinstance(entry, dict) else entry
        try:
            found.append(msgspec.convert(entry, as_type))
        except msgspec.ValidationError as error:
            raise CardError(f"{name}: {error}") from None
    return tuple(found)


def _check_names(names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise CardError(f"{name}: listed twice")
        seen.add(name)


def _check_card(card: Card) -> None:
    """Raise CardError for a card that could never be dealt, or that no rule can carry out."""
    project = card.type == "project"
    in_decks = {deck for deck in DECKS if getattr(card.copies, deck)}
    if not in_decks:
        raise CardError(f"{card.name}: no copies in any deck")
    if in_decks & {"projects"} != (in_decks if project else set()):
        raise CardError(f"{card.name}: projects, and they alone, are in the deck of projects")
    if bool(card.value) != project:
        raise CardError(f"{card.name}: projects, and they alone, have a value")
    if card.maintenance and card.type not in IN_TOWN:
        raise CardError(f"{card.name}: only what stands in a town needs maintenance")
    if (card.production or card.points) and not project and card.type not in IN_TOWN:
        raise CardError(f"{card.name}: only towns and projects bring production or points")
    for effect in card.effects:
        if type(effect) not in _EFFECTS_OF[card.type]:
            named = msgspec.to_builtins(effect)["effect"]
            raise CardError(f"{card.name}: {named!r} is no effect of a card of type {card.type!r}")
        if isinstance(effect, Activate):
            _check_activation(card.name, effect)
    once = [effect for effect in card.effects if type(effect) not in _PASSIVE]
    if card.type in ("event", "attack", "raid") and not once:
        raise CardError(f"{card.name}: nothing happens when it is played")
    if len({type(effect) for effect in once}) < len(once):
        raise CardError(f"{card.name}: two effects of the same sort that is carried out once")


def _check_activation(name: str, effect: Activate) -> None:
    """A turn must end: what can be repeated has to cost more than it gives."""
    if not (effect.once or effect.discard or effect.pay.total() > effect.gain.total()):
        raise CardError(f"{name}: could be activated for ever; let it cost more, or once a turn")


LIST = load(files("engine.program").joinpath("cards.toml").read_text(encoding="utf-8"))

HQS: tuple[Hq, ...] = LIST.hqs
SURVIVORS: tuple[Survivor, ...] = LIST.survivors
FACTS: dict[str, Card] = {card.name: card for card in LIST.cards}

_NUMBERED: tuple[tuple[Deck, Card], ...] = tuple(
    (deck, card) for deck in DECKS for card in LIST.cards for _ in range(getattr(card.copies, deck))
)

# By card number.
CARDS: tuple[Card, ...] = tuple(card for _, card in _NUMBERED)
DECK_OF: tuple[Deck, ...] = tuple(deck for deck, _ in _NUMBERED)
ID_OF: tuple[str, ...] = tuple(f"c{number}" for number in range(len(CARDS)))
NAME_OF: tuple[str, ...] = tuple(card.name for card in CARDS)
TYPE_OF: tuple[AnyType, ...] = tuple(card.type for card in CARDS)

NUMBER_OF: dict[str, int] = {card_id: number for number, card_id in enumerate(ID_OF)}
HQ_LEVEL: dict[str, int] = {hq.name: level for level, hq in enumerate(HQS)}


def in_deck(deck: Deck) -> tuple[int, ...]:
    """The numbers of all cards of a deck, in the order of the card list."""
    return tuple(number for number, of in enumerate(DECK_OF) if of == deck)


def ids(numbers: Iterable[int]) -> tuple[str, ...]:
    """The ids of cards."""
    return tuple([ID_OF[number] for number in numbers])
