"""A long season in pieces: does memory grow, do tasks or file handles pile up?

    python -m tests.bench.soak FOLDER [--minutes 10] [--bots 100] [--matches 25]

Run it again with the same FOLDER to go on with the same season: each piece is a restart of the
runner, too. The bots hang up and come back all the time. Each piece prints a line now and then,
and in the end what grew over its second half, by least squares. Results are kept for rating and
pairing, so memory grows with the matches played; what is left after that is what to look at.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Sequence
from pathlib import Path

import structlog
import uvloop

from runner.app import Running, run_season
from runner.cli.output import load_config
from tests.bench.load import Sample, crowd, tokens_of, write_config

EVERY_SECONDS = 5.0
LINES = 20
HANG_UP_AFTER = 300


def growth(samples: Sequence[Sample], field: str) -> float:
    """How much `field` grew per hour over the samples: the slope by least squares."""
    times = [sample.seconds / 3600 for sample in samples]
    values = [float(getattr(sample, field)) for sample in samples]
    middle, mean = sum(times) / len(times), sum(values) / len(values)
    over = sum((t - middle) ** 2 for t in times)
    return sum((t - middle) * (v - mean) for t, v in zip(times, values, strict=True)) / over


async def piece(options: argparse.Namespace) -> None:
    """One piece of the season."""
    names = [f"bot{n:04}" for n in range(options.bots)]
    options.folder.mkdir(parents=True, exist_ok=True)
    loaded = load_config(write_config(options.folder, names, options.matches))
    tokens = tokens_of(loaded, names)
    stop = asyncio.Event()
    samples: list[Sample] = []

    async def watch(running: Running) -> None:
        begun = time.monotonic()
        seconds = options.minutes * 60
        each = max(1, round(seconds / EVERY_SECONDS / LINES))
        with crowd(running.url, tokens, options.think_ms, HANG_UP_AFTER):
            while time.monotonic() - begun < seconds:
                await asyncio.sleep(EVERY_SECONDS)
                samples.append(Sample.take(running, begun))
                if len(samples) % each == 0:
                    print(samples[-1], flush=True)
            stop.set()
            await asyncio.Event().wait()

    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    report = await run_season(loaded, stop, watch)
    half = samples[len(samples) // 2 :]
    matches = half[-1].matches - half[0].matches
    print(f"second half: {half[-1].seconds - half[0].seconds:.0f} s, {matches} matches")
    for field in ("memory", "tasks", "files"):
        first, last = getattr(half[0], field), getattr(half[-1], field)
        print(f"{field}: {first:.1f} to {last:.1f}, {growth(half, field):+.1f} an hour")
    strikes = sum(sum(row.strikes.values()) for row in report.standings)
    print(f"strikes so far: {strikes}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--bots", type=int, default=100)
    parser.add_argument("--matches", type=int, default=25)
    parser.add_argument("--think-ms", type=float, default=5.0)
    options = parser.parse_args()
    uvloop.install()
    asyncio.run(piece(options))


if __name__ == "__main__":
    main()
