"""The vault: a secret that stays, ids that never repeat, one runner at a time."""

from __future__ import annotations

import json
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from engine.chance import commitment
from runner.vault import ID_BLOCK, IDS, PUBLIC, SECRET, PublicSeason, Vault, VaultError

CONFIGURED = "5e" * 32


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    with Vault(tmp_path / "data") as opened:
        yield opened


def public(vault: Vault) -> PublicSeason:
    return msgspec.json.decode((vault.data / PUBLIC).read_bytes(), type=PublicSeason)


def test_a_secret_is_drawn_once(tmp_path: Path) -> None:
    secrets = set()
    for _ in range(3):
        with Vault(tmp_path) as vault:
            secrets.add(vault.secret("test", "rounds", None))
    (secret,) = secrets
    assert len(secret) == 32
    with Vault(tmp_path / "other") as vault:
        assert vault.secret("test", "rounds", None) != secret


def test_a_configured_secret_is_taken(vault: Vault) -> None:
    assert vault.secret("test", "rounds", CONFIGURED) == bytes.fromhex(CONFIGURED)
    assert vault.secret("test", "rounds", None) == bytes.fromhex(CONFIGURED)


def test_a_secret_cannot_be_changed_by_the_config(vault: Vault) -> None:
    vault.secret("test", "rounds", None)
    with pytest.raises(VaultError, match=r"season\.secret"):
        vault.secret("test", "rounds", CONFIGURED)


@pytest.mark.skipif(sys.platform == "win32", reason="file modes are POSIX's")
def test_the_secret_is_the_owners_and_the_season_is_everybodys(vault: Vault) -> None:
    vault.secret("test", "rounds", None)
    assert stat.S_IMODE((vault.data / SECRET).stat().st_mode) == 0o600
    assert stat.S_IMODE((vault.data / PUBLIC).stat().st_mode) == 0o644


def test_only_the_commitment_is_public_before_the_end(vault: Vault) -> None:
    secret = vault.secret("test", "rounds", None)
    assert public(vault) == PublicSeason("test", "rounds", commitment(secret))
    assert secret.hex() not in (vault.data / PUBLIC).read_text()
    vault.publish("test", "rounds", secret)
    assert public(vault).secret == secret.hex()
    # Running a season that is over takes nothing back.
    vault.secret("test", "rounds", None)
    assert public(vault).secret == secret.hex()


@pytest.mark.parametrize(
    "content",
    ["", "xyz", "ab", "ab" * 31, "ab" * 33, "ä" * 64],
    ids=["nothing", "no hex", "one byte", "31 bytes", "33 bytes", "no ASCII"],
)
def test_a_damaged_secret_is_not_replaced(content: str, vault: Vault) -> None:
    path = vault.data / SECRET
    path.write_text(content, encoding="utf-8")
    with pytest.raises(VaultError, match="damaged"):
        vault.secret("test", "rounds", None)
    assert path.read_text(encoding="utf-8") == content


def test_another_season_needs_another_folder(vault: Vault) -> None:
    vault.secret("test", "rounds", None)
    with pytest.raises(VaultError, match=r"'test'.*season\.data"):
        vault.secret("other", "rounds", None)


def test_a_lost_secret_is_noticed(vault: Vault) -> None:
    """With a new secret, matches of before could never be checked."""
    vault.secret("test", "rounds", None)
    (vault.data / SECRET).unlink()
    with pytest.raises(VaultError, match="another secret"):
        vault.secret("test", "rounds", None)


def test_a_damaged_season_file_is_named(vault: Vault) -> None:
    vault.secret("test", "rounds", None)
    (vault.data / PUBLIC).write_text("{")
    with pytest.raises(VaultError, match=r"season\.json is damaged"):
        vault.secret("test", "rounds", None)


def test_one_runner_at_a_time(tmp_path: Path) -> None:
    with Vault(tmp_path), pytest.raises(VaultError, match="in use by another runner"):
        Vault(tmp_path)
    with Vault(tmp_path):
        pass


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(VaultError, match="file"):
        Vault(tmp_path / "file" / "data")


def test_ids_go_on_where_a_runner_ended_in_good_order(tmp_path: Path) -> None:
    with Vault(tmp_path) as vault:
        assert vault.first_id("ann") == 0
        vault.reserve({"ann": 0, "bob": 0})
        vault.settle({"ann": 17, "bob": 0})
    with Vault(tmp_path) as vault:
        assert (vault.first_id("ann"), vault.first_id("bob"), vault.first_id("cat")) == (17, 0, 0)


def test_ids_of_a_runner_that_died_are_never_given_out_again(tmp_path: Path) -> None:
    given = 0
    for _ in range(3):
        with Vault(tmp_path) as vault:
            first = vault.first_id("ann")
            assert first >= given
            vault.reserve({"ann": first})
            given = first + ID_BLOCK // 2 - 1  # as many as may be asked between two calls


def test_a_bound_is_written_before_the_ids_below_it_are_used(vault: Vault) -> None:
    for next_id in range(0, 3 * ID_BLOCK, ID_BLOCK // 10):
        vault.reserve({"ann": next_id})
        kept = json.loads((vault.data / IDS).read_bytes())
        assert kept["ann"] > next_id + ID_BLOCK // 10


def test_reserving_is_cheap_while_enough_is_reserved(vault: Vault) -> None:
    vault.reserve({"ann": 0})
    before = (vault.data / IDS).stat().st_ino
    for next_id in range(0, ID_BLOCK // 2, ID_BLOCK // 100):
        vault.reserve({"ann": next_id})
    assert (vault.data / IDS).stat().st_ino == before, "the file was not written again"


def test_a_bot_that_left_the_config_keeps_its_bound(tmp_path: Path) -> None:
    with Vault(tmp_path) as vault:
        vault.first_id("ann")
        vault.settle({"ann": 5, "bob": 9})
    with Vault(tmp_path) as vault:
        vault.first_id("ann")
        vault.settle({"ann": 6})
    with Vault(tmp_path) as vault:
        assert vault.first_id("bob") == 9


@pytest.mark.parametrize("content", ["{", "[]", '{"ann": "7"}', '{"ann": 0.5}'])
def test_damaged_ids_are_named(content: str, vault: Vault) -> None:
    (vault.data / IDS).write_text(content)
    with pytest.raises(VaultError, match=r"ids\.json"):
        vault.first_id("ann")


def test_ids_that_are_lost_are_not_begun_anew(tmp_path: Path) -> None:
    with Vault(tmp_path) as vault:
        vault.secret("test", "rounds", None)
        vault.settle({"ann": 17})
    (tmp_path / IDS).unlink()
    with Vault(tmp_path) as vault, pytest.raises(VaultError, match=r"ids\.json is missing"):
        vault.secret("test", "rounds", None)


def test_a_season_of_another_game_is_refused_and_nothing_is_rewritten(tmp_path: Path) -> None:
    with Vault(tmp_path) as vault:
        secret = vault.secret("test", "rounds", None)
        vault.publish("test", "rounds", secret)
        before = (tmp_path / PUBLIC).read_bytes()
        with pytest.raises(VaultError, match="of rounds, not 'test' of chess"):
            vault.secret("test", "chess", None)
        with pytest.raises(VaultError, match="chess"):
            vault.publish("test", "chess", secret)
    assert (tmp_path / PUBLIC).read_bytes() == before
