"""Reading a bot's JSON as a typed action, whatever the game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from engine.game import Action, MalformedAction
from engine.plain import printable

_MAX_MESSAGE = 200


class Reader:
    """Reads the answers of one game, by decision kind."""

    __slots__ = ("_decoders",)

    def __init__(self, kinds: Mapping[str, Any]) -> None:
        """kinds: the type of the actions of each decision kind."""
        self._decoders: dict[str, msgspec.json.Decoder[Any]] = {
            kind: msgspec.json.Decoder(type_) for kind, type_ in kinds.items()
        }

    def read(self, kind: str, raw: bytes | msgspec.Raw) -> Action:
        """`raw` as an action of `kind`. Whatever the bytes, raises nothing but MalformedAction."""
        try:
            action: Action = self._decoders[kind].decode(raw)
        except (msgspec.DecodeError, UnicodeError) as error:
            raise MalformedAction(printable(str(error), limit=_MAX_MESSAGE)) from None
        except RecursionError:
            raise MalformedAction("the JSON is nested too deeply") from None
        return action
