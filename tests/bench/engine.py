"""Random matches of the engine on one core, beside catanatron's where that is installed.

    python -m tests.bench.engine [--seats 4] [--matches 200] [--rounds 5]

A match is dealt, every pending seat picks uniformly from `legal`, `advance` settles it, until the
end. Two kinds are played: `full`, as just said, and `builders`, who never make an offer, which is
nearer to what catanatron's RandomPlayer does (its players cannot offer; it counts a roll as an
action, which here is part of the turn's beginning). Rounds alternate between the engines, since
machines are noisy; ratios are of the medians, in actions and, because the two count actions
differently, in turns.
"""

from __future__ import annotations

import argparse
import importlib.util
import random
import resource
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from engine.game import Action
from engine.pioneers import Pioneers
from engine.pioneers.actions import OfferTrade

SAMPLE_EVERY = 53
MICROSECONDS = 1e6


@dataclass
class Tally:
    """What one round played, and how long it took."""

    actions: int = 0
    turns: int = 0
    matches: int = 0
    seconds: float = 0.0

    @property
    def actions_per_second(self) -> float:
        return self.actions / self.seconds

    @property
    def turns_per_second(self) -> float:
        return self.turns / self.seconds


def seed_bytes(number: int) -> bytes:
    """A match seed from a number."""
    return number.to_bytes(32, "big")


def play_full(seats: int, number: int, tally: Tally) -> None:
    """One match of uniform choice among all that `legal` lists."""
    draw = random.Random(number).random
    game = Pioneers.deal(seats, seed_bytes(number))
    while asked := game.pending():
        actions: dict[int, Action] = {}
        for seat in asked:
            moves = game.legal(seat)
            actions[seat] = moves[int(draw() * len(moves))]
        game.advance(actions)
        tally.actions += len(actions)
    tally.turns += game.view(None).turn
    tally.matches += 1


def play_builders(seats: int, number: int, tally: Tally) -> None:
    """One match of uniform choice among all but offers."""
    draw = random.Random(number).random
    game = Pioneers.deal(seats, seed_bytes(number))
    while asked := game.pending():
        actions: dict[int, Action] = {}
        for seat in asked:
            moves = game.legal(seat)
            if asked[seat] == "turn":
                moves = [move for move in moves if type(move) is not OfferTrade]
            actions[seat] = moves[int(draw() * len(moves))]
        game.advance(actions)
        tally.actions += len(actions)
    tally.turns += game.view(None).turn
    tally.matches += 1


def play_catanatron(seats: int, number: int, tally: Tally) -> None:
    """One match of catanatron's RandomPlayers."""
    from catanatron import Color, Game, RandomPlayer

    random.seed(number)
    game = Game([RandomPlayer(color) for color in list(Color)[:seats]], seed=number)
    game.play()
    tally.actions += len(game.state.actions)
    tally.turns += game.state.num_turns
    tally.matches += 1


Play = Callable[[int, int, Tally], None]


def measure(play: Play, seats: int, matches: int, first: int) -> Tally:
    """Play `matches` matches and time them."""
    tally = Tally()
    start = time.process_time()
    for number in range(first, first + matches):
        play(seats, number, tally)
    tally.seconds = time.process_time() - start
    return tally


Sample = tuple[Pioneers, dict[int, Action]]


def sample(seats: int, matches: int) -> list[Sample]:
    """Games in the middle of random matches, each with the actions that came next."""
    rng = random.Random(0)
    samples: list[Sample] = []
    for number in range(matches):
        game = Pioneers.deal(seats, seed_bytes(number))
        decision = 0
        while asked := game.pending():
            actions = {seat: rng.choice(game.legal(seat)) for seat in asked}
            if decision % SAMPLE_EVERY == 0:
                samples.append((game.copy(), actions))
            game.advance(actions)
            decision += 1
    return samples


