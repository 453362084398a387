"""Refusing positions that no match can reach, with the field and the reason.

What is checked is what a position shows by itself: counts, geometry, awards, whose turn it is.
Dev cards may be missing from the deck (played ones leave no other trace than knights).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec

from engine.pioneers.actions import DEV_CARDS, MAX_TALK, RESOURCES
from engine.pioneers.board import CLOSED_BY, EDGE_MASK_AT, bits, mask_of
from engine.pioneers.building import MAX_CITIES, MAX_ROADS, MAX_SETTLEMENTS
from engine.pioneers.cards import MOST_CARDS
from engine.pioneers.devcards import DECK_COUNTS, LARGEST_ARMY_MINIMUM
from engine.pioneers.position import Position
from engine.pioneers.roads import LONGEST_ROAD_MINIMUM, longest_road, touched
from engine.pioneers.state import LAST_TURN, TALK_IN_VIEW
from engine.pioneers.turns import HEXES_PER_RESOURCE, TOKENS
from engine.pioneers.validate_course import check_setup, check_turn, refuse

_PER_SEAT = (
    "settlements",
    "cities",
    "roads",
    "hands",
    "dev_cards",
    "dev_bought_this_turn",
    "knights",
    "resigned",
)


def validate(position: Position) -> None:
    """Raise PositionError unless a match can stand so."""
    _check_types(position)
    for name in _PER_SEAT:
        entries = getattr(position, name)
        if len(entries) != position.seats:
            refuse(_json_name(name), f"{len(entries)} entries for {position.seats} seats")
    if position.current >= position.seats:
        refuse("current", f"seat {position.current} of {position.seats}")
    _check_hexes(position)
    _check_pieces(position)
    _check_hands(position)
    _check_dev_cards(position)
    _check_awards(position)
    _check_talk(position)
    if position.turn == 0:
        check_setup(position)
    else:
        check_turn(position)


def _json_name(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(word.capitalize() for word in rest)


def _check_types(position: Any) -> None:
    """A struct made in Python is not checked by msgspec until it is read back from JSON."""
    try:
        msgspec.json.decode(msgspec.json.encode(position), type=Position)
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at `$.")
        refuse(path.rstrip("`") or "position", reason)
    except (TypeError, ValueError, OverflowError) as error:
        refuse("position", f"does not encode as JSON: {error}")


def _check_hexes(position: Position) -> None:
    lands = Counter(tile.resource for tile in position.hexes)
    expected = Counter(dict(zip(RESOURCES, HEXES_PER_RESOURCE, strict=True)) | {"desert": 1})
    if lands != expected:
        refuse("hexes", f"expected {_spell(expected)}, got {_spell(lands)}")
    for i, tile in enumerate(position.hexes):
        if (tile.token is None) != (tile.resource == "desert"):
            refuse(f"hexes[{i}].token", "the desert alone has no token")
    tokens = sorted(tile.token for tile in position.hexes if tile.token is not None)
    if tokens != list(TOKENS):
        refuse("hexes", f"expected the tokens {list(TOKENS)}, got {tokens}")


def _spell(counter: Counter[Any]) -> str:
    return ", ".join(f"{n} {name}" for name, n in sorted(counter.items()) if n) or "nothing"


def _check_pieces(position: Position) -> None:
    towns = taken = 0
    for name, limit in (("settlements", MAX_SETTLEMENTS), ("cities", MAX_CITIES)):
        for seat, vertices in enumerate(getattr(position, name)):
            field = f"{name}[{seat}]"
            if len(vertices) > limit:
                refuse(field, f"{len(vertices)} of at most {limit}")
            for vertex in vertices:
                if towns >> vertex & 1:
                    refuse(field, f"vertex {vertex} has a town already")
                if towns & CLOSED_BY[vertex]:
                    near = next(bits(towns & CLOSED_BY[vertex]))
                    refuse(field, f"distance rule: vertex {vertex} is next to the town at {near}")
                towns |= 1 << vertex
    for seat, edges in enumerate(position.roads):
        field = f"roads[{seat}]"
        if len(edges) > MAX_ROADS:
            refuse(field, f"{len(edges)} of at most {MAX_ROADS}")
        for edge in edges:
            if taken >> edge & 1:
                refuse(field, f"edge {edge} has a road already")
            taken |= 1 << edge
    for seat in range(position.seats):
        _check_network(position, seat)


def _check_network(position: Position, seat: int) -> None:
    """A town stands on a road of its seat; a road hangs together with a town of its seat."""
    roads = mask_of(position.roads[seat])
    for name in ("settlements", "cities"):
        for vertex in getattr(position, name)[seat]:
            if not roads & EDGE_MASK_AT[vertex]:
                refuse(f"{name}[{seat}]", f"vertex {vertex} touches no road of the seat")
    rest = roads
    for vertex in position.settlements[seat] + position.cities[seat]:
        ends = 1 << vertex
        while found := rest & mask_of(e for v in bits(ends) for e in bits(EDGE_MASK_AT[v])):
            rest ^= found
            ends = touched(found)
    if rest:
        refuse(f"roads[{seat}]", f"edge {next(bits(rest))} connects to no town of the seat")


def _check_hands(position: Position) -> None:
    held = sum(getattr(hand, name) for hand in position.hands for name in RESOURCES)
    if held > MOST_CARDS:
        refuse("hands", f"{held} cards, and {LAST_TURN} turns pay at most {MOST_CARDS}")


def _check_dev_cards(position: Position) -> None:
    counts: Counter[str] = Counter(position.deck)
    for cards in position.dev_cards + position.dev_bought_this_turn:
        for name in DEV_CARDS:
            if getattr(cards, name) < 0:
                refuse("devCards", f"{getattr(cards, name)} {name}")
            counts[name] += getattr(cards, name)
    unplayed = sum(counts.values())
    counts["knight"] += sum(position.knights)
    for name, there_are in zip(DEV_CARDS, DECK_COUNTS, strict=True):
        if counts[name] > there_are:
            refuse("deck", f"{counts[name]} {name} in deck, hands and play; there are {there_are}")
    if position.dev_played and unplayed == sum(DECK_COUNTS):
        refuse("devPlayed", "no dev card has left the deck and the hands")
    for seat, cards in enumerate(position.dev_bought_this_turn):
        if seat != position.current and any(getattr(cards, name) for name in DEV_CARDS):
            refuse(
                f"devBoughtThisTurn[{seat}]",
                f"it is the turn of seat {position.current}, not of seat {seat}",
            )


def _check_awards(position: Position) -> None:
    towns = [mask_of(a + b) for a, b in zip(position.settlements, position.cities, strict=True)]
    lengths = [
        longest_road(mask_of(roads), sum(towns) - towns[seat])
        for seat, roads in enumerate(position.roads)
    ]
    army = position.awards.largest_army
    _check_holder("largestArmy", position.knights, LARGEST_ARMY_MINIMUM, army, tie_lapses=False)
    _check_holder(
        "longestRoad", lengths, LONGEST_ROAD_MINIMUM, position.awards.longest_road, tie_lapses=True
    )


def _check_holder(
    award: str, counts: Sequence[int], minimum: int, holder: int | None, *, tie_lapses: bool
) -> None:
    """The holder has the most, and enough; nobody holds it only while nobody has earned it."""
    field = f"awards.{award}"
    best = max(counts)
    if holder is None:
        if best >= minimum and not (tie_lapses and counts.count(best) > 1):
            refuse(field, f"seat {counts.index(best)} has earned it with {best}")
    elif not 0 <= holder < len(counts):
        refuse(field, f"seat {holder} of {len(counts)}")
    elif counts[holder] < minimum:
        refuse(field, f"seat {holder} has {counts[holder]}, and it takes {minimum}")
    elif counts[holder] < best:
        refuse(field, f"seat {holder} has {counts[holder]}, seat {counts.index(best)} has {best}")


def _check_talk(position: Position) -> None:
    if len(position.talk) > TALK_IN_VIEW:
        refuse("talk", f"{len(position.talk)} entries; the last {TALK_IN_VIEW} are kept")
    before = 1
    for i, talk in enumerate(position.talk):
        if not 0 <= talk.seat < position.seats:
            refuse(f"talk[{i}].seat", f"seat {talk.seat} of {position.seats}")
        if not before <= talk.turn <= min(position.turn, LAST_TURN):
            refuse(f"talk[{i}].turn", f"turn {talk.turn} after {before} in turn {position.turn}")
        if not 0 < len(talk.message) <= MAX_TALK:
            refuse(f"talk[{i}].message", f"{len(talk.message)} code points of 1 to {MAX_TALK}")
        before = talk.turn
