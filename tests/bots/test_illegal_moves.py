"""Illegal moves of all kinds in Pioneers: the strike names the rule, the default is played."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from engine.pioneers.board import EDGES
from tests.bots.settlers import default_action, haggle, settle, until
from tests.runner.ladder import Ladder

View: TypeAlias = dict[str, Any]

NAMES = ("ann", "bob", "cat")


def _own_town(view: View) -> int:
    town: int = view["settlements"][view["seat"]][0]
    return town


def _free_vertex(view: View) -> int:
    built = {v for towns in (*view["settlements"], *view["cities"]) for v in towns}
    return next(v for v in range(54) if v not in built)


def _far_edge(view: View) -> int:
    """An edge that touches nothing of the seat's."""
    near = {v for road in view["roads"][view["seat"]] for v in EDGES[road]}
    taken = {edge for roads in view["roads"] for edge in roads}
    far = (e for e, ends in enumerate(EDGES) if not near.intersection(ends))
    return next(e for e in far if e not in taken)


def _one_held(view: View) -> dict[str, int]:
    return {next(name for name, count in view["hand"].items() if count): 1}


# The kind of decision, an answer to it made from its view, the code of the strike.
MOVES: dict[str, tuple[str, Callable[[View], Any], str]] = {
    "set up at sea": ("setup", lambda _: {"settlement": 54, "road": 0}, "malformed"),
    "set up without a road": ("setup", lambda _: {"settlement": 0}, "malformed"),
    "set up with a road elsewhere": (
        "setup",
        lambda _: {"settlement": 53, "road": 0},
        "not_connected",
    ),
    "a turn of no type": ("turn", lambda _: {}, "malformed"),
    "a turn of a type that is none": ("turn", lambda _: {"type": "cheat"}, "malformed"),
    "a turn that answers something else": ("turn", lambda _: {"accept": True}, "malformed"),
    "a road beyond the island": ("turn", lambda _: {"type": "build_road", "edge": 72}, "malformed"),
    "a road far away": (
        "turn",
        lambda v: {"type": "build_road", "edge": _far_edge(v)},
        "not_connected",
    ),
    "a settlement in a town": (
        "turn",
        lambda v: {"type": "build_settlement", "vertex": _own_town(v)},
        "occupied",
    ),
    "a city out of nothing": (
        "turn",
        lambda v: {"type": "build_city", "vertex": _free_vertex(v)},
        "not_own_settlement",
    ),
    "a city for nothing": (
        "turn",
        lambda v: {"type": "build_city", "vertex": _own_town(v)},
        "cannot_afford",
    ),
    "a knight from nowhere": ("turn", lambda _: {"type": "play_knight"}, "no_such_card"),
    "roads from nowhere": (
        "turn",
        lambda _: {"type": "play_roadworks", "edges": [0, 1]},
        "no_such_card",
    ),
    "three free roads": (
        "turn",
        lambda _: {"type": "play_roadworks", "edges": [0, 1, 2]},
        "malformed",
    ),
    "wind without a card": (
        "turn",
        lambda _: {"type": "play_windfall", "resources": ["ore", "ore"]},
        "no_such_card",
    ),
    "an embargo on gold": (
        "turn",
        lambda _: {"type": "play_embargo", "resource": "gold"},
        "malformed",
    ),
    "ore for ore": (
        "turn",
        lambda _: {"type": "bank_trade", "give": "ore", "get": "ore"},
        "same_resource",
    ),
    "a gift": (
        "turn",
        lambda v: {"type": "offer_trade", "give": {}, "get": {"ore": 1}},
        "gift",
    ),
    "an offer of what one has not": (
        "turn",
        lambda _: {"type": "offer_trade", "give": {"ore": 90}, "get": {"wool": 1}},
        "not_held",
    ),
    "an offer to oneself": (
        "turn",
        lambda v: {
            "type": "offer_trade",
            "give": {"ore": 1},
            "get": {"wool": 1},
            "to": v["seat"],
        },
        "bad_seat",
    ),
    "fewer than no cards": (
        "turn",
        lambda _: {"type": "offer_trade", "give": {"ore": -1}, "get": {"wool": 1}},
        "malformed",
    ),
    "a discard of too few": ("discard", lambda v: {"discard": _one_held(v)}, "wrong_total"),
    "a discard of cards not held": (
        "discard",
        lambda v: {"discard": {"ore": v["hand"]["ore"] + 1}},
        "not_held",
    ),
    "a discard of gold": ("discard", lambda _: {"discard": {"gold": 4}}, "malformed"),
    "the bandit stays": ("bandit", lambda v: {"hex": v["bandit"]}, "same_hex"),
    "the bandit swims": ("bandit", lambda _: {"hex": 19}, "malformed"),
    "robbing oneself": (
        "bandit",
        lambda v: {"hex": (v["bandit"] + 1) % 19, "victim": v["seat"]},
        "bad_seat",
    ),
    "accepting what one cannot pay": ("trade", lambda v: {"accept": True}, "not_held"),
    "a yes that is no truth": ("trade", lambda _: {"accept": "yes"}, "malformed"),
}


@pytest.mark.parametrize(("kind", "make", "code"), MOVES.values(), ids=MOVES)
async def test_an_illegal_move_is_a_strike_that_names_the_rule(
    kind: str, make: Callable[[View], Any], code: str, tmp_path: Path
) -> None:
    ladder = Ladder(tmp_path, NAMES, game="pioneers")
    async with ladder.run() as house, asyncio.TaskGroup() as group:
        ann = await house.connect("ann")
        for name in NAMES[1:]:
            bot = await house.connect(name)
            group.create_task(haggle(bot) if kind == "trade" else settle(bot))
        request = await until(ann, kind)
        await ann.send({"id": request["id"], "action": make(request["view"])})
        strike = await ann.hear("strike")
        assert strike["message"]
        assert (strike["reason"], strike["code"], strike["strikes"]) == ("illegal", code, 1)
        assert strike["applied"] == default_action(request)
        house.stop()
    assert not ladder.results()
