"""Ledger entries as rows of the tables in `ratings.schema`, and back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, RowMapping, Table, insert, select

from ratings import schema
from ratings.chain import Entry, Void, canonical
from ratings.errors import LedgerError
from ratings.results import MatchResult, Rated


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


def read(connection: Connection, after: int, limit: int = 500) -> Iterator[Entry]:
    """Up to `limit` entries that follow number `after`, in order.

    Raises LedgerError, naming the entry, for rows that are no entry.
    """
    query = (
        select(schema.entries)
        .where(schema.entries.c.number > after)
        .order_by(schema.entries.c.number)
        .limit(limit)
    )
    heads = connection.execute(query).mappings().all()
    if not heads:
        return
    span = (heads[0]["number"], heads[-1]["number"])
    parts = [_by_entry(connection, table, span) for table in _PARTS]
    for head in heads:
        number = head["number"]
        try:
            _check_types(schema.entries, head)
            results, seats, voids, ratings = (part.get(number, []) for part in parts)
            for table, rows in zip(_PARTS, (results, seats, voids, ratings), strict=True):
                for row in rows:
                    _check_types(table, row)
            body = _body(head["kind"], results, seats, voids)
            rated = _rated(body, ratings)
        except (ValueError, TypeError, msgspec.MsgspecError) as error:
            raise LedgerError(f"entry {number} cannot be read: {error}") from error
        yield Entry(number, head["kind"], body, rated, head["prev"], head["hash"])


_PARTS = (schema.results, schema.seats, schema.voids, schema.ratings)
_TYPES = {
    table: tuple((column.name, column.type.python_type) for column in table.columns)
    for table in (schema.entries, *_PARTS)
}


def _check_types(table: Table, row: RowMapping) -> None:
    # SQLite keeps whatever it is given in any column, and a damaged file says what it likes.
    for name, wanted in _TYPES[table]:
        if type(row[name]) is not wanted:
            raise ValueError(f"{table.name}.{name} is {row[name]!r}, which is no {wanted.__name__}")


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
        plain["resigned"] = plain["resigned"] == 1
        for name in _JSON:
            plain[name] = msgspec.json.decode(plain[name])
    return plain


def _rated(body: MatchResult | Void, rows: Sequence[RowMapping]) -> tuple[Rated, ...]:
    rated = tuple(
        msgspec.convert(
            {
                "bot": row["bot"],
                "version": row["version"],
                "before": {"mu": row["mu_before"], "sigma": row["sigma_before"]},
                "after": {"mu": row["mu_after"], "sigma": row["sigma_after"]},
            },
            Rated,
        )
        for row in rows
    )
    if isinstance(body, MatchResult) and rated:
        lines = [(change.bot, change.version) for change in rated]
        if lines != [(seat.bot, seat.version) for seat in body.seats]:
            raise ValueError("its ratings are not those of its seats")
    return rated
