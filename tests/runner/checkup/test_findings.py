"""What is said about seasons that went this way or that."""

from __future__ import annotations

from runner.bot.session import DEFAULT_INSTEAD, OVERDUE
from runner.checkup.exams import in_short_time
from runner.checkup.findings import Examined, Finding, Mark, cut_short, played_by_the_kit, times
from runner.cli.check import verdict
from tests.runner.checkup.sittings import request, sitting, strike

LATE = f"turn: {OVERDUE} … ms, less the margin: {DEFAULT_INSTEAD}"
RAISED = f"turn: ValueError: oh: {DEFAULT_INSTEAD}"
REQUESTS = tuple(request(id_) for id_ in range(100))


def test_answers_in_time_are_in_time() -> None:
    (finding,) = in_short_time(sitting(*REQUESTS))
    assert finding == Finding(Mark.OK, "all 100 answers came in time")


def test_defaults_that_came_in_time_are_not_passed_off_as_answers() -> None:
    first, second = in_short_time(sitting(*REQUESTS, errors=((60, LATE), (20, RAISED))))
    assert first.mark is Mark.MEND
    assert first.text.startswith("80 of 100 answers were not yours but the game's default")
    assert "60 times your code was late: `self.request.left`" in first.text
    assert "20 times it raised" in first.text
    assert second == Finding(Mark.MEND, f"20 × logged: {RAISED}")


def test_a_default_now_and_then_is_worth_a_note() -> None:
    (finding,) = in_short_time(sitting(*REQUESTS, errors=((1, LATE),)))
    assert finding.mark is Mark.NOTE
    assert "raised" not in finding.text


def test_answers_that_were_missed_weigh_more() -> None:
    first = in_short_time(sitting(*REQUESTS, strike(1), errors=((60, LATE),)))[0]
    assert first.text.startswith("1 of 100 answers came too late")


def test_the_times_of_defaults_say_nothing() -> None:
    season = sitting(*REQUESTS, cut="why", times_ms=(1.0,) * 100)
    assert times(season, "examined", 5000).mark is Mark.OK
    season = sitting(*REQUESTS, cut="why", times_ms=(1.0,) * 100, errors=((50, RAISED),))
    assert times(season, "examined", 5000).mark is Mark.MEND


def test_other_errors_are_no_defaults() -> None:
    assert played_by_the_kit(((3, "on_end raised"),), 100) is None


def test_a_season_that_was_cut_short_says_why() -> None:
    assert cut_short(sitting()) == []
    assert cut_short(sitting(cut="too slow", slow=True)) == [
        Finding(Mark.MEND, "ended early: too slow")
    ]
    assert cut_short(sitting(cut="no time"))[0].mark is Mark.NOTE


def test_fit_is_only_who_was_examined_in_everything() -> None:
    well = Examined("a", (Finding(Mark.OK, "fine"), Finding(Mark.NOTE, "by the way")))
    gap = Examined("b", (Finding(Mark.OPEN, "not examined"),), unexamined=("raid", "loot"))
    bad = Examined("c", (Finding(Mark.MEND, "oh"),))
    assert verdict([well]) == "Fit for a season."
    assert verdict([well, gap]) == (
        "Nothing to mend was found, but this was not examined: raid, loot."
    )
    assert verdict([gap, bad]) == "There is something to mend. Not examined: raid, loot."
    assert verdict([well, bad]) == "There is something to mend."
