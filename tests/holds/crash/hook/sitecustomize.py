"""Imported by any Python that finds it first: ends a running season with SIGKILL at a given place.

`KILL_AT` says where: `PLACE:N:WHEN` for the n-th time that it comes there, or `clock:SECONDS`
after the first line of a journal (`start:SECONDS`: after the start of the process).

place     what is counted                                   when
write     lines handed to a journal                         before, half, after
insert    rows written into the ledger                      before, after
commit    commits of the ledger                             before, during, after
rename    files that take their final name                  before, after
"""

from __future__ import annotations

import os
import signal
import sqlite3
import sqlite3.dbapi2
import sys
import threading
from collections.abc import Callable
from typing import Any


def kill() -> None:
    """The end, as from outside: nothing is flushed, nobody is told."""
    os.kill(os.getpid(), signal.SIGKILL)


def kill_after(seconds: float) -> None:
    """The end in a moment, whatever is being done then."""
    threading.Timer(seconds, kill).start()


class Place:
    """Counts how often the process comes to a place."""

    def __init__(self, last: int, when: str) -> None:
        self._left = last
        self._when = when

    def pass_by(self, act: Callable[[], Any], half: Callable[[], Any]) -> Any:
        """Do `act`, unless this is the end: then before it, after it, or after `half` of it."""
        self._left -= 1
        if self._left:
            return act()
        if self._when == "before":
            kill()
        if self._when == "half":
            half()
            kill()
        if self._when == "during":
            half()
        done = act()
        if self._when == "after":
            kill()
        return done


def at_writes(place: Place) -> None:
    """Lines of journals, which are all that the runner writes in this way."""
    write = os.write

    def killing_write(fd: int, data: bytes) -> int:
        if not data.startswith(b'{"type":'):
            return write(fd, data)
        done: int = place.pass_by(
            lambda: write(fd, data), lambda: write(fd, data[: len(data) // 2])
        )
        return done

    os.write = killing_write  # type: ignore[assignment]


def at_renames(place: Place) -> None:
    """Journals that become transcripts, and small files that are replaced."""
    replace = os.replace

    def killing_replace(*arguments: Any, **options: Any) -> None:
        place.pass_by(lambda: replace(*arguments, **options), kill)

    os.replace = killing_replace


def at_ledger(place: Place, *, commits: bool) -> None:
    """Rows and commits of the ledger."""

    class Cursor(sqlite3.Cursor):
        def execute(self, sql: str, *arguments: Any) -> Any:
            if commits or not sql.startswith("INSERT"):
                return super().execute(sql, *arguments)
            return place.pass_by(lambda: super(Cursor, self).execute(sql, *arguments), kill)

        def executemany(self, sql: str, *arguments: Any) -> Any:
            if commits:
                return super().executemany(sql, *arguments)
            return place.pass_by(lambda: super(Cursor, self).executemany(sql, *arguments), kill)

    class Connection(sqlite3.Connection):
        def cursor(self, factory: Any = Cursor) -> Any:
            return super().cursor(factory)

        def commit(self) -> None:
            if commits and self.in_transaction and self.total_changes:
                place.pass_by(super().commit, lambda: kill_after(0.0005))
            else:
                super().commit()

    connect = sqlite3.connect

    def killing_connect(*arguments: Any, **options: Any) -> sqlite3.Connection:
        return connect(*arguments, factory=Connection, **options)

    sqlite3.dbapi2.connect = killing_connect  # type: ignore[assignment]


def at_first_write(seconds: float) -> None:
    """A while after the first line of a journal."""
    write = os.write
    armed = False

    def arming_write(fd: int, data: bytes) -> int:
        nonlocal armed
        if not armed and data.startswith(b'{"type":'):
            armed = True
            kill_after(seconds)
        return write(fd, data)

    os.write = arming_write  # type: ignore[assignment]


def arm(order: str) -> None:
    """See to it that the process ends as `order` says."""
    place, number, *when = order.split(":")
    if place == "clock":
        at_first_write(float(number))
    elif place == "start":
        kill_after(float(number))
    else:
        counted = Place(int(number), *when)
        if place == "write":
            at_writes(counted)
        elif place == "rename":
            at_renames(counted)
        elif place in ("insert", "commit"):
            at_ledger(counted, commits=place == "commit")
        else:
            raise ValueError(order)


# Bots that the season starts find this file too.
if "KILL_AT" in os.environ and "season" in sys.orig_argv:
    arm(os.environ["KILL_AT"])
