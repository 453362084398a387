"""States of a game in which a kind of decision is asked, found by playing at random."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

from engine.chance import Chance, derive_seed
from engine.game import Action, Game, Outcome

EACH = 3
# Kinds that one match in some hundreds asks are found; it takes a few seconds at most.
DECISIONS = 400_000


class Situation(Struct, frozen=True):
    """A match in progress that asks `seat` for a decision of `kind`. seed: the match's."""

    kind: str
    seat: int
    match: Game
    seed: bytes

    def outcome(self, action: Action) -> Outcome:
        """How the match ends if `seat` answers with `action`, and then everybody with defaults."""
        match = self.match.copy()
        match.advance(
            {seat: action if seat == self.seat else match.default(seat) for seat in match.pending()}
        )
        while asked := match.pending():
            match.advance({seat: match.default(seat) for seat in asked})
        outcome = match.outcome()
        assert outcome is not None
        return outcome


Found: TypeAlias = Mapping[str, Sequence[Situation]]


def find_situations(
    game: type[Game], seats: int, *, each: int = EACH, decisions: int = DECISIONS
) -> Found:
    """For every kind of `game`, in its order, up to `each` situations, each of another match.

    The matches are random ones and always the same: at least `each`, and more until every kind
    was asked. The search gives up after so many decisions; a kind that has no situation then was
    asked in none of the matches.
    """
    found: dict[str, list[Situation]] = {kind: [] for kind in game.kinds}
    left = decisions
    number = 0
    while left > 0 and (number < each or not all(found.values())):
        seed = derive_seed(b"situations", str(number))
        number += 1
        left -= _play(game.deal(seats, seed), seed, found, each)
    return found


def _play(match: Game, seed: bytes, found: dict[str, list[Situation]], each: int) -> int:
    """Play one match at random and keep what is looked for; returns how many decisions it had."""
    chance = Chance(seed)
    new: set[str] = set()
    made = 0
    while asked := match.pending():
        for seat, kind in asked.items():
            if kind not in new and len(found[kind]) < each:
                new.add(kind)
                found[kind].append(Situation(kind, seat, match.copy(), seed))
        actions = {}
        for seat in asked:
            legal = match.legal(seat)
            actions[seat] = legal[chance.draw("situations", made, len(legal))]
            made += 1
        match.advance(actions)
    return made
