"""Every format, with every kind of field: it ends, it is fair, and nothing but facts decides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations

import pytest

from ratings.field import Entrant, Seating
from ratings.formats import Gauntlet, Knockout, Ladder, RoundRobin, Scheduler, Swiss
from ratings.formats.rounds import points, rounds
from ratings.formats.scheduler import split
from ratings.results import MatchResult
from ratings.skill import Skill
from tests.ratings.simulation import Simulation

SEED = b"a seed"


def can_be_seated(bots: Sequence[str], sizes: Sequence[int], met: set[frozenset[str]]) -> bool:
    """Whether tables of these sizes are possible without a pair that has met: tries them all."""
    if not sizes:
        return True
    first, others = bots[0], bots[1:]
    for size in set(sizes):
        rest = list(sizes)
        rest.remove(size)
        for chosen in combinations(others, size - 1):
            pairs = combinations((first, *chosen), 2)
            if not any(frozenset(pair) in met for pair in pairs):
                left = [bot for bot in others if bot not in chosen]
                if can_be_seated(left, rest, met):
                    return True
    return False


FORMATS: dict[str, Callable[[int | Sequence[int]], Scheduler]] = {
    "round_robin": lambda seats: RoundRobin(seats, SEED, rounds=1),
    "gauntlet": lambda seats: Gauntlet(seats, SEED, "bot00", rounds=3),
    "swiss": lambda seats: Swiss(seats, SEED, rounds=4),
    "knockout": lambda seats: Knockout(seats, SEED),
}


def strengths(bots: int, gap: float = 3.0) -> dict[str, float]:
    return {f"bot{n:02}": 25 + gap * n for n in range(bots)}


@pytest.mark.parametrize("seats", [3, 4, (3, 4)], ids=str)
@pytest.mark.parametrize("bots", [4, 5, 8, 10])
@pytest.mark.parametrize("name", FORMATS)
class TestFormatsThatEnd:
    def test_all_sets_are_played_and_seats_are_even(
        self, name: str, bots: int, seats: int | tuple[int, ...]
    ) -> None:
        scheduler = FORMATS[name](seats)
        season = Simulation(strengths(bots), seed=bots)
        planned = scheduler.planned(season.situation())
        season.run(scheduler)
        assert scheduler.over(season.situation())
        assert len(season.results) == planned
        for match_set in season.history.sets.values():
            assert match_set.complete
            assert len(match_set.played) == len(match_set.bots)
        for bot in season.strengths:
            seats_of_bot = Counter(
                (len(seating.bots), seating.bots.index(bot))
                for seating in season.seatings
                if bot in seating.bots
            )
            for size in scheduler.sizes:
                counts = {seats_of_bot[size, seat] for seat in range(size)}
                assert len(counts) == 1

    def test_nothing_but_the_facts_decides(
        self, name: str, bots: int, seats: int | tuple[int, ...]
    ) -> None:
        # A scheduler that is made anew for every question, as after a restart, says the same.
        season = Simulation(strengths(bots), seed=3)
        again = Simulation(strengths(bots), seed=3)
        season.run(FORMATS[name](seats))

        class Fresh(Ladder):
            def next_table(self, situation, *, new_sets=True):  # type: ignore[no-untyped-def]
                return FORMATS[name](seats).next_table(situation, new_sets=new_sets)

            def over(self, situation):  # type: ignore[no-untyped-def]
                return FORMATS[name](seats).over(situation)

        again.run(Fresh(4, b"", Skill()))
        assert season.seatings == again.seatings


class TestSplit:
    @pytest.mark.parametrize("bots", range(25))
    @pytest.mark.parametrize("sizes", [(4,), (3,), (4, 3)])
    def test_as_many_as_possible_sit_at_tables_as_large_as_can_be(
        self, bots: int, sizes: tuple[int, ...]
    ) -> None:
        found = split(bots, sizes)
        possible = [
            [4] * fours + [3] * threes
            for fours in range(bots // 4 + 1 if 4 in sizes else 1)
            for threes in range(bots // 3 + 1 if 3 in sizes else 1)
            if 4 * fours + 3 * threes <= bots
        ]
        most = max(map(sum, possible))
        assert sum(found) == most
        assert found == max(tables for tables in possible if sum(tables) == most)


class TestRoundRobin:
    @pytest.mark.parametrize("seats", [3, 4])
    def test_every_table_plays_as_many_sets(self, seats: int) -> None:
        season = Simulation(strengths(6))
        season.run(RoundRobin(seats, SEED, rounds=2))
        played = Counter(frozenset(known.bots) for known in season.history.sets.values())
        assert played == {frozenset(table): 2 for table in combinations(season.strengths, seats)}

    def test_games_stay_even_on_the_way(self) -> None:
        season = Simulation(strengths(9), places=3)
        season.run(RoundRobin(4, SEED), matches=200)
        games = Counter(bot for seating in season.seatings for bot in seating.bots)
        assert max(games.values()) - min(games.values()) <= 3 * 4

    def test_bots_of_one_owner_do_not_meet(self) -> None:
        entrants = [Entrant(f"bot{n:02}", owner="ann" if n < 2 else "") for n in range(6)]
        season = Simulation(strengths(6), entrants=entrants)
        season.run(RoundRobin(4, SEED))
        assert len(season.history.sets) == 15 - 6
        assert not any({"bot00", "bot01"} <= set(seating.bots) for seating in season.seatings)

    def test_too_large_a_field_is_refused(self) -> None:
        season = Simulation(strengths(100))
        with pytest.raises(ValueError, match="a round robin of 100 bots has 3921225 tables"):
            RoundRobin(4, SEED).next_table(season.situation())


class TestGauntlet:
    @pytest.mark.parametrize("bots", [4, 6, 8, 11])
    def test_every_opponent_is_met_equally_often_or_once_more(self, bots: int) -> None:
        season = Simulation(strengths(bots), seed=4)
        season.run(Gauntlet(4, SEED, "bot02", rounds=3))
        met = Counter(bot for known in season.history.sets.values() for bot in known.bots)
        sets = met.pop("bot02")
        assert sets == len(season.history.sets)
        assert set(met) == set(season.strengths) - {"bot02"}
        assert set(met.values()) <= {3, 4}

    def test_opponents_are_mixed(self) -> None:
        season = Simulation(strengths(10), seed=4)
        season.run(Gauntlet(4, SEED, "bot00", rounds=6))
        together = Counter(
            pair
            for known in season.history.sets.values()
            for pair in combinations(sorted(set(known.bots) - {"bot00"}), 2)
        )
        assert len(together) == 36
        assert max(together.values()) <= 3

    def test_bots_of_the_challengers_owner_are_no_opponents(self) -> None:
        owned = {"bot00": "ann", "bot03": "ann", "bot05": "bob", "bot06": "bob"}
        entrants = [Entrant(bot, owned.get(bot, "")) for bot in strengths(9)]
        season = Simulation(strengths(9), entrants=entrants)
        season.run(Gauntlet(4, SEED, "bot00", rounds=2))
        bots = [set(seating.bots) for seating in season.seatings]
        assert not any("bot03" in table for table in bots)
        assert not any({"bot05", "bot06"} <= table for table in bots)
        assert all("bot00" in table for table in bots)

    def test_it_ends_when_the_challenger_has_left(self) -> None:
        season = Simulation(strengths(6))
        season.run(Gauntlet(4, SEED, "bot00", rounds=5), matches=8)
        season.out.add("bot00")
        season.run(Gauntlet(4, SEED, "bot00", rounds=5))
        assert Gauntlet(4, SEED, "bot00", rounds=5).over(season.situation())


class TestSwiss:
    @pytest.mark.parametrize(("bots", "seats"), [(12, 4), (9, 3), (12, 3), (16, 4), (13, (3, 4))])
    def test_nobody_meets_again_while_that_can_be_avoided(
        self, bots: int, seats: int | tuple[int, ...]
    ) -> None:
        season = Simulation(strengths(bots), seed=bots)
        season.run(Swiss(seats, SEED, rounds=5))
        met: set[frozenset[str]] = set()
        for sets in rounds(season.situation()).values():
            pairs = [
                frozenset(pair) for known in sets.values() for pair in combinations(known.bots, 2)
            ]
            if met & set(pairs):
                playing = sorted({bot for pair in pairs for bot in pair})
                sizes = sorted((len(known.bots) for known in sets.values()), reverse=True)
                assert not can_be_seated(playing, sizes, met)
            met.update(pairs)

    def test_a_large_field_has_no_repeats(self) -> None:
        season = Simulation(strengths(60, gap=0.5), seed=1, at_once=15)
        season.run(Swiss(4, SEED, rounds=6))
        met = Counter(
            pair
            for known in season.history.sets.values()
            for pair in combinations(sorted(known.bots), 2)
        )
        assert max(met.values()) == 1

    def test_everybody_plays_every_round_or_sits_out_fairly(self) -> None:
        season = Simulation(strengths(10), seed=2)
        scheduler = Swiss(4, SEED, rounds=5)
        season.run(scheduler)
        by_round = rounds(season.situation())
        assert sorted(by_round) == [1, 2, 3, 4, 5]
        assert all(len(sets) == 2 for sets in by_round.values())
        assert {score.sat_out for score in scheduler.scores(season.situation())} == {1}

    def test_near_equals_meet(self) -> None:
        season = Simulation(strengths(40, gap=3.0), seed=2)
        scheduler = Swiss(4, SEED, rounds=4)
        season.run(scheduler)
        for number, sets in list(rounds(season.situation()).items())[1:]:
            order = [score.bot for score in scheduler._scores(season.situation(), number)]
            apart = [
                abs(order.index(one) - order.index(other))
                for known in sets.values()
                for one, other in combinations(known.bots, 2)
            ]
            # Of two places out of 40 drawn by lot, one is 13.7 behind the other on average.
            assert sum(apart) / len(apart) < 5
        assert scheduler.scores(season.situation())[0].bot in {"bot39", "bot38", "bot37"}

    def test_scores_add_up(self) -> None:
        season = Simulation(strengths(9), seed=5)
        scheduler = Swiss(4, SEED, rounds=3)
        season.run(scheduler)
        scores = {score.bot: score for score in scheduler.scores(season.situation())}
        # Each match hands out half the pairs of its table, and sitting out is worth a half.
        assert sum(score.points for score in scores.values()) == Fraction(9 * 3, 2)
        for known in season.history.sets.values():
            assert sum(points(known).values()) == 2

    def test_a_round_goes_on_without_bots_that_leave(self) -> None:
        season = Simulation(strengths(12), seed=5)
        scheduler = Swiss(4, SEED, rounds=3)
        season.run(scheduler, matches=6)
        season.out.update({"bot03", "bot07"})
        season.run(scheduler)
        assert scheduler.over(season.situation())
        assert sorted(rounds(season.situation())) == [1, 2, 3]

    def test_owners_are_kept_apart(self) -> None:
        entrants = [Entrant(bot, f"owner{n % 5}") for n, bot in enumerate(strengths(15))]
        owner = {entrant.bot: entrant.owner for entrant in entrants}
        season = Simulation(strengths(15), entrants=entrants)
        season.run(Swiss((3, 4), SEED, rounds=4))
        for seating in season.seatings:
            assert len({owner[bot] for bot in seating.bots}) == len(seating.bots)


class TestKnockout:
    @pytest.mark.parametrize(
        ("bots", "seats"),
        [(bots, seats) for seats in ((4,), (3, 4)) for bots in range(min(seats), 22)],
    )
    def test_the_best_two_go_on_until_one_table_is_left(
        self, bots: int, seats: tuple[int, ...]
    ) -> None:
        season = Simulation(strengths(bots, gap=200.0), seed=bots)
        scheduler = Knockout(seats, SEED)
        season.run(scheduler)
        by_round = rounds(season.situation())
        assert len(by_round[max(by_round)]) == 1
        for number, sets in list(by_round.items())[:-1]:
            later = {bot for known in by_round[number + 1].values() for bot in known.bots}
            for known in sets.values():
                # The stronger ones always win here.
                best = sorted(known.bots, reverse=True)[:2]
                seated_or_bye = later | {
                    bot
                    for n, s in by_round.items()
                    if n > number
                    for k in s.values()
                    for bot in k.bots
                }
                assert set(best) <= seated_or_bye
        places = scheduler.places(season.situation())
        assert len(places) == bots
        final = next(iter(by_round[max(by_round)].values()))
        assert [place.bot for place in places[: len(final.bots)]] == sorted(
            final.bots, reverse=True
        )
        assert places[0].bot == max(season.strengths)

    def test_sixteen_bots_take_three_rounds(self) -> None:
        season = Simulation(strengths(16))
        season.run(Knockout(4, SEED))
        assert [len(sets) for sets in rounds(season.situation()).values()] == [4, 2, 1]
        assert len(season.results) == 7 * 4

    def test_winners_of_one_table_are_spread_over_the_next_round(self) -> None:
        season = Simulation(strengths(16, gap=200.0))
        season.run(Knockout(4, SEED))
        by_round = rounds(season.situation())
        winners = {max(known.bots) for known in by_round[1].values()}
        assert all(len(winners & set(known.bots)) == 2 for known in by_round[2].values())

    @pytest.mark.parametrize("leavers", [1, 3, 6, 12])
    @pytest.mark.parametrize("after", [0, 5, 17, 22])
    def test_bots_may_leave_at_any_time(self, leavers: int, after: int) -> None:
        season = Simulation(strengths(16), seed=leavers)
        scheduler = Knockout((3, 4), SEED)
        if after:
            season.run(scheduler, matches=after)
        season.out.update(sorted(season.strengths)[:leavers])
        season.run(scheduler)
        assert scheduler.over(season.situation())
        places = scheduler.places(season.situation())
        assert len({place.bot for place in places}) == 16

    def test_ties_in_a_set_are_broken_by_score_then_by_lot(self) -> None:
        def all_tie(match: str, bots: Sequence[str], set_id: str, rng: object) -> MatchResult:
            from tests.ratings.made import result, seat

            return result(match, *(seat(bot, 1) for bot in bots), set_id=set_id)

        season = Simulation(strengths(8), player=all_tie)
        season.run(Knockout(4, SEED))
        other = Simulation(strengths(8), player=all_tie)
        other.run(Knockout(4, SEED))
        assert season.seatings == other.seatings
        assert len(rounds(season.situation())) == 2


class TestSets:
    def test_a_begun_set_goes_first_and_keeps_its_bots_places(self) -> None:
        season = Simulation(strengths(8), places=1)
        scheduler = Ladder(4, SEED, Skill())
        first = scheduler.next_table(season.situation())
        assert first is not None
        season.in_play.append(first)
        second = scheduler.next_table(season.situation())
        assert second is not None
        assert not set(first.bots) & set(second.bots)
        season.in_play.append(second)
        assert scheduler.next_table(season.situation()) is None
        season.end(0)
        third = scheduler.next_table(season.situation())
        assert third == Seating(first.set_id, first.bots[1:] + first.bots[:1])

    def test_an_absent_bot_holds_up_its_own_sets_only(self) -> None:
        season = Simulation(strengths(9), places=1)
        scheduler = Ladder(4, SEED, Skill())
        first = scheduler.next_table(season.situation())
        assert first is not None
        season.in_play.append(first)
        season.end(0)
        season.absent.add(first.bots[0])
        second = scheduler.next_table(season.situation())
        assert second is not None
        assert second.set_id != first.set_id
        season.absent.clear()
        assert scheduler.next_table(season.situation()).set_id == first.set_id  # type: ignore[union-attr]

    @pytest.mark.parametrize("name", FORMATS)
    def test_a_season_is_not_over_while_a_bot_is_away(self, name: str) -> None:
        season, scheduler = Simulation(strengths(4), places=1), FORMATS[name](4)
        first = scheduler.next_table(season.situation())
        assert first is not None
        season.in_play.append(first)
        season.end(0)
        season.absent.add("bot02")
        assert scheduler.next_table(season.situation()) is None
        assert not scheduler.over(season.situation())
        season.out.add("bot02")
        assert scheduler.over(season.situation())

    def test_a_void_match_is_played_again(self) -> None:
        season = Simulation(strengths(4), places=1)
        scheduler = Ladder(4, SEED, Skill())
        first = scheduler.next_table(season.situation())
        assert first is not None
        voided = season._play("v", first.bots, first.set_id, season.rng)
        season.history.add_void(voided)
        again = scheduler.next_table(season.situation())
        assert again == first

    def test_a_match_with_a_result_is_not_in_play_whatever_is_said(self) -> None:
        season = Simulation(strengths(4), places=4)
        scheduler = Ladder(4, SEED, Skill())
        for _ in range(4):
            seating = scheduler.next_table(season.situation())
            assert seating is not None
            season.in_play.append(seating)
        last = season.in_play[-1]
        for _ in range(4):
            season.end(0)
        season.in_play.append(last)  # its result is known, and the runner has not heard of it
        assert season.situation().unfinished == {}
        new = scheduler.next_table(season.situation())
        assert new is not None
        assert new.set_id != last.set_id

    def test_no_more_sets_are_begun_when_none_are_wanted(self) -> None:
        season = Simulation(strengths(8))
        season.run(Ladder(4, SEED, Skill()), matches=30)
        assert all(known.complete for known in season.history.sets.values())
        assert len(season.results) >= 30


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: Ladder(1, SEED, Skill()), "at least 2 seats"),
        (lambda: Ladder((), SEED, Skill()), "at least 2 seats"),
        (lambda: RoundRobin(4, SEED, rounds=0), "at least 1 round"),
        (lambda: Gauntlet(4, SEED, "a", rounds=0), "at least 1 round"),
        (lambda: Swiss(4, SEED, rounds=0), "at least 1 round"),
    ],
)
def test_impossible_rules_are_refused(make: Callable[[], Scheduler], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        make()
