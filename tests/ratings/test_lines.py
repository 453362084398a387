"""Rating lines: taking a match out is as if it had never been played, whatever came after."""

from __future__ import annotations

from random import Random

import pytest

from ratings.lines import Line, Lines
from ratings.results import MatchResult
from ratings.skill import Skill
from tests.ratings.made import ranked, result, seat

SKILL = Skill()


def season(seed: int, matches: int = 25) -> list[MatchResult]:
    """Bots that change versions and come back to old ones; matches that overlap."""
    rng = Random(seed)
    played = []
    for n in range(matches):
        bots = rng.sample("abcde", 3)
        seats = (
            seat(bot, place, version=rng.choice(["", "1", "2"]))
            for place, bot in enumerate(bots, start=1)
        )
        played.append(result(f"m{n}", *seats, started_ms=1000 * n + rng.randrange(5000)))
    return played


def everything(lines: Lines) -> object:
    bots = "abcde"
    return (
        lines.all(),
        lines.ratings(),
        [lines.current(bot) for bot in bots],
        [lines.versions(bot) for bot in bots],
        [lines.rating(bot, "new") for bot in bots],
        [lines.course(line) for line in lines.all()],
    )


@pytest.mark.parametrize("seed", range(12))
def test_without_a_match_is_the_fold_over_the_others(seed: int) -> None:
    played = season(seed)
    lines = Lines.fold(played, SKILL)
    before = everything(lines)
    for gone in Random(seed).sample(played, 4):
        rest = [one for one in played if one is not gone]
        assert everything(lines.without(gone.match)) == everything(Lines.fold(rest, SKILL))
    assert everything(lines) == before


def test_several_matches_can_be_taken_out_in_any_order() -> None:
    played = season(3)
    rest = [one for one in played if one.match not in ("m2", "m9", "m17")]
    expected = everything(Lines.fold(rest, SKILL))
    lines = Lines.fold(played, SKILL)
    assert everything(lines.without("m9").without("m2").without("m17")) == expected
    assert everything(lines.without("m17").without("m2").without("m9")) == expected


def test_a_match_that_was_not_played_cannot_be_taken_out() -> None:
    with pytest.raises(KeyError, match="m99"):
        Lines.fold(season(1), SKILL).without("m99")


def test_changes_name_every_line_that_differs_and_no_other() -> None:
    played = [ranked("m1", "a", "b"), ranked("m2", "c", "d"), ranked("m3", "a", "c")]
    lines = Lines.fold(played, SKILL)
    after = lines.without("m1")
    changed = lines.changes(after)
    assert [change.bot for change in changed] == ["a", "c"]
    for change in changed:
        assert change.before == lines.all()[Line(change.bot, "1")]
        assert change.after == after.all()[Line(change.bot, "1")]
    assert lines.changes(lines) == ()
