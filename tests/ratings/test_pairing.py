"""Matchmaking: its rules one by one, then whole seasons against strawmen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from statistics import mean
from typing import ClassVar

import msgspec
import pytest

from ratings.field import Entrant, History, Seating, Situation
from ratings.formats import Ladder
from ratings.pairing import choose
from ratings.results import MatchResult, Rating
from ratings.skill import Skill
from tests.ratings.made import play, ranked
from tests.ratings.simulation import Simulation, disorder
from tests.ratings.strawmen import MostUncertain, NearestRating, RandomPairing

SKILL = Skill()
DRAW = b"12345678"


class Known:
    """Ratings as a test says them."""

    def __init__(self, mus: Mapping[str, float], sigma: float = 1.0, **sigmas: float) -> None:
        self.ratings = {bot: Rating(mu, sigmas.get(bot, sigma)) for bot, mu in mus.items()}

    def rating(self, bot: str, version: str | None = None) -> Rating:
        return self.ratings[bot]


def situation(
    known: Known,
    *results: MatchResult,
    entrants: Sequence[Entrant] = (),
    in_play: Sequence[Seating] = (),
    free: Mapping[str, int] | None = None,
) -> Situation:
    history = History()
    for result in results:
        history.add(result)
    field = {
        entrant.bot: entrant for entrant in entrants or [Entrant(bot) for bot in known.ratings]
    }
    return Situation(field, history, known, in_play, free)


def chosen(situation: Situation, seats: int = 4) -> tuple[str, ...]:
    table = choose(situation, seats, SKILL, DRAW)
    assert table is not None
    return table


class TestWhoNeedsIt:
    EVEN: ClassVar = {f"bot{n}": 25.0 for n in range(6)}

    def test_the_most_uncertain(self) -> None:
        assert chosen(situation(Known(self.EVEN, bot3=3.0)))[0] == "bot3"

    def test_the_one_with_fewest_games(self) -> None:
        played = [ranked(f"m{n}", "bot0", "bot1", "bot3", "bot4", "bot5") for n in range(4)]
        assert chosen(situation(Known(self.EVEN), *played))[0] == "bot2"

    def test_the_one_that_waits_longest(self) -> None:
        # All have a match each; bot4 and bot5 had theirs first.
        played = [
            ranked("m0", "bot5", "bot4"),
            ranked("m1", "bot0", "bot1"),
            ranked("m2", "bot2", "bot3"),
        ]
        assert chosen(situation(Known(self.EVEN), *played))[0] in {"bot4", "bot5"}

    def test_the_one_that_has_met_few(self) -> None:
        # Everybody has four games; bot2 and bot3 had all of theirs against each other.
        played = [ranked(f"m{n}", "bot2", "bot3") for n in range(4)]
        played += [
            ranked("m4", "bot0", "bot1"),
            ranked("m5", "bot0", "bot4"),
            ranked("m6", "bot0", "bot5"),
            ranked("m7", "bot1", "bot4"),
            ranked("m8", "bot1", "bot5"),
            ranked("m9", "bot4", "bot5"),
            ranked("n0", "bot0", "bot1", "bot4", "bot5"),
        ]
        assert chosen(situation(Known(self.EVEN), *played), 3)[0] in {"bot2", "bot3"}

    def test_matches_in_play_count(self) -> None:
        in_play = [Seating("s1", ("bot0", "bot1", "bot2", "bot3", "bot5"))]
        assert chosen(situation(Known(self.EVEN), in_play=in_play))[0] == "bot4"


class TestAgainstWhom:
    LINE: ClassVar = {f"bot{n}": 20.0 + 2 * n for n in range(9)}

    def test_as_many_from_above_as_from_below(self) -> None:
        table = chosen(situation(Known(self.LINE, bot4=2.0)), 3)
        assert set(table) == {"bot3", "bot4", "bot5"}
        table = chosen(situation(Known(self.LINE, bot4=2.0)), 4)
        assert {"bot3", "bot4", "bot5"} < set(table)
        assert set(table) <= {"bot2", "bot3", "bot4", "bot5", "bot6"}

    def test_the_leader_meets_those_right_below(self) -> None:
        assert set(chosen(situation(Known(self.LINE, bot8=2.0)))) == {
            "bot5",
            "bot6",
            "bot7",
            "bot8",
        }

    def test_who_met_lately_is_passed_over_for_somebody_nearly_as_near(self) -> None:
        others = [bot for bot in self.LINE if bot not in ("bot4", "bot5")]
        played = [ranked(f"m{n}", "bot4", "bot5") for n in range(6)]
        played += [ranked(f"n{n}", *others) for n in range(6)]
        table = chosen(situation(Known(self.LINE, bot4=8.0), *played), 3)
        assert table[0] == "bot4"
        assert set(table) == {"bot3", "bot4", "bot6"}

    def test_never_two_bots_of_one_owner(self) -> None:
        owners = {"bot3": "ann", "bot4": "ann", "bot5": "bob", "bot6": "bob"}
        entrants = [Entrant(bot, owners.get(bot, "")) for bot in self.LINE]
        table = chosen(situation(Known(self.LINE, bot4=2.0), entrants=entrants))
        assert "bot3" not in table
        assert not {"bot5", "bot6"} <= set(table)

    def test_no_table_where_owners_leave_too_few(self) -> None:
        entrants = [Entrant(bot, "ann") for bot in self.LINE]
        assert choose(situation(Known(self.LINE), entrants=entrants), 3, SKILL, DRAW) is None

    def test_the_next_in_need_where_the_first_finds_no_table(self) -> None:
        entrants = [Entrant(bot, "ann" if bot != "bot0" else "bob") for bot in self.LINE]
        entrants[1:4] = [Entrant("bot1"), Entrant("bot2"), Entrant("bot3")]
        table = chosen(situation(Known(self.LINE, bot8=8.0), entrants=entrants))
        assert sum(bot in {"bot4", "bot5", "bot6", "bot7", "bot8"} for bot in table) <= 1


class TestProvisionalBots:
    FIELD: ClassVar = {f"bot{n}": 20.0 + 2 * n for n in range(8)} | {"new": 25.0, "anchor": 60.0}
    ENTRANTS = tuple(Entrant(bot, anchor=bot == "anchor") for bot in FIELD)

    def test_an_anchor_is_in_reach_whatever_the_distance(self) -> None:
        known = Known(self.FIELD, new=8.0)
        assert "anchor" in chosen(situation(known, entrants=self.ENTRANTS))
        # Right after a set with an anchor comes one without.
        met = ranked("m1", "new", "anchor", "bot2")
        assert "anchor" not in chosen(situation(known, met, entrants=self.ENTRANTS))

    def test_one_set_in_play_at_most(self) -> None:
        known = Known(self.FIELD, new=8.0)
        in_play = [Seating("s1", ("new", "bot0", "bot1"))]
        table = chosen(situation(known, in_play=in_play, entrants=self.ENTRANTS))
        assert "new" not in table
        settled = Known(self.FIELD, new=1.0)
        assert SKILL.provisional(Rating(25, 8.0))
        assert not SKILL.provisional(Rating(25, 1.0))
        assert "new" in chosen(
            situation(settled, in_play=in_play, free={"new": 1, "bot3": 1, "bot4": 1, "bot5": 1})
        )

    def test_anchors_do_not_play_for_themselves(self) -> None:
        known = Known(self.FIELD, anchor=8.0)
        assert chosen(situation(known, entrants=self.ENTRANTS))[0] != "anchor"


class TestProbation:
    def crash(self, match: str, resigned: bool, version: str = "1") -> MatchResult:
        played = ranked(match, "a", "b", "c", "crasher", version=version)
        seats = list(played.seats)
        seats[3] = msgspec.structs.replace(seats[3], resigned=resigned)
        return msgspec.structs.replace(played, seats=tuple(seats))

    def test_it_begins_with_the_third_resignation_and_ends_by_playing_on(self) -> None:
        history = History()
        for n in range(3):
            assert history.probation == set()
            history.add(self.crash(f"m{n}", True))
        assert history.probation == {"crasher"}
        for n in range(6):
            history.add(self.crash(f"n{n}", False))
        assert history.probation == set()

    def test_a_new_version_begins_afresh(self) -> None:
        history = History()
        for n in range(5):
            history.add(self.crash(f"m{n}", True))
        history.add(self.crash("n", False, version="2"))
        assert history.probation == set()


def crashing(strengths: Mapping[str, float], crasher: str) -> object:
    """One bot resigns from every match, and comes last."""

    def played(match: str, bots: Sequence[str], set_id: str, rng: Random) -> MatchResult:
        weak = dict(strengths) | {crasher: -1000.0}
        result = play(match, bots, weak, rng, set_id=set_id)
        seats = (
            msgspec.structs.replace(seat, resigned=seat.bot == crasher) for seat in result.seats
        )
        return msgspec.structs.replace(result, seats=tuple(seats))

    return played


LINE = {f"bot{n:02}": 25 + 1.5 * (n - 10) for n in range(20)}


class TestSeasonsAgainstStrawmen:
    def test_a_crasher_does_not_hog_games(self) -> None:
        strengths = LINE | {"crasher": 0.0}
        shares = {}
        for pairing in (Ladder, MostUncertain):
            season = Simulation(strengths, seed=3, player=crashing(strengths, "crasher"))
            season.run(pairing(4, b"q", SKILL), matches=600)
            games = season.history.games
            shares[pairing] = games["crasher"] / mean(games[bot] for bot in LINE)
            others = [season.standings.rating(bot).sigma for bot in LINE]
            assert season.standings.rating("crasher").sigma > 1.5 * mean(others)
        assert shares[MostUncertain] > 1.15
        assert shares[Ladder] < 0.8

    def test_the_leader_is_not_starved_of_rivals(self) -> None:
        strengths = LINE | {"leader": 60.0}
        shares, rivals = {}, {}
        for pairing in (Ladder, NearestRating, RandomPairing):
            season = Simulation(strengths, seed=3)
            season.run(pairing(4, b"q", SKILL), matches=600)
            games = season.history.games
            shares[pairing] = games["leader"] / mean(games.values())
            met = [
                bot
                for seating in season.seatings
                if "leader" in seating.bots
                for bot in seating.bots
            ]
            rivals[pairing] = mean(strengths[bot] for bot in met if bot != "leader")
        assert shares[Ladder] > 0.9
        assert shares[Ladder] > shares[NearestRating]
        assert rivals[Ladder] > rivals[RandomPairing] + 5

    def test_a_newcomer_is_placed_sooner_and_among_many(self) -> None:
        sigmas, met = {}, {}
        for pairing in (Ladder, NearestRating, RandomPairing):
            sigmas[pairing], met[pairing] = [], []
            for seed in range(4):
                season = Simulation(LINE, seed=seed)
                season.run(pairing(4, bytes([seed]), SKILL), matches=240)
                season.entrants.append(Entrant("new"))
                season.strengths["new"] = 38.0
                season.run(pairing(4, bytes([seed]), SKILL), matches=80)
                sigmas[pairing].append(season.standings.rating("new").sigma)
                met[pairing].append(len(season.history.opponents.get("new", ())))
        assert mean(sigmas[Ladder]) < mean(sigmas[NearestRating])
        assert mean(sigmas[Ladder]) < mean(sigmas[RandomPairing])
        assert mean(met[Ladder]) > max(8, mean(met[NearestRating]))

    def test_games_are_even_and_the_order_comes_sooner(self) -> None:
        strengths = {f"bot{n:02}": 5.0 + n for n in range(40)}
        wrong, uneven, few = Counter[type](), Counter[type](), Counter[type]()
        for pairing in (Ladder, NearestRating, RandomPairing):
            for seed in range(3):
                season = Simulation(strengths, seed=seed)
                season.run(pairing(4, bytes([seed]), SKILL), matches=250)
                games = [season.history.games[bot] for bot in strengths]
                wrong[pairing] += disorder(season.order(), strengths)
                uneven[pairing] += max(games) - min(games)
                few[pairing] += min(len(season.history.opponents[bot]) for bot in strengths)
        assert wrong[Ladder] < 0.75 * wrong[RandomPairing]
        assert uneven[Ladder] < min(uneven[NearestRating], uneven[RandomPairing])
        assert few[Ladder] > few[NearestRating]


@pytest.mark.parametrize("seats", [3, 4])
def test_seat_counts_differ_by_at_most_one_set(seats: int) -> None:
    season = Simulation(LINE, seed=9, at_once=12, places=3)
    season.run(Ladder(seats, b"q", SKILL), matches=157)
    for bot in LINE:
        counts = [0] * seats
        for result in season.results:
            for seat, one in enumerate(result.seats):
                counts[seat] += one.bot == bot
        assert len(set(counts)) == 1


def test_a_choice_reproduces_and_depends_on_the_draw() -> None:
    even = Known({f"bot{n}": 25.0 for n in range(12)})
    assert chosen(situation(even)) == chosen(situation(even))
    draws = {choose(situation(even), 4, SKILL, bytes([n] * 8)) for n in range(10)}
    assert len(draws) > 5
