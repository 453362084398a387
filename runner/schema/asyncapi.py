"""The protocol as one AsyncAPI 3 document, from the server's side.

AsyncAPI's own schemas are those of JSON Schema draft 7, into which the structs' are put here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from engine.game import Game
from runner import protocol as wire
from runner.schema.components import Examples, Schema, components, example_of

VERSION = "3.0.0"
_SCHEMAS = "#/components/schemas/"
_MESSAGES = "#/channels/play/messages/"
_TEXT = (
    "Bots and the server exchange JSON objects in text frames of at most "
    f"{wire.MAX_FRAME_BYTES // 1024} KiB over one WebSocket per bot. Fields that a side does not "
    "know are ignored. `x-unit` is the unit of a field's numbers."
)


def asyncapi_document(
    from_bots: tuple[type[Struct], ...],
    to_bots: tuple[type[Struct], ...],
    type_name: Callable[[type[Struct]], str],
    examples: Examples,
    games: Mapping[type[Game], Examples],
) -> Schema:
    """The document. examples: of the messages' fields; games: of the fields of each game."""
    messages = (*from_bots, *to_bots)
    schemas = _schemas(messages, examples, games)
    _link_games(schemas, tuple(games))
    names = [type_name(message) for message in messages]
    return {
        "asyncapi": VERSION,
        "info": {
            "title": "Play protocol",
            "version": str(wire.VERSION),
            "description": _TEXT,
        },
        "defaultContentType": "application/json",
        "servers": {"plain": _server("ws"), "secure": _server("wss")},
        "channels": {"play": _channel(names)},
        "operations": {
            **{
                f"receive_{type_name(message)}": _operation("receive", type_name(message), message)
                for message in from_bots
            },
            **{
                f"send_{type_name(message)}": _operation("send", type_name(message), message)
                for message in to_bots
            },
        },
        "components": {
            "messages": {
                type_name(message): _message(type_name(message), message, examples)
                for message in messages
            },
            "schemas": schemas,
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "The bot's token for the season; `hello` may carry it instead.",
                }
            },
        },
    }


def _server(protocol: str) -> Schema:
    secure = "with TLS" if protocol == "wss" else "without TLS"
    return {
        "host": "{host}:{port}",
        "protocol": protocol,
        "description": f"A season {secure}.",
        "variables": {
            "host": {"default": "127.0.0.1", "description": "Where the season runs."},
            "port": {"default": "8765", "description": "Its port."},
        },
        "security": [{"$ref": "#/components/securitySchemes/token"}],
    }


def _channel(names: list[str]) -> Schema:
    headers = {
        "type": "object",
        "properties": {
            "Authorization": {
                "type": "string",
                "description": "`Bearer` and the token, unless it is in `hello`.",
            },
            "Sec-WebSocket-Protocol": {
                "const": wire.SUBPROTOCOL,
                "description": "The subprotocol, which names the version.",
            },
        },
    }
    return {
        "address": wire.PATH,
        "description": "One socket carries every match that a bot is in.",
        "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in names},
        "bindings": {"ws": {"method": "GET", "headers": headers, "bindingVersion": "0.1.0"}},
    }


def _operation(action: str, name: str, message: type[Struct]) -> Schema:
    operation: Schema = {
        "action": action,
        "channel": {"$ref": "#/channels/play"},
        "messages": [{"$ref": f"{_MESSAGES}{name}"}],
        "summary": _summary(message),
    }
    replies = {"hello": ("welcome", "error"), "request": ("answer",)}.get(name)
    if replies is not None:
        operation["reply"] = {
            "channel": {"$ref": "#/channels/play"},
            "messages": [{"$ref": f"{_MESSAGES}{reply}"} for reply in replies],
        }
    return operation


def _message(name: str, message: type[Struct], examples: Examples) -> Schema:
    return {
        "name": name,
        "title": message.__name__,
        "summary": _summary(message),
        "payload": {"$ref": f"{_SCHEMAS}{message.__name__}"},
        "examples": [{"name": name, "payload": example_of(message, examples)}],
    }


def _summary(message: type[Struct]) -> str:
    return (message.__doc__ or "").partition("\n")[0]


def _schemas(
    messages: tuple[type[Struct], ...],
    examples: Examples,
    games: Mapping[type[Game], Examples],
) -> dict[str, Schema]:
    """Those of the messages by name, those of a game by its id and the name."""
    _, made = components(messages, examples, _SCHEMAS + "{name}")
    for game, shown in games.items():
        types = {"view": game.view_type, "event": game.event_type}
        types |= {f"action.{kind}": actions for kind, actions in game.kinds.items()}
        tops, named = components(types.values(), shown, f"{_SCHEMAS}{game.id}.{{name}}")
        made |= {f"{game.id}.{name}": schema for name, schema in named.items()}
        made |= {f"{game.id}.{what}": top for what, top in zip(types, tops, strict=True)}
    return {name: _draft_7(schema) for name, schema in made.items()}


def _link_games(schemas: dict[str, Schema], games: tuple[type[Game], ...]) -> None:
    """Say what a message's game-made parts look like."""

    def any_of(*parts: str) -> list[Schema]:
        return [{"$ref": f"{_SCHEMAS}{part}"} for part in parts]

    actions = [f"{game.id}.action.{kind}" for game in games for kind in game.kinds]
    properties = {name: schemas[name]["properties"] for name in ("Request", "MatchEvent")}
    properties["Request"]["view"]["anyOf"] = any_of(*(f"{game.id}.view" for game in games))
    properties["MatchEvent"]["event"]["anyOf"] = any_of(*(f"{game.id}.event" for game in games))
    schemas["Answer"]["properties"]["action"]["anyOf"] = any_of(*actions)
    schemas["Strike"]["properties"]["applied"]["anyOf"] = any_of(*actions)


def _draft_7(value: Any) -> Any:
    """A schema of 2020-12 in the words of draft 7, as far as msgspec uses them."""
    if isinstance(value, list):
        return [_draft_7(inner) for inner in value]
    if not isinstance(value, dict):
        return value
    made = {key: _draft_7(inner) for key, inner in value.items()}
    if "prefixItems" in made:
        made["additionalItems"] = made.get("items", True)
        made["items"] = made.pop("prefixItems")
    if isinstance(made.get("$ref"), str) and len(made) > 1:
        # What stands beside a reference does not count there.
        made["allOf"] = [{"$ref": made.pop("$ref")}]
    return made
