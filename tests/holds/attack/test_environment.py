"""What a bot that the runner starts is told of the organiser's environment."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.catalog import GAMES
from runner.app import Running, run_season
from runner.config import load

TELL = "import json, os; print(json.dumps(dict(os.environ)))"
CONFIG = f"""
[season]
name = "test"
game = "rounds"
seats = 2
data = "data"
options = {{ rounds = [[0, 1]] }}
[stop]
matches = 1
[server]
port = 0
[[bots]]
name = "ann"
command = ["python", "-c", {json.dumps(TELL)}]
max_restarts = 0
[[bots]]
name = "bob"
command = ["python", "-c", {json.dumps(TELL)}]
environment = ["MY_MODEL_KEY"]
max_restarts = 0
"""
SECRETS = {
    "AWS_SECRET_ACCESS_KEY": "s3cret",
    "DATABASE_URL": "postgresql://ladder:pass@db/ladder",
    "GITHUB_TOKEN": "ghp",
    "PIONEERS_LLM_KEY": "sk-1",
    "PIONEERS_TOKEN": "another bot's",
    "SSH_AUTH_SOCK": "/run/agent",
}


async def test_programs_see_their_token_and_no_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {**SECRETS, "MY_MODEL_KEY": "sk-2", "LANG": "C.UTF-8"}.items():
        monkeypatch.setenv(name, value)
    path = tmp_path / "season.toml"
    path.write_text(CONFIG, encoding="utf-8")
    loaded = load(path, games=GAMES, builtins={})
    (loaded.data / "logs").mkdir(parents=True)

    async def watch(_: Running) -> None:
        await asyncio.Event().wait()

    with pytest.raises(ExceptionGroup):  # bots that end at once make no season
        async with asyncio.timeout(60):
            await run_season(loaded, asyncio.Event(), watch)
    told = {name: _told(loaded.data / "logs" / f"{name}.log") for name in ("ann", "bob")}
    for environment in told.values():
        assert environment.keys() & SECRETS.keys() == {"PIONEERS_TOKEN"}
        assert environment["PIONEERS_TOKEN"] != SECRETS["PIONEERS_TOKEN"]
        assert environment["PIONEERS_URL"].startswith("ws://127.0.0.1:")
        assert environment["LANG"] == "C.UTF-8"
        assert "PATH" in environment
    assert told["ann"]["PIONEERS_TOKEN"] != told["bob"]["PIONEERS_TOKEN"]
    assert "MY_MODEL_KEY" not in told["ann"]
    assert told["bob"]["MY_MODEL_KEY"] == "sk-2"


async def test_no_reference_bot_but_llm_is_told_of_the_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("runner.app.builtin_argv", lambda _: (sys.executable, "-c", TELL))
    path = tmp_path / "season.toml"
    tables = CONFIG.split("[[bots]]")[0], *map(_builtin, ("llm", "greedy"))
    path.write_text("".join(tables), encoding="utf-8")
    loaded = load(path, games=GAMES, builtins=dict.fromkeys(("llm", "greedy")))
    (loaded.data / "logs").mkdir(parents=True)

    async def watch(_: Running) -> None:
        await asyncio.Event().wait()

    with pytest.raises(ExceptionGroup):
        async with asyncio.timeout(60):
            await run_season(loaded, asyncio.Event(), watch)
    told = {name: _told(loaded.data / "logs" / f"{name}.log") for name in ("llm", "greedy")}
    assert told["llm"].keys() & SECRETS.keys() == {"PIONEERS_TOKEN", "PIONEERS_LLM_KEY"}
    assert told["greedy"].keys() & SECRETS.keys() == {"PIONEERS_TOKEN"}


def _builtin(name: str) -> str:
    return f'[[bots]]\nname = "{name}"\nbuiltin = "{name}"\nmax_restarts = 0\n'


def _told(log: Path) -> dict[str, Any]:
    environment: dict[str, Any] = json.loads(log.read_text(encoding="utf-8"))
    return environment
