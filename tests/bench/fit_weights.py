"""The planner's weights, fitted to matches of reference bots among themselves, and tried out.

    python -m tests.bench.fit_weights OUT [--matches 3000] [--seed fit] [--jobs 1] [--duel 100]

Plays matches, each seat's bot drawn from PLAYERS, and notes the prospects of all seats at a
sample of the ends of turns. The weights are fitted to how the matches ended (`plackett_luce`);
the log loss on matches that were held out is printed beside that of the weights in use and of a
model that knows nothing. OUT is then written in the form of `runner/bots/weights.py`. Last,
planners with either weights play sets against each other: the new ones are worth their place
only if they win half of the matches or more.

All follows from the seed, however many jobs share the work.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import math
import multiprocessing
import runpy
import statistics
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from pathlib import Path
from typing import TypeVar

import numpy as np
from rich.console import Console
from rich.progress import track

from engine.chance import Chance, derive_seed
from engine.game import Action, Event
from engine.pioneers import Pioneers
from engine.pioneers.actions import EndTurn
from runner.bot import Bot
from runner.bots import find, prospects, weights
from runner.local import LocalMatch
from tests.bench.plackett_luce import Floats, Orders, fit, log_losses, together

PLAYERS = ("planner", "planner", "trader", "greedy")
SEATS = 4
SAMPLE = 3  # one end of a turn in so many
HELD_OUT = 8  # one match in so many

GROUPS = {
    "SITES": prospects.SITES,
    "INCOME": prospects.INCOME,
    "HAND": prospects.HAND,
    "STANDING": prospects.STANDING,
}
IN_USE = Path(weights.__file__)

T = TypeVar("T")


def main() -> None:
    arguments = _arguments()
    secret = hashlib.sha256(arguments.seed.encode()).digest()
    jobs = arguments.jobs
    played = _spread(partial(record, secret), range(arguments.matches), jobs, "matches")
    orders = together(list(played))
    print(f"{len(orders)} states of {arguments.matches} matches, seed {arguments.seed!r}")
    held_out = orders.match % HELD_OUT == 0
    fitted = fit(orders.where(~held_out))
    rest = orders.where(held_out)
    print(f"log loss by choice on {len(rest)} states held out:")
    for name, used in (
        ("no weights", np.zeros_like(fitted)),
        ("in use", in_order(weights_in(IN_USE))),
        ("new", fitted),
    ):
        print(f"  {name:<12}" + "  ".join(f"{loss:.4f}" for loss in log_losses(used, rest)))
    note = f"{arguments.matches} matches\nof seed {arguments.seed!r}."
    arguments.out.write_text(render(note, by_name(fit(orders))))
    print(f"written: {arguments.out}")
    if arguments.duel:
        sets = range(arguments.duel)
        shares = list(_spread(partial(duel, secret, arguments.out), sets, jobs, "sets"))
        margin = 1.96 * statistics.stdev(shares) / math.sqrt(len(shares))
        print(
            f"new against in use: {100 * statistics.fmean(shares):.1f} % of {SEATS * len(shares)} "
            f"matches ± {100 * margin:.1f}, 50 % is even"
        )


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path, help="where the weights are written")
    parser.add_argument("--matches", type=int, default=3000)
    parser.add_argument("--seed", default="fit", help="any text")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--duel", type=int, default=100, help="sets to try the weights out; or 0")
    arguments = parser.parse_args()
    if arguments.matches < HELD_OUT:
        parser.error(f"--matches: must be at least {HELD_OUT}, not {arguments.matches}")
    if arguments.jobs < 1:
        parser.error(f"--jobs: must be at least 1, not {arguments.jobs}")
    if arguments.duel < 0 or arguments.duel == 1:
        parser.error(f"--duel: must be 0, or 2 at least, not {arguments.duel}")
    return arguments


def _spread(work: Callable[[int], T], items: range, jobs: int, what: str) -> Iterator[T]:
    """The results in order, under a progress bar."""
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        yield from track(
            pool.map(work, items, chunksize=4),
            description=what,
            total=len(items),
            console=Console(stderr=True),
            disable=not sys.stderr.isatty(),
        )


# Matches to fit to


class Sampled(Pioneers):
    """A match that notes the prospects of all seats at some ends of turns."""

    __slots__ = ("noted",)

    noted: list[list[prospects.Numbers]]

    def advance(self, actions: Mapping[int, Action]) -> Sequence[Event]:
        """Note the state before the action, at the end of a turn in SAMPLE."""
        s = self._state
        at_end = s.kind == "turn" and isinstance(actions[s.current], EndTurn)
        if at_end and not s.chance.draw("sampled", s.turn, SAMPLE):
            self.noted.append([prospects.numbers(s, seat) for seat in range(s.n)])
        return super().advance(actions)


def record(secret: bytes, number: int) -> Orders:
    """Play match `number`, from 0."""
    match = f"match {number}"
    seed = derive_seed(secret, match)
    chance = Chance(seed)
    names = [PLAYERS[chance.draw("players", seat, len(PLAYERS))] for seat in range(SEATS)]
    local = LocalMatch(
        Sampled, match, seed, [find(name) for name in names], [f"seat {i}" for i in range(SEATS)]
    )
    assert isinstance(local.game, Sampled)
    local.game.noted = []
    outcome = local.play().outcome
    numbers = np.array(local.game.noted, dtype=np.float32)
    states = len(numbers)
    return Orders(
        numbers.reshape(states, SEATS, -1),
        np.tile(np.array(outcome.placements, dtype=np.int8), (states, 1)),
        np.full(states, number, dtype=np.int32),
    )


# The file


def by_name(fitted: Floats) -> dict[str, dict[str, float]]:
    """Weights by group and name."""
    named = {}
    rest = iter(fitted)
    for group, names in GROUPS.items():
        named[group] = {name: float(next(rest)) for name in names}
    return named


def in_order(named: Mapping[str, Mapping[str, float]]) -> Floats:
    """Weights as `prospects.numbers` are."""
    return np.array([named[group][name] for group, names in GROUPS.items() for name in names])


def weights_in(path: Path) -> dict[str, dict[str, float]]:
    """The weights in a file, by group and name."""
    names = runpy.run_path(str(path))
    return {group: names[group] for group in GROUPS}


def render(note: str, named: Mapping[str, Mapping[str, float]]) -> str:
    """The file with these weights; note: what they were fitted to."""
    lines = [
        '"""What each prospect is worth, in logits.',
        "",
        "Written by `python -m tests.bench.fit_weights`. Fitted to " + note,
        '"""',
        "",
    ]
    for group, values in named.items():
        lines.append(f"{group} = {{")
        # Adding 0 makes a zero of minus zero.
        lines += [f'    "{name}": {round(value, 3) + 0.0:.3f},' for name, value in values.items()]
        lines.append("}")
    return "\n".join(lines) + "\n"


