"""Tokens: who a bot is. 256 bits each, printed once, kept only as SHA-256.

`tokens.json` in the season's data directory: name -> list of hashes. It is read again whenever
it changes, so a token that is revoked while the season runs lets nobody in any more.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from pathlib import Path

import msgspec

from runner.files import replace_file

TOKEN_BYTES = 32
FILE = "tokens.json"


class TokenError(Exception):
    """The file of tokens cannot be used."""


def new_token() -> str:
    """A fresh token: 256 random bits, URL-safe base64."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def digest(token: str) -> str:
    """What is kept of a token. It has 256 bits of its own, so a plain hash gives none away."""
    # Bytes of a header that are no text arrive as surrogates; they are some wrong token's.
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


class TokenBook:
    """The tokens of one season: those in the file, and those of bots started by the runner."""

    def __init__(self, data: Path) -> None:
        self._path = data / FILE
        self._stamp: tuple[int, int, int] | None = None
        self._filed: dict[str, list[str]] = {}
        self._own: dict[str, str] = {}

    def lend(self, name: str) -> str:
        """A token for a bot that this process starts itself; it is never written down."""
        token = new_token()
        self._own[name] = digest(token)
        return token

    def issue(self, name: str) -> str:
        """A new token for `name`, beside those it has. Raises TokenError."""
        self._reload()
        token = new_token()
        self._filed.setdefault(name, []).append(digest(token))
        self._save()
        return token

    def rotate(self, name: str) -> str:
        """A new token for `name` in place of all it had, in one step. Raises TokenError."""
        self._reload()
        token = new_token()
        self._filed[name] = [digest(token)]
        self._save()
        return token

    def revoke(self, name: str) -> int:
        """Forget every token of `name`; returns how many there were. Raises TokenError."""
        self._reload()
        revoked = len(self._filed.pop(name, []))
        if revoked:
            self._save()
        return revoked

    def find(self, token: str) -> str | None:
        """Whose token this is, or None. Takes the same time whoever it is. Raises TokenError."""
        self._reload()
        wanted = digest(token)
        found = None
        for name, known in self._own.items():
            if hmac.compare_digest(known, wanted):
                found = name
        for name, hashes in self._filed.items():
            for known in hashes:
                if hmac.compare_digest(known, wanted):
                    found = name
        return found

    def names(self) -> Mapping[str, int]:
        """How many filed tokens each name has. Raises TokenError."""
        self._reload()
        return {name: len(hashes) for name, hashes in sorted(self._filed.items())}

    def _reload(self) -> None:
        try:
            stat = self._path.stat()
        except FileNotFoundError:
            self._filed, self._stamp = {}, None
            return
        stamp = (stat.st_mtime_ns, stat.st_size, stat.st_ino)
        if stamp == self._stamp:
            return
        try:
            self._filed = msgspec.json.decode(self._path.read_bytes(), type=dict[str, list[str]])
        except (OSError, msgspec.DecodeError) as error:
            raise TokenError(f"{self._path}: {error}") from error
        self._stamp = stamp

    def _save(self) -> None:
        """Replace the file in one step, readable by its owner alone."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            content = msgspec.json.encode(self._filed, order="sorted")
            replace_file(self._path, msgspec.json.format(content), 0o600)
        except OSError as error:
            raise TokenError(f"{self._path}: {error.strerror}") from error
        self._stamp = None
