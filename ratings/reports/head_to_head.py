"""Who does how well against whom: every pair of bots that met."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import permutations

from scipy.stats import norm

from ratings.results import MatchResult, Rating
from ratings.skill import Settings
from ratings.tables import Column, Table, Value, percent, signed


class _Record:
    def __init__(self) -> None:
        self.matches = 0
        self.ahead = 0
        self.tied = 0
        self.places = 0


def head_to_head(
    results: Iterable[MatchResult],
    ratings: Mapping[str, Rating],
    settings: Settings,
    bot: str | None = None,
    title: str = "",
) -> Table:
    """One row per bot and opponent, both ways round; all versions of a bot together.

    bot: only the rows of this one. ratings: as they are now, for what was to be expected: the
    probability that the bot performs better than the opponent in one match. Bots stand in the
    order of their ratings, best first.
    """
    records: dict[tuple[str, str], _Record] = {}
    for result in results:
        for seat, rival in permutations(result.seats, 2):
            if bot in (None, seat.bot):
                record = records.setdefault((seat.bot, rival.bot), _Record())
                record.matches += 1
                record.ahead += seat.placement < rival.placement
                record.tied += seat.placement == rival.placement
                record.places += rival.placement - seat.placement
    by_rating = sorted(ratings, key=lambda name: (-ratings[name].value, name))
    order = {name: n for n, name in enumerate(by_rating)}
    rows: list[dict[str, Value]] = []
    for own, other in sorted(records, key=lambda pair: (order[pair[0]], order[pair[1]])):
        record = records[own, other]
        rows.append(
            {
                "bot": own,
                "opponent": other,
                "matches": record.matches,
                "ahead": record.ahead,
                "tied": record.tied,
                "behind": record.matches - record.ahead - record.tied,
                "share": (record.ahead + record.tied / 2) / record.matches,
                "expected": _expected(ratings[own], ratings[other], settings),
                "places": record.places / record.matches,
            }
        )
    columns = (
        Column("bot", "bot", "left", shrinks=True),
        Column("opponent", "opponent", "left", shrinks=True),
        Column("matches", "matches"),
        Column("ahead", "ahead"),
        Column("tied", "tied"),
        Column("behind", "behind"),
        Column("share", "share", form=percent),
        Column("expected", "expected", form=percent),
        Column("places", "places", form=signed),
    )
    note = (
        "share: of matches ahead, ties half; expected: by the ratings now; "
        "places: mean difference in placement, + is ahead"
    )
    return Table(title, columns, tuple(rows), note)


def _expected(one: Rating, other: Rating, settings: Settings) -> float:
    spread = math.sqrt(2 * settings.beta**2 + one.sigma**2 + other.sigma**2)
    return float(norm.cdf((one.mu - other.mu) / spread))
