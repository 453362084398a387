"""Fewest games first: who is seated, where, and that nothing but its arguments decides."""

from __future__ import annotations

from collections import Counter
from random import Random

from ratings.fewest import Candidate, Pairing, candidates
from ratings.results import Rating
from ratings.skill import Skill
from ratings.standings import Standings
from tests.ratings.made import play, ranked

PAIRING = Pairing(b"seed")


def candidate(bot: str, games: int = 0, mu: float = 25.0, free: int = 1) -> Candidate:
    return Candidate(bot, Rating(mu, 2.0), (games,), free)


def test_the_fewest_games_come_first() -> None:
    field = [candidate(f"bot{n}", games=n) for n in range(8)]
    table = PAIRING.next_table(field, 4)
    assert table is not None
    assert set(table) == {"bot0", "bot1", "bot2", "bot3"}


def test_among_equal_games_ratings_are_close() -> None:
    field = [candidate("new", games=0, mu=30)]
    field += [candidate(f"bot{mu}", games=1, mu=mu) for mu in (10, 20, 28, 29, 33, 40)]
    table = PAIRING.next_table(field, 4)
    assert table is not None
    assert set(table) == {"new", "bot28", "bot29", "bot33"}


def test_bots_without_a_free_place_are_left_out() -> None:
    field = [candidate("a", free=0), candidate("b", 5), candidate("c", 6), candidate("d", 7)]
    table = PAIRING.next_table(field, 3)
    assert table is not None
    assert set(table) == {"b", "c", "d"}
    assert PAIRING.next_table(field, 4) is None
    assert PAIRING.next_table([], 3) is None


def test_matches_in_play_count() -> None:
    standings = Standings(Skill())
    standings.add(ranked("m1", "a", "b", "c"))
    free = {"a": 2, "b": 2, "c": 2, "d": 2, "e": 2, "f": 2}
    field = candidates(standings, [("d", "a", "e")], free)
    assert {one.bot: one.seat_games for one in field} == {
        "a": (1, 1),
        "b": (0, 1),
        "c": (0, 0, 1),
        "d": (1,),
        "e": (0, 0, 1),
        "f": (),
    }
    table = PAIRING.next_table(field, 3)
    assert table is not None
    assert "f" in table
    assert "a" not in table


def test_a_version_that_has_not_played_is_rated_as_new() -> None:
    standings = Standings(Skill())
    standings.add(ranked("m1", "a", "b"))
    old, new = (
        candidates(standings, [], {"a": 1}, {"a": version})[0].rating for version in ("1", "2")
    )
    assert new == Rating(old.mu, Skill().settings.sigma)


def test_the_choice_depends_on_nothing_but_arguments_and_seed() -> None:
    field = [candidate(f"bot{n}", mu=20 + n % 3) for n in range(12)]
    shuffled = field[:]
    Random(3).shuffle(shuffled)
    assert PAIRING.next_table(field, 4) == Pairing(b"seed").next_table(shuffled, 4)
    others = {Pairing(bytes([n])).next_table(field, 4) for n in range(20)}
    assert len(others) > 10


def test_a_season_is_dealt_evenly() -> None:
    # 16 tables at once, most results still out, as a real season has it.
    rng = Random(7)
    strengths = {f"bot{n:02}": 25 + 1.5 * n for n in range(13)}
    standings = Standings(Skill())
    in_play: list[tuple[str, ...]] = []
    met: Counter[str] = Counter()
    for n in range(600):
        free = {bot: 6 - sum(table.count(bot) for table in in_play) for bot in strengths}
        table = PAIRING.next_table(candidates(standings, in_play, free), 4)
        assert table is not None
        assert len(set(table)) == 4
        met.update(table)
        in_play.append(table)
        if len(in_play) == 16:
            ended = in_play.pop(rng.randrange(16))
            standings.add(play(f"m{n}", ended, strengths, rng))
    assert max(met.values()) - min(met.values()) <= 2
    for table in in_play:
        standings.add(play(f"end{table}", table, strengths, rng))
    for bot in strengths:
        seats = standings.seat_games(bot)
        assert max(seats) - min(seats) <= 4
