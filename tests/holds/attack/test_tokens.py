"""Tokens: long, kept as hashes, exchanged and revoked at once, and written down nowhere."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import os
import sys
from pathlib import Path

from typer.testing import CliRunner

from runner import door
from runner import protocol as wire
from runner.cli import app
from runner.tokens import new_token
from tests.bots.honest import honest
from tests.holds.crash.seasons import COMMAND, ROOT, KilledSeason
from tests.runner.ladder import Ladder
from tests.runner.rawbot import RawBot

ROUNDS = [[0], [1], [0, 1]]


def test_a_token_has_256_bits_of_its_own() -> None:
    tokens = {new_token() for _ in range(100)}
    assert len(tokens) == 100
    assert {len(base64.urlsafe_b64decode(f"{token}==")) for token in tokens} == {32}


def test_only_hashes_are_kept_and_for_the_owner_alone(tmp_path: Path) -> None:
    ladder = Ladder(tmp_path, rounds=ROUNDS)
    path = ladder.loaded.data / "tokens.json"
    text = path.read_text(encoding="utf-8")
    for token in ladder.tokens.values():
        assert token not in text
        assert hashlib.sha256(token.encode()).hexdigest() in text
    if sys.platform != "win32":
        assert path.stat().st_mode & 0o777 == 0o600


async def test_a_token_is_exchanged_while_the_season_runs(tmp_path: Path) -> None:
    ladder = Ladder(tmp_path, rounds=ROUNDS)
    async with ladder.run() as house:
        old = await house.connect("ann")
        spare = ladder.book.issue("ann")
        result = CliRunner().invoke(app, ["token", "rotate", str(ladder.loaded.path), "ann"])
        assert result.exit_code == 0, result.output
        fresh = result.stdout.strip()
        for worthless in (ladder.tokens["ann"], spare):
            bot = house.keep(await RawBot.dial(house.url, worthless))
            assert (await bot.hello())["code"] == "unknown_token"
            assert (await bot.closed())[0] == 4401
        ladder.tokens["ann"] = fresh
        bots = [await house.connect("ann"), await house.connect("bob")]
        assert (await old.closed())[0] == 4409
        await asyncio.gather(*map(honest, bots))
        assert (await house.over()).finished
    assert ladder.faults("ann") == []


async def test_bad_tokens_are_limited_and_keep_no_good_one_out(tmp_path: Path) -> None:
    """Behind one address there may be many bots; a neighbour's guesses are not theirs."""
    ladder = Ladder(tmp_path, rounds=ROUNDS)
    async with ladder.run() as house:
        ann = await house.connect("ann")
        for n in range(door.FAILED_TRIES + 2):
            guess = house.keep(await RawBot.dial(house.url, f"guess {n}"))
            code = "unknown_token" if n < door.FAILED_TRIES else "too_many_tries"
            assert (await guess.hello())["code"] == code
            assert (await guess.closed())[0] == 4401
        await ann.hang_up()
        bots = [await house.connect("ann"), await house.connect("bob")]
        await asyncio.gather(*map(honest, bots))
        assert (await house.over()).finished
    assert ladder.faults("ann") == []


async def test_tokens_are_in_no_log_no_file_and_no_address(tmp_path: Path) -> None:
    """A whole season by the real command, with strangers at the door."""
    season = KilledSeason(tmp_path / "season", matches=1)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", COMMAND, "season", "run", "--log", str(season.path)),
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    guess = new_token()
    async with season.bots():
        stranger = await _dial(season.url, guess)
        assert (await stranger.hello())["code"] == "unknown_token"
        await stranger.closed()
        stranger = await _dial(season.url, None)
        assert (await stranger.hello(token=guess))["code"] == "unknown_token"
        await stranger.closed()
        said, _ = await process.communicate()
    assert process.returncode == 0, said
    assert b"match over" in said
    files = [path for path in season.data.rglob("*") if path.is_file()]
    assert {"runner.jsonl", "tokens.json"} <= {path.name for path in files}
    texts = [said, *(path.read_bytes() for path in files)]
    for token in (guess, *season.tokens.values()):
        assert all(token.encode() not in text for text in texts)
    assert season.url.endswith(wire.PATH), "an address has no place for a token"


async def _dial(url: str, token: str | None) -> RawBot:
    while True:
        try:
            return await RawBot.dial(url, token)
        except OSError:
            await asyncio.sleep(0.05)  # the runner has not begun to listen
