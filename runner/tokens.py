"""Tokens: who a bot is. 256 bits each, printed once, kept only as SHA-256.

`tokens.json` in the season's data directory: name -> list of hashes. It is read again whenever
it changes, so a token that is revoked while the season runs lets nobody in any more.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import msgspec

from runner.files import lock, replace_file

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
        self._generation = 0

    def lend(self, name: str) -> str:
        """A token for a bot that this process starts itself; it is never written down."""
        token = new_token()
        self._own[name] = digest(token)
        return token

    def issue(self, name: str) -> str:
        """A new token for `name`, beside those it has. Raises TokenError."""
        token = new_token()
        with self._writing():
            self._filed.setdefault(name, []).append(digest(token))
        return token

    def rotate(self, name: str) -> str:
        """A new token for `name` in place of all it had, in one step. Raises TokenError."""
        token = new_token()
        with self._writing():
            self._filed[name] = [digest(token)]
        return token

    def revoke(self, name: str) -> int:
        """Forget every token of `name`; returns how many there were. Raises TokenError."""
        with self._writing():
            return len(self._filed.pop(name, []))

    def find(self, token: str) -> str | None:
        """Whose token this is, or None. Takes the same time whoever it is. Raises TokenError."""
        return self.owner(digest(token))

    def owner(self, wanted: str) -> str | None:
        """Whose token has the hash `wanted`, or None; see `find`."""
        self._reload()
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

    def generation(self) -> int:
        """Counts the changes of the file that were seen so far. Raises TokenError."""
        self._reload()
        return self._generation

    def _reload(self) -> None:
        try:
            stat = self._path.stat()
            stamp = (stat.st_mtime_ns, stat.st_size, stat.st_ino)
            if stamp != self._stamp:
                content = self._path.read_bytes()
                self._filed = msgspec.json.decode(content, type=dict[str, list[str]])
                self._stamp = stamp
                self._generation += 1
        except FileNotFoundError:
            if self._filed:
                self._generation += 1
            self._filed, self._stamp = {}, None
        except OSError as error:
            raise TokenError(f"{self._path}: {error.strerror}") from error
        except msgspec.DecodeError as error:
            raise TokenError(f"{self._path} is damaged: {error}") from error

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Change what is filed: one process at a time, the file replaced in one step."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            fd = os.open(
                self._path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600
            )
            try:
                lock(fd, wait=True)
                self._reload()
                yield
                content = msgspec.json.encode(self._filed, order="sorted")
                replace_file(self._path, msgspec.json.format(content), 0o600)
            finally:
                os.close(fd)
        except OSError as error:
            raise TokenError(f"{self._path}: {error.strerror}") from error
        self._stamp = None
