"""Reading a bot's JSON as a typed action of the kind that was asked."""

from __future__ import annotations

from typing import Any

import msgspec

from engine.game import Action, MalformedAction
from engine.pioneers.actions import KINDS
from engine.plain import printable

_MAX_MESSAGE = 200
_DECODERS: dict[str, msgspec.json.Decoder[Any]] = {
    kind: msgspec.json.Decoder(type_) for kind, type_ in KINDS.items()
}


def read(kind: str, raw: bytes | msgspec.Raw) -> Action:
    """`raw` as an action of `kind`. Whatever the bytes, raises nothing but MalformedAction."""
    try:
        action: Action = _DECODERS[kind].decode(raw)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise MalformedAction(printable(str(error), limit=_MAX_MESSAGE)) from None
    except RecursionError:
        raise MalformedAction("the JSON is nested too deeply") from None
    return action
