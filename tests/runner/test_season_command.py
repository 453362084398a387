"""Whole seasons by the command, from a config to the rating table, with real bot processes."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import os
import re
import signal
import socket
import sys
from pathlib import Path
from typing import Any

import pytest

from engine import transcript as record
from engine.chance import commitment, derive_seed
from engine.pioneers import Pioneers
from tests.bots.settlers import default_action, settle
from tests.runner.command import (
    ROOT,
    Command,
    Ended,
    matches_of,
    pioneers,
    run,
    started,
    write_config,
)
from tests.runner.rawbot import RawBot

REMOTE = {"ann": {"remote": True}, "bob": {"remote": True}, "cat": {"remote": True}}


def no_traceback(ended: Ended) -> str:
    """The one sentence that a command ends with when something outside of it is wrong."""
    assert "Traceback" not in ended.err
    assert ended.err.startswith("pioneers: ")
    return ended.err


def issue_tokens(config: Path) -> dict[str, str]:
    tokens = {}
    for name in REMOTE:
        ended = pioneers("token", "issue", config, name)
        assert ended.status == 0
        tokens[name] = ended.out.strip()
        assert ended.out.count("\n") == 1, "the token alone, to be piped"
    return tokens


async def connect(command: Command, tokens: dict[str, str]) -> dict[str, RawBot]:
    url = await command.url()
    bots = {name: await RawBot.dial(url, token) for name, token in tokens.items()}
    for bot in bots.values():
        assert (await bot.hello())["type"] == "welcome"
    return bots


# One season of reference bots, looked at from all sides.


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Ended]:
    folder = tmp_path_factory.mktemp("season")
    bots = {
        "ann": {"builtin": "greedy"},
        "bob": {"builtin": "random"},
        "cat": {"builtin": "random"},
    }
    config = write_config(folder, bots, matches=3)
    return config, asyncio.run(run("season", "run", config))


def test_a_season_ends_with_the_rating_table(season: tuple[Path, Ended]) -> None:
    config, ended = season
    assert (ended.status, ended.err) == (0, "")
    rows = [
        line.split()
        for line in ended.out.splitlines()
        if re.match(r"\s*\d+\s+(ann|bob|cat)\s", line)
    ]
    online, final = rows[:3], rows[3:]
    for table in (online, final):
        assert sorted(row[1] for row in table) == ["ann", "bob", "cat"]
        assert table[0][1] == "ann", "greedy is the best of them"
    assert len(matches_of(config.parent)) == 3
    assert list((config.parent / "data" / "playing").iterdir()) == []


async def test_a_season_that_is_over_shows_its_table_again(season: tuple[Path, Ended]) -> None:
    config, first = season
    again = await run("season", "run", config)
    assert (again.status, again.err) == (0, "")
    table, over, before = again.out.partition("The season is over: 3 matches count.")
    assert table + over in first.out
    assert "It was over before: its secret is published" in before
    assert "It was over before" not in first.out
    assert len(matches_of(config.parent)) == 3


def test_the_table_in_all_its_forms(season: tuple[Path, Ended]) -> None:
    config, first = season
    terminal, as_json, as_csv, markdown = [
        pioneers("table", config, *form) for form in ((), ("--json",), ("--csv",), ("--markdown",))
    ]
    for ended in (terminal, as_json, as_csv, markdown):
        assert (ended.status, ended.err) == (0, "")
    assert terminal.out in first.out
    rows = json.loads(as_json.out)
    assert rows[0]["rank"] == 1
    assert {row["games"] for row in rows} == {3}
    assert sum(row["placed_1"] for row in rows) >= 3
    assert all(row["rating"] == pytest.approx(row["mu"] - 3 * row["sigma"]) for row in rows)
    table = list(csv.DictReader(io.StringIO(as_csv.out)))
    assert [row["bot"] for row in table] == [row["bot"] for row in rows]
    lines = markdown.out.splitlines()
    assert sum(line.startswith("|") for line in lines) == 2 + len(rows)
    for row in rows:
        assert row["bot"] in markdown.out


def test_one_form_at_a_time(season: tuple[Path, Ended]) -> None:
    ended = pioneers("table", season[0], "--json", "--csv")
    assert ended.status == 2
    assert "--json and --csv" in no_traceback(ended)


def test_every_transcript_verifies(season: tuple[Path, Ended]) -> None:
    config, _ = season
    for path in matches_of(config.parent):
        ended = pioneers("verify", path)
        assert (ended.status, ended.err) == (0, "")
        assert f"Match {path.stem} of pioneers" in ended.out


def test_a_transcript_that_was_tampered_with_does_not(
    season: tuple[Path, Ended], tmp_path: Path
) -> None:
    config, _ = season
    lines = matches_of(config.parent)[0].read_bytes().splitlines(keepends=True)
    turns = [n for n, line in enumerate(lines) if b'"type":"end_turn"' in line]
    tampered = tmp_path / "m000001.jsonl"
    tampered.write_bytes(b"".join(lines[: turns[5]] + lines[turns[5] + 1 :]))
    ended = pioneers("verify", tampered)
    assert ended.status == 1
    assert f"line {turns[5] + 1}" in no_traceback(ended)
    tampered.write_bytes(b"".join(lines).replace(b'"by":"answer"', b'"by":"timeout"', 1))
    ended = pioneers("verify", tampered)
    assert ended.status == 1
    assert "line 2" in no_traceback(ended)


def test_every_seed_comes_from_the_published_secret(season: tuple[Path, Ended]) -> None:
    config, _ = season
    public = json.loads((config.parent / "data" / "season.json").read_text())
    secret = bytes.fromhex(public["secret"])
    assert public["commitment"] == commitment(secret)
    for path in matches_of(config.parent):
        transcript = record.read(path.read_bytes().splitlines())
        record.verify(transcript, Pioneers, derive_seed(secret, path.stem))


def test_a_replay_tells_the_match(season: tuple[Path, Ended]) -> None:
    config, _ = season
    path = matches_of(config.parent)[0]
    ended = pioneers("replay", path)
    assert (ended.status, ended.err) == (0, "")
    end = record.read(path.read_bytes().splitlines()).end
    assert end is not None
    for name, score in zip(("seat 0", "seat 1", "seat 2"), end.scores, strict=True):
        assert re.search(rf"\({name}\), {score} points", ended.out)
    assert f"Ended by {end.reason}" in ended.out
    boards = pioneers("replay", path, "--boards")
    assert boards.status == 0
    assert len(boards.out) > 2 * len(ended.out)


def test_a_transcript_without_an_end_cannot_be_replayed(
    season: tuple[Path, Ended], tmp_path: Path
) -> None:
    lines = matches_of(season[0].parent)[0].read_bytes().splitlines(keepends=True)
    cut = tmp_path / "m000001.jsonl"
    cut.write_bytes(b"".join(lines[:20]))
    for command in ("verify", "replay"):
        ended = pioneers(command, cut)
        assert ended.status == 1
        assert "end line" in no_traceback(ended)


@pytest.mark.parametrize("command", ["verify", "replay"])
@pytest.mark.parametrize(
    ("content", "status"), [(None, 2), (b"", 1), (b"\x00\xff", 1), (b"{}\n", 1)]
)
def test_a_file_that_is_no_transcript(
    command: str, content: bytes | None, status: int, tmp_path: Path
) -> None:
    path = tmp_path / "no.jsonl"
    if content is not None:
        path.write_bytes(content)
    ended = pioneers(command, path)
    assert ended.status == status
    assert "no.jsonl" in no_traceback(ended)


def test_there_is_no_table_before_a_season(tmp_path: Path) -> None:
    ended = pioneers("table", write_config(tmp_path, REMOTE))
    assert ended.status == 1
    assert "ledger" in no_traceback(ended)
    assert not (tmp_path / "data").exists(), "looking makes nothing"


def test_a_bad_config_is_one_sentence(tmp_path: Path) -> None:
    config = write_config(tmp_path, REMOTE, speed=3)
    for command in (("season", "run"), ("table",)):
        ended = pioneers(*command, config)
        assert ended.status == 2
        assert f"{config}: play.speed: unknown key" in no_traceback(ended)


# Remote bots, stops and going on: the bots are the test's own.


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX's")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
async def test_a_season_goes_on_after(how: signal.Signals, tmp_path: Path) -> None:
    config = write_config(tmp_path, REMOTE, matches=1, deadline_ms=60_000)
    tokens = issue_tokens(config)
    seen: dict[str, list[int]] = {name: [] for name in REMOTE}

    enough = asyncio.Event()

    async def answer_some(name: str, bot: RawBot) -> None:
        while not enough.is_set():
            message = await bot.hear("request")
            seen[name].append(message["id"])
            await bot.send({"id": message["id"], "action": default_action(message)})
            if sum(map(len, seen.values())) == 40:
                enough.set()

    async with started("season", "run", config) as command:
        bots = await connect(command, tokens)
        answering = [asyncio.create_task(answer_some(*named)) for named in bots.items()]
        await enough.wait()
        for task in answering:
            task.cancel()
        await asyncio.wait(answering)
        command.signal(how)
        codes = {(await bot.closed())[0] for bot in bots.values()}
        ended = await command.end()
    journal = tmp_path / "data" / "playing" / "m000001.jsonl"
    settled = journal.read_bytes()
    if how is signal.SIGKILL:
        assert ended.status == -how
    else:
        assert ended.status == 130
        assert codes == {1001}
        assert "goes on from here" in ended.err
        for bot in bots.values():
            assert bot.of_type("goodbye")[0]["retryMs"] > 0

    async with started("season", "run", config) as command:
        bots = await connect(command, tokens)
        await asyncio.gather(*map(settle, bots.values()))
        ended = await command.end()
    assert (ended.status, ended.err) == (0, "")
    (path,) = matches_of(tmp_path)
    assert path.read_bytes().startswith(settled), "what was settled stays as it was"
    assert (pioneers("verify", path)).status == 0
    for name, bot in bots.items():
        later = [message["id"] for message in bot.of_type("request")]
        assert min(later) > max(seen[name])
    rows = json.loads((pioneers("table", config, "--json")).out)
    assert [(row["games"], row["strikes"]) for row in rows] == 3 * [(1, 0)]


async def test_one_runner_at_a_time(tmp_path: Path) -> None:
    config = write_config(tmp_path, REMOTE)
    async with started("season", "run", config) as first:
        await first.url()
        second = await run("season", "run", config)
        assert second.status == 1
        assert "in use by another runner" in no_traceback(second)
        first.signal(signal.SIGINT)
        assert (await first.end()).status == 130


async def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ended = await run("season", "run", write_config(tmp_path, REMOTE, port=port))
    assert ended.status == 2
    words = rf"season\.toml: server\.port: cannot listen on .*:{port}: Address already in use"
    assert re.search(words, no_traceback(ended))


def test_tokens_are_for_remote_bots_of_the_config(tmp_path: Path) -> None:
    bots: dict[str, Any] = {**REMOTE, "dan": {"builtin": "random"}}
    config = write_config(tmp_path, bots)
    for name in ("dan", "eve"):
        ended = pioneers("token", "issue", config, name)
        assert ended.status == 2
        assert "ann, bob, cat" in no_traceback(ended)
    assert (pioneers("token", "list", config)).out == "no tokens have been issued\n"
    pioneers("token", "issue", config, "ann")
    assert (pioneers("token", "list", config)).out == "ann: 1\n"
    assert (pioneers("token", "revoke", config, "ann")).status == 0
    ended = pioneers("token", "revoke", config, "ann")
    assert ended.status == 1
    assert "no token" in no_traceback(ended)


async def test_a_token_is_revoked_while_the_season_runs(tmp_path: Path) -> None:
    config = write_config(tmp_path, REMOTE)
    tokens = issue_tokens(config)
    async with started("season", "run", config) as command:
        url = await command.url()
        assert (pioneers("token", "revoke", config, "ann")).status == 0
        bot = await RawBot.dial(url, tokens["ann"])
        assert (await bot.hello())["code"] == "unknown_token"
        assert (await bot.closed())[0] == 4401
        command.signal(signal.SIGINT)
        await command.end()


# Bots that the runner starts.


async def test_a_bot_that_dies_is_started_again_and_then_given_up(tmp_path: Path) -> None:
    (tmp_path / "dying.py").write_text(
        "import os, sys\n"
        "print('alive at', os.environ['PIONEERS_URL'], flush=True)\n"
        "sys.exit(3 if os.environ['PIONEERS_TOKEN'] else 4)\n"
    )
    bots: dict[str, Any] = {
        "ann": {"builtin": "random"},
        "bob": {"builtin": "random"},
        "cat": {"command": ["python", "dying.py"], "max_restarts": 1},
    }
    ended = await run("season", "run", write_config(tmp_path, bots))
    assert ended.status == 1
    message = no_traceback(ended)
    log = tmp_path / "data" / "logs" / "cat.log"
    assert "2 bots that can still play" in message
    assert f"cat exited with code 3 (see {log})" in message
    assert log.read_text().count("alive at ws://127.0.0.1:") == 2


async def test_a_program_that_is_not_there_is_named(tmp_path: Path) -> None:
    bots: dict[str, Any] = {
        "ann": {"builtin": "random"},
        "bob": {"builtin": "random"},
        "cat": {"command": ["./no-such-bot"], "max_restarts": 0},
    }
    ended = await run("season", "run", write_config(tmp_path, bots))
    assert ended.status == 1
    assert re.search(r"cat cannot be started: .*: (?i:no such file)", no_traceback(ended))


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX's")
async def test_a_program_that_does_not_end_is_ended(tmp_path: Path) -> None:
    """One that never connects, hears no goodbye and ignores being asked to end."""
    alive = tmp_path / "alive"
    os.mkfifo(alive)
    (tmp_path / "stubborn.py").write_text(
        "import os, signal\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "open('alive', 'w').write(str(os.getpid()))\n"
        "while True:\n"
        "    signal.pause()\n"
    )
    bots: dict[str, Any] = {**REMOTE, "cat": {"command": ["python", "stubborn.py"]}}
    async with started("season", "run", write_config(tmp_path, bots)) as command:
        pid = int(await asyncio.to_thread(alive.read_text))
        command.signal(signal.SIGINT)
        assert (await command.end()).status == 130
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


async def test_a_season_goes_on_without_a_bot_that_was_given_up(tmp_path: Path) -> None:
    bots: dict[str, Any] = {name: {"builtin": "random"} for name in ("ann", "bob", "cat")}
    bots["dan"] = {"command": ["python", "-c", "raise SystemExit(1)"], "max_restarts": 0}
    ended = await run("season", "run", write_config(tmp_path, bots, matches=2))
    assert ended.status == 0
    assert len(matches_of(tmp_path)) == 2


async def test_the_bot_of_the_readme_plays_a_season(tmp_path: Path) -> None:
    """Written only from the protocol's page, with plain websockets and nothing of ours."""
    readme = (ROOT / "runner" / "README.md").read_text(encoding="utf-8")
    (source,) = re.findall(r"```python\n(import asyncio.*?)```", readme, re.DOTALL)
    assert "runner" not in source
    assert "engine" not in source.replace("engine/README.md", "")
    (tmp_path / "readme_bot.py").write_text(source, encoding="utf-8")
    bots: dict[str, Any] = {
        "ann": {"builtin": "random"},
        "bob": {"builtin": "random"},
        "cat": {"command": ["python", "readme_bot.py"], "max_restarts": 0},
    }
    config = write_config(tmp_path, bots, matches=2)
    ended = await run("season", "run", config)
    log = (tmp_path / "data" / "logs" / "cat.log").read_text()
    assert (ended.status, ended.err) == (0, ""), log
    for path in matches_of(tmp_path):
        found = record.read(path.read_bytes().splitlines())
        record.verify(found, Pioneers)
        assert [d.fault for d in found.decisions if d.fault is not None] == []


@pytest.mark.parametrize("name", ["demo.toml", "program.toml"])
async def test_the_demos_run_as_they_are(name: str, tmp_path: Path) -> None:
    demo = (ROOT / "configs" / name).read_text(encoding="utf-8")
    data = re.search(r'^data = ".*"', demo, re.MULTILINE)
    assert data is not None
    config = tmp_path / name
    config.write_text(demo.replace(data[0], 'data = "data"'), encoding="utf-8")
    ended = await run("season", "run", config)
    assert (ended.status, ended.err) == (0, "")
    rows = json.loads((pioneers("table", config, "--json")).out)
    assert len(rows) == 4
    assert all(row["games"] > 0 and row["strikes"] == 0 for row in rows)
