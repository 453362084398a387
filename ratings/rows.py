"""Ledger entries as rows of the tables in `ratings.schema`, and back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, RowMapping, Table, insert, select

from ratings import schema
from ratings.chain import Entry, Void, canonical
from ratings.errors import LedgerError
from ratings.results import MatchResult, Rated

_BATCH = 500


def write(connection: Connection, entry: Entry) -> None:
    """Insert the rows of `entry`, in the transaction of `connection`."""
    number = entry.number
    connection.execute(
        insert(schema.entries),
        {"number": number, "kind": entry.kind, "prev": entry.prev, "hash": entry.hash},
    )
    match entry.body:
        case Void() as void:
            connection.execute(insert(schema.voids), _columns(void, entry=number))
        case MatchResult() as result:
            connection.execute(insert(schema.results), _columns(result, entry=number))
            connection.execute(
                insert(schema.seats),
                [
                    _columns(seat, entry=number, seat=place)
                    for place, seat in enumerate(result.seats)
                ],
            )
    if entry.ratings:
        connection.execute(
            insert(schema.ratings),
            [
                {
                    "entry": number,
                    "n": n,
                    "bot": rated.bot,
                    "version": rated.version,
                    "mu_before": rated.before.mu,
                    "sigma_before": rated.before.sigma,
                    "mu_after": rated.after.mu,
                    "sigma_after": rated.after.sigma,
                }
                for n, rated in enumerate(entry.ratings)
            ],
        )


def read(connection: Connection, after: int) -> Iterator[Entry]:
    """Up to some hundred entries that follow number `after`, in order.

    Raises LedgerError, naming the entry, for rows that are no entry.
    """
    heads = connection.execute(
        select(schema.entries)
        .where(schema.entries.c.number > after)
        .order_by(schema.entries.c.number)
        .limit(_BATCH)
    ).all()
    if not heads:
        return
    span = (heads[0].number, heads[-1].number)
    tables = (schema.results, schema.seats, schema.voids, schema.ratings)
    parts = [_by_entry(connection, table, span) for table in tables]
    for number, kind, prev, hash_ in heads:
        try:
            results, seats, voids, ratings = (part.get(number, []) for part in parts)
            body = _body(kind, results, seats, voids)
            rated = tuple(_rated(row) for row in ratings)
        except (ValueError, TypeError, msgspec.MsgspecError) as error:
            raise LedgerError(f"entry {number} cannot be read: {error}") from error
        yield Entry(number, kind, body, rated, prev, hash_)


def _columns(struct: MatchResult | Void | Any, **more: int) -> dict[str, Any]:
    """The fields of a struct that are columns; what is no scalar becomes JSON."""
    row: dict[str, Any] = dict(more)
    for name in struct.__struct_fields__:
        value = getattr(struct, name)
        if name == "seats":
            continue
        if isinstance(value, bool):
            value = int(value)
        elif not isinstance(value, int | str):
            value = canonical(value).decode()
        row[name] = value
    return row


def _by_entry(
    connection: Connection, table: Table, span: tuple[int, int]
) -> Mapping[int, Sequence[RowMapping]]:
    rows: dict[int, list[RowMapping]] = {}
    query = select(table).where(table.c.entry.between(*span)).order_by(*table.primary_key.columns)
    for row in connection.execute(query).mappings():
        rows.setdefault(row["entry"], []).append(row)
    return rows


def _body(
    kind: str,
    results: Sequence[RowMapping],
    seats: Sequence[RowMapping],
    voids: Sequence[RowMapping],
) -> MatchResult | Void:
    if kind == "void" and len(voids) == 1 and not results and not seats:
        return msgspec.convert(_fields(voids[0]), Void)
    if kind == "result" and len(results) == 1 and not voids:
        if [row["seat"] for row in seats] != list(range(len(seats))):
            raise ValueError("its seats are not numbered from 0")
        plain = _fields(results[0])
        plain["seats"] = [_fields(row) for row in seats]
        return msgspec.convert(plain, MatchResult, str_keys=True)
    raise ValueError(f"it says it is a {kind!r}, and its rows say otherwise")


_RENAMED = {"set_id": "setId", "started_ms": "startedMs", "ended_ms": "endedMs", "at_ms": "atMs"}
_JSON = ("strikes", "latencies", "timings")


def _fields(row: RowMapping) -> dict[str, Any]:
    plain = {_RENAMED.get(name, str(name)): value for name, value in row.items()}
    del plain["entry"]
    if "seat" in plain:
        del plain["seat"]
        plain["resigned"] = {0: False, 1: True}.get(plain["resigned"], plain["resigned"])
        for name in _JSON:
            plain[name] = json.loads(plain[name])
    return plain


def _rated(row: RowMapping) -> Rated:
    return msgspec.convert(
        {
            "bot": row["bot"],
            "version": row["version"],
            "before": {"mu": row["mu_before"], "sigma": row["sigma_before"]},
            "after": {"mu": row["mu_after"], "sigma": row["sigma_after"]},
        },
        Rated,
    )
