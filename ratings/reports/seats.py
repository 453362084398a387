"""What the seats are worth: how each came out, and its effect where that was fitted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ratings.results import MatchResult
from ratings.tables import Column, Table, Value, fixed, percent

if TYPE_CHECKING:
    from ratings.fit import SeatEffect


class _Record:
    def __init__(self) -> None:
        self.matches = 0
        self.first = 0.0
        self.placements = 0
        self.score = 0
        self.strikes = 0


def seat_table(
    results: Iterable[MatchResult], effects: Sequence[SeatEffect] = (), title: str = ""
) -> Table:
    """One row per size of table and seat, counted from 1.

    effects: from the final fit; what a seat is worth with the strengths of its bots taken out.
    """
    records: dict[tuple[int, int], _Record] = {}
    for result in results:
        winners = sum(seat.placement == 1 for seat in result.seats)
        for n, seat in enumerate(result.seats, start=1):
            record = records.setdefault((len(result.seats), n), _Record())
            record.matches += 1
            record.first += (seat.placement == 1) / winners
            record.placements += seat.placement
            record.score += seat.score
            record.strikes += sum(seat.strikes.values())
    fitted = {(effect.seats, effect.seat): effect for effect in effects}
    rows: list[dict[str, Value]] = []
    for (seats, n), record in sorted(records.items()):
        effect = fitted.get((seats, n))
        rows.append(
            {
                "seats": seats,
                "seat": n,
                "matches": record.matches,
                "first": record.first / record.matches,
                "mean_placement": record.placements / record.matches,
                "mean_score": record.score / record.matches,
                "strikes": record.strikes,
                "effect": effect.effect if effect else None,
                "error": effect.error if effect else None,
                "first_among_equals": effect.first if effect else None,
            }
        )
    columns = (
        Column("seats", "seats"),
        Column("seat", "seat"),
        Column("matches", "matches"),
        Column("first", "first", form=percent),
        Column("mean_placement", "placement", form=fixed(2)),
        Column("mean_score", "score", form=fixed(2)),
        Column("strikes", "strikes"),
        Column("effect", "effect", form=fixed(2)),
        Column("error", "±", form=fixed(2)),
        Column("first_among_equals", "among equals", form=percent),
    )
    note = "first: share of matches won, ties shared"
    if effects:
        note += (
            "; effect ± standard error: in the unit of μ, bots taken out; "
            "among equals: chance of coming first"
        )
    return Table(title, columns, tuple(rows), note)
