"""Tables: the same rows in every form, at every width, whatever the bots are called."""

from __future__ import annotations

import csv
import io
import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from ratings.reports.rating import rating_table
from ratings.skill import Skill
from ratings.standings import standings
from ratings.tables import (
    Column,
    Table,
    escaped,
    fixed,
    milliseconds,
    to_csv,
    to_json,
    to_markdown,
    to_terminal,
)
from tests.ratings.made import ranked, season

NAMES = [
    "plain",
    "日本語ボット",
    "red\x1b[31m",
    "two\nlines",
    "pipe|star*",
    "=SUM(A1)",
    "\u202egnirts",
    "a" * 60,
    "back\\x1b",
    "é\u0301combined",
    "<b>&amp;",
    "[bold]markup[/bold]",
]


def named_table() -> Table:
    played = [ranked(f"m{n}", *NAMES[n:], *NAMES[:n]) for n in range(3)]
    return rating_table(standings(played, Skill()), "A season")


def terminal(table: Table, width: int) -> list[str]:
    console = Console(width=width, file=io.StringIO(), force_terminal=False, color_system=None)
    console.print(to_terminal(table, width))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


@pytest.mark.parametrize("width", [80, 100, 120, 200])
def test_one_line_a_row_at_every_width(width: int) -> None:
    table = rating_table(standings(season(300, 12, seed=1), Skill()), "A season")
    lines = terminal(table, width)
    assert len(lines) == 1 + 1 + 1 + 12 + 1
    assert all(cell_len(line) <= width for line in lines)
    heading, rows = lines[1], lines[3:15]
    for column in ("rating", "μ", "σ", "games", "1st", "4th", "seat", "strikes", "p50", "p99"):
        assert column in heading
    # No number may be cut: the first words of a line are rank, name, then (version,) rating.
    for line, row in zip(rows, table.rows, strict=True):
        assert f"{row['rating']:.2f}" in line.split()
        assert f"{row['mu']:.2f}" in line.split()
        assert "…" not in line


@pytest.mark.parametrize("width", [80, 200])
def test_strange_names_neither_break_nor_fool_the_table(width: int) -> None:
    lines = terminal(named_table(), width)
    rows = lines[3:-1]
    assert len(rows) == len(NAMES)
    # The same column begins in the same cell in every line.
    ends = {cell_len(line.rstrip()) for line in rows}
    assert len(ends) == 1
    for line in lines:
        assert all(c == " " or unicodedata.category(c)[0] not in "CZ" for c in line)


def test_names_that_differ_look_different() -> None:
    assert escaped("red\x1b[31m") == r"red\x1b[31m"
    assert escaped(r"red\x1b[31m") == r"red\\x1b[31m"
    assert escaped("\u202egnirts") == r"\u202egnirts"
    assert escaped("a\u00a0b") == r"a\xa0b"


@given(one=st.text(), other=st.text())
def test_escaping_is_one_to_one_and_leaves_nothing_invisible(one: str, other: str) -> None:
    assert (escaped(one) == escaped(other)) == (one == other)
    assert all(c == " " or unicodedata.category(c)[0] not in "CZ" for c in escaped(one))


def test_json_has_the_values_themselves() -> None:
    table = named_table()
    text = to_json(table)
    assert json.loads(text) == [
        {column.key: row[column.key] for column in table.columns if not column.drawn}
        for row in table.rows
    ]
    assert "日本語ボット" in text
    assert all(c in "\n " or unicodedata.category(c)[0] not in "CZ" for c in text)


def test_csv_has_the_numbers_in_full_and_no_formula() -> None:
    table = named_table()
    rows = list(csv.DictReader(io.StringIO(to_csv(table))))
    assert [float(row["rating"]) for row in rows] == [row["rating"] for row in table.rows]
    assert {row["bot"] for row in rows} == {
        "'=SUM(A1)" if name == "=SUM(A1)" else escaped(name) for name in NAMES
    }


def test_markdown_has_the_same_number_of_cells_in_every_line() -> None:
    lines = to_markdown(named_table()).splitlines()
    assert len(lines) == 2 + len(NAMES)
    bars = {line.replace(r"\|", "").count("|") for line in lines}
    assert len(bars) == 1
    assert len({cell_len(line) for line in lines}) == 1
    assert r"pipe\|star\*" in to_markdown(named_table())
    assert r"\<b\>" in to_markdown(named_table())


def test_every_form_has_the_same_rows() -> None:
    table = rating_table(standings(season(40, 6, seed=2), Skill()))
    names = [row["bot"] for row in table.rows]
    assert [row["bot"] for row in json.loads(to_json(table))] == names
    assert [row["bot"] for row in csv.DictReader(io.StringIO(to_csv(table)))] == names
    assert [line.split("|")[2].strip() for line in to_markdown(table).splitlines()[2:]] == names
    assert [line.split()[1] for line in terminal(table, 200)[2:-1]] == names


def test_an_empty_season_has_a_heading() -> None:
    table = rating_table((), "Nothing yet")
    assert json.loads(to_json(table)) == []
    assert to_csv(table).splitlines()[0].startswith("rank,bot,")
    assert "Nothing yet" in terminal(table, 80)[0]
    assert len(to_markdown(table).splitlines()) == 2


def test_formats() -> None:
    assert [fixed(2)(value) for value in (1.005, 3, None)] == ["1.00", "3.00", ""]
    assert [milliseconds(value) for value in (0.42, 9.994, 9.996, 17.34, 99.96, 1250.0)] == [
        "0.42",
        "9.99",
        "10.0",
        "17.3",
        "100",
        "1250",
    ]
    assert milliseconds(None) == ""


def test_a_column_can_wait_for_a_wider_terminal() -> None:
    table = Table("", (Column("a", "always"), Column("b", "wide", needs=100)), ({"a": 1, "b": 2},))
    assert "wide" not in "".join(terminal(table, 80))
    assert "wide" in "".join(terminal(table, 100))
    assert "wide" in to_markdown(table)
