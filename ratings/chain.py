"""Ledger entries and the chain of hashes that makes them hard to change unseen.

Canonical JSON is what Python's `json.dumps(value, sort_keys=True, separators=(",", ":"),
ensure_ascii=False)` writes, in UTF-8. An entry's hash is the SHA-256 of the canonical JSON of
`{"body", "kind", "number", "prev", "ratings"}`, where `prev` is the hash of the entry before;
the first entry's `prev` is the hash of the season's own row. Anyone can recompute the chain.
"""

from __future__ import annotations

import hashlib
import json
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from ratings.results import MatchResult, Rated
from ratings.skill import Settings

Kind: TypeAlias = Literal["result", "void"]


class Season(Struct, frozen=True, rename="camel"):
    """What a ledger is for: its form, its season's name and its rating model.

    tables: SHA-256 over the definitions of tables and triggers, "" where they are not text.
    """

    schema_version: int
    name: str
    skill: Settings
    tables: str


class Void(Struct, frozen=True, rename="camel"):
    """A correction: the match does not count. `at_ms`: when that was decided, Unix milliseconds.

    The match may have no result: then it never gets one.
    """

    match: str
    reason: str
    at_ms: int


class Entry(Struct, frozen=True):
    """One thing that the ledger was told, and what it did to the ratings.

    number: counts from 1 without gaps. ratings: of a result, one per seat in seat order, none
    where it was void from the start; of a void, one per line that it changed.
    """

    number: int
    kind: Kind
    body: MatchResult | Void
    ratings: tuple[Rated, ...]
    prev: str
    hash: str


def canonical(value: object) -> bytes:
    """The canonical JSON of a struct, or of anything made of structs and builtins."""
    plain = msgspec.to_builtins(value, str_keys=True)
    return json.dumps(
        plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    ).encode()


def genesis(season: Season) -> str:
    """The hash that the first entry builds on, in hex."""
    return hashlib.sha256(canonical(season)).hexdigest()


def seal(number: int, body: MatchResult | Void, ratings: tuple[Rated, ...], prev: str) -> Entry:
    """The entry that puts `body` behind the entry with hash `prev`."""
    kind: Kind = "result" if isinstance(body, MatchResult) else "void"
    content = {"number": number, "kind": kind, "body": body, "ratings": ratings, "prev": prev}
    return Entry(number, kind, body, ratings, prev, hashlib.sha256(canonical(content)).hexdigest())
