"""How the matches went: a table, the strikes with their reasons, what the bots logged."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct, field

from engine import transcript as record
from ratings.tables import Column, Table, Value, fixed, milliseconds
from runner.summary import share

# How the kit writes a line of its log; what belongs to one request alone is left out.
_LOGGED = re.compile(r"^[\d-]+ [\d:,.]+ (ERROR|CRITICAL) (?P<message>.*)$")
_REQUEST = re.compile(r"<request \d+: (\w+) in match \S+>")
_NUMBER = re.compile(r"\b\d+(\.\d+)? ms\b")


class Strike(Struct, frozen=True):
    """A decision that was not answered as it should: where, and what was wrong."""

    transcript: Path
    match: str
    bot: str
    seat: int
    decision: int
    kind: str
    by: str
    code: str
    message: str


class Lines(Struct):
    """What is counted for one bot. placements: by place, from 0, how often. times_ms: answers."""

    matches: int = 0
    wins: float = 0.0
    placements: Counter[int] = field(default_factory=Counter)
    points: int = 0
    strikes: int = 0
    times_ms: list[float] = []


class Account(Struct, frozen=True):
    """What some transcripts say. bots: by name, those that played."""

    matches: int
    bots: dict[str, Lines]
    strikes: tuple[Strike, ...]


def read_all(folder: Path) -> Account:
    """The account of all transcripts in a folder."""
    bots: dict[str, Lines] = {}
    strikes: list[Strike] = []
    paths = sorted(folder.glob("*.jsonl"))
    for path in paths:
        with path.open("rb") as file:
            found = record.read(file)
        _count(found, bots)
        strikes += _strikes(path, found)
    return Account(len(paths), bots, tuple(strikes))


def _count(found: record.Transcript, bots: dict[str, Lines]) -> None:
    end, players = found.end, found.header.players
    assert end is not None, "a published transcript has an end line"
    winners = end.placements.count(1)
    for seat, name in enumerate(players):
        lines = bots.setdefault(name, Lines())
        lines.matches += 1
        lines.points += end.scores[seat]
        lines.placements[end.placements[seat]] += 1
        if end.placements[seat] == 1:
            lines.wins += 1 / winners
    for decision in found.decisions:
        lines = bots[players[decision.seat]]
        if decision.by in record.FAULTS:
            lines.strikes += 1
        elif decision.ms is not None:
            lines.times_ms.append(decision.ms)


def _strikes(path: Path, found: record.Transcript) -> Iterable[Strike]:
    header = found.header
    for line in found.decisions:
        if line.fault is not None:
            yield Strike(
                path,
                header.match,
                header.players[line.seat],
                line.seat,
                line.n,
                line.kind,
                line.by,
                line.fault.code,
                line.fault.message,
            )


def result_table(account: Account) -> Table:
    """A row for each bot, the most wins first."""
    order = sorted(account.bots, key=lambda name: (-account.bots[name].wins, name))
    columns = (
        Column("bot", "bot", "left", shrinks=True),
        Column("matches", "matches"),
        Column("wins", "wins", form=_plain),
        Column("win_rate", "win %", form=_percent),
        Column("win_rate_95", "95 %"),
        Column("placement", "place", form=fixed(2)),
        Column("score", "points", form=fixed(1)),
        Column("strikes", "strikes"),
        Column("p50_ms", "p50", form=milliseconds),
        Column("p99_ms", "p99", form=milliseconds),
        Column("max_ms", "max", form=milliseconds),
    )
    rows = tuple(_row(name, account.bots[name]) for name in order)
    note = "place, points: means; p50, p99, max: answer times in ms"
    return Table("", columns, rows, note)


def _row(name: str, lines: Lines) -> dict[str, Value]:
    n = lines.matches
    rate = share(lines.wins, n)
    times_ms = sorted(lines.times_ms)
    assert rate.low is not None
    assert rate.high is not None
    return {
        "bot": name,
        "matches": n,
        "wins": lines.wins,
        "win_rate": rate.value,
        "win_rate_95": f"{rate.low * 100:.0f} to {rate.high * 100:.0f}",
        "placement": sum(place * count for place, count in lines.placements.items()) / n,
        "score": lines.points / n,
        "strikes": lines.strikes,
        "p50_ms": _percentile(times_ms, 0.5),
        "p99_ms": _percentile(times_ms, 0.99),
        "max_ms": _percentile(times_ms, 1.0),
    }


def _percentile(times_ms: Sequence[float], share: float) -> float | None:
    """Of sorted times, the shortest that `share` of them keep; None if there are none."""
    return times_ms[math.ceil(share * len(times_ms)) - 1] if times_ms else None


def _plain(value: Value) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _percent(value: Value) -> str:
    assert isinstance(value, float)
    return f"{value * 100:.0f}"


def logged_errors(log: Path) -> list[tuple[int, str]]:
    """What a bot of the kit logged as errors: how often, and what, the most frequent first."""
    seen: Counter[str] = Counter()
    if log.is_file():
        for line in log.read_text(encoding="utf-8", errors="replace").splitlines():
            found = _LOGGED.match(line)
            if found is not None:
                seen[_NUMBER.sub("… ms", _REQUEST.sub(r"\1", found["message"]))] += 1
    return [(count, message) for message, count in seen.most_common()]


def tail(log: Path, lines: int) -> Sequence[str]:
    """The last lines of a bot's log."""
    if not log.is_file():
        return ()
    return log.read_text(encoding="utf-8", errors="replace").splitlines()[-lines:]
