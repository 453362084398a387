"""`pioneers play` with a model at the table: processes, sockets, a real transcript."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from engine import transcript as record
from engine.catalog import find
from runner.bots.llm.prompt import WORDINGS
from tests.runner.bots.llm.fake import Fake, Sent, completion, response, serving
from tests.runner.bots.llm.test_prompt import numbered
from tests.runner.cli.commands import pioneers

KEY = "sk-Secret"
Answering = Callable[[Fake, Sent], bytes]


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def play(answer: Answering, game: str, *options: str) -> tuple[str, Fake]:
    """One match of `llm` against two others: the bot's log, the endpoint."""
    with serving(answer) as fake:
        environment = {
            "PIONEERS_LLM_URL": fake.url,
            "PIONEERS_LLM_MODEL": "tiny",
            "PIONEERS_LLM_KEY": KEY,
        }
        other = {"pioneers": "greedy", "pioneers-program": "settler"}[game]
        arguments = ("llm", other, other, "--game", game, "--seed", "1", "--data", "kept")
        result = pioneers("play", *arguments, *options, env=environment)
    assert result.exit_code == 0, result.output
    assert "Strikes" not in result.stdout
    log = Path("kept/logs/llm.log").read_text(encoding="utf-8")
    assert KEY not in log + result.stdout
    told = "Errors of llm" in result.stdout and "× match m000001: the model chose" in result.stdout
    assert told == (" ERROR " in log), "who plays is told where it was not the model"
    return log, fake


def decisions_of_llm(game: str, folder: str) -> list[str]:
    """What `llm` played where it had a choice, in words, in the order of playing."""
    (path,) = Path(folder, "transcripts").glob("*.jsonl")
    with path.open("rb") as file:
        found = record.read(file)
    assert found.end is not None
    seat = found.header.players.index("llm")
    match = record.deal(found.header, bytes.fromhex(found.end.seed), find(game))
    played = []
    for decision in found.decisions:
        if decision.seat == seat:
            assert decision.by == "answer"
            if len(match.game.legal(seat)) > 1:
                action = match.game.decode(seat, decision.action)
                played.append(WORDINGS[game].spell(match.game.view(seat), action))
        record.replay(match, decision)
    return played


@pytest.mark.parametrize("game", WORDINGS)
def test_what_the_model_chooses_is_what_is_played(game: str) -> None:
    chance = random.Random(5)
    chosen: list[str] = []

    def anything(_: Fake, sent: Sent) -> bytes:
        actions = numbered(sent.texts()[1])
        number = chance.randint(1, len(actions))
        chosen.append(actions[number].removesuffix(" *"))
        return completion(f'I take {{"action": {number}, "say": "my {len(chosen)}."}} now.')

    log, fake = play(anything, game)
    assert decisions_of_llm(game, "kept") == chosen
    assert len(chosen) > 15
    assert f"the model chose {len(chosen)} of {len(chosen)} times" in log
    assert " ERROR " not in log
    assert {sent.headers["authorization"] for sent in fake.sent} == {f"Bearer {KEY}"}


def slow(fake: Fake, _: Sent) -> bytes:
    fake.over.wait()
    return completion("1")


def garbled(fake: Fake, _: Sent) -> bytes:
    return (b"", b"\x00" * 1000, response(b"{"), completion("one"))[len(fake.sent) % 4]


def refusing(_: Fake, sent: Sent) -> bytes:
    told = sent.headers["authorization"].encode()
    return response(b"no good: " + told, "402 Payment Required")


@pytest.mark.parametrize(
    ("answer", "cause"),
    [
        (slow, "no answer in time"),
        (garbled, "the exchange broke off"),
        (refusing, "status 402 (no good: Bearer [key])"),
    ],
)
def test_a_model_that_fails_costs_no_strike_and_greedy_plays(answer: Answering, cause: str) -> None:
    log, fake = play(answer, "pioneers", "--deadline-ms", "2000")
    assert fake.sent
    assert log.count(f"the model did not choose: {cause}") == 1
    assert " ERROR " in log
    assert "Traceback" not in log
    played = decisions_of_llm("pioneers", "kept")
    # The same match with greedy itself in that seat.
    result = pioneers("play", "llm=greedy", "greedy", "greedy", "--seed", "1", "--data", "greedy")
    assert result.exit_code == 0, result.output
    assert played == decisions_of_llm("pioneers", "greedy")


def test_settings_are_looked_at_before_anything_is_started() -> None:
    unset = {"PIONEERS_LLM_URL": "", "PIONEERS_LLM_MODEL": "tiny"}
    result = pioneers("play", "llm", "random", "random", env=unset)
    assert result.exit_code != 0
    assert "PIONEERS_LLM_URL is not set" in result.output