# The duel


def duel(secret: bytes, new: Path, number: int) -> float:
    """Play set `number`: two planners each with new weights and with those in use, on one deal,
    every one in every seat once. The share of wins of the new ones; shared wins count in parts."""
    seed = derive_seed(secret, f"duel {number}")
    share = 0.0
    for turn in range(SEATS):
        fresh = [(place + turn) % SEATS < SEATS // 2 for place in range(SEATS)]
        bots = [planner_with(new if is_new else IN_USE) for is_new in fresh]
        names = [f"planner {place}" for place in range(SEATS)]
        outcome = LocalMatch(Pioneers, f"set {number}.{turn}", seed, bots, names).play().outcome
        won = [
            is_new for is_new, place in zip(fresh, outcome.placements, strict=True) if place == 1
        ]
        share += sum(won) / len(won) / SEATS
    return share


@cache
def planner_with(path: Path) -> type[Bot]:
    """The planner with the weights in a file: the bots' modules, loaded once more with them."""
    package = "runner.bots"
    ours = {name: sys.modules.pop(name) for name in [*sys.modules] if name.startswith(package)}
    try:
        module = type(sys)(f"{package}.weights")
        vars(module).update(weights_in(path))
        sys.modules[module.__name__] = module
        planner: type[Bot] = importlib.import_module(f"{package}.planner").Planner
    finally:
        for name in [*sys.modules]:
            if name.startswith(package):
                del sys.modules[name]
        sys.modules.update(ours)
        vars(importlib.import_module("runner"))["bots"] = ours[package]
    return planner


if __name__ == "__main__":
    main()
