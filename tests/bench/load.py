"""A full house: a thousand bots, 250 matches at once, 20 ms of thinking for each answer.

    python -m tests.bench.load [--bots 1000] [--matches 250] [--think-ms 20] [--seconds 30]

Two processes on the same machine, the runner and the bots, for a bounded time. Printed are the
decisions a second, what the runner itself adds to a decision (from an answer's arrival until it
is settled, by its own histogram), how late its loop was, and its memory over the run. It fails
where anybody got a strike: the bots are never slow enough for one.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import structlog
import uvloop
from msgspec import Struct
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from runner.app import Running, run_season
from runner.cli.output import load_config
from runner.config import Loaded
from runner.meters import BOUNDS, Histogram
from runner.protocol import SUBPROTOCOL
from runner.tokens import TokenBook
from tests.bench.wire import answer, neighbours, read

WARM_UP_SECONDS = 5.0
SAMPLES = 8


async def bot(url: str, token: str, think_s: float, hang_up_after: int) -> None:
    """Answer every request `think_s` after it came, until the season goes away.

    hang_up_after: drop the connection after so many answers and come back; 0 for never.
    """
    loop = asyncio.get_running_loop()
    while True:
        try:
            async with connect(
                url,
                additional_headers={"Authorization": f"Bearer {token}"},
                subprotocols=[SUBPROTOCOL],  # type: ignore[list-item]
                compression=None,
                ping_interval=None,
                open_timeout=60,
                proxy=None,
            ) as socket:
                await socket.send('{"type":"hello","maxMatches":1}')
                left = hang_up_after
                async for frame in socket:
                    message = read(frame)
                    if message.type == "goodbye":
                        return
                    if message.type == "request":
                        loop.call_later(think_s, _reply, socket, answer(message))
                        left -= 1
                        if left == 0:
                            break
                else:
                    return
        except ConnectionClosed:
            return


def _reply(socket: ClientConnection, frame: bytes) -> None:
    # What `send` does for a small message, without a task for each.
    with suppress(Exception):
        socket.protocol.send_text(frame)
        socket.send_data()


async def bots(url: str, tokens: Sequence[str], think_s: float, hang_up_after: int) -> None:
    """All bots of the run; they come in tens, as bots of many machines would."""
    tasks = []
    for n, token in enumerate(tokens):
        # Different bots hang up at different moments.
        after = hang_up_after and hang_up_after + n
        tasks.append(asyncio.create_task(bot(url, token, think_s, after)))
        if n % 10 == 9:
            await asyncio.sleep(0.01)
    await asyncio.gather(*tasks)


@contextmanager
def crowd(
    url: str, tokens: Sequence[str], think_ms: float, hang_up_after: int = 0
) -> Iterator[None]:
    """The bots as a process of their own, for as long as the block lasts."""
    with tempfile.TemporaryFile() as file:
        file.write("\n".join(tokens).encode())
        file.seek(0)
        process = subprocess.Popen(
            (
                *(sys.executable, "-m", "tests.bench.load", "--crowd", url),
                *("--think-ms", str(think_ms), "--hang-up-after", str(hang_up_after)),
            ),
            stdin=file,
        )
    try:
        yield
    finally:
        process.terminate()
        process.wait()


def write_config(folder: Path, names: Sequence[str], concurrent: int) -> Path:
    """A season that does not end by itself, for bots that connect by themselves."""
    path = folder / "load.toml"
    entries = "".join(f'[[bots]]\nname = "{name}"\nremote = true\n' for name in names)
    path.write_text(
        f'[season]\nname = "load"\ngame = "pioneers"\ndata = "data"\n'
        f"[stop]\nmatches = 10000000\n"
        f"[play]\nconcurrent_matches = {concurrent}\n"
        f"[server]\nport = 0\nmax_connections = {len(names) + 100}\n"
        f"max_per_address = {len(names) + 100}\n{entries}"
    )
    return path


def tokens_of(loaded: Loaded, names: Sequence[str]) -> list[str]:
    """A token for each bot."""
    book = TokenBook(loaded.data)
    return [book.issue(name) for name in names]


class Sample(Struct, frozen=True):
    """The runner at one moment. memory: of this process, MiB, and not that of the bots."""

    seconds: float
    decisions: int
    matches: int
    playing: int
    memory: float
    tasks: int
    files: int

    @classmethod
    def take(cls, running: Running, begun: float) -> Sample:
        """The runner now."""
        progress = running.season.progress()
        return cls(
            time.monotonic() - begun,
            progress.decisions,
            progress.done,
            progress.playing,
            memory_mib(),
            len(asyncio.all_tasks()),
            len(os.listdir("/proc/self/fd")),
        )

    def __str__(self) -> str:
        return (
            f"{self.seconds:7.1f} s {self.decisions:10,} decisions {self.matches:7,} matches "
            f"{self.playing:4} in play {self.memory:7.1f} MiB {self.tasks:5} tasks "
            f"{self.files:5} files"
        )


def memory_mib() -> float:
    """Resident memory of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def percentile(histogram: Histogram, share: float) -> float:
    """The bound, in ms, under which `share` of the times lie."""
    wanted = share * sum(histogram.counts)
    seen = 0
    for count, bound in zip(histogram.counts, (*BOUNDS, float("inf")), strict=True):
        seen += count
        if seen >= wanted:
            return bound * 1000
    raise AssertionError("no times")


