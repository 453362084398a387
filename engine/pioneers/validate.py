"""Refusing positions that no match can reach, with the field and the reason.

What is checked is what a position shows by itself: counts, geometry, awards, whose turn it is.
Dev cards may be missing from the deck (played ones leave no other trace than knights).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NoReturn

import msgspec

from engine.game import IllegalAction, PositionError
from engine.pioneers.actions import DEV_CARDS, MAX_TALK, RESOURCES
from engine.pioneers.bandit import must_discard
from engine.pioneers.board import CLOSED_BY, EDGE_MASK_AT, EDGES, bits, mask_of
from engine.pioneers.building import MAX_CITIES, MAX_ROADS, MAX_SETTLEMENTS, harvest, snake_seat
from engine.pioneers.cards import MOST_CARDS, covers, pack, spell
from engine.pioneers.devcards import DECK_COUNTS, LARGEST_ARMY_MINIMUM
from engine.pioneers.position import Position
from engine.pioneers.roads import LONGEST_ROAD_MINIMUM, longest_road, touched
from engine.pioneers.state import LAST_TURN, TALK_IN_VIEW
from engine.pioneers.trades import terms
from engine.pioneers.trading import MAX_OFFERS
from engine.pioneers.turns import HEXES_PER_RESOURCE, TOKENS

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
            _refuse(_json_name(name), f"{len(entries)} entries for {position.seats} seats")
    if position.current >= position.seats:
        _refuse("current", f"seat {position.current} of {position.seats}")
    _check_hexes(position)
    _check_pieces(position)
    _check_hands(position)
    _check_dev_cards(position)
    _check_awards(position)
    _check_talk(position)
    if position.turn == 0:
        _check_setup(position)
    else:
        _check_turn(position)


def _refuse(field: str, reason: str) -> NoReturn:
    raise PositionError(f"{field}: {reason}")


def _json_name(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(word.capitalize() for word in rest)


def _check_types(position: Any) -> None:
    """A struct made in Python is not checked by msgspec until it is read back from JSON."""
    try:
        msgspec.json.decode(msgspec.json.encode(position), type=Position)
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at `$.")
        _refuse(path.rstrip("`") or "position", reason)
    except (TypeError, ValueError, OverflowError) as error:
        _refuse("position", f"does not encode as JSON: {error}")


def _check_hexes(position: Position) -> None:
    lands = Counter(tile.resource for tile in position.hexes)
    expected = Counter(dict(zip(RESOURCES, HEXES_PER_RESOURCE, strict=True)) | {"desert": 1})
    if lands != expected:
        _refuse("hexes", f"expected {_spell(expected)}, got {_spell(lands)}")
    for i, tile in enumerate(position.hexes):
        if (tile.token is None) != (tile.resource == "desert"):
            _refuse(f"hexes[{i}].token", "the desert alone has no token")
    tokens = sorted(tile.token for tile in position.hexes if tile.token is not None)
    if tokens != list(TOKENS):
        _refuse("hexes", f"expected the tokens {list(TOKENS)}, got {tokens}")


def _spell(counter: Counter[Any]) -> str:
    return ", ".join(f"{n} {name}" for name, n in sorted(counter.items()) if n) or "nothing"


def _check_pieces(position: Position) -> None:
    towns = taken = 0
    for name, limit in (("settlements", MAX_SETTLEMENTS), ("cities", MAX_CITIES)):
        for seat, vertices in enumerate(getattr(position, name)):
            field = f"{name}[{seat}]"
            if len(vertices) > limit:
                _refuse(field, f"{len(vertices)} of at most {limit}")
            for vertex in vertices:
                if towns >> vertex & 1:
                    _refuse(field, f"vertex {vertex} has a town already")
                if towns & CLOSED_BY[vertex]:
                    near = next(bits(towns & CLOSED_BY[vertex]))
                    _refuse(field, f"distance rule: vertex {vertex} is next to the town at {near}")
                towns |= 1 << vertex
    for seat, edges in enumerate(position.roads):
        field = f"roads[{seat}]"
        if len(edges) > MAX_ROADS:
            _refuse(field, f"{len(edges)} of at most {MAX_ROADS}")
        for edge in edges:
            if taken >> edge & 1:
                _refuse(field, f"edge {edge} has a road already")
            taken |= 1 << edge
    for seat in range(position.seats):
        _check_network(position, seat)


def _check_network(position: Position, seat: int) -> None:
    """A town stands on a road of its seat; a road hangs together with a town of its seat."""
    roads = mask_of(position.roads[seat])
    for name in ("settlements", "cities"):
        for vertex in getattr(position, name)[seat]:
            if not roads & EDGE_MASK_AT[vertex]:
                _refuse(f"{name}[{seat}]", f"vertex {vertex} touches no road of the seat")
    rest = roads
    for vertex in position.settlements[seat] + position.cities[seat]:
        ends = 1 << vertex
        while found := rest & mask_of(e for v in bits(ends) for e in bits(EDGE_MASK_AT[v])):
            rest ^= found
            ends = touched(found)
    if rest:
        _refuse(f"roads[{seat}]", f"edge {next(bits(rest))} connects to no town of the seat")


def _check_hands(position: Position) -> None:
    held = sum(getattr(hand, name) for hand in position.hands for name in RESOURCES)
    if held > MOST_CARDS:
        _refuse("hands", f"{held} cards, and {LAST_TURN} turns pay at most {MOST_CARDS}")


def _check_dev_cards(position: Position) -> None:
    counts: Counter[str] = Counter(position.deck)
    for cards in position.dev_cards + position.dev_bought_this_turn:
        for name in DEV_CARDS:
            if getattr(cards, name) < 0:
                _refuse("devCards", f"{getattr(cards, name)} {name}")
            counts[name] += getattr(cards, name)
    unplayed = sum(counts.values())
    counts["knight"] += sum(position.knights)
    for name, there_are in zip(DEV_CARDS, DECK_COUNTS, strict=True):
        if counts[name] > there_are:
            _refuse("deck", f"{counts[name]} {name} in deck, hands and play; there are {there_are}")
    if position.dev_played and unplayed == sum(DECK_COUNTS):
        _refuse("devPlayed", "no dev card has left the deck and the hands")
    for seat, cards in enumerate(position.dev_bought_this_turn):
        if seat != position.current and any(getattr(cards, name) for name in DEV_CARDS):
            _refuse(
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
            _refuse(field, f"seat {counts.index(best)} has earned it with {best}")
    elif not 0 <= holder < len(counts):
        _refuse(field, f"seat {holder} of {len(counts)}")
    elif counts[holder] < minimum:
        _refuse(field, f"seat {holder} has {counts[holder]}, and it takes {minimum}")
    elif counts[holder] < best:
        _refuse(field, f"seat {holder} has {counts[holder]}, seat {counts.index(best)} has {best}")


def _check_talk(position: Position) -> None:
    if len(position.talk) > TALK_IN_VIEW:
        _refuse("talk", f"{len(position.talk)} entries; the last {TALK_IN_VIEW} are kept")
    before = 1
    for i, talk in enumerate(position.talk):
        if not 0 <= talk.seat < position.seats:
            _refuse(f"talk[{i}].seat", f"seat {talk.seat} of {position.seats}")
        if not before <= talk.turn <= min(position.turn, LAST_TURN):
            _refuse(f"talk[{i}].turn", f"turn {talk.turn} after {before} in turn {position.turn}")
        if not 0 < len(talk.message) <= MAX_TALK:
            _refuse(f"talk[{i}].message", f"{len(talk.message)} code points of 1 to {MAX_TALK}")
        before = talk.turn


def _check_setup(position: Position) -> None:
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
        "devCards": any(getattr(c, n) for c in position.dev_cards for n in DEV_CARDS),
        "devBoughtThisTurn": any(
            getattr(c, n) for c in position.dev_bought_this_turn for n in DEV_CARDS
        ),
    }
    for field, there in nothing_yet.items():
        if there:
            _refuse(field, "not in set-up (turn 0)")
    if position.hexes[position.bandit].resource != "desert":
        _refuse("bandit", "in set-up it is on the desert")
    placed = sum(len(vertices) for vertices in position.settlements)
    seats = position.seats
    if placed >= 2 * seats:
        _refuse("turn", "set-up is over, so the turn is at least 1")
    order = [snake_seat(i, seats) for i in range(2 * seats)]
    if position.current != order[placed]:
        _refuse("current", f"seat {order[placed]} places next after {placed} placements")
    for seat in range(seats):
        _check_placements(position, seat, order[:placed].count(seat))


def _check_placements(position: Position, seat: int, due: int) -> None:
    settlements, roads = position.settlements[seat], position.roads[seat]
    if len(settlements) != due:
        _refuse(f"settlements[{seat}]", f"{len(settlements)} placed where the order gives {due}")
    if len(roads) != due:
        _refuse(f"roads[{seat}]", f"{len(roads)} placed with {due} settlements")
    for edge in roads:
        if not any(vertex in EDGES[edge] for vertex in settlements):
            _refuse(f"roads[{seat}]", f"edge {edge} touches no settlement of the seat")
    lands = tuple(
        RESOURCES.index(tile.resource) if tile.resource != "desert" else -1
        for tile in position.hexes
    )
    hand = pack(position.hands[seat])
    could_hold = {harvest(lands, vertex) for vertex in settlements} if due == 2 else {0}
    if hand not in could_hold:
        _refuse(f"hands[{seat}]", f"{spell(hand)} is not what a second settlement of theirs paid")


def _check_turn(position: Position) -> None:
    """Turns 1 to 200, and 201 for a match ended by the turn cap."""
    turn, seats = position.turn, position.seats
    owner = (min(turn, LAST_TURN) - 1) % seats
    if position.current != owner:
        _refuse("current", f"turn {turn} is seat {owner}'s, not seat {position.current}'s")
    for seat in range(seats):
        if len(position.settlements[seat]) + len(position.cities[seat]) < 2:
            _refuse(f"settlements[{seat}]", "fewer than the 2 towns of set-up")
    most_steals = min(turn, LAST_TURN) + sum(position.knights)
    if position.steals > most_steals:
        _refuse("steals", f"{position.steals}, with {most_steals} sevens and knights at most")
    if position.must_roll or turn > LAST_TURN:
        _check_idle(position)
    elif position.dice is None:
        _refuse("dice", "missing; the roll is still to come only where `mustRoll` is true")
    if position.must_roll:
        if turn > LAST_TURN:
            _refuse("mustRoll", f"turn {LAST_TURN} is the last")
        if position.dice is not None:
            _refuse("dice", "the turn's roll is still to come (`mustRoll`)")
    elif position.dice is None:
        _refuse("dice", f"missing; the match ended with the roll of turn {LAST_TURN}")
    _check_asked(position)


def _check_idle(position: Position) -> None:
    """Nothing has been done yet in a turn that is to be rolled, nor is after the last."""
    if position.asked is not None:
        _refuse("asked", "nobody is asked before the roll or after the last turn")
    if position.offer is not None or position.offers_this_turn:
        _refuse("offersThisTurn", "no offers before the roll or after the last turn")
    if position.dev_played:
        _refuse("devPlayed", "no dev card is played before the roll or after the last turn")
    if any(getattr(c, n) for c in position.dev_bought_this_turn for n in DEV_CARDS):
        _refuse("devBoughtThisTurn", "no dev card is bought before the roll or after the last turn")


def _check_asked(position: Position) -> None:
    seven = position.dice is not None and sum(position.dice) == 7
    acted = (
        position.dev_played
        or position.offers_this_turn
        or any(getattr(c, n) for c in position.dev_bought_this_turn for n in DEV_CARDS)
    )
    if position.asked == "discard":
        if not seven or acted:
            _refuse("asked", "discards follow at once on a roll of 7")
        if not any(must_discard(pack(hand)) for hand in position.hands):
            _refuse("asked", "nobody holds enough cards to discard")
    elif position.asked == "bandit":
        knight = position.dev_played and position.knights[position.current]
        if not knight and (not seven or acted):
            _refuse("asked", "the bandit moves after a roll of 7 or a knight")
    if position.offer is not None:
        _check_offer(position)


def _check_offer(position: Position) -> None:
    offer = position.offer
    assert offer is not None
    if position.asked is not None:
        _refuse("offer", f"none can be open while `{position.asked}` is asked")
    if not 1 <= position.offers_this_turn <= MAX_OFFERS:
        _refuse("offersThisTurn", "the open offer counts")
    if offer.to is not None and (offer.to == position.current or offer.to >= position.seats):
        _refuse("offer.to", f"seat {offer.to} is no opponent of seat {position.current}")
    try:
        agreed = terms(offer.give, offer.get)
    except IllegalAction as error:
        _refuse("offer", error.message)
    hand = pack(position.hands[position.current])
    if not covers(hand, agreed.give):
        _refuse("offer.give", f"seat {position.current} holds {spell(hand)}")
