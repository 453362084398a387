"""Positions: whole, both ways, and refused where no match can stand so."""

from __future__ import annotations

import copy
from typing import Any

import msgspec
import pytest

from engine.game import PositionError
from engine.pioneers import Pioneers, Position
from tests.engine.pioneers.matches import decisions, seed_bytes


@pytest.mark.parametrize("number", range(6))
def test_every_position_of_a_match_comes_back_and_goes_on_alike(number: int) -> None:
    seats = 3 + number % 2
    for game, actions in decisions(number, seats):
        raw = msgspec.json.encode(game.position())
        twin = Pioneers.from_position(msgspec.json.decode(raw, type=Position))
        assert msgspec.json.encode(twin.position()) == raw
        assert twin.pending() == game.pending()
        assert twin.outcome() == game.outcome()
        for seat in (None, *range(seats)):
            assert twin.view(seat) == game.view(seat)
        if actions:
            for seat in actions:
                assert list(twin.legal(seat)) == list(game.legal(seat))
            after = game.copy()
            assert twin.advance(actions) == after.advance(actions)
            assert twin.position() == after.position()


def test_a_roll_still_to_come_falls_at_once_as_the_seed_has_it() -> None:
    rolled = next(
        game.position()
        for game, _ in decisions(1, 3)
        if game.view(None).turn == 9 and game.pending() == {2: "turn"}
    )
    before = msgspec.structs.replace(rolled, must_roll=True, dice=None)
    game = Pioneers.from_position(before)
    assert game.view(None).dice == rolled.dice
    assert game.position().must_roll is False
    again = msgspec.structs.replace(before, seed=seed_bytes(99).hex())
    others = {Pioneers.from_position(again).view(None).dice}
    assert others != {rolled.dice}


def middle() -> dict[str, Any]:
    """A 3-seat position in the middle of seat 1's turn 50, as JSON builtins."""
    position = next(
        game.position()
        for game, _ in decisions(3, 3)
        if game.view(None).turn == 50 and game.pending() == {1: "turn"}
    )
    return plain(position)


def early() -> dict[str, Any]:
    """A 3-seat position in set-up: seat 1 is about to place its second settlement."""
    game = Pioneers.deal(3, seed_bytes(5))
    for seat in (0, 1, 2, 2):
        game.advance({seat: game.default(seat)})
    return plain(game.position())


def plain(position: Position) -> dict[str, Any]:
    result: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(position))
    return result


def load(fields: dict[str, Any]) -> Pioneers:
    return Pioneers.from_position(msgspec.json.decode(msgspec.json.encode(fields), type=Position))


MIDDLE, EARLY = middle(), early()
NOTHING = dict.fromkeys(("brick", "lumber", "wool", "grain", "ore"), 0)
TALK = {"seat": 0, "message": "hello", "turn": 50}


def swapped(hexes: list[Any], i: int, **fields: Any) -> list[Any]:
    return [{**tile, **fields} if i == j else tile for j, tile in enumerate(hexes)]


def entry(name: str, seat: int, value: Any) -> dict[str, Any]:
    entries = copy.deepcopy(MIDDLE[name])
    entries[seat] = value
    return {name: entries}


