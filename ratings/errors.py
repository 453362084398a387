"""What can be wrong with a ledger or with what it is asked to keep."""

from __future__ import annotations


class LedgerError(Exception):
    """The ledger cannot be used as asked; the message says which, what and why."""


class DuplicateMatch(LedgerError):
    """The match is already in the ledger; nothing was written."""

    def __init__(self, match: str, entry: int) -> None:
        super().__init__(f"match {match} is already in the ledger, as entry {entry}")
        self.match = match
        self.entry = entry
