"""The matches of a season, one row each, void ones included."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from ratings.chain import Entry, Void
from ratings.results import MatchResult
from ratings.tables import Column, Table, Value, ordinal


def match_table(entries: Iterable[Entry], title: str = "") -> Table:
    """All matches that have an entry, in ledger order; `placed_1` and so on name the bots."""
    bodies = {entry.number: entry.body for entry in entries}
    reasons = {body.match: body.reason for body in bodies.values() if isinstance(body, Void)}
    most = max((len(b.seats) for b in bodies.values() if isinstance(b, MatchResult)), default=0)
    known = {body.match for body in bodies.values() if isinstance(body, MatchResult)}
    rows = []
    for number, body in bodies.items():
        if isinstance(body, MatchResult):
            rows.append(_row(number, body, most) | {"void": reasons.get(body.match, "")})
        elif body.match not in known:
            rows.append(_lost(number, body, most))
    columns = (
        Column("entry", "entry"),
        Column("match", "match", "left"),
        Column("set", "set", "left", needs=100),
        Column("game", "game", "left", needs=140),
        Column("ended", "ended (UTC)", "left", needs=110),
        Column("seconds", "seconds", needs=100),
        Column("reason", "ended by", "left", shrinks=True),
        *(Column(f"placed_{n}", ordinal(n), "left", shrinks=True) for n in range(1, most + 1)),
        Column("strikes", "strikes"),
        Column("resigned", "resigned", needs=100),
        Column("void", "void", "left", shrinks=True),
    )
    return Table(title, columns, tuple(rows), "void: why a match does not count")


def _row(number: int, result: MatchResult, most: int) -> dict[str, Value]:
    row: dict[str, Value] = {
        "entry": number,
        "match": result.match,
        "set": result.set_id,
        "game": result.game,
        "ended": _time(result.ended_ms),
        "seconds": round((result.ended_ms - result.started_ms) / 1000, 1),
        "reason": result.reason,
        "strikes": sum(sum(seat.strikes.values()) for seat in result.seats),
        "resigned": sum(seat.resigned for seat in result.seats),
    }
    for place in range(1, most + 1):
        bots = [seat.bot for seat in result.seats if seat.placement == place]
        row[f"placed_{place}"] = " = ".join(bots)
    return row


def _lost(number: int, void: Void, most: int) -> dict[str, Value]:
    row: dict[str, Value] = dict.fromkeys(("set", "game", "reason"), "")
    row |= dict.fromkeys(("seconds", "strikes", "resigned"))
    row |= {f"placed_{place}": "" for place in range(1, most + 1)}
    ended = _time(void.at_ms)
    return row | {"entry": number, "match": void.match, "ended": ended, "void": void.reason}


def _time(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")
