"""Three rooms and one direction: runner -> engine, runner -> ratings. Read from the imports."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.catalog import GAMES

ROOT = Path(__file__).parents[1]
ROOMS = ("engine", "ratings", "runner")

TOP_LEVEL = {
    ".ci",
    ".gitignore",
    "CHANGELOG.md",
    "LICENSE",
    "README.md",
    "configs",
    "engine",
    "pyproject.toml",
    "ratings",
    "runner",
    "tests",
}

# The rules are pure: no clock, no chance but the seed's, no input and output, no tasks.
IMPURE = {
    "asyncio",
    "concurrent",
    "logging",
    "multiprocessing",
    "os",
    "random",
    "secrets",
    "selectors",
    "socket",
    "sqlite3",
    "subprocess",
    "tempfile",
    "threading",
    "time",
    "uuid",
}

# What a bot of the kit brings along: rules and wire, and nothing of the server.
KIT = {"engine", "runner.bot", "runner.protocol", "msgspec", "websockets", "uvloop"}

GAME_PACKAGES = sorted(path.parent.name for path in (ROOT / "engine").glob("*/__init__.py"))


def modules(*parts: str) -> list[Path]:
    """The Python files under a folder of the project."""
    found = sorted((ROOT.joinpath(*parts)).rglob("*.py"))
    assert found, f"nothing under {parts}"
    return found


def imports_of(path: Path) -> Iterator[tuple[int, str]]:
    """Line and full name of everything that a file imports, wherever in the file."""
    return imports_in(path.read_bytes(), path.relative_to(ROOT).parts[:-1])


def imports_in(source: bytes, package: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """The same for the text of a module in `package`."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join((*base, *(node.module or "").split("."))).strip(".")
            for alias in node.names:
                yield node.lineno, f"{module}.{alias.name}"


def within(name: str, allowed: set[str]) -> bool:
    """Whether a dotted name is one of `allowed` or lies in it."""
    parts = name.split(".")
    return any(".".join(parts[:length]) in allowed for length in range(1, len(parts) + 1))


def is_standard(name: str) -> bool:
    """Whether a dotted name is of the standard library."""
    return name.split(".")[0] in sys.stdlib_module_names


def breaches(paths: list[Path], allowed: set[str], forbidden: set[str]) -> list[str]:
    """Imports that are neither of the standard library nor allowed, or are forbidden."""
    return [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in paths
        for line, name in imports_of(path)
        if within(name, forbidden) or not (is_standard(name) or within(name, allowed))
    ]


def test_the_engine_is_pure() -> None:
    assert breaches(modules("engine"), {"engine", "msgspec"}, IMPURE) == []


def test_ratings_know_neither_games_nor_sockets() -> None:
    rating_libraries = {"ratings", "msgspec", "numpy", "rich", "scipy", "sqlalchemy", "trueskill"}
    forbidden = {"asyncio", "socket", "engine", "runner"}
    assert breaches(modules("ratings"), rating_libraries, forbidden) == []


def test_the_kit_needs_nothing_of_the_server() -> None:
    assert breaches(modules("runner", "bot"), KIT, set()) == []


def test_reference_bots_are_written_against_the_kit() -> None:
    bots, llm = modules("runner", "bots"), modules("runner", "bots", "llm")
    assert breaches([path for path in bots if path not in llm], KIT | {"runner.bots"}, set()) == []
    assert breaches(llm, KIT | {"runner.bots", "httpx"}, set()) == []


@pytest.mark.parametrize("room", ROOMS)
def test_nothing_that_is_shipped_imports_tests(room: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in modules(room)
        for line, name in imports_of(path)
        if name.split(".")[0] in ("tests", "pytest", "hypothesis")
    ]
    assert found == []


def test_only_the_catalog_knows_which_games_there_are() -> None:
    """The runner and the ratings serve any game; of the bots, some play a certain one."""
    assert GAME_PACKAGES
    games = {f"engine.{package}" for package in GAME_PACKAGES}
    shared = [path for path in modules("engine") if path.parent == ROOT / "engine"]
    bots = ROOT / "runner" / "bots"
    generic = [path for path in modules("runner") if bots not in path.parents]
    found = []
    for path in [*shared, *generic, *modules("ratings")]:
        if path == ROOT / "engine" / "catalog.py":
            continue
        found += [
            f"{path}:{line} imports {name}"
            for line, name in imports_of(path)
            if within(name, games)
        ]
    assert found == []


def test_no_game_is_named_in_the_code_that_serves_them_all() -> None:
    bots = ROOT / "runner" / "bots"
    found = []
    for path in [*modules("runner"), *modules("ratings")]:
        if bots in path.parents:
            continue
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                value = node.value
                if value in GAMES or within(value, {f"engine.{name}" for name in GAME_PACKAGES}):
                    found.append(f"{path.relative_to(ROOT)}:{node.lineno} says {value!r}")
    assert found == []


def test_games_do_not_lean_on_each_other() -> None:
    for package in GAME_PACKAGES:
        others = {f"engine.{other}" for other in GAME_PACKAGES if other != package}
        assert breaches(modules("engine", package), {"engine", "msgspec"}, IMPURE | others) == []


def test_the_rooms_are_packages_with_types() -> None:
    for room in ROOMS:
        assert (ROOT / room / "__init__.py").is_file()
        assert (ROOT / room / "py.typed").is_file()


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a checkout")
def test_the_top_level_is_short() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True
    )
    entries = {name.split("/")[0] for name in listed.stdout.split("\0") if name}
    assert entries <= TOP_LEVEL, f"not expected: {sorted(entries - TOP_LEVEL)}"


def test_imports_are_read_as_they_are_meant() -> None:
    """The reader itself: absolute and relative imports, also those inside of functions."""
    source = (
        b"import os.path\nfrom . import desk\nfrom ..books import Books\ndef f():\n import re\n"
    )
    names = {name for _, name in imports_in(source, ("runner", "bot"))}
    assert names == {"os.path", "re", "runner.books.Books", "runner.bot.desk"}
