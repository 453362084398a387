"""Counts over matches and what is concluded from them, beside values worked out by hand."""

from __future__ import annotations

import pytest

from engine.game import Outcome
from runner.local import Played
from runner.summary import Line, mean, share, summarize
from runner.tally import Sums, Tally

PLAYERS = ("a", "b", "b")


def played(placements: tuple[int, ...], scores: tuple[int, ...], turns: int = 60) -> Played:
    return Played(Outcome(placements, scores, "win"), turns, decisions=2 * turns)


MATCHES = (
    (played((1, 2, 3), (10, 8, 4), 50), ("a", "b", "b")),
    (played((3, 1, 2), (2, 11, 7), 71), ("a", "b", "b")),
    (played((1, 1, 3), (9, 9, 3), 200), ("b", "a", "b")),
)


def tally(matches: tuple[tuple[Played, tuple[str, ...]], ...] = MATCHES) -> Tally:
    counted = Tally(PLAYERS)
    for one, seated in matches:
        counted.add(one, seated)
    return counted


def test_a_shared_first_place_is_part_of_a_win_each() -> None:
    summary = summarize(tally())
    assert summary.players["a"].wins == 1.5
    assert summary.players["b"].wins == 1.5
    assert [seat.wins for seat in summary.seats] == [1.5, 1.5, 0]


def test_values_are_per_place() -> None:
    summary = summarize(tally())
    a, b = summary.players["a"], summary.players["b"]
    assert (a.places, b.places) == (1, 2)
    assert a.win_rate.value == 1.5 / 3
    assert b.win_rate.value == 1.5 / 6
    assert (a.placed, b.placed) == ((2, 0, 1), (2, 2, 2))
    assert a.placement.value == pytest.approx(5 / 3)
    assert b.placement.value == pytest.approx(2)
    assert a.score.value == 7
    assert b.score.value == 7
    assert a.even == b.even == pytest.approx(1 / 3)
    # Seat 0 held a, a, b; its scores were 10, 2, 9.
    assert summary.seats[0].score.value == 7


def test_lengths_and_endings() -> None:
    summary = summarize(tally())
    assert (summary.turns.shortest, summary.turns.median, summary.turns.longest) == (50, 71, 200)
    assert summary.turns.mean.value == pytest.approx(107)
    assert summary.decisions.median == 142
    assert summary.reasons == {"win": 1}
    assert tally().actions == 642


def test_the_parts_add_up_to_the_whole_in_any_order() -> None:
    last_first = tally(MATCHES[2:])
    last_first.merge(tally(MATCHES[:2]))
    assert summarize(last_first) == summarize(tally())


def test_the_interval_of_a_mean_is_students() -> None:
    sums = Sums()
    for value in (2, 4, 4, 4, 5, 5, 7, 9):
        sums.add(value)
    # Mean 5, sum of squared deviations 32, t(0.975; 7) = 2.3646: 2.3646 * sqrt(32 / 7 / 8).
    estimate = mean(sums)
    assert estimate.value == 5
    assert estimate.high == pytest.approx(5 + 1.78752, abs=1e-4)
    assert estimate.low == pytest.approx(5 - 1.78752, abs=1e-4)


def test_two_places_of_one_player_do_not_count_as_two_matches() -> None:
    # Always first and second: per match the sum is 3, so that nothing is uncertain, although
    # placements themselves differ by one every time.
    counted = Tally(PLAYERS)
    for _ in range(5):
        counted.add(played((3, 1, 2), (0, 10, 8)), ("a", "b", "b"))
    placement = summarize(counted).players["b"].placement
    assert (placement.low, placement.value, placement.high) == (1.5, 1.5, 1.5)


def test_one_match_has_no_interval_of_a_mean() -> None:
    line: Line = summarize(tally(MATCHES[:1])).players["a"]
    assert (line.score.low, line.score.high) == (None, None)


@pytest.mark.parametrize(
    ("wins", "n", "low", "high"),
    # Published values of Wilson's interval: Newcombe 1998, table I.
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_the_interval_of_a_share_is_wilsons(wins: int, n: int, low: float, high: float) -> None:
    estimate = share(wins, n)
    assert estimate.value == wins / n
    assert estimate.low == pytest.approx(low, abs=5e-5)
    assert estimate.high == pytest.approx(high, abs=5e-5)
