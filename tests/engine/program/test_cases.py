"""The engine held against the case tables under `cases/`, whose values were worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.program import tables

ALL = [
    pytest.param(case, id=f"{group}: {case['title']}")
    for group in tables.groups()
    for case in tables.read(group)
]


@pytest.mark.parametrize("case", ALL)
def test_the_engine_does_what_the_case_says(case: dict[str, Any]) -> None:
    tables.verify(case)


def test_every_case_says_why_and_expects_something() -> None:
    titles = [parameters.id for parameters in ALL]
    assert len(titles) == len(set(titles)) >= 60
    for group in tables.groups():
        for case in tables.read(group):
            assert case["why"]
            assert case["then"]
