"""What the README of the game lists is what the code has."""

from __future__ import annotations

import re
from importlib.resources import files

import msgspec

from engine.program import Program

FOLDER = files("engine.program")
README = FOLDER.joinpath("README.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    """The text of one section."""
    return README.split(f"\n## {title}\n")[1].split("\n## ")[0]


def first_cells(text: str) -> set[str]:
    """The names in the first column of the tables."""
    cells = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    return {name for cell in cells for name in re.findall(r"`([a-z_.A-Z]+)`", cell)}


def test_every_code_of_a_refusal_is_explained() -> None:
    sources = [path.read_text(encoding="utf-8") for path in FOLDER.iterdir() if path.is_file()]
    used = {
        code
        for source in sources
        for code in re.findall(r"(?:refuse|IllegalAction)\(\s*\"([a-z_]+)\"", source)
    }
    assert first_cells(section("Why an action is refused")) == used


def test_every_kind_of_decision_is_listed() -> None:
    assert first_cells(section("Decisions")) == set(Program.kinds)


def test_every_field_of_the_view_is_listed() -> None:
    fields = {field.encode_name for field in msgspec.structs.fields(Program.view_type)}
    assert first_cells(section("What a seat sees")) == fields
