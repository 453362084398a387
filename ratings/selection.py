"""Choosing and ordering the rows of a table, by what a person types."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping

import msgspec

from ratings.tables import Table, Value


class SelectionError(ValueError):
    """A column or a condition that cannot be understood; the message says what is allowed."""


_OPERATORS: dict[str, Callable[[Value, Value], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<=": lambda one, other: one <= other,  # type: ignore[operator]
    ">=": lambda one, other: one >= other,  # type: ignore[operator]
    "<": lambda one, other: one < other,  # type: ignore[operator]
    ">": lambda one, other: one > other,  # type: ignore[operator]
    "~": lambda one, other: str(other).casefold() in str(one).casefold(),
}
_CONDITION = re.compile(r"\s*(?P<key>\w+)\s*(?P<sign>!=|<=|>=|=|<|>|~)\s*(?P<value>.*?)\s*")


def where(table: Table, condition: str) -> Table:
    """The rows that meet a condition: `games>=40`, `bot=greedy`, `bot~gree` (contains).

    Numbers are compared as numbers; a row without a value in the column only meets `!=`.
    Raises SelectionError.
    """
    match = _CONDITION.fullmatch(condition)
    if match is None:
        raise SelectionError(
            f"{condition!r} is no condition; write COLUMN, one of {' '.join(_OPERATORS)}, VALUE"
        )
    key, sign = _column(table, match["key"]), match["sign"]
    meets = _OPERATORS[sign]
    present = [row[key] for row in table.rows if row[key] is not None]
    numeric = all(isinstance(value, int | float) for value in present) and sign != "~"
    wanted: Value = match["value"]
    if numeric and present:
        wanted = _number(match["value"], key)

    def chosen(row: Mapping[str, Value]) -> bool:
        value = row[key]
        return sign == "!=" if value is None else meets(value, wanted)

    return msgspec.structs.replace(table, rows=tuple(row for row in table.rows if chosen(row)))


def sort(table: Table, order: str) -> Table:
    """The rows by a column: `games` from small to large, `-games` from large to small.

    Rows without a value come last; equals stay in the order they had. Raises SelectionError.
    """
    key = _column(table, order.removeprefix("-"))
    present = [row for row in table.rows if row[key] is not None]
    missing = [row for row in table.rows if row[key] is None]
    present.sort(key=lambda row: row[key], reverse=order.startswith("-"))  # type: ignore[arg-type, return-value]
    return msgspec.structs.replace(table, rows=(*present, *missing))


def _column(table: Table, key: str) -> str:
    known = [column.key for column in table.columns if not column.drawn]
    if key not in known:
        raise SelectionError(f"there is no column {key!r}; there are {', '.join(known)}")
    return key


def _number(text: str, key: str) -> float:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    try:
        return float(text)
    except ValueError:
        raise SelectionError(f"{key} holds numbers; {text!r} is none") from None
