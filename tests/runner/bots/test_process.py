"""Reference bots as they are started in a season: processes over a real socket."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from runner.bots import NAMES, configured, find
from tests.runner.bot import messages
from tests.runner.bot.scripted import Server, scripted_server

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX here")


# For the bot that needs it; the others do not look.
MODEL = {"PIONEERS_LLM_URL": "http://127.0.0.1:1/v1", "PIONEERS_LLM_MODEL": "tiny"}


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    async with scripted_server() as listening:
        yield listening


@asynccontextmanager
async def process(name: str, **environment: str) -> AsyncIterator[Process]:
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("PIONEERS_")}
    async with asyncio.timeout(30):
        started = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "runner.bots",
            name,
            env={**inherited, **environment},
            stderr=PIPE,
        )
        try:
            yield started
        finally:
            if started.returncode is None:
                started.kill()
            await started.communicate()


async def end(started: Process) -> tuple[int | None, str]:
    """Exit status and what it said."""
    _, said = await started.communicate()
    return started.returncode, said.decode()


@pytest.mark.parametrize("name", NAMES)
async def test_plays_until_the_season_is_over(name: str, server: Server) -> None:
    told = {"PIONEERS_URL": server.url, "PIONEERS_TOKEN": "secret", **MODEL}
    async with process(name, **told) as started:
        peer = await server.peer()
        hello = await peer.greet()
        assert peer.authorization == "Bearer secret"
        assert hello["version"] == configured(name, MODEL).version
        await peer.season_over()
        status, said = await end(started)
    assert status == 0
    assert "season over" in said


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_ends_cleanly_on_a_signal(number: signal.Signals, server: Server) -> None:
    async with process("random", PIONEERS_URL=server.url, PIONEERS_TOKEN="secret") as started:
        peer = await server.peer()
        await peer.greet()
        started.send_signal(number)
        await peer.socket.wait_closed()
        status, said = await end(started)
    assert status == 0
    assert peer.socket.close_code == 1001
    assert f"stopped by {number.name}" in said
    assert "Traceback" not in said


async def test_a_refusal_is_one_clear_line_and_status_1(server: Server) -> None:
    async with process("random", PIONEERS_URL=server.url, PIONEERS_TOKEN="secret") as started:
        peer = await server.peer()
        await peer.send(messages.error("unknown_token", "this token was revoked"))
        await peer.end(4401)
        status, said = await end(started)
    assert status == 1
    assert "4401" in said
    assert "this token was revoked" in said
    assert "Traceback" not in said


@pytest.mark.parametrize("missing", ["PIONEERS_URL", "PIONEERS_TOKEN"])
async def test_a_missing_variable_is_named(missing: str) -> None:
    environment = {"PIONEERS_URL": "ws://127.0.0.1:1/play", "PIONEERS_TOKEN": "secret"}
    del environment[missing]
    async with process("random", **environment) as started:
        status, said = await end(started)
    assert status == 1
    assert f"{missing} is not set" in said


async def test_a_bot_that_needs_settings_says_which() -> None:
    environment = {"PIONEERS_URL": "ws://127.0.0.1:1/play", "PIONEERS_TOKEN": "secret"}
    async with process("llm", **environment) as started:
        status, said = await end(started)
    assert status == 1
    assert "PIONEERS_LLM_URL is not set" in said
    assert "Traceback" not in said


async def test_a_log_level_that_is_none_is_named() -> None:
    async with process("random", PIONEERS_LOG="loud") as started:
        status, said = await end(started)
    assert status == 1
    assert "'loud'" in said
    assert "debug, info, warning, error" in said


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(ValueError, match="unknown bot 'deepthought'; reference bots: greedy, "):
        find("deepthought")
