"""Reads the case tables under `cases/` and holds a match against them.

A case starts from a base position (`cases/bases.json`) with some fields `set` anew. To keep the
files readable:

- a per-seat list may be given as {"1": …}, which replaces that seat's entry alone;
- roads are walks over vertices, "12-17-23", and stand for the edges in between; an edge in an
  action or an event may be written so too, "12-17";
- `turn` decides `current`; the deck holds whatever nobody holds and nobody played, in table
  order, the cards of `next` first, unless `deck` is given whole;
- `rolls` {"11": [3, 4]} asks for a seed that rolls so in turn 11.

`play` is a list of {seat: action}, one per settled decision. `then` is what must hold after it:
`legal`, `illegal` and `default` {seat: …}, `pending`, `outcome`, `view` {seat or "spectator":
fields}, `position` {fields}, `events` (these, in this order, perhaps with others in between) and
`noEvents`. Where a dict is expected only its keys are compared, but bundles of cards are whole.
"""

from __future__ import annotations

import copy
import itertools
import json
import re
from pathlib import Path
from typing import Any, Protocol

from tests.engine.pioneers import oracle_rules as rules
from tests.engine.pioneers.oracle import OPTIONAL, Oracle, no_cards, nothing
from tests.engine.pioneers.oracle_board import (
    DEV_CARDS,
    DEV_COUNTS,
    EDGES,
    HEX_COUNTS,
    RESOURCES,
    TOKENS,
    dice,
    edge_between,
)

Json = dict[str, Any]
FOLDER = Path(__file__).parent / "cases"
BASES: Json = json.loads((FOLDER / "bases.json").read_text())


class Match(Protocol):
    """What the tables ask of an implementation; actions, views and events are wire JSON."""

    def pending(self) -> dict[int, str]: ...
    def refusal(self, seat: int, action: Any) -> str | None: ...
    def default(self, seat: int) -> Json: ...
    def advance(self, actions: dict[int, Json]) -> list[Json]: ...
    def outcome(self) -> Json | None: ...
    def view(self, seat: int | None) -> Json: ...
    def position(self) -> Json: ...


def groups() -> list[str]:
    """The names of the tables."""
    return sorted(path.stem for path in FOLDER.glob("*.json") if path.stem != "bases")


def read(group: str) -> list[Json]:
    """The cases of one table."""
    cases: list[Json] = json.loads((FOLDER / f"{group}.json").read_text())
    return cases


def walks_to_edges(walks: list[str]) -> list[int]:
    """["12-17-23"] as ascending edge ids."""
    edges = []
    for walk in walks:
        vertices = [int(part) for part in walk.split("-")]
        edges += [edge_between(a, b) for a, b in itertools.pairwise(vertices)]
    return sorted(edges)


