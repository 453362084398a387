"""The oracle held against the case tables, and the tables against themselves."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.pioneers import oracle_cases as cases
from tests.engine.pioneers.oracle import Oracle

ALL = [
    pytest.param(case, id=f"{group}: {case['title']}")
    for group in cases.groups()
    for case in cases.read(group)
]


@pytest.mark.parametrize("case", ALL)
def test_the_oracle_does_what_the_case_says(case: dict[str, Any]) -> None:
    cases.verify(case, Oracle.load(cases.build(case)))


@pytest.mark.parametrize("case", ALL)
def test_a_case_starts_from_a_possible_position(case: dict[str, Any]) -> None:
    assert cases.impossible(cases.build(case)) == []


def test_no_two_cases_share_a_title() -> None:
    titles = [case["title"] for group in cases.groups() for case in cases.read(group)]
    assert len(titles) == len(set(titles))


def test_a_case_has_no_key_that_is_not_looked_at() -> None:
    known = {"title", "why", "base", "set", "rolls", "play", "then"}
    asked = {
        *("legal", "illegal", "default", "pending", "outcome"),
        *("view", "position", "events", "noEvents"),
    }
    for group in cases.groups():
        for case in cases.read(group):
            assert set(case) <= known
            assert case["then"]
            assert set(case["then"]) <= asked
