"""The reports' numbers, counted by hand on small seasons; sorting, filtering; the page."""

from __future__ import annotations

import io
import json
from html.parser import HTMLParser
from pathlib import Path
from random import Random

import msgspec
import pytest
from rich.cells import cell_len
from rich.console import Console

from ratings.fit import fit
from ratings.latency import Latencies
from ratings.ledger import Ledger
from ratings.lines import Line, Lines
from ratings.reports.bot import UnknownBot, bot_report
from ratings.reports.drawing import interval, sparkline
from ratings.reports.head_to_head import head_to_head
from ratings.reports.matches import match_table
from ratings.reports.page import page, rating_courses
from ratings.reports.rating import final_table, rating_table
from ratings.reports.seats import seat_table
from ratings.results import MatchResult, Timing
from ratings.selection import SelectionError, sort, where
from ratings.skill import Skill
from ratings.standings import Standings, standings
from ratings.tables import Column, Table, percent, signed, to_json, to_terminal
from tests.ratings.made import ranked, result, season, seat

SKILL = Skill()
PLAYED = [
    ranked("m1", "a", "b", "c"),
    ranked("m2", "b", "c", "a"),
    result("m3", seat("c", 2), seat("a", 1), seat("b", 2)),
    ranked("m4", "a", "d"),
]


def row(table: Table, **wanted: object) -> dict[str, object]:
    (found,) = [
        dict(one) for one in table.rows if all(one[key] == value for key, value in wanted.items())
    ]
    return found


def terminal(table: Table, width: int) -> list[str]:
    console = Console(width=width, file=io.StringIO(), force_terminal=False, color_system=None)
    console.print(to_terminal(table, width))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


class TestHeadToHead:
    RATINGS = Lines.fold(PLAYED, SKILL).ratings()

    def test_counts(self) -> None:
        table = head_to_head(PLAYED, self.RATINGS, SKILL.settings)
        b_a = row(table, bot="b", opponent="a")
        assert (b_a["matches"], b_a["ahead"], b_a["tied"], b_a["behind"]) == (3, 1, 0, 2)
        assert b_a["share"] == pytest.approx(1 / 3)
        assert b_a["places"] == pytest.approx((-1 + 2 - 1) / 3)
        b_c = row(table, bot="b", opponent="c")
        assert (b_c["ahead"], b_c["tied"], b_c["behind"]) == (2, 1, 0)
        assert b_c["share"] == pytest.approx(2.5 / 3)
        assert len(table.rows) == 8

    def test_both_ways_round_agree(self) -> None:
        table = head_to_head(
            season(60, 6, seed=1),
            Lines.fold(season(60, 6, seed=1), SKILL).ratings(),
            SKILL.settings,
        )
        for one in table.rows:
            other = row(table, bot=one["opponent"], opponent=one["bot"])
            assert one["ahead"] == other["behind"]
            assert one["places"] == pytest.approx(-other["places"])  # type: ignore[operator]
            assert one["expected"] + other["expected"] == pytest.approx(1)  # type: ignore[operator]

    def test_one_bot(self) -> None:
        table = head_to_head(PLAYED, self.RATINGS, SKILL.settings, "d")
        assert [(one["bot"], one["opponent"]) for one in table.rows] == [("d", "a")]


class TestSeats:
    def test_counts(self) -> None:
        table = seat_table(PLAYED)
        first = row(table, seats=3, seat=1)
        assert (first["matches"], first["mean_placement"]) == (3, pytest.approx(4 / 3))
        assert first["first"] == pytest.approx(2 / 3)
        assert first["effect"] is None
        assert row(table, seats=2, seat=2)["first"] == 0

    def test_ties_for_first_share(self) -> None:
        table = seat_table([result("m", seat("a", 1), seat("b", 1), seat("c", 3))])
        assert [one["first"] for one in table.rows] == [0.5, 0.5, 0]

    def test_effects_beside(self) -> None:
        played = season(40, 6, seed=2)
        fitted = fit(played, SKILL.settings, replicates=0)
        table = seat_table(played, fitted.seats())
        assert [one["effect"] for one in table.rows] == [one.effect for one in fitted.seats()]
        assert "standard error" in table.note