def spelled_out(value: Any) -> Any:
    """Actions and events with edges like "12-17" turned into their ids."""
    if isinstance(value, dict):
        return {key: spelled_out(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [spelled_out(inner) for inner in value]
    if isinstance(value, str) and re.fullmatch(r"\d+-\d+", value):
        return edge_between(*(int(part) for part in value.split("-")))
    return value


def find_seed(rolls: dict[str, list[int]]) -> str:
    """The first seed (counting up from 0) whose dice are those."""
    for number in itertools.count():
        seed = number.to_bytes(32, "big")
        if all(dice(seed, int(turn)) == wanted for turn, wanted in rolls.items()):
            return seed.hex()
    raise AssertionError("unreachable")


def build(case: Json) -> Json:
    """The JSON of the position that a case starts from."""
    position: Json = copy.deepcopy(OPTIONAL | BASES["board"] | BASES[case["base"]])
    seats = position["seats"]
    for key in ("hands", "devCards", "devBoughtThisTurn"):
        position[key] = [{} for _ in range(seats)]
    position["cities"] = [[] for _ in range(seats)]
    position["knights"] = [0] * seats
    position["resigned"] = [False] * seats
    overrides = copy.deepcopy(case.get("set", {}))
    first_cards = overrides.pop("next", [])
    for key, value in overrides.items():
        if isinstance(position.get(key), list) and isinstance(value, dict):
            for seat, entry in value.items():
                position[key][int(seat)] = entry
        elif key == "awards":
            position["awards"] |= value
        else:
            position[key] = value
    position["roads"] = [walks_to_edges(walks) for walks in position["roads"]]
    position["hands"] = [nothing() | hand for hand in position["hands"]]
    for key in ("devCards", "devBoughtThisTurn"):
        position[key] = [no_cards() | cards for cards in position[key]]
    if position["turn"] > 0:
        position["current"] = (min(position["turn"], 200) - 1) % seats
    if "deck" not in position:
        position["deck"] = list(first_cards)
        for card in DEV_CARDS:
            gone = cards_out(position, card) + first_cards.count(card)
            position["deck"] += [card] * (DEV_COUNTS[card] - gone)
    if "rolls" in case:
        position["seed"] = find_seed(case["rolls"])
    return position


def cards_out(position: Json, card: str) -> int:
    """How many of a dev card are held or, if knights, were played."""
    held = position["devCards"] + position["devBoughtThisTurn"]
    count = sum(cards[card] for cards in held)
    return int(count + sum(position["knights"]) if card == "knight" else count)


def impossible(p: Json) -> list[str]:
    """Why no match can come to a position; empty for a sound one."""
    s = Oracle.load(p).s if not p["mustRoll"] else {**copy.deepcopy(p), "over": None}
    seats = range(p["seats"])
    wrong = []
    for name, count in HEX_COUNTS.items():
        if [tile["resource"] for tile in p["hexes"]].count(name) != count:
            wrong.append(f"hexes of {name}")
    if sorted(t["token"] for t in p["hexes"] if t["token"] is not None) != TOKENS:
        wrong.append("tokens")
    towns = rules.all_towns(s)
    for vertex in towns:
        others = [v for v in towns if v != vertex]
        if len(others) != len(towns) - 1 or any(v in others for v in neighbours_of(vertex)):
            wrong.append(f"distance rule at {vertex}")
    for seat in seats:
        own = {vertex for edge in p["roads"][seat] for vertex in EDGES[edge]}
        wrong += [f"no road at {vertex}" for vertex in rules.towns(s, seat) if vertex not in own]
    roads = [edge for seat in seats for edge in p["roads"][seat]]
    if len(set(roads)) != len(roads):
        wrong.append("two roads on one edge")
    for seat in seats:
        if len(p["settlements"][seat]) > 5 or len(p["cities"][seat]) > 4:
            wrong.append(f"too many towns of {seat}")
        if len(p["roads"][seat]) > 15 or not all_connected(s, seat):
            wrong.append(f"roads of {seat}")
        if p["turn"] > 0 and (len(rules.towns(s, seat)) < 2 or len(p["roads"][seat]) < 2):
            wrong.append(f"set-up of {seat}")
        if seat != p["current"] and rules.total(p["devBoughtThisTurn"][seat]):
            wrong.append(f"cards bought by {seat}")
    for card in DEV_CARDS:
        known = p["deck"].count(card) + cards_out(p, card)
        played_unseen = card in ("roadworks", "windfall", "embargo")
        if known > DEV_COUNTS[card] or (known < DEV_COUNTS[card] and not played_unseen):
            wrong.append(f"{known} {card} cards")
    wrong += wrong_awards(s)
    if p["turn"] > 0 and (p["dice"] is None) != p["mustRoll"]:
        wrong.append("dice")
    if p["asked"] == "discard" and not Oracle.load(p).pending():
        wrong.append("nobody discards")
    if p["offer"] and not rules.has(p["hands"][p["current"]], p["offer"]["give"]):
        wrong.append("offer")
    return wrong


def neighbours_of(vertex: int) -> set[int]:
    return {v for ends in EDGES if vertex in ends for v in ends if v != vertex}


def all_connected(s: Json, seat: int) -> bool:
    """Whether every road hangs together with a town of the same seat."""
    reached = set(rules.towns(s, seat))
    left = set(s["roads"][seat])
    while True:
        touching = {edge for edge in left if reached & set(EDGES[edge])}
        if not touching:
            return not left
        left -= touching
        reached |= {vertex for edge in touching for vertex in EDGES[edge]}


def wrong_awards(s: Json) -> list[str]:
    wrong = []
    army, most = s["awards"]["largestArmy"], max(s["knights"])
    if (army is None and most >= 3) or (army is not None and s["knights"][army] < max(most, 3)):
        wrong.append("largest army")
    lengths = [rules.road_length(s, seat) for seat in range(s["seats"])]
    road, longest = s["awards"]["longestRoad"], max(lengths)
    sole = longest >= 5 and lengths.count(longest) == 1
    if (road is None and sole) or (road is not None and lengths[road] < max(longest, 5)):
        wrong.append(f"longest road {lengths}")
    return wrong


def difference(expected: Any, found: Any, path: str) -> str | None:
    """Where `found` departs from `expected`, or None."""
    if isinstance(expected, dict):
        for names in (RESOURCES, DEV_CARDS):
            if isinstance(found, dict) and set(found) == set(names):
                expected = dict.fromkeys(names, 0) | expected
        for key, value in expected.items():
            if isinstance(found, list):
                inner = found[int(key)]
            elif isinstance(found, dict) and key in found:
                inner = found[key]
            else:
                return f"{path}.{key}: missing from {found!r}"
            if wrong := difference(value, inner, f"{path}.{key}"):
                return wrong
        return None
    return None if expected == found else f"{path}: expected {expected!r}, found {found!r}"


def normal(action: Json) -> Json:
    """An action with its bundles filled up and its absent options left out."""
    result = {key: value for key, value in action.items() if value is not None}
    for key in ("discard", "give", "get"):
        if isinstance(result.get(key), dict):
            result[key] = nothing() | result[key]
    return result


def verify(case: Json, match: Match) -> None:
    """Play a case on `match`, which stands at its start; AssertionError where it departs."""
    events: list[Json] = []
    then = spelled_out(case["then"])
    for step in spelled_out(case.get("play", [])):
        actions = {int(seat): action for seat, action in step.items()}
        for seat, action in actions.items():
            assert not (reason := match.refusal(seat, action)), f"{action} refused: {reason}"
        events += match.advance(actions)
    for seat, actions in then.get("legal", {}).items():
        for action in actions:
            reason = match.refusal(int(seat), action)
            assert reason is None, f"{action} is legal, but refused: {reason}"
    for seat, actions in then.get("illegal", {}).items():
        for action in actions:
            assert match.refusal(int(seat), action), f"{action} is illegal, but allowed"
    for seat, action in then.get("default", {}).items():
        assert normal(match.default(int(seat))) == normal(action)
    if "pending" in then:
        assert {str(seat): kind for seat, kind in match.pending().items()} == then["pending"]
    if "outcome" in then:
        assert match.outcome() == then["outcome"]
    for seat, fields in then.get("view", {}).items():
        view = match.view(None if seat == "spectator" else int(seat))
        assert not (wrong := difference(fields, view, f"view {seat}")), wrong
    if "position" in then:
        wrong = difference(then["position"], match.position(), "position")
        assert not wrong, wrong
    at = iter(events)
    for expected in then.get("events", []):
        assert any(not difference(expected, found, "event") for found in at), (
            f"{expected} is not, in its place, among {events}"
        )
    for name in then.get("noEvents", []):
        assert name not in [event["event"] for event in events]
