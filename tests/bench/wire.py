"""Decisions a second through the whole runner, beside a bare echo of frames of the same sizes.

    python -m tests.bench.wire [--sockets 64] [--matches 600] [--concurrent 64]

Two processes, meant for two cores: one is the runner (gateway, engine, views, journals, ledger),
the other holds all bots, which answer at once. Then the same bots talk to a bare `websockets`
server on uvloop that sends frames of the mean request's size and reads the answers. Both are
measured in one run, in turns, because machines are noisy; the figure to look at is the ratio.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import msgspec
import structlog
import uvloop
from msgspec import Raw, Struct
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve

from runner.app import Running, run_season
from runner.cli.output import load_config
from runner.protocol import SUBPROTOCOL
from runner.tokens import TokenBook

ROUNDS = 3


class Hand(Struct):
    brick: int
    lumber: int
    wool: int
    grain: int
    ore: int


class View(Struct, rename="camel"):
    """What the bots look at; the rest of the view is skipped."""

    seats: int
    hand: Hand
    settlements: tuple[tuple[int, ...], ...]
    bandit: int
    must_discard: int
    dev_deck: int


class Message(Struct):
    type: str
    id: int = -1
    kind: str = ""
    view: View | None = None


read = msgspec.json.Decoder(Message).decode
EDGES: list[tuple[int, int]] = []


def neighbours() -> dict[int, list[int]]:
    """Vertex -> edges, from the lattice; the bots import nothing of the engine."""
    centers = [
        (2 * column + (2, 1, 0, 1, 2)[row], 3 * row)
        for row, length in enumerate((3, 4, 5, 4, 3))
        for column in range(length)
    ]
    around = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
    corners = [[(x + dx, y + dy) for dx, dy in around] for x, y in centers]
    points = sorted({point for corner in corners for point in corner}, key=lambda p: (p[1], p[0]))
    number = {point: n for n, point in enumerate(points)}
    sides = {
        tuple(sorted((number[corner[k]], number[corner[(k + 1) % 6]])))
        for corner in corners
        for k in range(6)
    }
    EDGES.extend(sorted(sides))  # type: ignore[arg-type]
    touching: dict[int, list[int]] = {}
    for edge, ends in enumerate(EDGES):
        for end in ends:
            touching.setdefault(end, []).append(edge)
    return touching


TOUCHING = neighbours()


def answer(message: Message) -> bytes:
    """A legal answer that takes next to no time: buy cards, trade with the bank, end the turn."""
    view = message.view
    assert view is not None
    hand = view.hand
    kind = message.kind
    if kind == "turn":
        if hand.ore and hand.wool and hand.grain and view.dev_deck:
            action = '{"type":"buy_dev_card"}'
        elif hand.brick >= 4:
            action = '{"type":"bank_trade","give":"brick","get":"ore"}'
        elif hand.lumber >= 4:
            action = '{"type":"bank_trade","give":"lumber","get":"wool"}'
        else:
            action = '{"type":"end_turn"}'
    elif kind == "discard":
        left = view.must_discard
        drop = {}
        for name in Hand.__struct_fields__:
            drop[name] = min(left, getattr(hand, name))
            left -= drop[name]
        action = msgspec.json.encode({"discard": drop}).decode()
    elif kind == "bandit":
        action = f'{{"hex":{int(view.bandit == 0)}}}'
    elif kind == "trade":
        action = '{"accept":false}'
    else:
        near = {vertex for towns in view.settlements for vertex in towns}
        near |= {end for a, b in EDGES if a in near or b in near for end in (a, b)}
        vertex = next(v for v in range(54) if v not in near)
        action = f'{{"settlement":{vertex},"road":{TOUCHING[vertex][0]}}}'
    return b'{"id":%d,"action":%s}' % (message.id, action.encode())


async def bot(url: str, token: str, sizes: list[tuple[int, int]]) -> None:
    """Answer every request on one socket until the server closes it."""
    async with connect(
        url,
        additional_headers={"Authorization": f"Bearer {token}"},
        subprotocols=[SUBPROTOCOL],  # type: ignore[list-item]
        compression=None,
    ) as socket:
        await socket.send('{"type":"hello","maxMatches":1000}')
        async for frame in socket:
            message = read(frame)
            if message.type == "request":
                reply = answer(message)
                sizes.append((len(frame), len(reply)))
                await socket.send(reply.decode())


async def bots(url: str, tokens: list[str]) -> None:
    """All bots of the run, then the mean sizes of what went over the wire."""
    sizes: list[tuple[int, int]] = []
    await asyncio.gather(*(bot(url, token, sizes) for token in tokens))
    sent = round(statistics.fmean(size for size, _ in sizes))
    got = round(statistics.fmean(size for _, size in sizes))
    print(sent, got)


def spawn(url: str, tokens: list[str]) -> subprocess.Popen[str]:
    """The bots as a process of their own."""
    environment = {**os.environ, "BENCH_URL": url, "BENCH_TOKENS": " ".join(tokens)}
    return subprocess.Popen(
        [sys.executable, "-m", "tests.bench.wire", "--bots"],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )


async def season(sockets: int, matches: int, concurrent: int) -> tuple[float, float, int, int]:
    """Play a season; decisions a second in its middle, CPU seconds of this process for each,
    and the mean frame sizes."""
    with tempfile.TemporaryDirectory() as folder:
        names = [f"bot{n}" for n in range(sockets)]
        config = Path(folder) / "bench.toml"
        entries = "".join(f'[[bots]]\nname = "{name}"\nremote = true\n' for name in names)
        config.write_text(
            f'[season]\nname = "bench"\ngame = "pioneers"\ndata = "data"\n'
            f"[stop]\nmatches = {matches}\n"
            f"[play]\ndeadline_ms = 60000\nconcurrent_matches = {concurrent}\n"
            f"[server]\nport = 0\n{entries}"
        )
        loaded = load_config(config)
        book = TokenBook(loaded.data)
        tokens = [book.issue(name) for name in names]
        process: list[subprocess.Popen[str]] = []
        marks: list[tuple[float, float, int]] = []

        async def watch(running: Running) -> None:
            process.append(spawn(running.url, tokens))
            while True:
                progress = running.season.progress()
                if matches * 0.15 <= progress.done <= matches * 0.85:
                    marks.append((time.perf_counter(), time.process_time(), progress.decisions))
                await asyncio.sleep(0.02)

        structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
        report = await run_season(loaded, asyncio.Event(), watch)
        assert report.finished
        assert sum(sum(row.strikes.values()) for row in report.standings) == 0, "strikes"
        (begin, cpu_begin, first), (end, cpu_end, last) = marks[0], marks[-1]
        out, _ = process[0].communicate()
        sent, got = map(int, out.split())
        count = last - first
        return count / (end - begin), (cpu_end - cpu_begin) / count, sent, got


async def echo(sockets: int, size: int, exchanges: int) -> tuple[float, float]:
    """A bare server that sends a frame of `size` bytes and reads the answer, over and over."""
    frame = msgspec.json.encode(
        {
            "type": "request",
            "id": 7,
            "kind": "turn",
            "view": {
                "seats": 4,
                "hand": {"brick": 1, "lumber": 1, "wool": 0, "grain": 0, "ore": 0},
                "settlements": [],
                "bandit": 0,
                "mustDiscard": 0,
                "devDeck": 0,
                "padding": Raw(b'"%s"' % (b"x" * max(0, size - 190))),
            },
        }
    ).decode()
    count = 0
    marks: list[tuple[float, float]] = []

    async def handler(socket: ServerConnection) -> None:
        nonlocal count
        await socket.recv()
        while count < exchanges:
            await socket.send(frame)
            await socket.recv()
            count += 1
            if count in (exchanges * 15 // 100, exchanges * 85 // 100):
                marks.append((time.perf_counter(), time.process_time()))

    async with serve(handler, "127.0.0.1", 0, compression=None) as server:
        port = server.sockets[0].getsockname()[1]
        process = spawn(f"ws://127.0.0.1:{port}/", ["x"] * sockets)
        await asyncio.to_thread(process.communicate)
    (begin, cpu_begin), (end, cpu_end) = marks
    counted = exchanges * 85 // 100 - exchanges * 15 // 100
    return counted / (end - begin), (cpu_end - cpu_begin) / counted


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--sockets", type=int, default=64)
    parser.add_argument("--matches", type=int, default=300)
    parser.add_argument("--concurrent", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--bots", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    uvloop.install()
    if options.bots:
        asyncio.run(bots(os.environ["BENCH_URL"], os.environ["BENCH_TOKENS"].split()))
        return
    ratios = []
    for _ in range(options.rounds):
        rate, cpu, sent, got = asyncio.run(
            season(options.sockets, options.matches, options.concurrent)
        )
        bare, bare_cpu = asyncio.run(echo(options.sockets, sent, round(rate * 5)))
        ratios.append(rate / bare)
        print(
            f"runner {rate:8,.0f} decisions/s ({cpu * 1e6:.1f} us CPU each), "
            f"bare {bare:8,.0f} exchanges/s ({bare_cpu * 1e6:.1f} us), "
            f"ratio {rate / bare:.2f} (request {sent} B, answer {got} B)"
        )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"median ratio {statistics.median(ratios):.2f}; peak memory of the runner {peak:.0f} MiB")


if __name__ == "__main__":
    main()
