"""Reading what a model wrote: the number of an action and what it says. Never a guess."""

from __future__ import annotations

import json
import re
from typing import Any

from msgspec import Struct

from engine.pioneers.actions import MAX_TALK

MOST_CHARACTERS = 16_000
_MOST_OBJECTS = 100  # openings of objects that are looked into
_NUMBER = re.compile(r"[0-9]{1,6}")
_MENTION = re.compile(r"""action["']?\s*[:=]\s*["']?([0-9]{1,6})""", re.IGNORECASE)
_END_OF_THOUGHT = "</think>"


class UnclearReply(ValueError):
    """The text does not name exactly one of the actions."""


class Reply(Struct, frozen=True):
    """action: from 1. say: at most MAX_TALK characters of one line, or None."""

    action: int
    say: str | None = None


def read_reply(text: str, actions: int) -> Reply:
    """The choice of one of `actions` that `text` holds. Raises UnclearReply.

    It is `{"action": 3, "say": "…"}`, whatever prose or code fence stands around it, or the bare
    number. It may stand there again, as an object or in a broken one or in prose, if it is the
    same. What a model thinks aloud, up to the last `</think>`, is not its answer.
    """
    answer = text.rpartition(_END_OF_THOUGHT)[2].strip()
    if len(answer) > MOST_CHARACTERS:
        raise UnclearReply(f"has {len(answer)} characters, more than {MOST_CHARACTERS}")
    if _NUMBER.fullmatch(answer):
        return Reply(_in_range(int(answer), actions))
    objects, around = _objects(answer)
    found = [item for item in objects if "action" in item]
    numbers = {_number(item["action"]) for item in found}
    if not numbers:
        raise UnclearReply("names no action")
    numbers.update(map(int, _MENTION.findall(around)))
    if len(numbers) > 1:
        raise UnclearReply(f"names {len(numbers)} actions")
    said = {_talk(item.get("say")) for item in found}
    return Reply(_in_range(numbers.pop(), actions), said.pop() if len(said) == 1 else None)


def _in_range(number: int, actions: int) -> int:
    if not 1 <= number <= actions:
        raise UnclearReply(f"names action {number}, there being 1 to {actions}")
    return number


def _number(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        return int(value)
    raise UnclearReply("has an action that is no number")


def _talk(value: object) -> str | None:
    """One line of talk; None for what is no text, or could not be sent."""
    if not isinstance(value, str):
        return None
    try:
        value.encode()
    except UnicodeEncodeError:  # half of a surrogate pair
        return None
    return " ".join(value.split())[:MAX_TALK] or None


def _objects(text: str) -> tuple[list[dict[str, Any]], str]:
    """The JSON objects that stand in `text`, outermost ones only, and the text around them."""
    decoder = json.JSONDecoder(object_pairs_hook=_once_each)
    found: list[dict[str, Any]] = []
    around = []
    done = 0
    start = text.find("{")
    for _ in range(_MOST_OBJECTS):
        if start < 0:
            break
        try:
            value, end = decoder.raw_decode(text, start)
        except UnclearReply:
            raise
        except (ValueError, RecursionError):
            start = text.find("{", start + 1)  # that brace was prose, or of a broken object
        else:
            found.append(value)
            around.append(text[done:start])
            done = end
            start = text.find("{", end)
    else:
        raise UnclearReply(f"has more than {_MOST_OBJECTS} braces")
    return found, " ".join((*around, text[done:]))


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise UnclearReply("has a field twice")
    return made
