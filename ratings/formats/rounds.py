"""What formats in rounds share: which sets a round has had, and how a set came out."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from ratings.field import MatchSet, Situation


def round_id(number: int, table: int) -> str:
    """The id of a round's n-th set; both count from 1."""
    return f"r{number:02}-{table:03}"


def rounds(situation: Situation) -> dict[int, dict[str, MatchSet]]:
    """The sets of every round that has begun, by round."""
    found: dict[int, dict[str, MatchSet]] = {}
    for set_id, match_set in situation.sets.items():
        number, dash, _ = set_id.removeprefix("r").partition("-")
        if set_id.startswith("r") and dash and number.isdigit():
            found.setdefault(int(number), {})[set_id] = match_set
    return dict(sorted(found.items()))


def settled(set_id: str, match_set: MatchSet, situation: Situation) -> bool:
    """Whether a set is over: complete, or given up because a bot has left the season."""
    if match_set.complete:
        return True
    in_play = any(seating.set_id == set_id for seating in situation.in_play)
    return not in_play and any(bot in situation.out for bot in match_set.bots)


def points(match_set: MatchSet) -> Mapping[str, Fraction]:
    """What each bot of a set has scored: the share of opponents beaten, ties half, per match."""
    scored = dict.fromkeys(match_set.bots, Fraction(0))
    for match in match_set.played:
        for bot, place in zip(match.bots, match.placements, strict=True):
            beaten = sum(2 * (place < other) + (place == other) for other in match.placements) - 1
            scored[bot] += Fraction(beaten, 2 * (len(match.bots) - 1))
    return {bot: sum_ / max(1, len(match_set.played)) for bot, sum_ in scored.items()}


def game_scores(match_set: MatchSet) -> Mapping[str, int]:
    """The game's own points by bot, added up over the set."""
    scored = dict.fromkeys(match_set.bots, 0)
    for match in match_set.played:
        for bot, score in zip(match.bots, match.scores, strict=True):
            scored[bot] += score
    return scored
