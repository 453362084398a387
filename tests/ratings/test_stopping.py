"""Stopping: each rule, how far it is, and seasons of known strengths that end on evidence."""

from __future__ import annotations

from statistics import mean

import pytest

from ratings.fit import Fit, fit
from ratings.formats import Ladder, Scheduler
from ratings.lines import Line
from ratings.skill import Skill
from ratings.stopping import (
    Evidence,
    Pair,
    Rules,
    contested,
    criteria,
    decided,
    due,
    evidence,
)
from tests.ratings.simulation import Simulation
from tests.ratings.strawmen import RandomPairing

SKILL = Skill()


def pair(better: float, equal: float = 0.0, first: str = "a", second: str = "b") -> Pair:
    return Pair(first, second, 1.0, 1.0, better, equal)


class TestRules:
    def test_matches_and_hours(self) -> None:
        rules = Rules(matches=200, hours=2.0)
        matches, hours = criteria(rules, 50, 1.5, None)
        assert (matches.rule, matches.reached, matches.share) == ("matches", False, 0.25)
        assert (hours.rule, hours.reached, hours.share) == ("hours", False, 0.75)
        assert hours.text == "1.5 of 2 hours"
        assert not decided((matches, hours))
        assert decided(criteria(rules, 200, 0.1, None))
        assert decided(criteria(rules, 1, 2.0, None))
        assert criteria(rules, 300, 0.1, None)[0].share == 1.0

    def test_no_rule_never_stops(self) -> None:
        assert criteria(Rules(), 10**9, 10**9, None) == ()
        assert not decided(())

    def test_evidence_is_reached_when_every_pair_is_settled_one_way_or_the_other(self) -> None:
        rules = Rules(rank_confidence=0.95, indifference=0.5)
        found = Evidence(100, 3, (pair(0.99), pair(0.6, 0.97), pair(0.9, 0.5, "c", "d")))
        (judged,) = criteria(rules, 100, 0, found)
        assert (judged.reached, judged.share) == (False, pytest.approx(2 / 3))
        assert judged.text == "2 of 3 neighbours settled at 95%; c over d: 90%"
        assert contested(rules, found) == ("c", "d")
        settled = Evidence(100, 2, (pair(0.99), pair(0.6, 0.97)))
        assert decided(criteria(rules, 100, 0, settled))
        assert contested(rules, settled) == ()

    def test_no_evidence_is_none(self) -> None:
        (judged,) = criteria(Rules(rank_confidence=0.9), 5, 0, None)
        assert (judged.reached, judged.share, judged.text) == (False, 0.0, "no evidence yet")
        assert not decided(criteria(Rules(rank_confidence=0.9), 5, 0, Evidence(5, 3, ())))
        assert contested(Rules(), None) == ()

    def test_evidence_is_looked_for_when_the_season_has_grown_by_a_tenth(self) -> None:
        assert not due(0, None)
        assert due(1, None)
        last = Evidence(100, 1, ())
        assert not due(109, last)
        assert due(110, last)

    @pytest.mark.parametrize(
        ("rule", "value"),
        [
            ("matches", 0),
            ("hours", 0.0),
            ("hours", float("nan")),
            ("rank_confidence", 0.5),
            ("rank_confidence", 1.0),
            ("top", 1),
            ("indifference", -0.1),
        ],
    )
    def test_impossible_rules_are_named(self, rule: str, value: float) -> None:
        with pytest.raises(ValueError, match=f"^{rule} must be"):
            Rules(**{rule: value})


def fitted(season: Simulation) -> Fit:
    return fit(season.results, SKILL.settings, replicates=0)


def lines(season: Simulation) -> list[Line]:
    return [Line(bot, "1") for bot in season.strengths]


