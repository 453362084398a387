"""What a town can do: its cards, projects and survivor added up.

The one place where passive effects are carried out.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import assert_never

from engine.program import effects as fx
from engine.program.cards import CARDS, HQS, SURVIVORS, TYPE_OF
from engine.program.effects import Passive
from engine.program.resources import KINDS_OF_RESOURCE, Resources

# Town size by the number of structures, HQ included: from 5 medium, from 7 large.
MEDIUM, LARGE = 1, 2
_MEDIUM_FROM, _LARGE_FROM = 5, 7
BASE_ROOM = (6, 8, 10)


class Traits:
    """The sums for one town. Immutable once made, and shared.

    size: 0 small, 1 medium, 2 large. points: of the HQ and the cards in the town.
    food, credits, responses: what it produces a round.
    room: capacity of the pile for tokens of any kind; room_food and so on: room on top of it
    for one kind alone. upkeep: (card, cost) in town order, waived maintenance left out.
    """

    __slots__ = (
        "better_plans",
        "better_sales",
        "cheaper_market",
        "cheaper_upgrades",
        "credits",
        "defence",
        "extra_research",
        "first_play_free",
        "food",
        "free_reroll",
        "free_types",
        "points",
        "raiding",
        "responses",
        "room",
        "room_credits",
        "room_food",
        "room_responses",
        "size",
        "structures",
        "upkeep",
        "waived_types",
        "wastes_choice",
    )

    def __init__(self, hq: int, town: tuple[int, ...], projects: tuple[int, ...], skill: int):
        self.structures = 1 + sum(TYPE_OF[card] == "structure" for card in town)
        self.size = (self.structures >= _MEDIUM_FROM) + (self.structures >= _LARGE_FROM)
        self.points = HQS[hq].points + sum(CARDS[card].points for card in town)
        self.food = self.credits = self.responses = 0
        self.room = BASE_ROOM[self.size]
        self.room_food = self.room_credits = self.room_responses = 0
        self.defence = self.raiding = 0
        self.free_reroll = self.first_play_free = False
        self.extra_research = self.better_plans = self.better_sales = 0
        self.cheaper_market = self.cheaper_upgrades = 0
        self.wastes_choice = 1
        self.free_types: frozenset[str] = frozenset()
        self.waived_types: frozenset[str] = frozenset()
        for production, effects in _sources(hq, town, projects, skill):
            self.food += production.food
            self.credits += production.credits
            self.responses += production.responses
            for effect in effects:
                if isinstance(effect, Passive):
                    self._add(effect)
        self.upkeep = tuple(
            (card, CARDS[card].maintenance)
            for card in town
            if CARDS[card].maintenance and TYPE_OF[card] not in self.waived_types
        )

    def _add(self, effect: Passive) -> None:
        match effect:
            case fx.Defence(amount=amount):
                self.defence += amount
            case fx.Raiding(amount=amount):
                self.raiding += amount
            case fx.Storage(kind=kind, amount=amount):
                self.room += amount if kind == "any" else 0
                self.room_food += amount if kind == "food" else 0
                self.room_credits += amount if kind == "credits" else 0
                self.room_responses += amount if kind == "responses" else 0
            case fx.FreeReroll():
                self.free_reroll = True
            case fx.ExtraResearch(tokens=tokens):
                self.extra_research += tokens
            case fx.CheaperUpgrades(credits=credits):
                self.cheaper_upgrades += credits
            case fx.FreePlays(type=card_type):
                self.free_types |= {card_type}
            case fx.FirstPlayFree():
                self.first_play_free = True
            case fx.BetterSales(credits=credits):
                self.better_sales += credits
            case fx.CheaperMarket(credits=credits):
                self.cheaper_market += credits
            case fx.BetterPlans(responses=responses):
                self.better_plans += responses
            case fx.WastesChoice(cards=cards):
                self.wastes_choice = max(self.wastes_choice, cards)
            case fx.NoMaintenance(type=card_type):
                self.waived_types |= {card_type}
            case _:
                assert_never(effect)


def _sources(
    hq: int, town: tuple[int, ...], projects: tuple[int, ...], skill: int
) -> Iterator[tuple[Resources, tuple[object, ...]]]:
    """Production and effects of all that a seat has."""
    yield HQS[hq].production, HQS[hq].effects
    for card in town + projects:
        yield CARDS[card].production, CARDS[card].effects
    if skill:
        yield SURVIVORS[skill - 1].production, SURVIVORS[skill - 1].effects


@lru_cache(maxsize=1 << 14)
def traits_of(
    hq: int, town: tuple[int, ...], projects: tuple[int, ...] = (), skill: int = 0
) -> Traits:
    """The traits of a town: HQ level, cards, completed projects, survivor at work (0: none)."""
    return Traits(hq, town, projects, skill)


assert len(BASE_ROOM) == len(HQS)
assert KINDS_OF_RESOURCE == ("food", "credits", "responses")
