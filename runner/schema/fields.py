"""What the docstring below a struct's field says: text, unit, example.

    deadline_ms: int
    \"\"\"How long there is left. [ms] Example: `5000`\"\"\"

The unit is that of every number in the field. The example is JSON; where real matches show one,
it is left out.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
import textwrap
from collections.abc import Mapping
from functools import cache
from typing import Any

from msgspec import UNSET, Struct, UnsetType

_PARTS = re.compile(
    r"(?P<text>.*?)(?: \[(?P<unit>[^\]]+)\])?(?: Example: `(?P<example>.+)`)?", re.DOTALL
)


class FieldDoc(Struct, frozen=True):
    """A field as it is published; `example` is UNSET where the docstring has none."""

    text: str
    unit: str | None = None
    example: Any | UnsetType = UNSET


@cache
def docs_of(struct: type[Struct]) -> Mapping[str, FieldDoc]:
    """By name in Python: the docs of a struct's fields, inherited ones included.

    Raises ValueError for an example that is no JSON.
    """
    docs: dict[str, FieldDoc] = {}
    for base in reversed(struct.__mro__):
        if issubclass(base, Struct) and base is not Struct and base.__module__ != "msgspec":
            docs |= _own_docs(base)
    return docs


def _own_docs(struct: type[Struct]) -> dict[str, FieldDoc]:
    source = textwrap.dedent(inspect.getsource(struct))
    (definition,) = ast.parse(source).body
    assert isinstance(definition, ast.ClassDef)
    docs = {}
    for field, below in zip(definition.body, definition.body[1:], strict=False):
        match field, below:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                docs[name] = _read(f"{struct.__name__}.{name}", " ".join(text.split()))
    return docs


def _read(where: str, text: str) -> FieldDoc:
    parts = _PARTS.fullmatch(text)
    assert parts is not None, "every part may be missing"
    example = parts["example"]
    try:
        value = UNSET if example is None else json.loads(example)
    except ValueError as error:
        raise ValueError(f"{where}: the example is no JSON: {error}") from error
    return FieldDoc(parts["text"], parts["unit"], value)
