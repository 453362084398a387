"""The Pioneers Program measured: how its matches end, what its cards are worth, how fast it is.

    python -m tests.bench.program [--matches 1000] [--seats 4] [--players random sensible]

`random` picks uniformly from `legal`, `sensible` is the yardstick of tests/engine/program. For
each: endings and rounds, points by source at the end, win shares by seat and by place in the
first round's order, and for each card how often it was played, and by how much the seats that
played it ended above (or below) the mean score of all seats. For random players, who know no good
card from a bad one, that edge is about what the card itself brings; for sensible ones it also
says who could afford it.

Decisions a second are of random matches on one core, `legal`, choice and `advance` together, in
passes of their own, of which the median counts; seconds are of processor time, so that other work
on the machine does not count.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable

from engine.game import Action, Event
from engine.program import Program
from engine.program import events as ev
from engine.program.cards import CARDS, FACTS, HQ_LEVEL, HQS, NAME_OF, NUMBER_OF
from engine.program.position import SeatPosition
from tests.engine.program.sensible import Sensible

Choose = Callable[[Program], dict[int, Action]]
PASSES = 5


def seed_bytes(number: int) -> bytes:
    """A match seed from a number."""
    return number.to_bytes(32, "big")


def uniform(rng: random.Random) -> Choose:
    """Each legal action is as likely as the others."""
    draw = rng.random

    def choose(game: Program) -> dict[int, Action]:
        chosen = {}
        for seat in game.pending():
            moves = game.legal(seat)
            chosen[seat] = moves[int(draw() * len(moves))]
        return chosen

    return choose


def sensible(rng: random.Random) -> Choose:
    """The yardstick."""
    return Sensible(rng).choose


PLAYERS: dict[str, Callable[[random.Random], Choose]] = {"random": uniform, "sensible": sensible}


class Measures:
    """What is counted over the matches of one kind of player."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.rounds: Counter[int] = Counter()
        self.reasons: Counter[str] = Counter()
        self.decisions = 0
        self.sources: Counter[str] = Counter()
        self.scores: list[int] = []
        self.wins_by_seat: Counter[int] = Counter()
        self.wins_by_place: Counter[int] = Counter()
        self.plays: Counter[str] = Counter()
        self.scores_with: defaultdict[str, list[int]] = defaultdict(list)

    def play(self, number: int, choose: Choose) -> None:
        """Play one match to its end and count it."""
        game = Program.deal(self.seats, seed_bytes(number))
        played: list[tuple[int, str]] = []
        order: tuple[int, ...] = ()
        while game.pending():
            actions = choose(game)
            self.decisions += len(actions)
            for event in game.advance(actions):
                played += cards_played(event)
                if isinstance(event, ev.RoundBegan) and event.round == 1:
                    order = event.order
        outcome = game.outcome()
        assert outcome is not None
        position = game.position()
        self.rounds[position.round] += 1
        self.reasons[outcome.reason] += 1
        self.scores += outcome.scores
        firsts = [seat for seat, place in enumerate(outcome.placements) if place == 1]
        for seat in firsts:
            self.wins_by_seat[seat] += 1 / len(firsts)  # type: ignore[assignment]
            self.wins_by_place[order.index(seat)] += 1 / len(firsts)  # type: ignore[assignment]
        for town in position.towns:
            self.sources.update(points(town))
        self.plays.update(name for _, name in played)
        for seat, name in set(played):
            self.scores_with[name].append(outcome.scores[seat])


def cards_played(event: Event) -> Iterable[tuple[int, str]]:
    """The seats and cards that an event shows as played, completed or reached."""
    match event:
        case ev.Played(seat=seat, card=card) | ev.Drafted(seat=seat, card=str(card)):
            yield seat, NAME_OF[NUMBER_OF[card]]
        case ev.Completed(seat=seat, project=project):
            yield seat, NAME_OF[NUMBER_OF[project]]
        case ev.Prepared(seat=seat, cards=cards):
            for card in cards:
                yield seat, f"{NAME_OF[NUMBER_OF[card]]} as a reaction"
        case ev.Protected(seat=seat, card=card):
            yield seat, f"{NAME_OF[NUMBER_OF[card]]} as a reaction"
        case ev.Upgraded(seat=seat, hq=hq):
            yield seat, hq