DESERT = next(h for h, tile in enumerate(MIDDLE["hexes"]) if tile["token"] is None)
BRICK = next(h for h, tile in enumerate(MIDDLE["hexes"]) if tile["resource"] == "brick")
TOWN = MIDDLE["settlements"][0][0]
FULL_HAND = {**NOTHING, "wool": 9}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"hexes": MIDDLE["hexes"][:-1]}, "hexes: expected 3 brick"),
        ({"hexes": swapped(MIDDLE["hexes"], BRICK, resource="ore")}, "hexes: expected 3 brick"),
        ({"hexes": swapped(MIDDLE["hexes"], DESERT, token=7)}, f"hexes[{DESERT}].token"),
        ({"hexes": swapped(MIDDLE["hexes"], BRICK, token=None)}, f"hexes[{BRICK}].token"),
        ({"hexes": swapped(MIDDLE["hexes"], BRICK, token=7)}, "hexes: expected the tokens"),
        ({"knights": [0, 0]}, "knights: 2 entries for 3 seats"),
        ({"hands": [NOTHING] * 4}, "hands: 4 entries for 3 seats"),
        ({"current": 0}, "current: turn 50 is seat 1's"),
        ({"current": 3}, "current: seat 3 of 3"),
        ({"turn": 0}, "not in set-up"),
        ({"turn": 51}, "current: turn 51 is seat 2's"),
        (entry("cities", 1, [TOWN]), f"cities[1]: vertex {TOWN} has a town already"),
        (entry("settlements", 0, [0, 3]), "distance rule: vertex 3 is next to the town at 0"),
        (entry("settlements", 2, [0, 2, 11, 20, 47, 53]), "settlements[2]: 6 of at most 5"),
        (entry("cities", 2, [0, 2, 11, 20, 47]), "cities[2]: 5 of at most 4"),
        (entry("roads", 2, list(range(16))), "roads[2]: 16 of at most 15"),
        (entry("roads", 2, MIDDLE["roads"][0]), "has a road already"),
        (entry("settlements", 1, []), "connects to no town of the seat"),
        (entry("roads", 0, []), "touches no road of the seat"),
        (entry("hands", 0, {**NOTHING, "ore": 2429}), "hands: "),
        (entry("knights", 2, 14), "deck: "),
        ({"deck": ["knight"] * 15}, "deck: "),
        ({"deck": ["embargo"] * 3}, "deck: 3 embargo"),
        (entry("devBoughtThisTurn", 0, {"knight": 1}) | {"deck": []}, "devBoughtThisTurn[0]"),
        (entry("devCards", 0, {"knight": -1}), "devCards"),
        ({"awards": {"largestArmy": 3, "longestRoad": None}}, "awards.largestArmy"),
        ({"awards": {"largestArmy": None, "longestRoad": -1}}, "awards.longestRoad"),
        ({"steals": 1000}, "steals: 1000"),
        ({"dice": None}, "dice: missing"),
        ({"mustRoll": True}, "dice: the turn's roll is still to come"),
        ({"mustRoll": True, "dice": None, "offersThisTurn": 1}, "offersThisTurn"),
        ({"mustRoll": True, "dice": None, "devPlayed": True}, "devPlayed"),
        ({"mustRoll": True, "dice": None, "asked": "bandit"}, "asked"),
        ({"asked": "discard", "dice": [3, 5]}, "asked: discards follow at once"),
        ({"asked": "discard", "dice": [3, 4], "hands": [NOTHING] * 3}, "asked: nobody holds"),
        ({"asked": "bandit", "dice": [3, 5], "devPlayed": False}, "asked: the bandit moves"),
        ({"turn": 201, "asked": "bandit"}, "asked"),
        ({"talk": [TALK] * 21}, "talk: 21 entries"),
        ({"talk": [{**TALK, "seat": 3}]}, "talk[0].seat"),
        ({"talk": [{**TALK, "turn": 51}]}, "talk[0].turn"),
        ({"talk": [TALK, {**TALK, "turn": 49}]}, "talk[1].turn"),
        ({"talk": [{**TALK, "message": ""}]}, "talk[0].message"),
        ({"talk": [{**TALK, "message": "x" * 241}]}, "talk[0].message"),
    ],
)
def test_an_impossible_position_is_refused_with_field_and_reason(
    changes: dict[str, Any], words: str
) -> None:
    assert load(MIDDLE).pending() == {1: "turn"}
    with pytest.raises(PositionError) as refused:
        load(MIDDLE | changes)
    assert words in str(refused.value)


