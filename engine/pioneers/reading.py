"""Reading a bot's JSON as a typed action of the kind that was asked."""

from __future__ import annotations

from typing import Any

import msgspec

from engine.game import Action, MalformedAction
from engine.pioneers.actions import KINDS

_MAX_MESSAGE = 200
_DECODERS: dict[str, msgspec.json.Decoder[Any]] = {
    kind: msgspec.json.Decoder(type_) for kind, type_ in KINDS.items()
}


def read(kind: str, raw: bytes | msgspec.Raw) -> Action:
    """`raw` as an action of `kind`. Whatever the bytes, raises nothing but MalformedAction."""
    try:
        action: Action = _DECODERS[kind].decode(raw)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise MalformedAction(_printable(str(error))) from None
    except RecursionError:
        raise MalformedAction("the JSON is nested too deeply") from None
    return action


def _printable(message: str) -> str:
    """The decoder's message, which may quote the bot, made safe to print and not too long."""
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in message)
    return shown if len(shown) <= _MAX_MESSAGE else shown[: _MAX_MESSAGE - 1] + "…"