async def run(options: argparse.Namespace) -> bool:
    """One bounded run; says whether nobody got a strike."""
    names = [f"bot{n:04}" for n in range(options.bots)]
    with tempfile.TemporaryDirectory() as folder:
        loaded = load_config(write_config(Path(folder), names, options.matches))
        tokens = tokens_of(loaded, names)
        stop = asyncio.Event()
        samples: list[Sample] = []

        async def watch(running: Running) -> None:
            with crowd(running.url, tokens, options.think_ms):
                while running.season.progress().playing < options.matches:  # noqa: ASYNC110
                    await asyncio.sleep(0.1)
                print(f"{options.bots} bots are in, {options.matches} matches in play")
                begun = time.monotonic()
                await asyncio.sleep(WARM_UP_SECONDS)
                meters = running.season._meters
                for counts in (meters.delay, meters.answer_time):
                    counts.counts[:] = [0] * len(counts.counts)
                for _ in range(SAMPLES + 1):
                    samples.append(Sample.take(running, begun))
                    print(samples[-1])
                    await asyncio.sleep(options.seconds / SAMPLES)
                delay, answers = meters.delay, meters.answer_time
                first, last = samples[0], samples[-1]
                rate = (last.decisions - first.decisions) / (last.seconds - first.seconds)
                print(f"{rate:,.0f} decisions a second")
                for name, histogram in (("runner's delay", delay), ("answer time", answers)):
                    p50, p99 = percentile(histogram, 0.5), percentile(histogram, 0.99)
                    print(f"{name}: p50 up to {p50:.2f} ms, p99 up to {p99:.2f} ms")
                print(f"settled by: {dict(meters.decisions)}; refused: {dict(meters.refusals)}")
                print(f"loop: {running.season._watch.stalls} beats late by more than 10 ms")
                stop.set()
                await asyncio.Event().wait()

        structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
        await run_season(loaded, stop, watch)
        peak = max(sample.memory for sample in samples)
        print(f"memory: {samples[0].memory:.0f} MiB at first, {peak:.0f} MiB at most")
        files = [*loaded.data.glob("transcripts/*"), *loaded.data.glob("playing/*")]
        faults = sum(path.read_bytes().count(b'"fault":') for path in files)
        print(f"faults: {faults}")
        return faults == 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--bots", type=int, default=1000)
    parser.add_argument("--matches", type=int, default=250)
    parser.add_argument("--think-ms", type=float, default=20.0)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--hang-up-after", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--crowd", metavar="URL", help=argparse.SUPPRESS)
    options = parser.parse_args()
    uvloop.install()
    if options.crowd:
        neighbours()
        tokens = sys.stdin.read().split()
        think_s = options.think_ms / 1000
        asyncio.run(bots(options.crowd, tokens, think_s, options.hang_up_after))
    elif not asyncio.run(run(options)):
        sys.exit("somebody got a strike")


if __name__ == "__main__":
    main()