class TestEvidence:
    def test_it_is_about_the_best_ones(self) -> None:
        season = Simulation({f"bot{n}": 25 + 6.0 * n for n in range(8)}, seed=1)
        season.run(Ladder(4, b"", SKILL), matches=120)
        found = evidence(fitted(season), lines(season), Rules(rank_confidence=0.9, top=3))
        assert (found.wanted, found.matches) == (2, len(season.results))
        assert [(one.first, one.second) for one in found.pairs] == [
            ("bot7", "bot6"),
            ("bot6", "bot5"),
        ]
        everybody = evidence(fitted(season), lines(season), Rules(rank_confidence=0.9))
        assert len(everybody.pairs) == everybody.wanted == 7

    def test_a_bot_without_a_match_leaves_everything_open(self) -> None:
        season = Simulation({f"bot{n}": 25 + 6.0 * n for n in range(5)}, seed=1)
        season.run(Ladder(4, b"", SKILL), matches=60)
        rules = Rules(rank_confidence=0.6)
        assert evidence(fitted(season), lines(season), rules).pairs
        assert not evidence(fitted(season), [*lines(season), Line("new", "1")], rules).pairs
        assert not evidence(None, lines(season), rules).pairs

    def test_equals_are_shown_to_be_equal(self) -> None:
        season = Simulation({f"bot{n}": 25.0 for n in range(4)}, seed=1)
        season.run(Ladder(4, b"", SKILL), matches=600)
        close = evidence(fitted(season), lines(season), Rules(rank_confidence=0.9, indifference=2))
        assert all(one.settled(0.9) for one in close.pairs)
        assert any(one.better < 0.9 for one in close.pairs)
        strict = evidence(fitted(season), lines(season), Rules(rank_confidence=0.9))
        assert not all(one.settled(0.9) for one in strict.pairs)


def play_until_decided(season: Simulation, scheduler: Scheduler, rules: Rules) -> None:
    """As a season does it: evidence is looked for whenever it is due."""
    season.run(scheduler, matches=100)
    while True:
        found = evidence(fitted(season), lines(season), rules)
        if decided(criteria(rules, len(season.results), 0.0, found)):
            return
        season.contested = contested(rules, found)
        season.run(scheduler, matches=len(season.results) // 10 + 1)


def best(season: Simulation, top: int) -> list[str]:
    strengths = fitted(season)
    order = sorted(strengths.lines, key=lambda line: -strengths.strength(line))
    return [line.bot for line in order][:top]


@pytest.mark.slow
def test_the_order_takes_far_fewer_matches_than_random_pairing_and_a_fixed_number() -> None:
    """Prints both numbers: run with `-s` to see them."""
    strengths = {f"bot{n:02}": 25 + 2.0 * (n - 12) for n in range(24)}
    top = 5
    truth = sorted(strengths, reverse=True)[:top]
    rules = Rules(rank_confidence=0.95, top=top)
    seasons = 8
    matches, right = [], []
    for seed in range(seasons):
        season = Simulation(strengths, seed=seed, at_once=6)
        play_until_decided(season, Ladder(4, bytes([seed]), SKILL), rules)
        matches.append(len(season.results))
        right.append(best(season, top) == truth)
    fixed = (400, 600, 800, 1000, 1250, 1500, 2000, 2500)
    hits = dict.fromkeys(fixed, 0)
    for seed in range(seasons):
        season = Simulation(strengths, seed=100 + seed, at_once=6)
        for number in fixed:
            season.run(RandomPairing(4, bytes([seed]), SKILL), number - len(season.results))
            hits[number] += best(season, top) == truth
    needed = next(number for number in fixed if hits[number] >= sum(right))
    print(
        f"\norder of the best {top} of {len(strengths)}: matchmaking with evidence stops after "
        f"{mean(matches):.0f} matches on average ({min(matches)} to {max(matches)}), right in "
        f"{sum(right)} of {seasons}; random pairing needs {needed} fixed matches to be right as "
        f"often: " + ", ".join(f"{number}: {count}" for number, count in hits.items())
    )
    assert sum(right) >= 0.85 * seasons
    assert mean(matches) < 0.6 * needed


def test_a_season_ends_on_evidence_with_the_right_order() -> None:
    strengths = {f"bot{n:02}": 25 + 4.0 * n for n in range(8)}
    season = Simulation(strengths, seed=2)
    play_until_decided(season, Ladder(4, b"x", SKILL), Rules(rank_confidence=0.95, top=4))
    assert best(season, 4) == sorted(strengths, reverse=True)[:4]
    assert len(season.results) < 1000
