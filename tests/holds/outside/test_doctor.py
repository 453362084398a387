"""`pioneers doctor`: each thing that can be wrong, made wrong once."""

from __future__ import annotations

import datetime
import os
import shutil
import socket
import sqlite3
from collections import namedtuple
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from engine.catalog import GAMES
from runner import doctor
from runner.app import open_ledger
from runner.cli import app
from runner.config import load
from runner.doctor import examine
from runner.tokens import TokenBook
from runner.vault import Vault
from tests.holds.attack.test_tls import certify

SEASON = '[season]\nname = "test"\ngame = "rounds"\nseats = 2\ndata = "data"\n'
OPTIONS = "options = { rounds = [[0, 1]] }\n"
TWO = '[[bots]]\nname = "ann"\nremote = true\n[[bots]]\nname = "bob"\nremote = true\n'


def _config(folder: Path, *, server: str = "port = 0\n", bots: str = TWO, more: str = "") -> Path:
    path = folder / "season.toml"
    text = f"{SEASON}{OPTIONS}[stop]\nmatches = 1\n[server]\n{server}{more}{bots}"
    path.write_text(text, encoding="utf-8")
    return path


def _found(path: Path) -> dict[str, tuple[str, str]]:
    """The worst that was found of each subject."""
    loaded = load(path, games=GAMES, builtins={})
    order = ("well", "warning", "ill")
    found: dict[str, tuple[str, str]] = {}
    for finding in examine(loaded):
        known = found.get(finding.subject, ("well", ""))
        if order.index(finding.state) >= order.index(known[0]):
            found[finding.subject] = (finding.state, finding.text)
    return found


def _issue(path: Path) -> None:
    book = TokenBook(load(path, games=GAMES, builtins={}).data)
    for name in ("ann", "bob"):
        book.issue(name)


def test_all_is_well(tmp_path: Path) -> None:
    path = _config(tmp_path)
    _issue(path)
    assert {state for state, _ in _found(path).values()} == {"well"}
    result = CliRunner().invoke(app, ["doctor", str(path)])
    assert result.exit_code == 0, result.output
    assert result.output.endswith("fit to begin\n")


def test_a_config_that_cannot_be_used(tmp_path: Path) -> None:
    path = _config(tmp_path, server="port = 70000\n")
    result = CliRunner().invoke(app, ["doctor", str(path)])
    assert result.exit_code == 2
    assert "server.port" in result.output


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    place = ("127.0.0.1", 0)
    with socket.create_server(place) as one, socket.create_server(place) as another:
        ports = [taken.getsockname()[1] for taken in (one, another)]
        more = f"[admin]\nport = {ports[1]}\n"
        path = _config(tmp_path, server=f"port = {ports[0]}\n", more=more)
        found = _found(path)
        result = CliRunner().invoke(app, ["doctor", str(path)])
    named = (("port", "server.port"), ("admin port", "admin.port"))
    for port, (subject, key) in zip(ports, named, strict=True):
        state, text = found[subject]
        assert state == "ill"
        assert key in text
        assert str(port) in text
    assert result.exit_code == 1
    assert "mend what is marked !! first" in result.output


def test_a_directory_in_use(tmp_path: Path) -> None:
    path = _config(tmp_path)
    with Vault(tmp_path / "data"):
        state, text = _found(path)["data"]
    assert state == "ill"
    assert "in use" in text


def test_a_season_that_is_over(tmp_path: Path) -> None:
    path = _config(tmp_path)
    with Vault(tmp_path / "data") as vault:
        secret = vault.secret("test", "rounds", None)
    assert "season" not in _found(path)
    with Vault(tmp_path / "data") as vault:
        vault.publish("test", "rounds", secret)
    state, text = _found(path)["season"]
    assert state == "ill"
    assert "choose another season.name and season.data" in text


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write")
def test_a_directory_that_cannot_be_written(tmp_path: Path) -> None:
    path = _config(tmp_path)
    (tmp_path / "data").mkdir(mode=0o500)
    assert _found(path)["data"][0] == "ill"


def test_a_directory_that_is_a_file(tmp_path: Path) -> None:
    path = _config(tmp_path)
    (tmp_path / "data").write_text("", encoding="utf-8")
    state, text = _found(path)["data"]
    assert state == "ill"
    assert str(tmp_path / "data") in text


Usage = namedtuple("Usage", ("total", "used", "free"))


@pytest.mark.parametrize(("free", "state"), [(1 << 20, "ill"), (500 << 20, "warning")])
def test_a_disk_with_little_room(
    free: int, state: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(1 << 40, 0, free))
    found, text = _found(_config(tmp_path))["disk"]
    assert found == state
    assert "make room" in text


