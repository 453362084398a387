"""Positions: whole, both ways, and refused where no match can stand so."""

from __future__ import annotations

import copy
from typing import Any

import msgspec
import pytest

from engine.game import PositionError
from engine.program import Position, Program
from tests.engine.program import tables
from tests.engine.program.matches import decisions

Json = dict[str, Any]


@pytest.mark.parametrize("number", range(6))
def test_every_position_of_a_match_comes_back_and_goes_on_alike(number: int) -> None:
    seats = 3 + number % 2
    for game, actions in decisions(number, seats):
        raw = msgspec.json.encode(game.position())
        twin = Program.from_position(msgspec.json.decode(raw, type=Position))
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


def load(fields: Json) -> Program:
    return Program.from_position(msgspec.json.decode(msgspec.json.encode(fields), type=Position))


def base(name: str, **changes: Any) -> Json:
    """A base position with fields set, cards as references, before the decks are filled."""
    return tables.build({"base": name, "set": changes})


def refused(fields: Json) -> str:
    with pytest.raises(PositionError) as error:
        load(fields)
    return str(error.value)


FARM, RAID, MILITIA = (tables.card(name) for name in ("@Farm", "@Raid", "@Militia"))
SHACK = tables.card("@Shack")
TOOLBOX = tables.card("@Toolbox")
RELIC = {"0": {"town": ["@Relic"]}}
SURVIVORS = {"step": "survivors", "turn": 0, "current": 1, "tokens": [1, 0, 2]}
NOBODY = {str(seat): {"survivor": None} for seat in range(3)}


