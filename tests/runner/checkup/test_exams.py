"""Examinations at real tables: processes, sockets, a server that restarts."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import pytest

from engine.catalog import GAMES
from runner.bots import NAMES
from runner.checkup.candidate import Candidate, entry
from runner.checkup.exams import (
    EXAMS,
    Exam,
    late_answer,
    lost_connection,
    server_restart,
    short_deadline,
    whole_matches,
)
from runner.checkup.findings import Mark, worst
from runner.checkup.table import CheckError
from runner.tryout.plan import entrants
from tests.runner.cli.commands import pioneers

GOOD = """
from runner.bot import Bot

class Good(Bot):
    def decide(self, request):
        return request.legal()[0]
"""

AGAINST_THE_RULES = """
from engine.pioneers.actions import BuildCity
from runner.bot import Bot

class Bad(Bot):
    check_actions = False

    def turn(self, view):
        return BuildCity(vertex=3)
"""

# Longer than any test: a thread of the kit's does not keep the process from ending.
ASLEEP = """
import time
from runner.bot import Bot

class Asleep(Bot):
    def decide(self, request):
        time.sleep(600)
"""

# Speaks the protocol well enough as long as nothing goes wrong.
FAIR_WEATHER = """
import json, os
from websockets.sync.client import connect

headers = {"Authorization": "Bearer " + os.environ["PIONEERS_TOKEN"]}
with connect(os.environ["PIONEERS_URL"], additional_headers=headers,
             subprotocols=["pioneers.v1"]) as socket:
    socket.send(json.dumps({"type": "hello"}))
    for text in socket:
        message = json.loads(text)
        if message["type"] == "request":
            socket.send(json.dumps({"id": message["id"], "error": "no idea"}))
"""


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def candidate(text: str, *, script: bool = False) -> Candidate:
    Path("bot.py").write_text(text, encoding="utf-8")
    (bot,) = entrants([f"{sys.executable} bot.py" if script else "bot.py"], NAMES)
    game = next(iter(GAMES.values()))
    return Candidate(entry(bot), game, 5000, Path("data").absolute(), Path.cwd())


@pytest.mark.parametrize("exam", [late_answer, lost_connection])
async def test_a_bot_of_the_kit_takes_it(exam: Exam) -> None:
    examined = await exam(candidate(GOOD))
    assert worst([examined]) is Mark.OK, examined


@pytest.mark.parametrize("exam", [lost_connection, server_restart])
async def test_a_bot_that_does_not_come_back_is_told_to(exam: Exam) -> None:
    examined = await exam(candidate(FAIR_WEATHER.replace('"error"', '"action"'), script=True))
    assert worst([examined]) is Mark.MEND
    assert "did not come back" in examined.findings[0].text


async def test_what_a_bot_does_wrong_anyway_is_not_put_down_to_the_connection() -> None:
    examined = await lost_connection(candidate(AGAINST_THE_RULES))
    (finding,) = examined.findings
    assert finding.mark is Mark.MEND
    assert "strikes, for example illegal (not_own_settlement): vertex 3" in finding.text
    assert "pioneers explain " in finding.text
    assert "connect again" not in finding.text


@pytest.mark.slow
@pytest.mark.parametrize("exam", [short_deadline, whole_matches])
async def test_what_is_always_late_is_not_examined_to_the_end(exam: Exam) -> None:
    examined = await exam(candidate(ASLEEP).with_less_time(200))
    texts = [finding.text for finding in examined.findings if finding.mark is Mark.MEND]
    assert any(text.startswith("ended early: ") for text in texts), texts
    assert any("answers were not yours but the game's default" in text for text in texts), texts
    assert "ended by itself" not in str(examined)
    assert examined.slow is (exam is whole_matches)


@pytest.mark.slow
async def test_a_season_ends_when_its_time_is_over() -> None:
    sitting = await candidate(ASLEEP).table("brief", seconds=2.0, deadline_ms=60_000).play()
    assert sitting.cut == "not through after 2 s"
    assert not sitting.slow


@pytest.mark.slow
async def test_what_was_never_tried_is_not_held_against_the_bot(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("runner.checkup.exams.SECONDS", 2.0)
    examined = await lost_connection(candidate(ASLEEP))
    assert worst([examined]) is Mark.OPEN
    assert examined.unexamined == ("a connection that breaks",)


@pytest.mark.parametrize(
    ("text", "says"),
    [("x = (", "it exited with code 1"), ("import sys; sys.exit(3)", "it exited with code 3")],
)
async def test_a_bot_that_does_not_even_connect(text: str, says: str) -> None:
    with pytest.raises(ExceptionGroup) as caught:
        await EXAMS[0](candidate(text))
    (error,) = caught.value.exceptions
    assert isinstance(error, CheckError)
    assert says in str(error)


def test_reference_bots_need_no_check() -> None:
    result = pioneers("bot", "check", NAMES[0])
    assert result.exit_code == 2
    assert "is a reference bot" in result.stderr


@pytest.mark.slow
def test_the_report_of_a_sound_bot() -> None:
    Path("bot.py").write_text(GOOD, encoding="utf-8")
    result = pioneers("bot", "check", "bot.py")
    assert result.exit_code == 0, result.output
    assert "Fit for a season." in result.stdout
    assert "up to 4 matches at once" in result.stdout
    assert "legal answers to: setup, turn, discard, bandit, trade" in result.stdout
    assert "mend" not in result.stdout
    assert [path.name for path in Path().iterdir()] == ["bot.py"]


@pytest.mark.slow
def test_the_report_of_a_bot_for_fair_weather() -> None:
    Path("bot.py").write_text(FAIR_WEATHER, encoding="utf-8")
    result = pioneers("bot", "check", f"{sys.executable} bot.py")
    assert result.exit_code == 1, result.output
    assert "error (gave_up), for example: no idea" in result.stdout
    assert "did not come back" in result.stdout
    assert "raise `maxMatches`" in result.stdout
    assert "Fit for a season." not in result.stdout
