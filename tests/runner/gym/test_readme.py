"""The README's tables are the layouts, and its example runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.encoding import Layout
from engine.pioneers.encoding import ENCODING

README = (Path(__file__).parents[3] / "runner" / "gym" / "README.md").read_text(encoding="utf-8")


def rows(heading: str) -> list[list[str]]:
    """The cells of the table in a section, without its head."""
    section = README.split(f"### {heading}\n")[1].split("\n### ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def described(layout: Layout, *, bounds: bool) -> list[list[str]]:
    return [
        [
            f"`{block.name}`",
            str(layout.starts[block.name]),
            str(block.size),
            *([str(block.most)] if bounds else []),
            block.meaning,
        ]
        for block in layout.blocks
    ]


def test_its_tables_are_the_layouts() -> None:
    assert rows("Choices") == described(ENCODING.choices, bounds=False)
    assert rows("Observation") == described(ENCODING.fields, bounds=True)
    assert f"There are {ENCODING.choices.size}, from 0 to {ENCODING.choices.size - 1}." in README
    assert f"{ENCODING.fields.size:,} numbers, each from 0" in README


def test_its_example_plays_a_match() -> None:
    pytest.importorskip("pettingzoo")
    (example,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    names: dict[str, object] = {}
    exec(example, names)
    assert names["over"] is True
    assert not names["env"].agents  # type: ignore[attr-defined]