@pytest.mark.parametrize(
    ("name", "changes", "words"),
    [
        ("three", {"resigned": [False] * 4}, "resigned: 4 entries for 3 seats"),
        ("three", {"current": 3}, "current: seat 3 of 3"),
        ("three", {"current": None}, "current: missing"),
        ("three", {"tokens": [3]}, "tokens[0]: seat 3 of 3"),
        ("three", {"tokens": [1, 1]}, "tokens: a seat has one player token"),
        ("three", {"tokens": [0]}, "current: seat 0 has passed"),
        ("three", {"turn": 0}, "turn: 0, not 1 to 3"),
        ("three", {"turn": 3}, "turn: seat 0 holds no extra turn"),
        ("three", {"round": 0}, "round: 0 in the step 'actions'"),
        ("three", {"round": 8}, "round: 8, and the Arc alarm of round 6"),
        ("three", {"step": "draft"}, "not in the step 'draft'"),
        ("three", {"step": "over"}, "not in the step 'over'"),
        ("three", {"acted": True}, "opened: false, and something has been done"),
        ("three", {"opened": True, "used": ["@Farm"]}, "used: c0 is no card that can be activated"),
        ("three", {"opened": True, "used": ["@Toolbox"] * 2}, "used: a card is named twice"),
        ("three", {"opened": True, "choices": ["@Shack", "@Relic"]}, "choices: two or more cards"),
        ("three", {"towns": {"0": {"hq": "Hut"}}}, "towns[0].hq: 'Hut' is none of Small HQ"),
        ("three", {"towns": {"0": {"survivor": 3}}}, "towns[0].survivor: 3 is not there or taken"),
        ("three", {"towns": {"0": {"survivor": 9}}}, "towns[0].survivor: 9 is not there or taken"),
        ("three", {"towns": {"0": {"survivor": None}}}, "towns[0].survivor: missing in the step"),
        ("three", {"towns": {"0": {"pile": {"food": 99}}}}, "towns[0].pile: 99 tokens"),
        ("three", {"towns": {"0": {"projects": ["@Militia"]}}}, "towns[0].permanent: 0, and the"),
        ("three", {"towns": RELIC}, "towns[0].arrival: 0, and the score has changed to 1"),
        (
            "three",
            {"towns": {"0": {"permanent": 4, "arrival": 1}}},
            "towns[0].four: 0 at a score of 4",
        ),
        (
            "three",
            {"towns": {"0": {"permanent": 4, "arrival": 1, "four": 2}}},
            "towns[0].four: 2 is later",
        ),
        ("three", {"towns": {"0": {"arrival": 1}}, "clock": 0}, "towns[0].arrival: 1, and the clo"),
        ("three", {"towns": {"0": {"arrival": 1}, "1": {"arrival": 1}}}, "stamp 1 on 2 seats"),
        ("three", {"towns": {"0": {"town": ["@Raid"]}}}, f"{RAID}, Raid, cannot be there"),
        ("three", {"towns": {"0": {"hand": ["@Militia"]}}}, "Militia, cannot be there"),
        ("three", {"towns": {"0": {"hand": ["@Farm"]}}}, f"market: {FARM} is in towns[0].hand alr"),
        ("three", {"marketTop": ["@Shack"]}, f"marketDeck: {SHACK}, Shack, cannot be there"),
        ("three", {"marketTop": ["c999"]}, "marketDeck: there is no card 'c999'"),
        ("three", {"projects": [None, None]}, "projects[0]: empty, and there are more in the deck"),
        (
            "three",
            {"projects": [None, {"card": "@Militia", "tokens": [0, 0, 0]}]},
            "projects[0]: empty, and there are more in the deck",
        ),
        (
            "three",
            {"projects": [{"card": f"@{n}", "tokens": [0, 0]} for n in ("Militia", "Doctrine")]},
            "projects[0].tokens: 2 entries for 3 seats",
        ),
        (
            "three",
            {"projects": [{"card": f"@{n}", "tokens": [4, 0, 0]} for n in ("Militia", "Doctrine")]},
            "projects[0].tokens: 4 of seat 0; the project is completed at 4",
        ),
        ("three", {"packs": [[], [], []]}, "packs: not in the step 'actions'"),
        ("upkeep", {"current": 0}, "current: not in the step 'maintenance'"),
        ("upkeep", {"turn": 1}, "turn: not in the step 'maintenance'"),
        ("upkeep", {"step": "over"}, "step: over before the last round"),
        ("three", SURVIVORS, "current: seats choose in the order"),
        ("three", SURVIVORS | {"tokens": [1, 0]}, "tokens: 2 of 3; all are placed"),
        ("three", SURVIVORS | {"towns": NOBODY, "round": 7}, "step: the match ended with round 7"),
        ("draft", {"packs": [["@Vault"], ["@School"], ["@Monument"]]}, "packs: of [1] cards"),
        ("draft", {"packs": [["@Vault"], ["@School"]]}, "packs: 2 for 3 seats"),
        ("draft", {"towns": {"0": {"hand": ["@Farm/3"]}}}, "towns[0]: 1 cards of 0 picks"),
        ("draft", {"towns": {"0": {"extraTurn": True}}}, "towns: no extra turns in the step"),
    ],
)
def test_an_impossible_position_is_refused_with_field_and_reason(
    name: str, changes: Json, words: str
) -> None:
    assert words in refused(base(name, **copy.deepcopy(changes)))


def test_a_card_that_is_nowhere_is_missed() -> None:
    fields = base("three")
    gone = fields["wastesDeck"].pop()
    assert refused(fields) == f"marketDeck: {gone} in no place at all"


COMBAT: Json = {"asked": "defend", "card": "@Raid", "target": 1, "number": 0}
ROLLED = {"defenceDice": [3, 4], "defenceRolls": 1}
WON = ROLLED | {"raidDice": [6, 6], "raidRolls": 1}
SABOTAGE = {"card": "@Sabotage"}


def fighting(**changes: Any) -> Json:
    """Seat 0 attacks seat 1, which has a Shack, a Farm and Reinforced Walls."""
    return {
        "opened": True,
        "played": 1,
        "combats": 1,
        "combat": COMBAT | changes,
        "towns": {"1": {"town": ["@Shack", "@Farm/2"], "hand": ["@Reinforced Walls"]}},
    }


