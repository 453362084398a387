"""The rating table of a season, while it goes on and when it is over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from ratings.reports.drawing import interval
from ratings.standings import Standing
from ratings.tables import Column, Table, Value, fixed, milliseconds, ordinal, percent, signed

if TYPE_CHECKING:
    from ratings.fit import Strength

_BAR = 24
_MARKS = {"provisional": "?", "probation": "!", "": ""}


def rating_table(standings: Sequence[Standing], title: str = "") -> Table:
    """The table by online ratings, best first."""
    places = max((len(row.placements) for row in standings), default=0)
    columns = (
        Column("rank", "#"),
        Column("bot", "bot", "left", shrinks=True),
        Column("version", "version", "left", needs=150, shrinks=True),
        Column("status", "", "left", _mark),
        Column("rating", "rating", form=fixed(2)),
        Column("mu", "μ", form=fixed(2)),
        Column("sigma", "σ", form=fixed(2)),
        Column("bar", "μ ± 2σ", "left", needs=130, drawn=True),
        Column("trend", "trend", form=signed, needs=100),
        Column("games", "games"),
        *(Column(f"placed_{n}", ordinal(n)) for n in range(1, places + 1)),
        Column("mean_seat", "seat", form=fixed(2)),
        Column("strikes", "strikes"),
        Column("timeout_strikes", "timeout", needs=170),
        Column("illegal_strikes", "illegal", needs=170),
        Column("error_strikes", "error", needs=170),
        Column("resigned", "resigned", needs=180),
        Column("decisions", "decisions", needs=220),
        Column("p50_ms", "p50", form=milliseconds),
        Column("p99_ms", "p99", form=milliseconds),
        Column("earlier", "earlier versions", "left", needs=220, shrinks=True),
    )
    scale = _scale([(row.mu - 2 * row.sigma, row.mu + 2 * row.sigma) for row in standings])
    note = "rating: μ - 3σ; seat: mean, 1 is first; p50, p99: answer times in ms"
    marks = {row.status for row in standings}
    if "provisional" in marks:
        note += "; ?: provisional"
    if "probation" in marks:
        note += "; !: on probation, it keeps resigning"
    return Table(title, columns, tuple(_row(row, scale) for row in standings), note)


def final_table(
    strengths: Sequence[Strength], standings: Sequence[Standing], title: str = ""
) -> Table:
    """The table by the fit over all matches, best first, with the online ratings beside it."""
    columns = (
        Column("rank", "#"),
        Column("bot", "bot", "left", shrinks=True),
        Column("version", "version", "left", needs=120, shrinks=True),
        Column("strength", "strength", form=fixed(2)),
        Column("low", "95 % from", form=fixed(2)),
        Column("high", "to", form=fixed(2)),
        Column("bar", "95 %", "left", needs=100, drawn=True),
        Column("better", "above next", form=percent),
        Column("online_rank", "online #"),
        Column("rating", "rating", form=fixed(2)),
        Column("mu", "μ", form=fixed(2), needs=90),
        Column("sigma", "σ", form=fixed(2), needs=90),
        Column("games", "games"),
    )
    scale = _scale([(row.low, row.high) for row in strengths])
    online = {(row.bot, row.version): row for row in standings}
    rows = []
    for row in strengths:
        beside = online.get((row.bot, row.version))
        rows.append(
            msgspec.structs.asdict(row)
            | {
                "bar": interval(row.low, row.strength, row.high, scale, _BAR),
                "online_rank": beside and beside.rank,
                "rating": beside and beside.rating,
                "mu": beside and beside.mu,
                "sigma": beside and beside.sigma,
                "games": beside and beside.games,
            }
        )
    note = (
        "strength: over all matches at once, seats taken out; above next: probability of being "
        "stronger than the next one; online: TrueSkill as the season went"
    )
    return Table(title, columns, tuple(rows), note)


def _row(standing: Standing, scale: tuple[float, float]) -> dict[str, Value]:
    row: dict[str, Value] = {
        key: value
        for key, value in msgspec.structs.asdict(standing).items()
        if isinstance(value, str | int | float) or value is None
    }
    low, high = standing.mu - 2 * standing.sigma, standing.mu + 2 * standing.sigma
    row["bar"] = interval(low, standing.mu, high, scale, _BAR)
    row["earlier"] = ", ".join(version or "(none)" for version in standing.earlier)
    for place, count in enumerate(standing.placements, start=1):
        row[f"placed_{place}"] = count
    row["strikes"] = sum(standing.strikes.values())
    for reason in ("timeout", "illegal", "error"):
        row[f"{reason}_strikes"] = standing.strikes.get(reason, 0)
    return row


def _scale(spans: Sequence[tuple[float, float]]) -> tuple[float, float]:
    return min((low for low, _ in spans), default=0), max((high for _, high in spans), default=1)


def _mark(value: Value) -> str:
    return _MARKS.get(str(value), str(value))
