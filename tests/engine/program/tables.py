"""Reads the case tables under `cases/` and holds the engine against them.

A case starts from a base position (`cases/bases.json`) with some fields `set` anew. To keep the
files readable:

- "@Farm" stands for the id of a Farm, "@Farm/2" for that of the second copy in id order;
- `towns` may be given as {"1": {...}}, which replaces those fields of that seat alone;
- the cards that are nowhere else lie in the decks by id, those of `marketTop`, `wastesTop` and
  `projectTop` first; `marketDiscard` and `wastesDiscard` may be "rest", which leaves the deck
  with its top alone;
- `clock` is the highest stamp given;
- `dice` {"defence": [[3, 4]], "raid": [[6, 6]]} asks for a seed that rolls so in combat 0.

`play` is a list of {seat: action}, one per settled decision; a seat that is asked and not named
plays its default. `then` is what must hold after it: `pending`, `legal` {seat: actions},
`illegal` {seat: {code: actions}}, `default` {seat: action}, `view` {seat or "spectator": fields},
`position`, `events` (these, in this order, perhaps with others in between), `noEvents` and
`outcome`. Where a dict is expected only its keys are compared, but resources are whole.
"""

from __future__ import annotations

import copy
import hashlib
import hmac
import itertools
import json
from pathlib import Path
from typing import Any

import msgspec

from engine.game import ActionError
from engine.program import Position, Program
from engine.program.cards import DECK_OF, ID_OF, NAME_OF

Json = dict[str, Any]
FOLDER = Path(__file__).parent / "cases"
BASES: Json = json.loads((FOLDER / "bases.json").read_text(encoding="utf-8"))
NOTHING = {"food": 0, "credits": 0, "responses": 0}


def groups() -> list[str]:
    """The names of the tables."""
    return sorted(path.stem for path in FOLDER.glob("*.json") if path.stem != "bases")


def read(group: str) -> list[Json]:
    """The cases of one table."""
    cases: list[Json] = json.loads((FOLDER / f"{group}.json").read_text(encoding="utf-8"))
    return cases


def card(reference: str) -> str:
    """The id that "@Name" or "@Name/copy" stands for."""
    name, _, number = reference.removeprefix("@").partition("/")
    copies = [ID_OF[i] for i, other in enumerate(NAME_OF) if other == name]
    return copies[int(number or 1) - 1]


