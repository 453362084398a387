"""The kit stands on the engine and the wire messages alone, and knows no game by name."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import runner.bot
import runner.bots

KIT = Path(runner.bot.__file__).parent
BOTS = Path(runner.bots.__file__).parent


def imports(path: Path) -> Iterator[str]:
    """What a file imports, `from a import b` as "a.b"."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} has a relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def outside(path: Path, allowed: tuple[str, ...]) -> list[str]:
    return [
        name
        for name in imports(path)
        if name.split(".")[0] not in sys.stdlib_module_names
        and not any(name == prefix or name.startswith(f"{prefix}.") for prefix in allowed)
    ]


@pytest.mark.parametrize("path", sorted(KIT.glob("*.py")), ids=lambda path: path.name)
def test_the_kit(path: Path) -> None:
    allowed = (
        "engine.game",
        "engine.catalog",
        "runner.protocol",
        "runner.bot",
        "msgspec",
        "websockets",
        "uvloop",
    )
    assert outside(path, allowed) == []


@pytest.mark.parametrize("path", sorted(BOTS.glob("*.py")), ids=lambda path: path.name)
def test_the_reference_bots(path: Path) -> None:
    allowed = ("engine", "runner.protocol", "runner.bot", "runner.bots", "msgspec")
    assert outside(path, allowed) == []