class TestBot:
    def test_unknown(self) -> None:
        with pytest.raises(UnknownBot, match="'z' has not played; known: a, b, c, d"):
            bot_report(PLAYED, SKILL, "z")

    def test_versions_and_course(self) -> None:
        played = [*PLAYED, ranked("m5", "a", "b", version="2", started_ms=9)]
        table = bot_report(played, SKILL, "a")["versions"]
        assert [(one["version"], one["current"], one["games"]) for one in table.rows] == [
            ("1", False, 4),
            ("2", True, 1),
        ]
        course = [rating.value for rating in Lines.fold(played, SKILL).course(Line("a", "1"))]
        assert table.rows[0]["lowest"] == min(course)
        assert table.rows[0]["highest"] == max(course)
        assert len(str(table.rows[0]["course"])) == 4

    def test_faults(self) -> None:
        played = [
            result("m1", seat("a", 1, strikes={"timeout": 2}), seat("b", 2)),
            result(
                "m2",
                seat("a", 1, strikes={"timeout": 1, "illegal": 3}, resigned=True),
                seat("b", 2),
            ),
        ]
        table = bot_report(played, SKILL, "a")["faults"]
        assert [(one["fault"], one["count"], one["matches"]) for one in table.rows] == [
            ("illegal", 3, 1),
            ("timeout", 3, 2),
            ("resigned", 1, 1),
        ]
        assert table.rows[0]["per_thousand"] == pytest.approx(3 / 80 * 1000)

    def test_times_by_kind_and_part(self) -> None:
        timing = Timing(Latencies.of([0.1]), Latencies.of([2.0]), Latencies.of([50.0, 60.0]))
        timed = msgspec.structs.replace(seat("a", 1), timings={"turn": timing})
        played = [result("m1", timed, seat("b", 2)), result("m2", timed, seat("b", 2))]
        table = bot_report(played, SKILL, "a")["times"]
        assert [(one["kind"], one["part"], one["answers"]) for one in table.rows] == [
            ("all", "answer", 4),
            ("turn", "queue", 2),
            ("turn", "wire", 2),
            ("turn", "bot", 4),
        ]
        assert row(table, part="bot")["p50_ms"] == pytest.approx(50, rel=0.04)
        assert row(table, part="bot")["most_ms"] == pytest.approx(60, rel=0.04)

    def test_seats(self) -> None:
        table = bot_report(PLAYED, SKILL, "a")["seats"]
        assert [(one["seats"], one["seat"], one["matches"]) for one in table.rows] == [
            (2, 1, 1),
            (3, 1, 1),
            (3, 2, 1),
            (3, 3, 1),
        ]


class TestMatches:
    def test_all_matches_void_and_lost_ones_too(self, tmp_path: Path) -> None:
        with Ledger.open(tmp_path / "season.db", SKILL) as ledger:
            for one in PLAYED:
                ledger.append(one)
            ledger.append(ranked("m5", "d", "c"), void="stalled")
            ledger.void("m2", "dealt twice", 1_790_000_000_000)
            ledger.void("lost", "killed", 1_790_000_000_000)
            table = match_table(ledger.entries())
        assert [(one["match"], one["void"]) for one in table.rows] == [
            ("m1", ""),
            ("m2", "dealt twice"),
            ("m3", ""),
            ("m4", ""),
            ("m5", "stalled"),
            ("lost", "killed"),
        ]
        assert [row(table, match="m3")[f"placed_{n}"] for n in (1, 2, 3)] == ["a", "c = b", ""]
        assert row(table, match="lost")["ended"] == "2026-09-21 14:13:20"
        assert row(table, match="m1")["seconds"] == 0.5
        assert len(json.loads(to_json(table))) == 6


