"""The card list: numbers as the edition has them, and what a broken list is refused with."""

from __future__ import annotations

from collections import Counter
from importlib.resources import files
from typing import get_args

import pytest

from engine.program import cards
from engine.program.cards import CARDS, DECK_OF, FACTS, HQS, ID_OF, NUMBER_OF, SURVIVORS, CardError
from engine.program.effects import AnyEffect, Defence
from engine.program.resources import Resources

TEXT = files("engine.program").joinpath("cards.toml").read_text(encoding="utf-8")


def test_as_many_cards_as_the_edition_lists() -> None:
    assert Counter(DECK_OF) == {"market": 71, "wastes": 28, "projects": 12}
    assert Counter(card.type for card in CARDS) == {
        "structure": 33 + 8,
        "personality": 8 + 4,
        "item": 11 + 1,
        "event": 7 + 8,
        "raid": 6 + 3,
        "attack": 6 + 4,
        "project": 12,
    }
    assert [hq.name for hq in HQS] == ["Small HQ", "Medium HQ", "Large HQ"]
    assert [survivor.number for survivor in SURVIVORS] == [*range(1, 9)]


def test_ids_follow_the_list_copy_by_copy() -> None:
    assert ID_OF[:8] == ("c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7")
    assert [CARDS[number].name for number in range(8)] == ["Farm"] * 5 + ["Pig Pens"] * 3
    assert [NUMBER_OF[card_id] for card_id in ID_OF] == [*range(111)]
    assert list(DECK_OF) == sorted(DECK_OF, key=["market", "wastes", "projects"].index)


def test_the_rulebook_wins_over_the_edition() -> None:
    """Its example town pays a credit for the Training Grounds; its example research has three
    tokens of two seats on Way of the Wastes."""
    assert FACTS["Training Grounds"].maintenance == Resources(food=1, credits=1)
    assert FACTS["Way of the Wastes"].value == 4


def test_every_effect_of_the_vocabulary_is_on_some_card() -> None:
    used = {
        type(effect)
        for card in (*CARDS, *HQS, *SURVIVORS)
        for effect in card.effects  # type: ignore[attr-defined]
    }
    assert used == set(get_args(AnyEffect))


def test_a_new_card_of_known_effects_needs_nothing_but_its_entry() -> None:
    entry = """
    [[card]]
    name = "Bunker"
    type = "structure"
    copies = { market = 2, wastes = 1 }
    production = { responses = 1 }
    maintenance = { food = 2, responses = 1 }
    points = 2
    effects = [
      { effect = "defence", amount = 3 },
      { effect = "storage", kind = "responses", amount = 2 },
      { effect = "activate", pay = { food = 2 }, gain = { credits = 1 } },
    ]
    """
    bunker = cards.load(TEXT + entry).cards[-1]
    assert bunker.name == "Bunker"
    assert bunker.effects[0] == Defence(amount=3)


def card(**changes: str) -> str:
    """An entry for a structure called Hut, with some lines changed or added."""
    lines = {"name": '"Hut"', "type": '"structure"', "copies": "{ market = 1 }"} | changes
    return "\n[[card]]\n" + "\n".join(f"{key} = {value}" for key, value in lines.items() if value)


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (card(effects='[{ effect = "levitate" }]'), "Hut: Invalid value 'levitate'"),
        (card(effects='[{ effect = "defence" }]'), "Hut: Object missing required field `amount`"),
        (card(effects='[{ effect = "defence", amount = 0 }]'), "Hut: Expected `int` >= 1"),
        (card(effects='[{ effect = "defence", amount = 1, of = 2 }]'), "Hut: Object contains unkn"),
        (card(copies=""), "Hut: Object missing required field `copies`"),
        (card(copies="{}"), "Hut: no copies in any deck"),
        (card(copies="{ market = 0 }"), "Hut: no copies in any deck"),
        (card(copies="{ attic = 1 }"), "Hut: Object contains unknown field `attic`"),
        (card(copies="{ projects = 1 }"), "Hut: projects, and they alone, are in the deck of"),
        (card(type='"project"'), "Hut: projects, and they alone, are in the deck of projects"),
        (card(type='"project"', copies="{ projects = 1 }"), "Hut: projects, and they alone, have"),
        (card(value="3"), "Hut: projects, and they alone, have a value"),
        (card(type='"castle"'), "Hut: Invalid enum value 'castle'"),
        (card(colour='"red"'), "Hut: Object contains unknown field `colour`"),
        (card(name='"Farm"'), "Farm: listed twice"),
        (card(name='"Cook"'), "Cook: listed twice"),
        (card(name=""), f"card number {len(FACTS) + 1}: Object missing required field `name`"),
        (card(type='"event"'), "Hut: nothing happens when it is played"),
        (card(type='"attack"'), "Hut: nothing happens when it is played"),
        (card(type='"raid"', effects='[{ effect = "extra_turn" }]'), "Hut: 'extra_turn' is no eff"),
        (card(effects='[{ effect = "keep_structure" }]'), "Hut: 'keep_structure' is no effect of"),
        (card(type='"event"', effects='[{ effect = "defence", amount = 1 }]'), "'defence' is no"),
        (card(type='"event"', maintenance="{ food = 1 }"), "Hut: only what stands in a town needs"),
        (card(type='"event"', points="1"), "Hut: only towns and projects bring production or poin"),
        (
            card(effects='[{ effect = "activate", gain = { food = 1 } }]'),
            "Hut: could be activated for ever",
        ),
        (
            card(effects='[{ effect = "activate", pay = { food = 1 }, gain = { credits = 1 } }]'),
            "Hut: could be activated for ever",
        ),
        (
            card(type='"event"', effects='[{ effect = "extra_turn" }, { effect = "extra_turn" }]'),
            "Hut: two effects of the same sort",
        ),
        ("\n[[spell]]\nname = 'Hut'", "no section 'spell'"),
        ("\n[[hq]]\nname = 'Hut'\nsize = 'large'", "section hq: expected ['small', 'medium', 'l"),
        ("\n[[survivor]]\nname = 'Hut'\nnumber = 8", "section survivor: expected [1, 2, 3, 4, 5,"),
        ("\n[[survivor]]\nname = 'Hut'\nnumber = 'x'", "Hut: Expected `int`, got `str`"),
        ("\n[[card", "the card list is not TOML"),
    ],
)
def test_a_broken_list_is_refused_with_the_name_of_the_card(entry: str, words: str) -> None:
    with pytest.raises(CardError) as refused:
        cards.load(TEXT + entry)
    assert words in str(refused.value)


def test_a_section_that_is_no_list_is_refused() -> None:
    with pytest.raises(CardError, match="section card is not a list of tables"):
        cards.load("card = 1")
