"""The numbers of the rating table, counted by hand on small seasons."""

from __future__ import annotations

import pytest

from ratings.latency import Latencies
from ratings.skill import Skill
from ratings.standings import Standings, standings
from tests.ratings.made import ranked, result, season, seat

SKILL = Skill()


def test_a_small_season_counted_by_hand() -> None:
    played = [
        result(
            "m1",
            seat("a", 2, strikes={"timeout": 1}, times_ms=[1.0] * 98),
            seat("b", 1),
            seat("c", 2, strikes={"illegal": 3}, resigned=True),
        ),
        result(
            "m2",
            seat("c", 4, strikes={"error": 1, "illegal": 1}),
            seat("a", 1, strikes={"timeout": 2}, times_ms=[100.0] * 2),
            seat("d", 3),
            seat("b", 2),
        ),
    ]
    rows = {row.bot: row for row in standings(played, SKILL)}
    assert sorted(rows) == ["a", "b", "c", "d"]
    a = rows["a"]
    assert (a.games, a.placements) == (2, (1, 1, 0, 0))
    assert a.mean_seat == 1.5
    assert a.strikes == {"timeout": 3}
    assert a.decisions == 80
    assert a.p50_ms == pytest.approx(1.0, rel=0.04)
    assert a.p99_ms == pytest.approx(100.0, rel=0.04)
    assert a.rating == a.mu - 3 * a.sigma
    c = rows["c"]
    assert c.strikes == {"error": 1, "illegal": 4}
    assert (c.placements, c.resigned, c.mean_seat) == ((0, 1, 0, 1), 1, 2.0)
    assert rows["d"].placements == (0, 0, 1, 0)


def test_equal_ratings_share_a_rank_and_stand_by_name() -> None:
    rows = standings([result("m1", seat("y", 1), seat("x", 1)), ranked("m2", "p", "q")], SKILL)
    # Whether two tied newcomers come out equal to the last digit is the model's business.
    assert rows[0].bot == "p"
    assert rows[-1].bot == "q"
    state = Standings(SKILL)
    for match in ("m1", "m2"):
        names = ("d", "c") if match == "m1" else ("b", "a")
        state.add(ranked(match, *names))
    assert [(row.rank, row.bot) for row in state.rows()] == [
        (1, "b"),
        (1, "d"),
        (3, "a"),
        (3, "c"),
    ]


def test_a_bot_that_answered_nothing_has_no_times() -> None:
    row = standings([result("m1", seat("a", 1, times_ms=[]), seat("b", 2))], SKILL)[0]
    assert (row.p50_ms, row.p99_ms) == (None, None)


def test_no_results_give_no_rows() -> None:
    assert standings([], SKILL) == ()


def test_every_match_is_in_every_sum() -> None:
    played = season(200, 8, seed=4)
    rows = standings(played, SKILL)
    assert sum(row.games for row in rows) == 800
    assert [sum(row.placements[place] for row in rows) for place in range(4)] == [200] * 4
    assert sum(row.mean_seat * row.games for row in rows) == pytest.approx(200 * (1 + 2 + 3 + 4))
    answers = Latencies.total(one.latencies for match in played for one in match.seats)
    assert sum(answers.counts.values()) == 1600