@pytest.mark.parametrize(
    ("changes", "pending"),
    [
        ({}, {1: "defend"}),
        (ROLLED | {"asked": "reroll"}, {1: "reroll"}),
        (ROLLED | {"asked": "raid"}, {0: "raid"}),
        (WON | {"asked": "reroll"}, {0: "reroll"}),
        (WON | {"asked": "loot"}, {0: "loot"}),
        (WON | {"asked": "protect", "stake": "@Shack"}, {1: "protect"}),
        (SABOTAGE | ROLLED | {"asked": "reroll"}, {1: "reroll"}),
        (SABOTAGE | ROLLED | {"asked": "lose"}, {1: "lose"}),
        ({"card": "@Ambush"} | ROLLED | {"asked": "loot"}, {0: "loot"}),
    ],
)
def test_a_combat_can_be_asked_at_every_stage(changes: Json, pending: dict[int, str]) -> None:
    game = load(base("three", **fighting(**changes)))
    assert game.pending() == pending
    assert msgspec.to_builtins(Program.from_position(game.position()).position())
    for seat in pending:
        game.check(seat, game.default(seat))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"target": 0}, "combat.target: seat 0 attacks itself"),
        ({"target": 3}, "combat.target: seat 3 of 3"),
        ({"number": 1}, "combat.number: 1, and 1 combats have begun"),
        ({"card": "@Shack/2"}, "combat.card: "),
        ({"defenceRolls": 1}, "combat.defenceDice: 1 rolls"),
        (ROLLED, "combat.asked: 'defend' is not what Raid asks"),
        ({"asked": "raid"}, "combat.asked: 'raid' is not what Raid asks"),
        (SABOTAGE | ROLLED | {"asked": "raid"}, "'raid' is not what Sabotage asks"),
        (SABOTAGE | ROLLED | {"asked": "loot"}, "'loot' is not what Sabotage asks"),
        (SABOTAGE | WON | {"asked": "reroll"}, "'reroll' is not what Sabotage asks"),
        ({"card": "@Poaching"} | ROLLED | {"asked": "lose"}, "seat 1 has no personality to lose"),
        (WON | {"asked": "protect"}, "combat.stake: the structure to protect"),
        (WON | {"asked": "loot", "stake": "@Shack"}, "combat.stake: the structure to protect"),
        (WON | {"asked": "protect", "stake": "@Farm"}, "combat.stake: c0 is not in the town"),
    ],
)
def test_an_impossible_combat_is_refused(changes: Json, words: str) -> None:
    assert words in refused(base("three", **fighting(**changes)))


def test_what_nobody_can_pay_for_is_not_asked() -> None:
    poor = fighting(**ROLLED, asked="reroll")
    poor["towns"]["1"]["pile"] = {}
    assert "seat 1 cannot pay for a reroll" in refused(base("three", **poor))
    bare = fighting(**WON, asked="protect", stake="@Shack")
    bare["towns"]["1"]["pile"] = {}
    assert "seat 1 has nothing to protect" in refused(base("three", **bare))
    empty = fighting(**WON, asked="loot")
    empty["towns"]["1"] = {"pile": {}}
    assert "there is nothing to loot" in refused(base("three", **empty))
    idle = fighting() | {"played": 0}
    assert "played: 0" in refused(base("three", **idle))


def test_a_struct_made_in_python_is_checked_like_json() -> None:
    position = msgspec.json.decode(msgspec.json.encode(base("three")), type=Position)
    for change, words in (
        ({"arc": 8}, "arc: "),
        ({"seed": "12"}, "seed: "),
        ({"market": ("c0",)}, "market: "),
        ({"towns": object()}, "position: "),
    ):
        with pytest.raises(PositionError, match=words):
            Program.from_position(msgspec.structs.replace(position, **change))
