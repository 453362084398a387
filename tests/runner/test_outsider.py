"""A bot that was written from the documents alone, as a program of its own, in a whole season."""

from __future__ import annotations

import ast
import asyncio
import json
import os
import sys
from pathlib import Path

from tests.runner.command import ROOT, matches_of, pioneers, started, write_config

OUTSIDER = ROOT / "tests" / "bots" / "outsider.py"
MATCHES = 3


async def test_a_bot_written_from_the_documents_plays_a_season(tmp_path: Path) -> None:
    program = [sys.executable, str(OUTSIDER)]
    bots = {
        "near": {"command": program},
        "far": {"remote": True},
        "greedy": {"builtin": "greedy"},
    }
    config = write_config(tmp_path, bots, matches=MATCHES, concurrent_matches=2, deadline_ms=20_000)
    token = pioneers("token", "issue", config, "far").out.strip()

    async with started("season", "run", config) as season:
        environment = {**os.environ, "PIONEERS_URL": await season.url(), "PIONEERS_TOKEN": token}
        far = await asyncio.create_subprocess_exec(
            *program, env=environment, stdout=asyncio.subprocess.DEVNULL
        )
        try:
            ended = await season.end()
            async with asyncio.timeout(10):
                assert await far.wait() == 0, "told that the season is over, it ends by itself"
        finally:
            if far.returncode is None:
                far.kill()
                await far.wait()
    assert (ended.status, ended.err) == (0, "")

    transcripts = [path.read_text(encoding="utf-8") for path in matches_of(tmp_path)]
    assert len(transcripts) == MATCHES
    table = {row["bot"]: row for row in json.loads(pioneers("table", config, "--json").out)}
    for name in ("near", "far"):
        assert (table[name]["games"], table[name]["strikes"]) == (MATCHES, 0)

    # It did not get by with `end_turn`: it built, and used what a turn offers.
    done = set()
    for text in transcripts:
        header, *decisions, _ = map(json.loads, text.splitlines())
        for decision in decisions:
            if header["players"][decision["seat"]] != "greedy":
                done.add(decision["action"].get("type", decision["kind"]))
    assert done >= {"setup", "trade", "bandit"}
    assert done >= {"build_road", "build_settlement", "build_city", "buy_dev_card"}
    assert done >= {"play_knight", "bank_trade", "offer_trade", "end_turn"}


def test_it_imports_the_standard_library_and_websockets() -> None:
    imported = set()
    for node in ast.walk(ast.parse(OUTSIDER.read_bytes())):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            imported.add(node.module or "")
    names = {name.split(".")[0] for name in imported}
    assert names - sys.stdlib_module_names == {"websockets"}
