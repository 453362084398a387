"""Refusing positions that no match can reach, with the field and the reason.

What is checked is what a position shows by itself: that every card is in one place, that decks,
towns and piles hold what they can, and that stamps fit. What is checked of the step of the round
and of a combat stands in `validate_step` and `validate_combat`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from engine.program.cards import (
    CARDS,
    DECK_OF,
    HQ_LEVEL,
    HQS,
    ID_OF,
    IN_TOWN,
    NAME_OF,
    NUMBER_OF,
    TYPE_OF,
)
from engine.program.effects import PermanentPoints, Storage
from engine.program.position import Position, SeatPosition
from engine.program.refusals import impossible
from engine.program.state import WINNING_POINTS
from engine.program.traits import BASE_ROOM
from engine.program.validate_combat import check_combat
from engine.program.validate_step import check_step

# No pile can ever hold more: a large town with every card that stores anything.
MOST_STORED = BASE_ROOM[-1] + sum(
    effect.amount for card in CARDS for effect in card.effects if isinstance(effect, Storage)
)
_GRANTS_POINTS = any(isinstance(e, PermanentPoints) for card in CARDS for e in card.effects)


def validate(position: Any) -> None:
    """Raise PositionError unless a match can stand so."""
    _check_types(position)
    p: Position = position
    for name, entries in (("towns", p.towns), ("resigned", p.resigned)):
        if len(entries) != p.seats:
            impossible(name, f"{len(entries)} entries for {p.seats} seats")
    for field, seat in _seats_named(p):
        if seat >= p.seats:
            impossible(field, f"seat {seat} of {p.seats}")
    _check_cards(p)
    for seat, town in enumerate(p.towns):
        _check_town(f"towns[{seat}]", town, p.clock)
    _check_stamps(p)
    _check_projects(p)
    check_step(p)
    if p.combat is not None:
        check_combat(p, p.combat)


def _check_types(position: Any) -> None:
    """A struct made in Python is not checked by msgspec until it is read back from JSON."""
    try:
        msgspec.json.decode(msgspec.json.encode(position), type=Position)
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at `$.")
        impossible(path.rstrip("`") or "position", reason)
    except (TypeError, ValueError, OverflowError) as error:
        impossible("position", f"does not encode as JSON: {error}")


def _seats_named(p: Position) -> Iterator[tuple[str, int]]:
    if p.current is not None:
        yield "current", p.current
    if p.combat is not None:
        yield "combat.target", p.combat.target
    for i, seat in enumerate(p.tokens):
        yield f"tokens[{i}]", seat


def _places(p: Position) -> Iterator[tuple[str, Iterable[str | None]]]:
    """Every field that holds cards."""
    for seat, town in enumerate(p.towns):
        yield f"towns[{seat}].town", town.town
        yield f"towns[{seat}].hand", town.hand
        yield f"towns[{seat}].projects", town.projects
    yield "market", p.market
    yield "marketDeck", p.market_deck
    yield "marketDiscard", p.market_discard
    yield "wastesDeck", p.wastes_deck
    yield "wastesDiscard", p.wastes_discard
    yield "projects", [None if it is None else it.card for it in p.projects]
    yield "projectDeck", p.project_deck
    for seat, pack in enumerate(p.packs):
        yield f"packs[{seat}]", pack
    yield "choices", p.choices
    if p.combat is not None:
        yield "combat.card", (p.combat.card,)


def _allowed(field: str, card: int) -> bool:
    """Whether a card can be in a field at all."""
    deck, card_type = DECK_OF[card], TYPE_OF[card]
    if field in ("market", "marketDeck", "marketDiscard"):
        return deck == "market"
    if field in ("wastesDeck", "wastesDiscard", "choices"):
        return deck == "wastes"
    if field.endswith(("projects", "projectDeck")):
        return deck == "projects"
    if field.endswith(".town"):
        return card_type in IN_TOWN
    if field == "combat.card":
        return card_type in ("attack", "raid")
    return deck != "projects"


def _check_cards(p: Position) -> None:
    """Every card of the list is in one place, and it is a place for it."""
    found: dict[int, str] = {}
    for field, cards in _places(p):
        for card_id in cards:
            if card_id is None:
                continue
            card = NUMBER_OF.get(card_id)
            if card is None:
                impossible(field, f"there is no card {card_id!r}")
            if card in found:
                impossible(field, f"{card_id} is in {found[card]} already")
            if not _allowed(field, card):
                impossible(field, f"{card_id}, {NAME_OF[card]}, cannot be there")
            found[card] = field
    if missing := [ID_OF[card] for card in range(len(CARDS)) if card not in found]:
        impossible("marketDeck", f"{', '.join(missing)} in no place at all")


def _check_town(field: str, town: SeatPosition, clock: int) -> None:
    if town.hq not in HQ_LEVEL:
        impossible(f"{field}.hq", f"{town.hq!r} is none of {', '.join(HQ_LEVEL)}")
    if town.pile.total() > MOST_STORED:
        impossible(
            f"{field}.pile", f"{town.pile.total()} tokens; no town stores over {MOST_STORED}"
        )
    own = sum(CARDS[NUMBER_OF[card]].points for card in town.projects)
    if town.permanent < own or (town.permanent > own and not _GRANTS_POINTS):
        impossible(f"{field}.permanent", f"{town.permanent}, and the projects alone bring {own}")
    score = score_of(town)
    if score and not town.arrival:
        impossible(f"{field}.arrival", f"0, and the score has changed to {score}")
    if (score >= WINNING_POINTS) != bool(town.four):
        impossible(f"{field}.four", f"{town.four} at a score of {score}; it stamps four or more")
    if town.four > town.arrival:
        impossible(f"{field}.four", f"{town.four} is later than the last change, {town.arrival}")
    if max(town.arrival, town.four) > clock:
        impossible(f"{field}.arrival", f"{town.arrival}, and the clock says {clock}")


def score_of(town: SeatPosition) -> int:
    """Permanent points and those in the town."""
    in_town = sum(CARDS[NUMBER_OF[card]].points for card in town.town)
    return town.permanent + HQS[HQ_LEVEL[town.hq]].points + in_town


def _check_stamps(p: Position) -> None:
    """No two changes of score happen at once, so no two seats share a stamp."""
    stamps = Counter(stamp for town in p.towns for stamp in {town.arrival, town.four} if stamp)
    for stamp, count in stamps.items():
        if count > 1:
            impossible("towns", f"stamp {stamp} on {count} seats")


def _check_projects(p: Position) -> None:
    for place, project in enumerate(p.projects):
        if project is None:
            if p.project_deck:
                impossible(f"projects[{place}]", "empty, and there are more in the deck")
            continue
        field = f"projects[{place}].tokens"
        if len(project.tokens) != p.seats:
            impossible(field, f"{len(project.tokens)} entries for {p.seats} seats")
        value = CARDS[NUMBER_OF[project.card]].value
        for seat, tokens in enumerate(project.tokens):
            if not 0 <= tokens < value:
                impossible(field, f"{tokens} of seat {seat}; the project is completed at {value}")
