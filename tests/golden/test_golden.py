"""The golden files: what the engine does now is, word for word, what it did when they were made.

Where a change is meant, `python -m tests.golden` writes them anew, and the difference belongs
into the commit.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.golden.matches import DIGEST_ROWS, FOLDER, PLAYTHROUGHS, digests, files

REMEDY = "if this change is meant: python -m tests.golden"
DIGESTS = sorted(name for name in files() if name.endswith("-digests.txt"))


def game_of(name: str) -> str:
    return name.removesuffix("-digests.txt")


def golden(name: str) -> str:
    """The text of a golden file."""
    path = FOLDER / name
    assert path.exists(), f"{name} was never made: python -m tests.golden {name}"
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(PLAYTHROUGHS))
def test_a_playthrough_is_what_it_was(name: str) -> None:
    expected = golden(name).split("\n")
    found = files()[name]().split("\n")
    for at, (old, new) in enumerate(zip(expected, found, strict=False), start=1):
        assert new == old, f"{name}, line {at}; {REMEDY}"
    assert len(found) == len(expected), REMEDY


@pytest.mark.parametrize("name", DIGESTS)
def test_two_hundred_matches_have_the_digests_they_had(name: str) -> None:
    expected = golden(name).splitlines()
    assert len(expected) == DIGEST_ROWS
    found = digests(game_of(name)).splitlines()
    different = [new for old, new in zip(expected, found, strict=True) if old != new]
    assert not different, f"{len(different)} of {name}, the first {different[0]}; {REMEDY}"


@pytest.mark.parametrize("name", DIGESTS)
@pytest.mark.parametrize("hash_seed", ["0", "1", "4294967295"])
def test_the_hash_seed_makes_no_difference(name: str, hash_seed: str) -> None:
    rows = 12
    code = (
        "from tests.golden.matches import digests; "
        f"print(digests({game_of(name)!r}, {rows}), end='')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONHASHSEED": hash_seed},
        cwd=FOLDER.parents[1],
        capture_output=True,
        text=True,
        check=True,
    )
    expected = golden(name).splitlines()[:rows]
    assert done.stdout.splitlines() == expected


def test_every_golden_file_has_its_maker() -> None:
    assert {path.name for path in FOLDER.glob("*.txt")} == set(files())
