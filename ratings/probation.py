"""Probation: what becomes of a bot that keeps resigning.

It plays less (see `ratings.pairing`) and the table says so, until it plays on.
"""

from __future__ import annotations

from collections.abc import Collection

RECENT_MATCHES = 8
_RESIGNATIONS = 3


def on_probation(resigned: Collection[bool]) -> bool:
    """Whether three of the latest eight matches were resigned.

    resigned: for each of the latest `RECENT_MATCHES` matches, whether the bot resigned.
    """
    return sum(resigned) >= _RESIGNATIONS
