"""Every kind of decision, put to real processes, and what is said about the replies."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from msgspec import Raw

from engine.catalog import find
from engine.game import Game
from runner.bots import NAMES
from runner.checkup import kinds
from runner.checkup.candidate import Candidate, entry
from runner.checkup.findings import Examined, Finding, Mark, worst
from runner.checkup.kinds import every_kind, in_rounds, judged
from runner.checkup.questions import Replies
from runner.checkup.situations import Situation, find_situations
from runner.session import Accepted, Fault
from runner.tryout.plan import entrants

PIONEERS = find("pioneers")
PROGRAM = find("pioneers-program")

# Does well with all kinds but two, which a match seldom asks.
FLAWED = """
from engine.pioneers.actions import EndTurn
from runner.bot import Bot

class Flawed(Bot):
    check_actions = False

    def decide(self, request):
        if request.kind == "choose":
            return EndTurn()
        if request.kind == "protect":
            raise ValueError("no idea")
        return request.legal()[0]
"""

DIES = """
import os
from runner.bot import Bot

class Dies(Bot):
    def decide(self, request):
        os._exit(7)
"""


def examine(text: str, game: type[Game], folder: Path) -> Candidate:
    (folder / "bot.py").write_text(text, encoding="utf-8")
    (bot,) = entrants([f"{sys.executable} -m runner.bot {folder / 'bot.py'}"], NAMES)
    return Candidate(entry(bot), game, 5000, folder / "data", folder)


def texts(examined: Examined, mark: Mark) -> list[str]:
    return [finding.text for finding in examined.findings if finding.mark is mark]


async def test_a_bot_is_asked_kinds_that_matches_seldom_ask(tmp_path: Path) -> None:
    examined = await every_kind(examine(FLAWED, PROGRAM, tmp_path))
    illegal, raised = texts(examined, Mark.MEND)
    assert "choose: illegal (malformed), for example: " in illegal
    assert "the answer was {" in illegal
    assert "logged: protect: ValueError: no idea: playing the default instead" in raised
    (well,) = texts(examined, Mark.OK)
    assert well == "legal answers to: " + ", ".join(
        kind for kind in PROGRAM.kinds if kind not in ("choose", "protect")
    )
    assert examined.unexamined == ()


async def test_a_bot_that_dies_is_not_examined_in_the_rest(tmp_path: Path) -> None:
    examined = await every_kind(examine(DIES, PIONEERS, tmp_path))
    assert texts(examined, Mark.MEND) == ["in the middle of the questions it exited with code 7"]
    assert examined.unexamined == tuple(PIONEERS.kinds)


async def test_who_is_always_late_is_asked_each_kind_once(tmp_path: Path) -> None:
    asleep = FLAWED.replace('if request.kind == "choose":', "while True:").replace(
        "return EndTurn()", "time.sleep(600)"
    )
    candidate = examine(f"import time\n{asleep}", PIONEERS, tmp_path).with_less_time(200)
    examined = await every_kind(candidate)
    assert examined.title.startswith(f"{len(PIONEERS.kinds)} single decisions")
    assert examined.slow
    assert examined.unexamined == ()


async def test_questions_have_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kinds, "SECONDS", 0.0)
    examined = await every_kind(examine(FLAWED, PIONEERS, tmp_path))
    assert worst([examined]) is Mark.OPEN
    assert "not examined, as the time was over: setup, turn" in str(examined)


FOUND = find_situations(PIONEERS, 4, each=2, decisions=50_000)


def replies(*given: tuple[Situation, Accepted | Fault]) -> Replies:
    return Replies(given, None, ())


def well(situation: Situation) -> Accepted:
    return Accepted(situation.match.default(situation.seat), 1.0, 0.0)


def test_kinds_take_turns() -> None:
    asked = [situation.kind for situation in in_rounds(FOUND)]
    assert asked[: len(PIONEERS.kinds)] == [kind for kind in PIONEERS.kinds if FOUND[kind]]


def test_a_kind_that_no_match_came_to_is_left_open() -> None:
    found = {**FOUND, "trade": []}
    given = [(one, well(one)) for one in in_rounds(found)]
    examined = judged(PIONEERS, found, replies(*given))
    assert examined.unexamined == ("trade",)
    assert (
        Finding(Mark.OPEN, "not examined, as no random match came to it: trade")
        in examined.findings
    )


def test_the_same_fault_is_told_once() -> None:
    fault = Fault("illegal", "not_yours", "not yours", 1.0, 0.0, Raw(b'{"a":1}'))
    turns = [(one, fault) for one in FOUND["turn"]]
    examined = judged(PIONEERS, FOUND, replies(*turns))
    assert len(turns) == 2
    assert texts(examined, Mark.MEND) == [
        '2 × turn: illegal (not_yours), for example: not yours\nthe answer was {"a":1}'
    ]
    assert not examined.slow


def test_late_answers_make_further_exams_short() -> None:
    fault = Fault("timeout", "timeout", "no answer", 5000.0, 0.0)
    given = [(FOUND["turn"][0], fault)] * 5
    assert judged(PIONEERS, FOUND, replies(*given)).slow
    assert not judged(PIONEERS, FOUND, replies(*given[:4])).slow
