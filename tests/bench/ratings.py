"""What the ledger, the ratings and the pairing cost, on one core.

    python -m tests.bench.ratings [--quick]

Prints, in processor time: a match appended to a ledger on disk; a season of 10,000 matches
opened, rated again from its results, and audited; the next set chosen among 5,000 bots; the
final fit of 20,000 matches with its bootstrap. Each beside what was asked, as a ratio.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import msgspec

from ratings.audit import audit
from ratings.field import Entrant, History, Seating, Situation
from ratings.fit import fit
from ratings.formats import Ladder
from ratings.latency import Latencies
from ratings.ledger import Ledger
from ratings.results import MatchResult
from ratings.skill import Skill
from ratings.standings import Standings, standings
from tests.ratings.made import play

SKILL = Skill()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of everything")
    scale = 10 if parser.parse_args().quick else 1
    ledger(10_000 // scale)
    pairing(5_000 // scale)
    final(20_000 // scale)


def ledger(matches: int) -> None:
    results = season(matches, 50)
    with TemporaryDirectory() as folder:
        path = Path(folder, "season.db")
        with Ledger.open(path, SKILL) as book:
            seconds = timed(lambda: [book.append(result) for result in results])
            report("append a match", seconds / matches, 0.005, f"{path.stat().st_size} bytes")
        seconds = timed(lambda: Ledger.open(path, SKILL).close())
        report(f"open a ledger of {matches}", seconds, 5.0)
        report(f"rate {matches} again", timed(lambda: standings(results, SKILL)), 15.0)
        report(f"audit {matches}", timed(lambda: audit(path, SKILL)), 15.0)


def pairing(bots: int) -> None:
    strengths = {f"bot{n:05}": Random(n).gauss(25, 8) for n in range(bots)}
    state, history = Standings(SKILL), History()
    for result in season(2 * bots, bots):
        state.add(result)
        history.add(result)
    entrants = {bot: Entrant(bot) for bot in strengths}
    free = dict.fromkeys(strengths, 2)
    ladder = Ladder(4, b"a seed", SKILL)
    in_play: list[Seating] = []
    waits = []
    for _ in range(40):
        situation = Situation(entrants, history, state, in_play, free)
        started = time.process_time()
        seating = ladder._new_set(situation)
        waits.append(time.process_time() - started)
        assert seating is not None
        in_play.append(seating)
    waits.sort()
    report(
        f"next set among {bots} bots, median", waits[20], 0.020, f"worst {waits[-1] * 1e3:.1f} ms"
    )


def final(matches: int) -> None:
    results = season(matches, 100)
    report(
        f"final fit of {matches}, 200 samples", timed(lambda: fit(results, SKILL.settings)), 20.0
    )
    seconds = timed(lambda: fit(results, SKILL.settings, replicates=0))
    report(f"fit of {matches} without them", seconds, 2.0)


def season(matches: int, bots: int) -> list[MatchResult]:
    """Random tables in sets of four, with answer times as real matches have them."""
    rng = Random(matches)
    strengths = {f"bot{n:05}": rng.gauss(25, 6) for n in range(bots)}
    names = sorted(strengths)
    times = [Latencies.of(rng.lognormvariate(2, 1) for _ in range(120)) for _ in range(40)]
    played = []
    for number in range(matches // 4):
        table = rng.sample(names, 4)
        for turn in range(4):
            order = table[turn:] + table[:turn]
            result = play(f"m{number}-{turn}", order, strengths, rng, set_id=f"s{number}")
            seats = (
                msgspec.structs.replace(seat, latencies=rng.choice(times)) for seat in result.seats
            )
            played.append(msgspec.structs.replace(result, seats=tuple(seats)))
    return played


def timed(work: Callable[[], object]) -> float:
    """Processor seconds of this process."""
    started = time.process_time()
    work()
    return time.process_time() - started


def report(what: str, seconds: float, asked: float, more: str = "") -> None:
    taken = f"{seconds * 1e3:.2f} ms" if seconds < 1 else f"{seconds:.2f} s"
    print(f"{what:<42} {taken:>11}   {seconds / asked:6.1%} of {asked:g} s   {more}".rstrip())


if __name__ == "__main__":
    main()
