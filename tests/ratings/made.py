"""Results for tests: made by hand, or played by a field of known strengths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from ratings.latency import Latencies
from ratings.results import MatchResult, SeatResult


def seat(
    bot: str,
    placement: int,
    *,
    version: str = "1",
    strikes: Mapping[str, int] | None = None,
    resigned: bool = False,
    times_ms: Sequence[float] = (5.0, 10.0),
) -> SeatResult:
    return SeatResult(
        bot, version, placement, 11 - placement, strikes or {}, resigned, 40, Latencies.of(times_ms)
    )


def result(match: str, *seats: SeatResult, started_ms: int = 0, set_id: str = "") -> MatchResult:
    return MatchResult(match, "game", "points", started_ms, started_ms + 500, seats, set_id)


def ranked(match: str, *bots: str, version: str = "1", started_ms: int = 0) -> MatchResult:
    """A match that ended in the order in which the bots sat."""
    seats = (seat(bot, place, version=version) for place, bot in enumerate(bots, start=1))
    return result(match, *seats, started_ms=started_ms)


def play(
    match: str,
    bots: Sequence[str],
    strengths: Mapping[str, float],
    rng: Random,
    *,
    seat_bonus: Sequence[float] = (),
    set_id: str = "",
    started_ms: int = 0,
) -> MatchResult:
    """A match by the rating model itself: the best performance, strength plus noise, is first."""
    performance = {
        bot: strengths[bot]
        + rng.gauss(0, 25 / 6)
        + (seat_bonus[place] if place < len(seat_bonus) else 0)
        for place, bot in enumerate(bots)
    }
    order = sorted(bots, key=lambda bot: -performance[bot])
    seats = (seat(bot, order.index(bot) + 1) for bot in bots)
    return result(match, *seats, started_ms=started_ms, set_id=set_id)


def season(matches: int, bots: int, seed: int, seats: int = 4) -> list[MatchResult]:
    """A season of random tables; the bots' strengths are 2 apart."""
    rng = Random(seed)
    strengths = {f"bot{n:03}": 25 + 2.0 * n for n in range(bots)}
    return [
        play(f"m{n}", rng.sample(sorted(strengths), seats), strengths, rng, started_ms=1000 * n)
        for n in range(matches)
    ]
