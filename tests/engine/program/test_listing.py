"""The card list as tables: whole, and each effect in words of its own."""

from __future__ import annotations

from typing import get_args

from engine.program import Program
from engine.program.cards import CARDS, HQS, SURVIVORS
from engine.program.effects import AnyEffect
from engine.program.listing import describe

TABLES = {table.title: table for table in Program.reference()}


def test_every_copy_of_every_card_is_listed() -> None:
    decks = [TABLES[title] for title in ("Market deck", "Wastes deck", "Projects")]
    copies = [sum(int(row[1]) for row in table.rows) for table in decks]
    assert copies == [71, 28, 12]
    assert [row[0] for row in TABLES["Headquarters"].rows] == [hq.name for hq in HQS]
    assert [row[1] for row in TABLES["Survivors"].rows] == [s.name for s in SURVIVORS]
    for table in TABLES.values():
        assert {len(row) for row in table.rows} == {len(table.columns)}


def test_a_row_says_what_is_on_the_card() -> None:
    row = next(row for row in TABLES["Market deck"].rows if row[0] == "Training Grounds")
    assert row == ("Training Grounds", "2", "structure", "1 response", "1 food, 1 credit", "", "")
    row = next(row for row in TABLES["Wastes deck"].rows if row[0] == "Ambush")
    assert row[1:3] == ("2", "attack")
    assert row[6] == "difficulty 8, failure: 2 resources of the attacker's choice are discarded"


def test_different_effects_read_differently() -> None:
    effects: set[AnyEffect] = set()
    for printed in (CARDS, HQS, SURVIVORS):
        for card in printed:
            effects.update(card.effects)
    assert {type(effect) for effect in effects} == set(get_args(AnyEffect))
    assert len({describe(effect) for effect in effects}) == len(effects)
