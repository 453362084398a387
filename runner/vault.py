"""What a season keeps outside its ledger: the secret, the request ids in use, a lock.

All in the season's data directory:
`secret` (owner only) and `season.json` (public; it gains the secret when the season is over),
`ids.json` (per bot, a bound that its request ids have not reached), `lock`.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Self

import msgspec
from msgspec import Struct

from engine.chance import SEED_BYTES, commitment
from runner.files import lock, replace_file

SECRET = "secret"  # noqa: S105 - the name of a file
PUBLIC = "season.json"
IDS = "ids.json"
LOCK = "lock"

# A runner that dies leaves a gap of up to this many ids; one that ends in good order none.
ID_BLOCK = 1_000_000


class VaultError(Exception):
    """The data directory cannot be used; the message says why and what can be done."""


class PublicSeason(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """`season.json`: commitment is the SHA-256 of the secret; both hex."""

    season: str
    game: str
    commitment: str
    secret: str | None = None


class Vault:
    """The data directory of one season, locked by this process until `close`."""

    def __init__(self, data: Path) -> None:
        """Create the directory if need be and lock it. Raises VaultError."""
        self.data = data
        self._ceilings: dict[str, int] = {}
        try:
            data.mkdir(parents=True, exist_ok=True)
            self._lock = os.open(data / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise VaultError(f"{data}: {error.strerror}") from error
        try:
            lock(self._lock)
        except OSError as error:
            os.close(self._lock)
            raise VaultError(f"{data} is in use by another runner") from error
        self._sweep()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Unlock the directory."""
        os.close(self._lock)

    def secret(self, season: str, game: str, configured: str | None) -> bytes:
        """The season's secret: the one on disk, else `configured` (hex), else a fresh one.

        Raises VaultError when the secret on disk is damaged, is not the configured one, or
        does not belong to this season.
        """
        path = self.data / SECRET
        try:
            if path.exists():
                secret = bytes.fromhex(path.read_text(encoding="ascii").strip())
            else:
                secret = (
                    bytes.fromhex(configured)
                    if configured is not None
                    else secrets.token_bytes(SEED_BYTES)
                )
                replace_file(path, secret.hex().encode() + b"\n", 0o600)
        except OSError as error:
            raise VaultError(f"{path}: {error.strerror}") from error
        except ValueError as error:
            raise VaultError(f"{path} is damaged: {error}") from error
        if len(secret) != SEED_BYTES:
            raise VaultError(f"{path} is damaged: {len(secret)} bytes instead of {SEED_BYTES}")
        if configured is not None and secret.hex() != configured:
            raise VaultError(f"{path} is not the secret that the config has in season.secret")
        self._require_ids()
        self._publish(PublicSeason(season, game, commitment(secret)))
        return secret

    @property
    def closed(self) -> bool:
        """Whether the secret is published: no match may be played with dice that all can know."""
        public = self._public()
        return public is not None and public.secret is not None

    def publish(self, season: str, game: str, secret: bytes) -> None:
        """The season is over: let everybody read its secret. Raises VaultError."""
        self._publish(PublicSeason(season, game, commitment(secret), secret.hex()))

    def first_id(self, bot: str) -> int:
        """The first request id of `bot` that no runner before this one can have used."""
        if not self._ceilings:
            self._load_ids()
        return self._ceilings.get(bot, 0)

    def reserve(self, next_ids: Mapping[str, int]) -> None:
        """Make sure that no later runner gives out ids near those given out now.

        Cheap to call often: writes only when half of a block is used up. Raises VaultError.
        """
        low = [
            bot
            for bot, next_id in next_ids.items()
            if next_id + ID_BLOCK // 2 >= self._ceilings.get(bot, 0)
        ]
        if low:
            for bot in low:
                self._ceilings[bot] = next_ids[bot] + ID_BLOCK
            self._save_ids()

    def settle(self, next_ids: Mapping[str, int]) -> None:
        """This runner gives out no more ids: the next one goes on right here."""
        self._ceilings.update(next_ids)
        self._save_ids()

    def _sweep(self) -> None:
        """Remove what a runner that was killed had begun to write: nobody else writes these."""
        for name in (SECRET, PUBLIC, IDS):
            for path in self.data.glob(f".{name}.*"):
                path.unlink(missing_ok=True)

    def _require_ids(self) -> None:
        """A season that has begun needs its file of ids; a new one gets it before all else."""
        path = self.data / IDS
        if path.exists():
            return
        if self._public() is not None:
            raise VaultError(
                f"{path} is missing, so that request ids would be used again; put it back, "
                f"or write one with a number above all ids in the transcripts for each bot"
            )
        self._save_ids()

    def _load_ids(self) -> None:
        path = self.data / IDS
        try:
            if path.exists():
                self._ceilings = msgspec.json.decode(path.read_bytes(), type=dict[str, int])
        except (OSError, msgspec.DecodeError) as error:
            raise VaultError(f"{path}: {error}") from error

    def _save_ids(self) -> None:
        path = self.data / IDS
        try:
            replace_file(path, msgspec.json.encode(self._ceilings, order="sorted"), 0o600)
        except OSError as error:
            raise VaultError(f"{path}: {error.strerror}") from error

    def _publish(self, public: PublicSeason) -> None:
        known = self._public()
        if known is not None:
            if (known.season, known.game) != (public.season, public.game):
                raise VaultError(
                    f"{self.data} holds season {known.season!r} of {known.game}, not "
                    f"{public.season!r} of {public.game}; choose another season.data in the config"
                )
            if known.commitment != public.commitment:
                raise VaultError(
                    f"{self.data} holds season {known.season!r} with another secret; "
                    f"choose another season.data in the config"
                )
            if public.secret is None or known.secret is not None:
                return
        path = self.data / PUBLIC
        try:
            replace_file(path, msgspec.json.format(msgspec.json.encode(public)) + b"\n", 0o644)
        except OSError as error:
            raise VaultError(f"{path}: {error.strerror}") from error

    def _public(self) -> PublicSeason | None:
        path = self.data / PUBLIC
        try:
            if not path.exists():
                return None
            return msgspec.json.decode(path.read_bytes(), type=PublicSeason)
        except OSError as error:
            raise VaultError(f"{path}: {error.strerror}") from error
        except msgspec.DecodeError as error:
            raise VaultError(f"{path} is damaged: {error}") from error
