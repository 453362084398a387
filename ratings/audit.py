"""Auditing a ledger: the chain of hashes, the ratings, and the database itself.

Whoever has the ledger can check that nothing in it was changed after it was written, and that
every rating follows from the results before it. What the chain alone cannot show is that entries
at its end were removed: compare its head with one that was published.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct
from sqlalchemy import Connection, func, select

from ratings import dialects, rows, schema, storage
from ratings.chain import Entry, Season, Void, genesis, seal
from ratings.errors import LedgerError
from ratings.lines import Lines
from ratings.results import MatchResult, Rated, Rating
from ratings.skill import Skill

# Another machine's mathematics library may round another way; its ratings must agree this far.
_TOLERANCE = 1e-9


class Departure(Struct, frozen=True):
    """The first place where a ledger is not what it should be.

    entry: its number; 0 where the ledger as a whole is wrong. match: "" where it is about none.
    """

    entry: int
    match: str
    what: str

    def __str__(self) -> str:
        where = f"entry {self.entry}" if self.entry else "the ledger"
        about = f" (match {self.match})" if self.match else ""
        return f"{where}{about}: {self.what}"


class Audit(Struct, frozen=True):
    """What an audit found: how far it came, the head there, and the first departure, if any."""

    entries: int
    head: str
    departure: Departure | None


def audit(
    location: str | Path,
    skill: Skill,
    season: str = "",
    *,
    head: str | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> Audit:
    """Check a ledger from its first entry to its last; stops at the first departure.

    head: the hash that the last entry must have, where it was published.
    on_progress: called now and then with entries done and entries in all.
    """
    walk = _Walk(skill)
    try:
        engine = storage.connect(location, create=False)
        try:
            with storage.transaction(engine) as connection:
                departure = walk.database(connection, season) or walk.chain(
                    connection, on_progress or (lambda _done, _all: None)
                )
        finally:
            engine.dispose()
    except LedgerError as error:
        departure = Departure(walk.number + 1 if walk.head else 0, "", str(error))
    if departure is None and head not in (None, walk.head):
        what = f"the chain ends with {walk.head} after {walk.number} entries, not with {head}"
        departure = Departure(0, "", what)
    return Audit(walk.number, walk.head, departure)


class _Walk:
    """One way through a ledger: where it has come, and what must hold there."""

    def __init__(self, skill: Skill) -> None:
        self.number = 0
        self.head = ""
        self._skill = skill
        self._lines = Lines(skill)
        self._rated: set[str] = set()
        self._known: set[str] = set()
        self._void: set[str] = set()
        self._unrated = ""

    def database(self, connection: Connection, season: str) -> Departure | None:
        """Look at the database itself, and find where the chain begins."""
        found: Season = storage.settle(connection, season, self._skill.settings, create=False)
        damage = dialects.integrity(connection)
        if damage is not None:
            return Departure(0, "", f"the database is damaged: {damage}")
        if dialects.digest(connection) != found.tables:
            return Departure(0, "", "the tables or triggers are not those it was made with")
        self.head = genesis(found)
        return None

    def chain(
        self, connection: Connection, on_progress: Callable[[int, int], None]
    ) -> Departure | None:
        """Walk the entries in order."""
        total = connection.execute(select(func.count()).select_from(schema.entries)).scalar_one()
        for entry in _all(connection):
            departure = self._entry(entry)
            if departure is not None:
                return departure
            if self.number % 100 == 0 or self.number == total:
                on_progress(self.number, total)
        if self._unrated:
            return Departure(self.number, self._unrated, "it was neither rated nor made void")
        return None

    def _entry(self, entry: Entry) -> Departure | None:
        wrong = self._link(entry) or self._content(entry)
        if wrong is not None:
            return Departure(entry.number, entry.body.match, wrong)
        self.number, self.head = entry.number, entry.hash
        return None

    def _link(self, entry: Entry) -> str | None:
        if entry.number != self.number + 1:
            return f"it follows entry {self.number}; those between are missing"
        if entry.prev != self.head:
            return "its link to the entry before is broken"
        try:
            sealed = seal(entry.number, entry.body, entry.ratings, entry.prev)
        except ValueError as error:  # an infinite rating, which is in no canonical JSON
            return f"its content is out of range: {error}"
        if (sealed.kind, sealed.hash) != (entry.kind, entry.hash):
            return "its content does not have its hash"
        return None

    def _content(self, entry: Entry) -> str | None:
        body = entry.body
        if self._unrated and not (isinstance(body, Void) and body.match == self._unrated):
            return f"match {self._unrated} before it was neither rated nor made void"
        self._unrated = ""
        return self._voided(body, entry) if isinstance(body, Void) else self._played(body, entry)

    def _played(self, result: MatchResult, entry: Entry) -> str | None:
        if result.match in self._known:
            return "the match has an entry already"
        self._known.add(result.match)
        if not entry.ratings:
            self._unrated = result.match
            return None
        wrong = _difference(self._lines.rate(result), entry.ratings)
        if wrong is None:
            self._lines.apply(result, entry.ratings)
            self._rated.add(result.match)
        return wrong

    def _voided(self, void: Void, entry: Entry) -> str | None:
        if void.match in self._void:
            return "the match was void already"
        self._void.add(void.match)
        self._known.add(void.match)
        if void.match not in self._rated:
            return "it changes ratings, and its match was not rated" if entry.ratings else None
        remaining = self._lines.without(void.match)
        wrong = _difference(self._lines.changes(remaining), entry.ratings)
        self._lines = remaining
        return wrong


def _all(connection: Connection) -> Iterator[Entry]:
    after = 0
    entry = None
    while entry is None or entry.number > after:
        after = entry.number if entry else 0
        for entry in rows.read(connection, after):
            yield entry


def _difference(expected: Sequence[Rated], stored: Sequence[Rated]) -> str | None:
    if [(one.bot, one.version) for one in expected] != [(one.bot, one.version) for one in stored]:
        return "it rates other bots than it should"
    for right, found in zip(expected, stored, strict=True):
        for when in ("before", "after"):
            one: Rating = getattr(right, when)
            other: Rating = getattr(found, when)
            if not (_close(one.mu, other.mu) and _close(one.sigma, other.sigma)):
                return (
                    f"the rating of {found.bot} {when} it is {other.mu:.9f} ± {other.sigma:.9f}; "
                    f"by the results before it is {one.mu:.9f} ± {one.sigma:.9f}"
                )
    return None


def _close(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE)