class TestRatingTables:
    def test_status_and_trend(self) -> None:
        state = Standings(SKILL)
        for n in range(40):
            order = ("a", "b") if n % 3 else ("b", "a")
            played = ranked(f"m{n}", *order, "crasher", started_ms=n)
            seats = list(played.seats)
            seats[2] = msgspec.structs.replace(seats[2], resigned=n % 2 == 0)
            state.add(msgspec.structs.replace(played, seats=tuple(seats)))
        state.add(ranked("new", "fresh", "b", started_ms=99))
        rows = {one.bot: one for one in state.rows()}
        assert {bot: one.status for bot, one in rows.items()} == {
            "a": "",
            "b": "",
            "crasher": "probation",
            "fresh": "provisional",
        }
        course = [rating.value for rating in state.lines.course(Line("a", "1"))]
        assert rows["a"].trend == course[-1] - course[-11]
        assert rows["fresh"].trend is None
        table = rating_table(state.rows())
        assert "?: provisional" in table.note
        assert "!: on probation" in table.note
        lines = terminal(table, 80)
        assert any(" ! " in line and "crasher" in line for line in lines)
        assert any(" ? " in line and "fresh" in line for line in lines)

    @pytest.mark.parametrize("width", [80, 120, 200])
    def test_the_final_table_stands_beside_the_online_one(self, width: int) -> None:
        played = season(80, 9, seed=3)
        rows = standings(played, SKILL)
        fitted = fit(played, SKILL.settings, replicates=20)
        table = final_table(fitted.table([Line(one.bot, one.version) for one in rows]), rows)
        assert [one["rank"] for one in table.rows] == list(range(1, 10))
        online = {one.bot: one for one in rows}
        for one in table.rows:
            assert one["rating"] == online[str(one["bot"])].rating
            assert one["low"] < one["strength"] < one["high"]  # type: ignore[operator]
        lines = terminal(table, width)
        assert all(cell_len(line) <= width for line in lines)
        for line, one in zip(lines[2:], table.rows, strict=False):
            assert f"{one['strength']:.2f}" in line
            assert f"{one['rating']:.2f}" in line


class TestDrawing:
    def test_intervals(self) -> None:
        assert interval(0, 5, 10, (0, 10), 11) == "├────●────┤"
        assert interval(2, 3, 4, (0, 10), 11) == "  ├●┤      "
        assert interval(3, 3, 3, (0, 10), 11) == "   ●       "
        assert interval(-99, 0, 99, (0, 10), 11) == "●─────────┤"
        assert interval(5, 5, 5, (5, 5), 4) == "●   "

    def test_sparklines(self) -> None:
        assert sparkline([], 10) == ""
        assert sparkline([1, 2, 3, 4, 5, 6, 7, 8], 10) == "▁▂▃▄▅▆▇█"
        assert sparkline([3, 3], 10) == "▁▁"
        assert sparkline([0] * 50 + [1] * 50, 4) == "▁▁██"


