"""Simulations: the same whoever plays them, fair in seats, stopped without a trace."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import msgspec
import pytest
from typer.testing import CliRunner

from runner import bots
from runner.cli import app
from runner.cli import simulate as command
from runner.simulate import Parts, Plan, PlanError, Table, simulate
from runner.summary import Summary, summarize
from runner.tally import Tally

PLAN = Plan("pioneers", ("random", "greedy", "random"), matches=6, seed="17")
MANY = ["--players", "random,random,random", "--matches", "1000000", "--jobs", "2"]


def whole(plan: Plan, jobs: int = 1) -> Summary:
    tally = Tally(plan.players)
    for part in simulate(plan, jobs):
        tally.merge(part)
    return summarize(tally)


def cli(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["simulate", *arguments])
    return result.exit_code, result.stdout, result.stderr


def pioneers(*arguments: str) -> Sequence[str]:
    return [sys.executable, "-c", "from runner.cli import main; main()", "simulate", *arguments]


def test_the_seed_decides_everything() -> None:
    first = whole(PLAN)
    assert first.matches == 6
    assert whole(PLAN) == first
    assert whole(replace(PLAN, seed="18")) != first


def test_the_number_of_processes_changes_nothing() -> None:
    assert whole(PLAN, jobs=2) == whole(PLAN)


@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_neither_does_the_hash_seed(hash_seed: str) -> None:
    run = subprocess.run(
        pioneers("--players", "random,greedy,random", "--matches", "6", "--seed", "17", "--json"),
        env=os.environ | {"PYTHONHASHSEED": hash_seed},
        stdout=subprocess.PIPE,
        check=True,
    )
    assert json.loads(run.stdout)["summary"] == json.loads(msgspec.json.encode(whole(PLAN)))


def test_more_matches_of_a_seed_begin_with_the_fewer() -> None:
    few = Table(PLAN).play(range(4))
    more = Table(replace(PLAN, matches=100)).play(range(4))
    assert summarize(few) == summarize(more)


@pytest.mark.parametrize("players", [("a", "b", "c"), ("a", "b", "c", "d")])
def test_every_block_brings_everybody_to_every_seat(
    players: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runner.simulate.bots.find", lambda name: object)
    n = len(players)
    table = Table(Plan("pioneers", players, 1, "3"))
    blocks = [[tuple(table.seating(n * block + turn)) for turn in range(n)] for block in range(40)]
    for block in blocks:
        for seat in range(n):
            assert sorted(seating[seat] for seating in block) == [*range(n)]
    # Who sits after whom changes: all orders around the table come up.
    around = Counter(
        seating[seating.index(0) :] + seating[: seating.index(0)] for (seating, *_) in blocks
    )
    assert len(around) == {3: 2, 4: 6}[n]


def test_players_can_stay_where_they_are_listed() -> None:
    table = Table(replace(PLAN, rotate=False))
    assert {tuple(table.seating(n)) for n in range(12)} == {(0, 1, 2)}


def test_bots_of_one_kind_have_names_of_their_own() -> None:
    # Else they would draw alike.
    assert Table(PLAN).labels == ["random-1", "greedy", "random-2"]


@pytest.mark.parametrize(
    ("plan", "option", "message"),
    [
        (replace(PLAN, game="chess"), "game", "unknown game 'chess'; known games: "),
        (
            replace(PLAN, players=("random", "gredy", "random")),
            "players",
            f"unknown bot 'gredy'; reference bots: {', '.join(bots.NAMES)}",
        ),
        (
            replace(PLAN, players=("random", "settler", "random")),
            "players",
            "settler does not play pioneers; bots that do: greedy, ",
        ),
        (
            replace(PLAN, players=("random", "llm", "random")),
            "players",
            "llm waits for others while it decides: `pioneers play` has it play",
        ),
        (replace(PLAN, players=("random",) * 2), "players", "is for 3 or 4 players, not 2"),
        (replace(PLAN, players=("random",) * 5), "players", "is for 3 or 4 players, not 5"),
        (replace(PLAN, matches=0), "matches", "must be at least 1, not 0"),
    ],
)
def test_a_bad_plan_is_refused_at_once(plan: Plan, option: str, message: str) -> None:
    with pytest.raises(PlanError) as caught:
        simulate(plan)
    assert caught.value.option == option
    assert message in str(caught.value)


def test_the_command_names_the_bad_option() -> None:
    for option, value in (("--players", "random,,random"), ("--jobs", "0"), ("--game", "go")):
        arguments = {"--players": "random,random,random"} | {option: value}
        status, out, err = cli(*(text for pair in arguments.items() for text in pair))
        assert (status, out) == (2, "")
        assert err.startswith(f"pioneers: {option}: ")


def test_the_command_prints_tables() -> None:
    status, out, err = cli("--players", "random,greedy,random", "--matches", "6", "--seed", "17")
    summary = whole(PLAN)
    assert (status, err) == (0, "")
    assert out.startswith("6 matches of pioneers, seed 17, seats rotated\n")
    greedy = summary.players["greedy"]
    (row,) = (line for line in out.splitlines() if line.startswith("greedy"))
    assert f" {100 * greedy.win_rate.value:.1f} " in row
    assert f" {greedy.score.value:.2f} ± " in row
    assert f"turns per match: {summary.turns.mean.value:.1f} ± " in out
    assert " actions/s\n" in out


def test_the_command_prints_the_same_as_json() -> None:
    arguments = ("--players", "random,greedy,random", "--matches", "6", "--seed", "17", "--json")
    reports = [json.loads(cli(*arguments, "--jobs", jobs)[1]) for jobs in ("1", "2")]
    speeds = [report.pop("speed") for report in reports]
    assert reports[0] == reports[1]
    assert [speed["jobs"] for speed in speeds] == [1, 2]
    assert reports[0]["summary"]["matches"] == 6
    assert reports[0]["summary"]["players"]["random"]["places"] == 2


def test_without_a_seed_one_is_drawn_and_told() -> None:
    arguments = ("--players", "random,random,random", "--matches", "1", "--jobs", "1", "--json")
    first, second = (json.loads(cli(*arguments)[1]) for _ in range(2))
    assert first["seed"] != second["seed"]
    again = json.loads(cli(*arguments, "--seed", first["seed"])[1])
    assert again["summary"] == first["summary"]


def test_ctrl_c_prints_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def cut(plan: Plan, jobs: int) -> Parts:
        yield Table(plan).play(range(2))
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "simulate", cut)
    status, out, err = cli("--players", "random,greedy,random", "--matches", "6")
    assert status == 130
    assert out.startswith("2 matches of pioneers")
    assert err == "Stopped after 2 of 6 matches.\n"


def test_closing_it_ends_the_processes() -> None:
    parts = simulate(replace(PLAN, matches=10**6), jobs=2)
    assert next(parts).matches
    assert len(multiprocessing.active_children()) == 2
    parts.close()
    assert multiprocessing.active_children() == []


@pytest.fixture
def going() -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """A long simulation in a terminal of its own, and that terminal's other end."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        pioneers(*MANY), stdout=theirs, stderr=theirs, stdin=theirs, start_new_session=True
    )
    os.close(theirs)
    yield process, ours
    os.close(ours)
    process.kill()
    process.wait()


def read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # how Linux says that nobody has the other end open any more
        return b""


def under_way(terminal: int) -> bytes:
    """Read on until matches have been played."""
    out = b""
    while b"matches" not in out or out.count(b"/1000000") == out.count(b" 0/1000000"):
        piece = read(terminal)
        assert piece, out
        out += piece
    return out


def rest(terminal: int) -> bytes:
    """All that is still written: until the command and every process that it started are gone."""
    out = b""
    while piece := read(terminal):
        out += piece
    return out


def test_a_real_ctrl_c_ends_it_cleanly(going: tuple[subprocess.Popen[bytes], int]) -> None:
    process, terminal = going
    out = under_way(terminal)
    # As a terminal does it: to the command and its workers alike.
    os.killpg(process.pid, signal.SIGINT)
    out += rest(terminal)
    assert process.wait() == 130
    assert b"Stopped after " in out
    assert b"Traceback" not in out


def test_workers_do_not_outlive_a_killed_command(
    going: tuple[subprocess.Popen[bytes], int],
) -> None:
    process, terminal = going
    under_way(terminal)
    process.kill()
    rest(terminal)
    assert process.wait() == -signal.SIGKILL