def points(town: SeatPosition) -> Counter[str]:
    """The points of a seat by where they come from."""
    found: Counter[str] = Counter()
    projects = sum(CARDS[NUMBER_OF[card]].points for card in town.projects)
    found["projects"] = projects
    found["other permanent points"] = town.permanent - projects
    found["HQ"] = HQS[HQ_LEVEL[town.hq]].points
    for card in town.town:
        if CARDS[NUMBER_OF[card]].points:
            found[NAME_OF[NUMBER_OF[card]]] += CARDS[NUMBER_OF[card]].points
    return found


def report(name: str, measures: Measures) -> None:
    """Print what was counted."""
    matches = measures.rounds.total()
    by_four = measures.reasons["four_points"] / matches
    rounds = sum(number * count for number, count in measures.rounds.items()) / matches
    mean = statistics.fmean(measures.scores)
    print(f"\n== {name}: {matches} matches, {measures.seats} seats")
    print(f"all ended by round {max(measures.rounds)}; {by_four:.1%} by four points; ", end="")
    print(f"{rounds:.2f} rounds and {measures.decisions / matches:.0f} decisions in the mean")
    print("rounds:", ", ".join(f"{r}: {n}" for r, n in sorted(measures.rounds.items())))
    print(f"score of a seat: {mean:.2f} in the mean;", shares(Counter(measures.scores)))
    error = (1 / measures.seats * (1 - 1 / measures.seats) / matches) ** 0.5
    print(
        f"wins by seat (a fair share is {1 / measures.seats:.1%}, one error {error:.1%}):", end=" "
    )
    print(shares(measures.wins_by_seat))
    print("wins by place in the first round:", shares(measures.wins_by_place))
    total = measures.sources.total()
    print("points by source:")
    for source, count in measures.sources.most_common():
        if count:
            print(f"  {source:26} {count / total:6.1%}  {count / matches:6.3f} a match")
    print("cards played (and projects, HQs) a match for each copy, edge in points:")
    for card in [*FACTS, *(f"{name} as a reaction" for name in FACTS), *(hq.name for hq in HQS)]:
        count = measures.plays[card]
        if count or card in FACTS:
            scores = measures.scores_with[card]
            edge = f"{statistics.fmean(scores) - mean:+.2f}" if scores else "-"
            each = count / matches / copies(card)
            print(f"  {card:32} {count:6} {each:6.3f}  {edge}")


def copies(card: str) -> int:
    """How many copies there are of what was played."""
    fact = FACTS.get(card.removesuffix(" as a reaction"))
    return 1 if fact is None else fact.copies.market + fact.copies.wastes + fact.copies.projects


def shares(counts: Counter[int]) -> str:
    """A counter as shares, by key."""
    total = sum(counts.values())
    return ", ".join(f"{key}: {count / total:.1%}" for key, count in sorted(counts.items()))


def speed(seats: int, matches: int) -> None:
    """Print decisions a second of random matches."""
    rates = []
    for start in range(PASSES):
        decisions = 0
        began = time.process_time()
        for number in range(start * matches, (start + 1) * matches):
            choose = uniform(random.Random(number))
            game = Program.deal(seats, seed_bytes(number))
            while game.pending():
                actions = choose(game)
                decisions += len(actions)
                game.advance(actions)
        rates.append(decisions / (time.process_time() - began))
    print(f"\n== speed: {statistics.median(rates):,.0f} decisions a second", end=" ")
    print(f"({min(rates):,.0f} to {max(rates):,.0f} in {PASSES} passes; asked: 20,000)")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.program")
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--seats", type=int, default=4, choices=Program.seat_counts)
    parser.add_argument("--players", nargs="*", default=[*PLAYERS], choices=[*PLAYERS])
    asked = parser.parse_args()
    for name in asked.players:
        measures = Measures(asked.seats)
        for number in range(asked.matches):
            measures.play(number, PLAYERS[name](random.Random(number)))
        report(name, measures)
    speed(asked.seats, max(1, asked.matches // 10))


if __name__ == "__main__":
    main()
