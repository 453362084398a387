"""Decks that run out, and streams that do not shift one another."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.game import IllegalAction
from engine.program import Position, Program
from engine.program.actions import (
    Defend,
    EndTurn,
    Market,
    PlayCard,
    Reroll,
    Research,
    Wastes,
)
from engine.program.cards import FACTS, ID_OF, NAME_OF, in_deck
from engine.program.events import Rolled
from tests.engine.program import tables
from tests.engine.program.matches import seed_bytes

THREE: dict[str, Any] = {"base": "three"}


def load(fields: dict[str, Any]) -> Program:
    raw = msgspec.json.encode(fields)
    return Program.from_position(msgspec.json.decode(raw, type=Position))


def end_step(game: Program) -> None:
    """Everybody ends its turns until maintenance is asked."""
    while (kind := next(iter(game.pending().values()))) != "maintenance":
        assert kind == "turn"
        game.advance(dict.fromkeys(game.pending(), EndTurn()))


def test_with_deck_and_discard_pile_empty_market_slots_stay_empty() -> None:
    position = tables.build(THREE)
    position["towns"][0]["hand"], position["marketDeck"] = position["marketDeck"], []
    game = load(position)
    game.advance({0: Market(5)})
    end_step(game)
    market = game.view(None).market
    assert market == (None, *tables.build(THREE)["market"][:5])


def test_the_wastes_cannot_be_searched_when_they_are_empty() -> None:
    position = tables.build(THREE)
    position["towns"][0]["hand"], position["wastesDeck"] = position["wastesDeck"], []
    game = load(position)
    assert Wastes() not in game.legal(0)
    with pytest.raises(IllegalAction) as refused:
        game.check(0, Wastes())
    assert refused.value.code == "no_wastes"


def test_a_single_card_left_is_drawn_without_a_choice() -> None:
    case = {
        "base": "three",
        "set": {
            "towns": {"0": {"projects": ["@Way of the Wastes"], "permanent": 1, "arrival": 1}},
            "projects": [
                {"card": "@Militia", "tokens": [0, 0, 0]},
                {"card": "@Doctrine", "tokens": [0, 0, 0]},
            ],
        },
    }
    position = tables.build(case)
    *hand, last = position["wastesDeck"]
    position["towns"][1]["hand"], position["wastesDeck"] = hand, [last]
    game = load(position)
    game.advance({0: Wastes()})
    assert game.pending() == {0: "turn"}
    assert game.view(0).hand == (last,)


def test_the_place_of_the_last_project_stays_empty() -> None:
    position = tables.build(THREE)
    done = position["projectDeck"]
    points = sum(FACTS[NAME_OF[ID_OF.index(card)]].points for card in done)
    position["projectDeck"] = []
    position["towns"][1] |= {"projects": done, "permanent": points, "arrival": 1, "four": 1}
    position["projects"][0]["tokens"] = [3, 0, 0]
    position["clock"] = 1
    game = load(position)
    (project, _) = position["projects"]
    game.advance({0: Research(project["card"], 1)})
    view = game.view(0)
    assert view.projects[0] is None
    assert view.towns[0].score == 1
    with pytest.raises(IllegalAction):
        game.check(1, Research(project["card"], 1))


@pytest.mark.parametrize("seats", [3, 4])
def test_a_shared_board_is_what_lies_open_and_nothing_else(seats: int) -> None:
    board = seed_bytes(1)
    one, other = (
        Program.deal(seats, seed_bytes(number), board_seed=board).position() for number in (2, 3)
    )
    assert (one.market, one.projects) == (other.market, other.projects)
    assert one.market_deck != other.market_deck
    assert one.wastes_deck != other.wastes_deck
    assert one.project_deck != other.project_deck
    assert one.packs != other.packs
    alone = Program.deal(seats, seed_bytes(2)).position()
    assert alone.wastes_deck == one.wastes_deck
    assert alone.market != one.market


def test_a_deal_uses_every_card_once() -> None:
    position = Program.deal(4, seed_bytes(5)).position()
    market = [*position.market, *position.market_deck]
    wastes = [*position.wastes_deck]
    for pack in position.packs:
        assert [card in map(ID_OF.__getitem__, in_deck("market")) for card in pack].count(True) == 3
        market += pack[:3]
        wastes += pack[3:]
    assert sorted(market, key=ID_OF.index) == [ID_OF[i] for i in in_deck("market")]
    assert sorted(wastes, key=ID_OF.index) == [ID_OF[i] for i in in_deck("wastes")]


def second_roll(*, reroll_first: bool) -> tuple[int, int]:
    """The defender's dice in the second of two attacks in the same turn."""
    case = {
        "base": "three",
        "set": {
            "towns": {
                "0": {"hand": ["@Sabotage", "@Sabotage/2"]},
                "1": {"pile": {"responses": 6}},
            }
        },
        "dice": {"defence": [[1, 1], [6, 6]]},
    }
    game = tables.load(case)
    first, second = (tables.card(name) for name in ("@Sabotage", "@Sabotage/2"))
    game.advance({0: PlayCard(first, target=1)})
    game.advance({1: Defend(0, ())})
    game.advance({1: Reroll(reroll_first)})
    game.advance({0: PlayCard(second, target=1)})
    events = game.advance({1: Defend(0, ())})
    return next(event.dice for event in events if isinstance(event, Rolled))


def test_a_reroll_does_not_shift_the_dice_of_the_next_combat() -> None:
    assert second_roll(reroll_first=True) == second_roll(reroll_first=False)