def spelled_out(value: Any) -> Any:
    """JSON with all references to cards replaced by their ids."""
    if isinstance(value, dict):
        return {spelled_out(key): spelled_out(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [spelled_out(inner) for inner in value]
    return card(value) if isinstance(value, str) and value.startswith("@") else value


def roll(seed: bytes, stream: str, n: int) -> int:
    """A die, straight from the definition of a draw; numbers close to 2^64 are not to be had."""
    digest = hmac.new(seed, f"{stream}:{n}:0".encode(), hashlib.sha256).digest()
    return int.from_bytes(digest[:8], "big") % 6 + 1


def find_seed(dice: Json) -> str:
    """The first seed, counting up from 0, whose dice in combat 0 are those."""
    wanted = [
        (f"{side}.0", 2 * i + j, pips)
        for side, rolls in dice.items()
        for i, pair in enumerate(rolls)
        for j, pips in enumerate(pair)
    ]
    for number in itertools.count():
        seed = number.to_bytes(32, "big")
        if all(roll(seed, stream, n) == pips for stream, n, pips in wanted):
            return seed.hex()
    raise AssertionError("unreachable")


def build(case: Json) -> Json:
    """The JSON of the position that a case starts from."""
    position: Json = copy.deepcopy(BASES[case["base"]])
    overrides = copy.deepcopy(case.get("set", {}))
    for seat, fields in overrides.pop("towns", {}).items():
        position["towns"][int(seat)] |= fields
    position |= overrides
    position = spelled_out(position)
    position.setdefault("seed", "0" * 64)
    position.setdefault("resigned", [False] * position["seats"])
    for deck in ("market", "wastes", "project"):
        fill(position, deck)
    stamps = [town.get(name, 0) for town in position["towns"] for name in ("arrival", "four")]
    position.setdefault("clock", max(stamps))
    if "dice" in case:
        position["seed"] = find_seed(case["dice"])
    return position


def fill(position: Json, deck: str) -> None:
    """Put the cards of a deck that are nowhere else into it, or into its discard pile."""
    top = position.pop(f"{deck}Top", [])
    rest_to_pile = position.get(f"{deck}Discard") == "rest"
    if rest_to_pile:
        position[f"{deck}Discard"] = []
    name = {"project": "projects"}.get(deck, deck)
    placed = {*top, *texts({key: value for key, value in position.items() if key != "used"})}
    rest = [i for i, of in zip(ID_OF, DECK_OF, strict=True) if of == name and i not in placed]
    position[f"{deck}Deck"] = top if rest_to_pile else top + rest
    if rest_to_pile:
        position[f"{deck}Discard"] = rest


def texts(value: Any) -> list[str]:
    """All strings in JSON, the ids of all cards that are placed among them."""
    if isinstance(value, dict):
        return [text for inner in value.values() for text in texts(inner)]
    if isinstance(value, list):
        return [text for inner in value for text in texts(inner)]
    return [value] if isinstance(value, str) else []


def load(case: Json) -> Program:
    """A match that stands where the case starts."""
    raw = msgspec.json.encode(build(case))
    return Program.from_position(msgspec.json.decode(raw, type=Position))


def plain(value: Any) -> Any:
    """A struct as JSON builtins, as it goes over the wire."""
    return msgspec.json.decode(msgspec.json.encode(value))


def difference(expected: Any, found: Any, path: str) -> str | None:
    """Where `found` departs from `expected`, or None."""
    if isinstance(expected, dict):
        if isinstance(found, dict) and set(found) == set(NOTHING):
            expected = NOTHING | expected
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


def filled(action: Json) -> Json:
    """An action with its resources whole."""
    return {
        key: NOTHING | value if key in ("resources", "keep") else value
        for key, value in action.items()
    }


def refusal(game: Program, seat: int, action: Any) -> str | None:
    """The code with which an answer is refused; None where it is legal, and listed too."""
    try:
        read_action = game.decode(seat, msgspec.json.encode(action))
        game.check(seat, read_action)
    except ActionError as error:
        return error.code
    if game.pending()[seat] != "maintenance":
        assert read_action in game.legal(seat), f"{action} is legal and not listed"
    return None


def step(game: Program, named: Json) -> list[Json]:
    """Settle one decision; returns its events."""
    answers = {seat: game.default(seat) for seat in game.pending()}
    for key, action in named.items():
        seat = int(key)
        assert seat in answers, f"seat {seat} is not asked: {dict(game.pending())}"
        code = refusal(game, seat, action)
        assert code is None, f"{action} of seat {seat} refused: {code}"
        answers[seat] = game.decode(seat, msgspec.json.encode(action))
    return [plain(event) for event in game.advance(answers)]


def verify(case: Json) -> None:
    """Play a case; AssertionError where the engine departs from it."""
    game = load(case)
    then = spelled_out(case["then"])
    events: list[Json] = []
    for named in spelled_out(case.get("play", [])):
        events += step(game, named)
    if "pending" in then:
        assert {str(seat): kind for seat, kind in game.pending().items()} == then["pending"]
    for seat, actions in then.get("legal", {}).items():
        for action in actions:
            code = refusal(game, int(seat), action)
            assert code is None, f"{action} is legal, but refused: {code}"
    for seat, by_code in then.get("illegal", {}).items():
        for code, actions in by_code.items():
            for action in actions:
                found = refusal(game, int(seat), action)
                assert found == code, f"{action}: expected {code}, found {found}"
    for seat, action in then.get("default", {}).items():
        assert plain(game.default(int(seat))) == filled(action)
    for seat, fields in then.get("view", {}).items():
        view = plain(game.view(None if seat == "spectator" else int(seat)))
        wrong = difference(fields, view, f"view {seat}")
        assert not wrong, wrong
    if "position" in then:
        wrong = difference(then["position"], plain(game.position()), "position")
        assert not wrong, wrong
    if "outcome" in then:
        assert plain(game.outcome()) == then["outcome"]
    at = iter(events)
    for expected in then.get("events", []):
        assert any(not difference(expected, found, "event") for found in at), (
            f"{expected} is not, in its place, among {events}"
        )
    for name in then.get("noEvents", []):
        assert name not in [event["event"] for event in events]
