"""Whole matches as text, and digests of many, for comparison word for word.

Every choice is a draw of `engine.chance`, so that nothing hangs on the internals of Python's own
generator, on the order of sets or on a hash seed.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from engine.catalog import GAMES, find
from engine.chance import Chance, derive_seed
from engine.game import Action, Event, Game

FOLDER = Path(__file__).parent
DIGEST_ROWS = 200

Chooser = Callable[[Game, int], Action]

# File name: game, seats, number of the match, whether all is played by default.
PLAYTHROUGHS: dict[str, tuple[str, int, int, bool]] = {
    "pioneers-3-defaults.txt": ("pioneers", 3, 0, True),
    "pioneers-3.txt": ("pioneers", 3, 57, False),
    "pioneers-4.txt": ("pioneers", 4, 30, False),
    "pioneers-program-3-defaults.txt": ("pioneers-program", 3, 0, True),
    "pioneers-program-3.txt": ("pioneers-program", 3, 57, False),
    "pioneers-program-4.txt": ("pioneers-program", 4, 131, False),
}


def seed_of(game_id: str, seats: int, number: int) -> bytes:
    """The seed of a numbered match."""
    return derive_seed(bytes(32), f"golden {game_id} {seats} {number}")


class Drawn:
    """Seats whose choices are draws, mostly among the type of action that they took least yet.

    So whatever is seldom possible is done when it is, and all that a game has occurs soon.
    """

    def __init__(self, seed: bytes) -> None:
        self.chance = Chance(seed)
        self.n = 0
        self.taken: Counter[tuple[int, str]] = Counter()

    def draw(self, below: int) -> int:
        self.n += 1
        return self.chance.draw("choice", self.n - 1, below)

    def __call__(self, game: Game, seat: int) -> Action:
        moves = game.legal(seat)
        if len(moves) > 1000:
            return moves[self.draw(len(moves))]
        names = sorted({type(move).__name__ for move in moves})
        if self.draw(8):
            names.sort(key=lambda name: self.taken[seat, name])
            name = names[0]
        else:
            name = names[self.draw(len(names))]
        self.taken[seat, name] += 1
        fitting = [move for move in moves if type(move).__name__ == name]
        return fitting[self.draw(len(fitting))]


def default(game: Game, seat: int) -> Action:
    """A player that never answers."""
    return game.default(seat)


def decisions(game: Game, choose: Chooser) -> Iterator[tuple[dict[int, Action], list[Event]]]:
    """Play a match to its end: the actions of each decision and the events that they bring."""
    while game.pending():
        actions = {seat: choose(game, seat) for seat in game.pending()}
        yield actions, list(game.advance(actions))


def playthrough(game_id: str, seats: int, number: int, defaults: bool) -> str:
    """One match as text: its board, each decision with what came of it, the end."""
    seed = seed_of(game_id, seats, number)
    game_type = find(game_id)
    game = game_type.deal(seats, seed)
    lines = [f"{game_id}, {seats} seats, seed {seed.hex()}", "", game.draw(game.view(None)), ""]
    kinds = dict(game.pending())
    for actions, events in decisions(game, default if defaults else Drawn(seed)):
        for seat, action in actions.items():
            lines.append(f"{seat} {kinds[seat]} {msgspec.json.encode(action).decode()}")
        lines += [f"    {game.narrate(event)}" for event in events]
        kinds = dict(game.pending())
    outcome = game.outcome()
    assert outcome is not None
    lines += ["", game.draw(game.view(None)), ""]
    lines += [f"outcome {msgspec.json.encode(outcome).decode()}"]
    lines += [f"position {msgspec.json.encode(game.position()).decode()}"]
    return "\n".join(line.rstrip() for line in "\n".join(lines).split("\n")) + "\n"


def digest_row(game_id: str, number: int) -> str:
    """Seats, number, decisions and a digest of all actions, events, views and the last state."""
    counts = find(game_id).seat_counts
    seats = counts[number % len(counts)]
    seed = seed_of(game_id, seats, number)
    game = find(game_id).deal(seats, seed)
    hashed = hashlib.sha256()
    actions_taken = 0
    for actions, events in decisions(game, Drawn(seed)):
        actions_taken += len(actions)
        view = game.view(actions_taken % seats)
        hashed.update(msgspec.json.encode([list(actions.values()), events, view]))
    hashed.update(msgspec.json.encode([game.position(), game.outcome()]))
    return f"{seats} {number} {actions_taken} {hashed.hexdigest()[:32]}"


def digests(game_id: str, rows: int = DIGEST_ROWS) -> str:
    """The table of a game: seats, number of the match, actions, digest."""
    return "".join(digest_row(game_id, number) + "\n" for number in range(rows))


def files() -> dict[str, Callable[[], str]]:
    """Every golden file by name, with what makes its text."""
    made: dict[str, Callable[[], str]] = {}
    for name, match in PLAYTHROUGHS.items():
        made[name] = lambda match=match: playthrough(*match)  # type: ignore[misc]
    for game_id in GAMES:
        made[f"{game_id}-digests.txt"] = lambda game_id=game_id: digests(game_id)  # type: ignore[misc]
    return made