def _other_program(ledger: Path) -> None:
    with sqlite3.connect(ledger) as connection:
        connection.execute("CREATE TABLE films (title)")
    connection.close()


def _other_season(ledger: Path) -> None:
    path = ledger.parent.parent / "other.toml"
    text = f"{SEASON}{OPTIONS}[stop]\nmatches = 1\n{TWO}".replace('"test"', '"winter"')
    path.write_text(text, encoding="utf-8")
    open_ledger(load(path, games=GAMES, builtins={}), create=True).close()


def _garbage(ledger: Path) -> None:
    ledger.write_bytes(b"no database at all " * 100)


@pytest.mark.parametrize("spoil", [_other_program, _other_season, _garbage])
def test_a_ledger_of_something_else(spoil: Callable[[Path], None], tmp_path: Path) -> None:
    path = _config(tmp_path)
    (tmp_path / "data").mkdir()
    spoil(tmp_path / "data" / "ledger.sqlite")
    state, text = _found(path)["ledger"]
    assert state == "ill"
    assert "ledger.sqlite" in text


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    bots = '[[bots]]\nname = "ann"\ncommand = ["no-such-program-anywhere"]\n' + TWO
    path = _config(tmp_path, bots=bots.replace('"ann"\nremote', '"eve"\nremote'))
    state, text = _found(path)["bots"]
    assert state == "ill"
    assert "no-such-program-anywhere" in text


@pytest.mark.parametrize(("script", "by"), [("my_bot.py", "python"), ("my_bot.js", "node")])
def test_a_script_that_nothing_runs(script: str, by: str, tmp_path: Path) -> None:
    path = _config(tmp_path, bots=f'[[bots]]\nname = "eve"\ncommand = ["{script}"]\n' + TWO)
    assert _found(path)["bots"][1].endswith(f"there is no program '{script}'")
    (tmp_path / script).write_text("", encoding="utf-8")
    assert _found(path)["bots"][1].endswith(f'a script needs one: command = ["{by}", "{script}"]')


def test_a_reference_bot_that_was_not_told_what_it_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIONEERS_LLM_URL", "http://127.0.0.1:1/v1")
    monkeypatch.delenv("PIONEERS_LLM_MODEL", raising=False)
    names = ("greedy", "llm", "random")
    bots = "".join(f'[[bots]]\nname = "{name}"\nbuiltin = "{name}"\n' for name in names)
    path = tmp_path / "season.toml"
    season = SEASON.replace("rounds", "pioneers").replace("seats = 2", "seats = 3")
    path.write_text(f"{season}[stop]\nmatches = 1\n[server]\nport = 0\n{bots}", encoding="utf-8")
    result = CliRunner().invoke(app, ["doctor", str(path)])
    assert result.exit_code == 1
    assert "bots[1] (llm): PIONEERS_LLM_MODEL is not set" in " ".join(result.output.split())
    monkeypatch.setenv("PIONEERS_LLM_MODEL", "tiny")
    result = CliRunner().invoke(app, ["doctor", str(path)])
    assert result.exit_code == 0, result.output


def test_bots_without_tokens(tmp_path: Path) -> None:
    state, text = _found(_config(tmp_path))["tokens"]
    assert state == "warning"
    assert "ann, bob" in text


def test_tokens_that_cannot_be_read(tmp_path: Path) -> None:
    path = _config(tmp_path)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "tokens.json").write_text("{", encoding="utf-8")
    assert _found(path)["tokens"][0] == "ill"


def test_a_clock_that_was_never_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    future = datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=1)
    monkeypatch.setattr(doctor, "OLDEST_CLOCK", future)
    state, text = _found(_config(tmp_path))["clock"]
    assert state == "ill"
    assert "set it" in text


TLS = 'port = 0\ntls_cert = "cert.pem"\ntls_key = "key.pem"\n'


def test_certificates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _config(tmp_path, server=TLS)
    state, text = _found(path)["certificate"]
    assert (state, "cert.pem" in text) == ("ill", True)
    certify(tmp_path)
    assert _found(path)["certificate"][0] == "well"
    monkeypatch.setattr(doctor, "CERTIFICATE_WARNING_DAYS", 60)
    state, text = _found(path)["certificate"]
    assert (state, "renew" in text) == ("warning", True)
    certify(tmp_path, days=-1)
    state, text = _found(path)["certificate"]
    assert (state, "expired" in text) == ("ill", True)
    (tmp_path / "key.pem").write_text("no key", encoding="utf-8")
    assert _found(path)["certificate"][0] == "ill"


def test_tokens_in_the_clear_across_a_network(tmp_path: Path) -> None:
    path = _config(tmp_path, server='host = "0.0.0.0"\nport = 0\n')
    state, text = _found(path)["certificate"]
    assert state == "warning"
    assert "tls_cert" in text