def per_call_us(
    samples: list[Sample], call: Callable[[Pioneers, dict[int, Action]], object]
) -> float:
    """Microseconds per call over the samples: the best of several passes."""
    best = float("inf")
    for _ in range(9):
        start = time.process_time()
        for game, actions in samples:
            call(game, actions)
        best = min(best, time.process_time() - start)
    return best / len(samples) * MICROSECONDS


def print_calls(seats: int) -> None:
    """Microseconds per operation, and the size of a view."""
    samples = sample(seats, 30)
    encode = msgspec.json.Encoder().encode
    seat_of = {id(game): next(iter(actions)) for game, actions in samples}
    copying = per_call_us(samples, lambda game, _: game.copy())
    advancing = per_call_us(samples, lambda game, actions: game.copy().advance(actions)) - copying
    rows = {
        "legal": per_call_us(samples, lambda game, _: game.legal(seat_of[id(game)])),
        "advance": advancing,
        "view": per_call_us(samples, lambda game, _: game.view(seat_of[id(game)])),
        "view + JSON": per_call_us(samples, lambda game, _: encode(game.view(seat_of[id(game)]))),
        "copy": copying,
    }
    sizes = [len(encode(game.view(seat_of[id(game)]))) for game, _ in samples]
    print(f"\nmicroseconds a call, over {len(samples)} states of random matches ({seats} seats)")
    for name, microseconds in rows.items():
        print(f"  {name:<12}{microseconds:8.2f}")
    print(f"  a view is {statistics.mean(sizes):.0f} bytes of JSON")


def print_line(name: str, rounds: list[Tally]) -> None:
    """The medians of one engine's rounds."""
    actions = statistics.median(r.actions_per_second for r in rounds)
    turns = statistics.median(r.turns_per_second for r in rounds)
    matches = statistics.median(r.matches / r.seconds for r in rounds)
    length = sum(r.actions for r in rounds) / sum(r.matches for r in rounds)
    print(f"  {name:<12}{actions:>12,.0f}{turns:>12,.0f}{matches:>12,.1f}{length:>16,.0f}")


def print_ratio(name: str, ours: list[Tally], theirs: list[Tally]) -> None:
    """Our medians over theirs."""
    actions, turns = (
        statistics.median(getattr(r, field) for r in ours)
        / statistics.median(getattr(r, field) for r in theirs)
        for field in ("actions_per_second", "turns_per_second")
    )
    print(f"  {name} over catanatron: {actions:.1f} in actions, {turns:.1f} in turns")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seats", type=int, default=4, choices=(3, 4))
    parser.add_argument("--matches", type=int, default=200, help="matches per round and engine")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()

    engines: dict[str, Play] = {"full": play_full, "builders": play_builders}
    for play in engines.values():
        measure(play, options.seats, 10, 0)
    measure(play_full, options.seats, options.matches, 0)
    # ru_maxrss is in KiB, on macOS in bytes; read before catanatron and its numpy are loaded.
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    peak_mib = peak / (1 << 20 if sys.platform == "darwin" else 1 << 10)
    if importlib.util.find_spec("catanatron") is not None:
        engines["catanatron"] = play_catanatron
        measure(play_catanatron, options.seats, 5, 0)

    rounds: dict[str, list[Tally]] = {name: [] for name in engines}
    for round_ in range(options.rounds):
        for name, play in engines.items():
            # catanatron takes many times as long for a match; a quarter of them will do.
            matches = options.matches // (4 if name == "catanatron" else 1)
            rounds[name].append(measure(play, options.seats, matches, round_ * options.matches))
    print(f"Python {sys.version.split()[0]}, one core, {options.seats} seats, medians of rounds")
    print(f"  {'':<12}{'actions/s':>12}{'turns/s':>12}{'matches/s':>12}{'actions/match':>16}")
    for name, tallies in rounds.items():
        print_line(name, tallies)
    for name in ("full", "builders"):
        if "catanatron" in rounds:
            print_ratio(name, rounds[name], rounds["catanatron"])
    print_calls(options.seats)
    print(f"\npeak memory of the engine's matches: {peak_mib:.0f} MiB")


if __name__ == "__main__":
    main()
