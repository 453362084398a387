"""The engine held against the case tables under `cases/`."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.pioneers import oracle_cases as cases
from tests.engine.pioneers.oracle_match import Played

ALL = [
    pytest.param(case, id=f"{group}: {case['title']}")
    for group in cases.groups()
    for case in cases.read(group)
]


@pytest.mark.parametrize("case", ALL)
def test_the_engine_does_what_the_case_says(case: dict[str, Any]) -> None:
    cases.verify(case, Played.load(cases.build(case)))
