"""Tables as data, and the four ways in which they are shown: terminal, JSON, CSV, Markdown.

A table is columns and rows; every form shows the same rows. For people, cells are text made by
the column's format. JSON and CSV keep the numbers themselves.

Names come from outside. Control characters, line breaks and direction marks are written as
escapes, so that no name can move the cursor, colour the table or look like another one. CSV
cells that a spreadsheet would take for a formula begin with an apostrophe.
"""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias

from msgspec import Struct
from rich import box
from rich.table import Table as RichTable
from rich.text import Text

Value: TypeAlias = str | int | float | bool | None
Align: TypeAlias = Literal["left", "right"]


class Column(Struct, frozen=True):
    """One column: its key in JSON, CSV and rows, its heading, and how people see its values.

    needs: the terminal width in characters from which on the column is shown; JSON, CSV and
    Markdown always have it. shrinks: its text may be cut where the terminal is too narrow. wraps:
    if not 0, it goes on in the next line there, and needs no more than so many characters.
    drawn: a drawing of what other columns say in numbers, for people alone; JSON and CSV do
    without it.
    """

    key: str
    heading: str
    align: Align = "right"
    form: Callable[[Value], str] = lambda value: "" if value is None else str(value)
    needs: int = 0
    shrinks: bool = False
    wraps: int = 0
    drawn: bool = False


class Table(Struct, frozen=True):
    """Columns, and rows with a value for each column's key. note: a line for people, below."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[Mapping[str, Value], ...]
    note: str = ""


def fixed(digits: int, unit: str = "") -> Callable[[Value], str]:
    """A format: so many digits behind the point; nothing where there is no value."""

    def form(value: Value) -> str:
        return "" if value is None else f"{value:.{digits}f}{unit}"

    return form


def signed(value: Value) -> str:
    """A difference: +1.25, -0.50."""
    return f"{value:+.2f}" if isinstance(value, int | float) else ""


def percent(value: Value) -> str:
    """A share of 1 as a percentage; near certainty does not round to 100 %."""
    if not isinstance(value, int | float):
        return ""
    return ">99.9%" if 0.9995 <= value < 1 else f"{value:.1%}"


def milliseconds(value: Value) -> str:
    """A time in ms with three significant digits: 0.42, 17.3, 1250."""
    if not isinstance(value, int | float):
        return ""
    digits = 2 if value < 9.995 else 1 if value < 99.95 else 0
    return f"{value:.{digits}f}"


def escaped(text: str) -> str:
    r"""`text` with everything that is not simply visible, and "\\", as an escape like "\\x1b"."""
    return "".join(
        character.encode("unicode_escape").decode()
        if character == "\\" or _invisible(character)
        else character
        for character in text
    )


def to_terminal(table: Table, width: int) -> RichTable:
    """For a rich console that is `width` characters wide."""
    roomy = width >= _ROOMY
    shown = RichTable(
        title=escaped(table.title) or None,
        caption=escaped(table.note) or None,
        title_justify="left",
        caption_justify="left",
        title_style="bold",
        caption_style="dim",
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        padding=(0, 0, 0, 1 if roomy else 0),
        collapse_padding=True,
    )
    columns = [column for column in table.columns if width >= column.needs]
    for column in columns:
        # Columns that may be wrapped are narrowed first; cells of those that shrink never wrap.
        shown.add_column(
            Text(column.heading, no_wrap=True),
            justify=column.align,
            no_wrap=not (column.shrinks or column.wraps),
            overflow="fold" if column.wraps else "ellipsis",
            max_width=None if roomy else column.wraps or None,
        )
    for row in table.rows:
        shown.add_row(*(Text(cell(column, row), no_wrap=not column.wraps) for column in columns))
    return shown


def to_json(table: Table) -> str:
    """An array of one object per row, values as they are."""
    columns = [column for column in table.columns if not column.drawn]
    rows = [{column.key: row[column.key] for column in columns} for row in table.rows]
    text = json.dumps(rows, indent=2, ensure_ascii=False, allow_nan=False)
    # Outside of strings there are only line feeds and blanks, so that this stays the same JSON.
    return "".join(
        json.dumps(character)[1:-1] if character != "\n" and _invisible(character) else character
        for character in text
    )


def to_csv(table: Table) -> str:
    """RFC 4180 with a header of keys: numbers in full, text escaped, no value as no text."""
    out = io.StringIO()
    writer = csv.writer(out)
    columns = [column for column in table.columns if not column.drawn]
    writer.writerow([column.key for column in columns])
    for row in table.rows:
        writer.writerow([_defused(row[column.key]) for column in columns])
    return out.getvalue()


def to_markdown(table: Table) -> str:
    """A GitHub table, lined up for reading as plain text as far as widths allow."""
    texts = [[_markdown(column.heading) for column in table.columns]]
    texts += [[_markdown(cell(column, row)) for column in table.columns] for row in table.rows]
    widths = [max(3, *(_width(line[n]) for line in texts)) for n in range(len(table.columns))]
    lines = []
    for n, line in enumerate(texts):
        cells = []
        for column, text, width in zip(table.columns, line, widths, strict=True):
            pad = " " * (width - _width(text))
            cells.append(text + pad if column.align == "left" else pad + text)
        lines.append(f"| {' | '.join(cells)} |")
        if n == 0:
            rule = [
                "-" * width if column.align == "left" else "-" * (width - 1) + ":"
                for column, width in zip(table.columns, widths, strict=True)
            ]
            lines.append(f"| {' | '.join(rule)} |")
    return "\n".join(lines) + "\n"


_ROOMY = 100
_ORDINALS = {1: "1st", 2: "2nd", 3: "3rd"}


def ordinal(n: int) -> str:
    """A place in words of people: 1st, 2nd, 3rd, 4th."""
    return _ORDINALS.get(n, f"{n}th")


def cell(column: Column, row: Mapping[str, Value]) -> str:
    return escaped(column.form(row[column.key]))


def _invisible(character: str) -> bool:
    return character != " " and unicodedata.category(character)[0] in "CZ"


def _defused(value: Value) -> Value:
    # Spreadsheets run cells that begin like this as formulas (OWASP, "CSV Injection").
    if not isinstance(value, str):
        return value
    text = escaped(value)
    return "'" + text if text[:1] in ("=", "+", "-", "@") else text


def _markdown(text: str) -> str:
    for special in "\\|`*_[]<>":
        text = text.replace(special, "\\" + special)
    return text


def _width(text: str) -> int:
    return Text(text).cell_len
