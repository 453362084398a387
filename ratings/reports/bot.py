"""Everything about one bot: its ratings, opponents, seats, faults, and where its time went."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from ratings.latency import Latencies
from ratings.lines import Line
from ratings.reports.drawing import sparkline
from ratings.reports.head_to_head import head_to_head
from ratings.results import MatchResult, SeatResult, Timing
from ratings.skill import Skill
from ratings.standings import Standings
from ratings.tables import Column, Table, Value, fixed, milliseconds, percent

_SPARK = 36


class UnknownBot(ValueError):
    """No match of this bot counts; the message names those that have played."""

    def __init__(self, bot: str, known: Iterable[str]) -> None:
        super().__init__(f"{bot!r} has not played; known: {', '.join(sorted(known)) or 'nobody'}")


def bot_report(results: Iterable[MatchResult], skill: Skill, bot: str) -> Mapping[str, Table]:
    """Tables about `bot`, by name: versions, opponents, seats, faults, times.

    results: all that count, in ledger order. Raises UnknownBot.
    """
    played = list(results)
    state = Standings(skill)
    for result in played:
        state.add(result)
    own = [
        (result, n, seat)
        for result in played
        for n, seat in enumerate(result.seats)
        if seat.bot == bot
    ]
    if not own:
        raise UnknownBot(bot, state.lines.ratings())
    seats = [(len(result.seats), n, seat) for result, n, seat in own]
    return {
        "versions": _versions(state, seats, bot),
        "opponents": head_to_head(
            played, state.lines.ratings(), skill.settings, bot, "By opponent"
        ),
        "seats": _seats(seats),
        "faults": _faults([seat for _, _, seat in seats]),
        "times": _times([seat for _, _, seat in seats]),
    }


def _versions(state: Standings, seats: Sequence[tuple[int, int, SeatResult]], bot: str) -> Table:
    current = state.lines.current(bot)
    rows: list[dict[str, Value]] = []
    for version in state.lines.versions(bot):
        line = Line(bot, version)
        course = [rating.value for rating in state.lines.course(line)]
        rating = state.lines.all()[line]
        rows.append(
            {
                "version": version,
                "current": line == current,
                "games": len(course),
                "rating": rating.value,
                "mu": rating.mu,
                "sigma": rating.sigma,
                "lowest": min(course),
                "highest": max(course),
                "course": sparkline(course, _SPARK),
            }
        )
    columns = (
        Column("version", "version", "left", lambda value: str(value) or "(none)", shrinks=True),
        Column("current", "", "left", lambda value: "current" if value else ""),
        Column("games", "games"),
        Column("rating", "rating", form=fixed(2)),
        Column("mu", "μ", form=fixed(2)),
        Column("sigma", "σ", form=fixed(2)),
        Column("lowest", "lowest", form=fixed(2), needs=100),
        Column("highest", "highest", form=fixed(2), needs=100),
        Column("course", "rating over time", "left", shrinks=True, drawn=True),
    )
    return Table(f"{bot}: {len(seats)} matches", columns, tuple(rows))


def _seats(seats: Sequence[tuple[int, int, SeatResult]]) -> Table:
    rows: list[dict[str, Value]] = []
    for size, n in sorted({(size, n) for size, n, _ in seats}):
        here = [seat for s, m, seat in seats if (s, m) == (size, n)]
        rows.append(
            {
                "seats": size,
                "seat": n + 1,
                "matches": len(here),
                "first": sum(seat.placement == 1 for seat in here) / len(here),
                "mean_placement": sum(seat.placement for seat in here) / len(here),
                "mean_score": sum(seat.score for seat in here) / len(here),
            }
        )
    columns = (
        Column("seats", "seats"),
        Column("seat", "seat"),
        Column("matches", "matches"),
        Column("first", "first", form=percent),
        Column("mean_placement", "placement", form=fixed(2)),
        Column("mean_score", "score", form=fixed(2)),
    )
    return Table("By seat", columns, tuple(rows))


def _faults(seats: Sequence[SeatResult]) -> Table:
    decisions = sum(seat.decisions for seat in seats)
    strikes: Counter[str] = Counter()
    struck: Counter[str] = Counter()
    for seat in seats:
        strikes.update(seat.strikes)
        struck.update(reason for reason, count in seat.strikes.items() if count)
    rows: list[dict[str, Value]] = [
        {
            "fault": reason,
            "count": strikes[reason],
            "matches": struck[reason],
            "per_thousand": 1000 * strikes[reason] / decisions if decisions else None,
        }
        for reason in sorted(strikes)
    ]
    resigned = sum(seat.resigned for seat in seats)
    rows.append({"fault": "resigned", "count": resigned, "matches": resigned, "per_thousand": None})
    columns = (
        Column("fault", "fault", "left"),
        Column("count", "count"),
        Column("matches", "in matches"),
        Column("per_thousand", "per 1000 decisions", form=fixed(2)),
    )
    return Table("Faults", columns, tuple(rows))


def _times(seats: Sequence[SeatResult]) -> Table:
    """Percentiles by kind of decision and part; the first row is of all answers together."""
    timings: dict[str, list[Timing]] = {}
    for seat in seats:
        for kind, timing in seat.timings.items():
            timings.setdefault(kind, []).append(timing)
    parts: list[tuple[str, str, Latencies]] = [
        ("all", "answer", Latencies.total(seat.latencies for seat in seats))
    ]
    for kind, found in sorted(timings.items()):
        parts.append((kind, "queue", Latencies.total(timing.queue for timing in found)))
        parts.append((kind, "wire", Latencies.total(timing.wire for timing in found)))
        parts.append((kind, "bot", Latencies.total(timing.bot for timing in found)))
    shares = {"p50_ms": 0.5, "p90_ms": 0.9, "p99_ms": 0.99, "most_ms": 1.0}
    rows: list[dict[str, Value]] = []
    for kind, part, latencies in parts:
        row: dict[str, Value] = {
            "kind": kind,
            "part": part,
            "answers": sum(latencies.counts.values()),
        }
        row |= {key: latencies.percentile(share) for key, share in shares.items()}
        rows.append(row)
    columns = (
        Column("kind", "kind", "left"),
        Column("part", "part", "left"),
        Column("answers", "answers"),
        Column("p50_ms", "p50", form=milliseconds),
        Column("p90_ms", "p90", form=milliseconds),
        Column("p99_ms", "p99", form=milliseconds),
        Column("most_ms", "most", form=milliseconds),
    )
    note = "times in ms; queue: until the request was written, wire: the network, bot: its thinking"
    return Table("Answer times", columns, tuple(rows), note)