@pytest.mark.parametrize(
    ("offer", "words"),
    [
        ({"give": {"wool": 1}, "get": {"wool": 1}}, "offer: wool cannot stand on both sides"),
        ({"give": {}, "get": {"wool": 1}}, "offer: each side"),
        ({"give": {"ore": 9}, "get": {"wool": 1}}, "offer.give: seat 1 holds 1 ore"),
        ({"give": {"ore": 1}, "get": {"wool": 1}, "to": 1}, "offer.to"),
        ({"give": {"ore": 1}, "get": {"wool": 1}, "to": 3}, "offer.to"),
    ],
)
def test_an_open_offer_has_to_be_one(offer: dict[str, Any], words: str) -> None:
    holding = MIDDLE | entry("hands", 1, {"ore": 1}) | {"offersThisTurn": 1}
    good = {"give": {"ore": 1}, "get": {"wool": 1}}
    assert load(holding | {"offer": good}).pending() == {0: "trade", 2: "trade"}
    assert load(holding | {"offer": {**good, "to": 2}}).pending() == {2: "trade"}
    with pytest.raises(PositionError) as refused:
        load(holding | {"offer": offer})
    assert words in str(refused.value)
    with pytest.raises(PositionError, match="offersThisTurn"):
        load(holding | {"offer": good, "offersThisTurn": 0})


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"current": 2}, "current: seat 1 places next after 4 placements"),
        ({"dice": [1, 2]}, "dice: not in set-up"),
        ({"mustRoll": True}, "mustRoll: not in set-up"),
        ({"steals": 1}, "steals: not in set-up"),
        ({"hands": [NOTHING, {**NOTHING, "ore": 1}, EARLY["hands"][2]]}, "hands[1]: 1 ore"),
        ({"hands": [NOTHING] * 3}, "hands[2]: no cards is not what"),
        ({"roads": [*EARLY["roads"][:2], EARLY["roads"][2][:1]]}, "touches no road"),
        ({"bandit": next(h for h, t in enumerate(EARLY["hexes"]) if t["token"])}, "bandit"),
        (
            {"settlements": [*EARLY["settlements"][:2], EARLY["settlements"][2][:1]]},
            "connects to no town",
        ),
    ],
)
def test_an_impossible_set_up_is_refused(changes: dict[str, Any], words: str) -> None:
    assert load(EARLY).pending() == {1: "setup"}
    with pytest.raises(PositionError) as refused:
        load(EARLY | changes)
    assert words in str(refused.value)


def test_after_set_up_a_seat_has_two_towns() -> None:
    game = Pioneers.deal(3, seed_bytes(5))
    while "setup" in game.pending().values():
        game.advance({seat: game.default(seat) for seat in game.pending()})
    fields = plain(game.position())
    settlements, roads = fields["settlements"], fields["roads"]
    lost = {"settlements": [*settlements[:2], [2]], "roads": [*roads[:2], [4]]}
    with pytest.raises(PositionError, match=r"settlements\[2\]: fewer than the 2 towns"):
        load(fields | lost)


def test_discards_and_bandit_can_be_asked_in_a_position() -> None:
    hands = [FULL_HAND, NOTHING, FULL_HAND]
    seven = MIDDLE | {"dice": [3, 4], "hands": hands, "devPlayed": False}
    seven |= {"devBoughtThisTurn": [{}] * 3, "offersThisTurn": 0}
    assert load(seven | {"asked": "discard"}).pending() == {0: "discard", 2: "discard"}
    assert load(seven | {"asked": "bandit"}).pending() == {1: "bandit"}


def test_a_struct_made_in_python_is_checked_like_json() -> None:
    position = msgspec.json.decode(msgspec.json.encode(MIDDLE), type=Position)
    for change, words in (
        ({"bandit": 19}, "bandit: "),
        ({"dice": (0, 7)}, r"dice\[0\]: "),
        ({"seed": "12"}, "seed: "),
        ({"talk": object()}, "position: "),
    ):
        with pytest.raises(PositionError, match=words):
            Pioneers.from_position(msgspec.structs.replace(position, **change))
