"""The whole published reference as documents: one JSON Schema a file, and the AsyncAPI document.

messages/TYPE.schema.json, GAME/view.schema.json, GAME/event.schema.json and
GAME/action.KIND.schema.json refer to each other by relative paths; asyncapi.json stands alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, get_args

from msgspec import Struct

from engine.game import Game
from runner import protocol as wire
from runner.schema.asyncapi import asyncapi_document
from runner.schema.components import Examples, Schema, components, example_of
from runner.schema.examples import Gallery, as_json

DIALECT = "https://json-schema.org/draft/2020-12/schema"
SUFFIX = ".schema.json"
CLIENT_MESSAGES: tuple[type[Struct], ...] = (wire.Hello, wire.Answer)
SERVER_MESSAGES: tuple[type[Struct], ...] = get_args(wire.ServerMessage)


def documents(games: Iterable[type[Game]]) -> dict[str, Schema]:
    """By path: every document of the reference. Raises LookupError for an undescribed field."""
    galleries = {game: Gallery(game) for game in games}
    examples = _wire_examples(galleries)
    made: dict[str, Schema] = {}
    for message in (*CLIENT_MESSAGES, *SERVER_MESSAGES):
        schema = _standalone(message, examples)
        schema["examples"] = [example_of(message, examples)]
        _link_games(schema, message, tuple(galleries))
        made[f"messages/{type_name(message)}{SUFFIX}"] = schema
    for game, gallery in galleries.items():
        made[f"{game.id}/view{SUFFIX}"] = _standalone(game.view_type, gallery.by_field)
        made[f"{game.id}/event{SUFFIX}"] = _standalone(game.event_type, gallery.by_field)
        for kind, actions in game.kinds.items():
            made[f"{game.id}/action.{kind}{SUFFIX}"] = _standalone(actions, gallery.by_field)
    by_game = {game: gallery.by_field for game, gallery in galleries.items()}
    made["asyncapi.json"] = asyncapi_document(
        CLIENT_MESSAGES, SERVER_MESSAGES, type_name, examples, by_game
    )
    return made


def write(made: Mapping[str, Schema], folder: Path) -> None:
    """Write documents below `folder`, over those of an earlier time. Raises OSError."""
    for name, document in made.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(document, indent=2, ensure_ascii=False)
        path.write_text(f"{text}\n", encoding="utf-8")


def type_name(message: type[Struct]) -> str:
    """What a message is called on the wire."""
    tag = message.__struct_config__.tag
    return tag if isinstance(tag, str) else "answer"


def _standalone(type_: Any, examples: Examples) -> Schema:
    (top,), named = components([type_], examples, "#/$defs/{name}")
    return {"$schema": DIALECT, **top, "$defs": named}


def _link_games(schema: Schema, message: type[Struct], games: tuple[type[Game], ...]) -> None:
    """Say what a message's game-made parts look like, in the files of the games."""
    name = message.__name__
    properties = schema["$defs"][name]["properties"]
    if message is wire.Request:
        # Which view it is hangs on the game that the request names.
        schema["allOf"] = [
            {
                "if": {"properties": {"game": {"const": game.id}}},
                "then": {"properties": {"view": {"$ref": f"../{game.id}/view{SUFFIX}"}}},
            }
            for game in games
        ]
        properties["game"]["enum"] = [game.id for game in games]
    elif message is wire.MatchEvent:
        properties["event"]["anyOf"] = [{"$ref": f"../{g.id}/event{SUFFIX}"} for g in games]
    elif message in (wire.Answer, wire.Strike):
        field = "action" if message is wire.Answer else "applied"
        properties[field]["anyOf"] = [
            {"$ref": f"../{game.id}/action.{kind}{SUFFIX}"} for game in games for kind in game.kinds
        ]


def _wire_examples(galleries: Mapping[type[Game], Gallery]) -> Examples:
    """Examples of what is a game's in a message: from the first of the games."""
    game, gallery = next(iter(galleries.items()))
    kind = next(iter(game.kinds))
    action = as_json(gallery.actions[kind])
    return {
        (wire.MatchStart, "game"): game.id,
        (wire.Request, "game"): game.id,
        (wire.Request, "kind"): kind,
        (wire.Request, "view"): as_json(gallery.views[kind]),
        (wire.Answer, "action"): action,
        (wire.Strike, "applied"): action,
        (wire.MatchEvent, "event"): as_json(gallery.event),
        (wire.MatchEnd, "reason"): game.reasons[0],
    }