class TestSelection:
    TABLE = Table(
        "",
        (
            Column("bot", "bot"),
            Column("games", "games"),
            Column("p50", "p50"),
            Column("bar", "", drawn=True),
        ),
        (
            {"bot": "Greedy", "games": 9, "p50": 1.5, "bar": "x"},
            {"bot": "random", "games": 40, "p50": None, "bar": "x"},
            {"bot": "greedier", "games": 100, "p50": 0.5, "bar": "x"},
        ),
    )

    @pytest.mark.parametrize(
        ("condition", "bots"),
        [
            ("games>=40", ["random", "greedier"]),
            ("games < 40", ["Greedy"]),
            ("games!=9", ["random", "greedier"]),
            ("bot=random", ["random"]),
            ("bot~GREED", ["Greedy", "greedier"]),
            ("p50<=1", ["greedier"]),
            ("p50!=1.5", ["random", "greedier"]),
            ("games=1e2", ["greedier"]),
        ],
    )
    def test_where(self, condition: str, bots: list[str]) -> None:
        assert [one["bot"] for one in where(self.TABLE, condition).rows] == bots

    @pytest.mark.parametrize(
        ("order", "bots"),
        [
            ("games", ["Greedy", "random", "greedier"]),
            ("-games", ["greedier", "random", "Greedy"]),
            ("p50", ["greedier", "Greedy", "random"]),
            ("-p50", ["Greedy", "greedier", "random"]),
            ("bot", ["Greedy", "greedier", "random"]),
        ],
    )
    def test_sort(self, order: str, bots: list[str]) -> None:
        assert [one["bot"] for one in sort(self.TABLE, order).rows] == bots

    @pytest.mark.parametrize(
        ("condition", "why"),
        [
            ("games", "'games' is no condition; write COLUMN, one of = != <= >= < > ~, VALUE"),
            ("wins>3", "there is no column 'wins'; there are bot, games, p50"),
            ("bar=x", "there is no column 'bar'"),
            ("games>many", "games holds numbers; 'many' is none"),
        ],
    )
    def test_what_cannot_be_understood(self, condition: str, why: str) -> None:
        with pytest.raises(SelectionError, match=why.replace("?", r"\?")):
            where(self.TABLE, condition)
        with pytest.raises(SelectionError, match="there is no column 'wins'"):
            sort(self.TABLE, "-wins")

    def test_every_report_can_be_sorted_by_every_column(self) -> None:
        played = season(30, 6, seed=4)
        for table in (
            rating_table(standings(played, SKILL)),
            *bot_report(played, SKILL, "bot001").values(),
        ):
            for column in table.columns:
                if not column.drawn:
                    assert len(sort(table, f"-{column.key}").rows) == len(table.rows)


class Reader(HTMLParser):
    """Checks nesting, and collects what is there."""

    VOID = frozenset({"meta"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.links: list[str] = []
        self.text: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [str(value) for name, value in attrs if name in ("src", "href")]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


class TestPage:
    NAMES = ("plain", "<script>alert(1)</script>", "a&b", '"quoted"', "red\x1b[31m", "日本語")

    def played(self) -> list[MatchResult]:
        rng = Random(5)
        return [ranked(f"m{n}", *rng.sample(self.NAMES, 4), started_ms=n) for n in range(30)]

    def test_it_is_sound_and_stands_alone(self) -> None:
        played = self.played()
        text = page(
            "Season <1>",
            [rating_table(standings(played, SKILL), "Table"), seat_table(played, title="Seats")],
            rating_courses(played, SKILL),
        )
        reader = Reader(text)
        assert reader.open == []
        assert reader.links == []
        assert "script" not in reader.tags
        assert reader.tags.count("polyline") == len(self.NAMES)
        assert "default-src 'none'" in text
        assert "url(" not in text
        shown = "".join(reader.text)
        for name in ("<script>alert(1)</script>", "a&b", '"quoted"', r"red\x1b[31m", "日本語"):
            assert name in shown
        assert "\x1b" not in text

    def test_many_bots_and_long_seasons_stay_readable(self) -> None:
        played = season(900, 30, seed=6)
        text = page("Long", [rating_table(standings(played, SKILL))], rating_courses(played, SKILL))
        reader = Reader(text)
        assert reader.tags.count("polyline") == 12
        assert len(text) < 150_000

    def test_a_season_without_matches(self) -> None:
        reader = Reader(page("Nothing", [rating_table(())], {}))
        assert "svg" not in reader.tags

    def test_courses_are_the_ratings_over_time(self) -> None:
        played = self.played()
        courses = rating_courses(played, SKILL)
        rows = standings(played, SKILL)
        assert list(courses) == [one.bot for one in rows]
        assert [course[-1][1] for course in courses.values()] == [one.rating for one in rows]
        assert sum(map(len, courses.values())) == 4 * 30


def test_formats() -> None:
    assert [percent(value) for value in (0.5, 0.99949, 0.9996, 1.0, None)] == [
        "50.0%",
        "99.9%",
        ">99.9%",
        "100.0%",
        "",
    ]
    assert [signed(value) for value in (1.234, -0.5, None)] == ["+1.23", "-0.50", ""]
