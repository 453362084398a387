"""The bounded action space of Pioneers as wire JSON, legal or not, and random actions from it.

Left out are endless things only: talk, and offers other than one card for one to everybody.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

from tests.engine.pioneers.oracle_board import RESOURCES

Json = dict[str, Any]


def space(kind: str, hand: Json) -> Iterator[Json]:
    """Every action of a decision kind; `hand` bounds the bundles of a discard."""
    if kind == "discard":
        yield from discards(hand)
    else:
        spaces = {
            "setup": setups,
            "bandit": bandit_moves,
            "trade": responses,
            "turn": turn_actions,
        }
        yield from spaces[kind]()


def setups() -> Iterator[Json]:
    for vertex, edge in itertools.product(range(54), range(72)):
        yield {"settlement": vertex, "road": edge}


def bandit_moves() -> Iterator[Json]:
    for where in range(19):
        yield {"hex": where}
        for victim in range(4):
            yield {"hex": where, "victim": victim}


def responses() -> Iterator[Json]:
    yield {"accept": False}
    yield {"accept": True}


def discards(hand: Json) -> Iterator[Json]:
    """Bundles of up to one more of each resource than is held, up to one more than is due."""
    due = sum(hand.values()) // 2
    for counts in itertools.product(*(range(hand[name] + 2) for name in RESOURCES)):
        if sum(counts) <= due + 1:
            yield {"discard": dict(zip(RESOURCES, counts, strict=True))}


def turn_actions() -> Iterator[Json]:
    yield {"type": "end_turn"}
    yield {"type": "buy_dev_card"}
    yield {"type": "play_knight"}
    for edge in range(72):
        yield {"type": "build_road", "edge": edge}
    for vertex in range(54):
        yield {"type": "build_settlement", "vertex": vertex}
        yield {"type": "build_city", "vertex": vertex}
    for edges in itertools.chain(
        [()], itertools.product(range(72), repeat=1), itertools.product(range(72), repeat=2)
    ):
        yield {"type": "play_roadworks", "edges": list(edges)}
    for a in RESOURCES:
        yield {"type": "play_embargo", "resource": a}
        for b in RESOURCES:
            yield {"type": "play_windfall", "resources": [a, b]}
            yield {"type": "bank_trade", "give": a, "get": b}
            yield {"type": "offer_trade", "give": {a: 1}, "get": {b: 1}}


def random_action(kind: str, rng: random.Random) -> Json:
    """An action of the right shape and of any sense: ids may be out of range by one."""
    if kind == "setup":
        return {"settlement": rng.randrange(54), "road": rng.randrange(72)}
    if kind == "bandit":
        action: Json = {"hex": rng.randrange(20)}
        if rng.random() < 0.7:
            action["victim"] = rng.choice([None, *range(5)])
        return action
    if kind == "trade":
        return {"accept": rng.random() < 0.5}
    if kind == "discard":
        return {"discard": random_bundle(rng, 5)}
    return random_turn_action(rng)


def random_bundle(rng: random.Random, most: int) -> Json:
    """Up to `most` of each of a few resources, now and then a count below zero."""
    names = rng.sample(RESOURCES, rng.randrange(6))
    return {name: rng.randrange(-1 if rng.random() < 0.05 else 0, most + 1) for name in names}


def random_offer(rng: random.Random) -> Json:
    names = rng.sample(RESOURCES, 2)
    action: Json = {
        "type": "offer_trade",
        "give": {names[0]: rng.randrange(1, 3)},
        "get": {names[1]: rng.randrange(1, 3)},
    }
    if rng.random() < 0.3:
        action["give"] |= random_bundle(rng, 1)
    if rng.random() < 0.3:
        action["get"] |= random_bundle(rng, 1)
    if rng.random() < 0.5:
        action["to"] = rng.choice([None, *range(5)])
    return action


def random_turn_action(rng: random.Random) -> Json:
    name = rng.choice(RESOURCES)
    choices: list[Json] = [
        {"type": "build_road", "edge": rng.randrange(73)},
        {"type": "build_settlement", "vertex": rng.randrange(55)},
        {"type": "build_city", "vertex": rng.randrange(55)},
        {"type": "buy_dev_card"},
        {"type": "play_knight"},
        {
            "type": "play_roadworks",
            "edges": [rng.randrange(72) for _ in range(rng.randrange(4))],
        },
        {"type": "play_windfall", "resources": rng.choices(RESOURCES, k=rng.choice([1, 2, 2, 3]))},
        {"type": "play_embargo", "resource": name},
        {"type": "bank_trade", "give": name, "get": rng.choice(RESOURCES)},
        random_offer(rng),
    ]
    return rng.choice(choices)
