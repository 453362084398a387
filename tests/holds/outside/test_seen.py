"""A season as its organiser sees it: the admin port, the log."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog
from prometheus_client.parser import text_string_to_metric_families

from engine.catalog import GAMES
from runner import app
from runner.admin import AdminServer, Health
from runner.config import ConfigError, load
from runner.meters import Meters
from runner.telemetry import log_to
from tests.bots.duel import DECISIONS, ROUNDS
from tests.bots.honest import honest
from tests.holds.crash.seasons import free_port
from tests.runner.ladder import House, Ladder


class SeenLadder(Ladder):
    """A season with an admin port."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        super().__init__(folder, rounds=ROUNDS, **settings)
        self.admin_port = free_port()
        text = self.loaded.path.read_text(encoding="utf-8")
        text = text.replace("[server]", f"[admin]\nport = {self.admin_port}\n[server]")
        self.loaded.path.write_text(text, encoding="utf-8")
        self.loaded = load(self.loaded.path, games=GAMES, builtins={})

    async def get(self, path: str) -> tuple[int, str]:
        """Status and body of a page of the admin port."""
        return await asyncio.to_thread(self._get, path)

    def _get(self, path: str) -> tuple[int, str]:
        url = f"http://127.0.0.1:{self.admin_port}{path}"
        try:
            with urllib.request.urlopen(url, timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()

    async def metrics(self) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
        """Every sample by name and labels, as Prometheus itself reads them."""
        status, text = await self.get("/metrics")
        assert status == 200
        return {
            (sample.name, tuple(sorted(sample.labels.items()))): sample.value
            for family in text_string_to_metric_families(text)
            for sample in family.samples
        }


@pytest.fixture
def logged(tmp_path: Path) -> Iterator[Path]:
    """The log of a season, as the command writes it."""
    path = tmp_path / "runner.jsonl"
    with log_to(path):
        yield path
    structlog.reset_defaults()


async def _play(ladder: SeenLadder, house: House) -> dict[str, Any]:
    """ann breaks a rule, gives up, and says what nobody can read; bob is honest."""
    ann, bob = await house.connect("ann"), await house.connect("bob")
    others = asyncio.create_task(honest(bob))
    await ann.answer(await ann.hear("request"), number=7)
    request = await ann.hear("request")
    await ann.send({"id": request["id"], "error": "no idea"})
    await ann.answer(await ann.hear("request"), number="many")
    await ann.hear("match_end")
    if ladder.loaded.config.stop.matches == 1:
        await others
    else:
        await ann.hear("request")  # of the next match, in which she says nothing
        others.cancel()
    return ann.of_type("match_start")[0]


async def test_metrics_of_a_season(tmp_path: Path, logged: Path) -> None:
    ladder = SeenLadder(tmp_path, matches=2)
    async with ladder.run() as house:
        assert await ladder.get("/healthz") == (200, "alive\n")
        assert await ladder.get("/readyz") == (200, "ready\n")
        assert (await ladder.get("/playing/m000001.jsonl"))[0] == 404
        before = await ladder.metrics()
        assert before["pioneers_matches_total", ()] == 0
        assert before["pioneers_connected_bots", ()] == 0
        await _play(ladder, house)
        seen = await ladder.metrics()
        house.stop()
        await house.over()
    by = {kind: seen.get(("pioneers_decisions_total", (("by", kind),)), 0) for kind in KINDS}
    assert (by["illegal"], by["error"], by["timeout"]) == (2, 1, 0)
    assert by["resigned"] == DECISIONS - 3
    assert by["answer"] >= DECISIONS
    assert seen["pioneers_matches_total", ()] == 1
    assert seen["pioneers_matches_in_play", ()] == 1
    assert seen["pioneers_connected_bots", ()] == 2
    assert seen["pioneers_connections_total", ()] == 2
    assert seen["pioneers_ledger_commit_seconds_count", ()] == 1
    assert seen["pioneers_answer_seconds_count", ()] == by["answer"]
    asked = by["answer"] + by["illegal"] + by["error"] + by["timeout"]
    assert seen["pioneers_delay_seconds_count", ()] == asked
    assert seen["pioneers_loop_lag_seconds", ()] >= 0
    for name in ("answer", "delay", "ledger_commit"):
        bounds = [
            (float(dict(labels)["le"]), value)
            for (sample, labels), value in seen.items()
            if sample == f"pioneers_{name}_seconds_bucket"
        ]
        assert bounds == sorted(bounds)
        assert [count for _, count in bounds] == sorted(count for _, count in bounds)
        assert bounds[-1] == (float("inf"), seen[f"pioneers_{name}_seconds_count", ()])


KINDS = ("answer", "timeout", "illegal", "error", "resigned")


async def test_ready_is_who_can_be_connected_to(tmp_path: Path) -> None:
    """Alive all the same: a runner that is starting is not to be killed for it."""
    ladder = SeenLadder(tmp_path)
    health = Health(ready=False, matches_in_play=0, connected_bots=0, lag_seconds=0.0, stalls=0)
    server = AdminServer(ladder.admin_port, Meters(), lambda: health)
    try:
        assert await ladder.get("/healthz") == (200, "alive\n")
        assert await ladder.get("/readyz") == (503, "not ready\n")
    finally:
        server.close()


async def test_the_admin_port_closes_with_the_season(tmp_path: Path) -> None:
    ladder = SeenLadder(tmp_path)
    async with ladder.run() as house:
        house.stop()
        await house.over()
        with pytest.raises(urllib.error.URLError):
            await ladder.get("/healthz")


async def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    ladder = SeenLadder(tmp_path)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", ladder.admin_port))
        taken.listen()
        place = re.escape(f"127.0.0.1:{ladder.admin_port}")
        with pytest.raises(ConfigError, match=rf"admin\.port: cannot listen on {place}: \w+"):
            async with ladder.run() as house:
                await house.over()


async def test_a_scrape_that_never_ends_keeps_nobody_waiting(tmp_path: Path) -> None:
    ladder = SeenLadder(tmp_path)
    async with ladder.run() as house:
        reader, writer = await asyncio.open_connection("127.0.0.1", ladder.admin_port)
        writer.write(b"GET /metrics HTTP/1.1\r\n")
        assert (await ladder.get("/healthz"))[0] == 200
        bots = [await house.connect(name) for name in ladder.tokens]
        await asyncio.gather(*map(honest, bots))
        assert (await house.over()).finished
        writer.close()
        del reader


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


async def test_the_log_has_a_line_for_each_match_and_each_fault(
    tmp_path: Path, logged: Path
) -> None:
    ladder = SeenLadder(tmp_path)
    async with ladder.run() as house:
        start = await _play(ladder, house)
        await house.over()
    lines = _lines(logged)
    for line in lines:
        assert line["season"] == "test"
        assert line["level"] in ("info", "warning")
        assert line["timestamp"].endswith("Z")
    faults = [line for line in lines if line["event"] == "fault"]
    assert [(line["reason"], line["code"], line["strikes"]) for line in faults] == [
        ("illegal", "no_sevens", 1),
        ("error", "gave_up", 2),
        ("illegal", "malformed", 3),
    ]
    for line in faults:
        assert (line["match"], line["bot"], line["seat"]) == ("m000001", "ann", start["seat"])
        assert line["kind"] == "say"
        assert line["message"]
    (over,) = [line for line in lines if line["event"] == "match over"]
    assert over["match"] == "m000001"
    assert over["players"] == start["players"]
    (result,) = ladder.results()
    assert over["placements"] == [seat.placement for seat in result.seats]


async def test_the_log_for_people(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same events in words, and nothing of a bot's can move the cursor."""
    path = tmp_path / "runner.jsonl"
    with log_to(path, console=True):
        structlog.get_logger().info("fault", bot="ann", message="\x1b[2J\x07red", match="m1")
    structlog.reset_defaults()
    shown = capsys.readouterr().err
    assert "fault" in shown
    assert "bot=" in shown
    assert "m1" in shown
    assert "\x07" not in shown
    assert "\x1b[2J" not in shown
    line = json.loads(path.read_text(encoding="utf-8"))
    assert line["message"] == "\x1b[2J\x07red"
    assert app.LEDGER not in shown
