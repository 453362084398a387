"""Transcripts on disk: appended while a match is played, moved when it is in the ledger.

`playing/` holds matches in play, readable by the organiser alone, since they tell hidden facts.
`transcripts/` holds matches that are over. Every line is handed to the operating system before
its effects are told to anybody, so it survives the death of this process.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
from pathlib import Path

from engine.transcript import Decision, End, Header, Transcript, encode_line, read
from runner.files import private_folder, sync

SUFFIX = ".jsonl"
MATCH_ID = re.compile(r"m[0-9]{6,}")
PLAYING = "playing"
OVER = "transcripts"


class JournalError(Exception):
    """A journal could not be written; nothing that depends on the line may be told."""


class Journal:
    """The open journal of one match. Lines go out whole and in order."""

    __slots__ = ("_digest", "_failure", "_fd", "_path")

    def __init__(self, path: Path) -> None:
        """Open `path` for appending, created if need be. Raises JournalError."""
        self._path = path
        self._failure: JournalError | None = None
        self._digest = hashlib.sha256()
        try:
            self._fd = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise JournalError(f"{path}: {error.strerror}") from error
        try:
            with open(self._fd, "rb", closefd=False) as file:
                self._digest.update(file.read())
        except OSError as error:
            os.close(self._fd)
            raise JournalError(f"{path}: {error.strerror}") from error

    def write(self, line: Header | Decision | End) -> None:
        """Append one line. Raises JournalError, with nothing half-written left behind.

        Once a line has failed none follows: behind a torn one it would spoil the whole journal.
        """
        if self._failure is not None:
            raise self._failure
        data = encode_line(line) + b"\n"
        try:
            written = os.write(self._fd, data)
            if written != len(data):
                # A full disk takes a part of the line first: take it back.
                os.ftruncate(self._fd, os.fstat(self._fd).st_size - written)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError as error:
            self._failure = JournalError(f"{self._path}: {error.strerror}")
            raise self._failure from error
        self._digest.update(data)

    def digest(self) -> str:
        """SHA-256, hex, of the whole journal as written so far."""
        return self._digest.hexdigest()

    def close(self) -> None:
        """Close the file. The journal stays where it is."""
        os.close(self._fd)


class JournalStore:
    """The journals of one season under its data directory."""

    def __init__(self, data: Path) -> None:
        self._playing = private_folder(data / PLAYING)
        self._over = data / OVER
        self._over.mkdir(exist_ok=True)

    def begin(self, header: Header) -> None:
        """Write down that a match begins. Raises JournalError."""
        journal = self.open(header.match)
        try:
            journal.write(header)
        finally:
            journal.close()

    def open(self, match: str) -> Journal:
        """The journal of a match in play, new or to go on with. Raises JournalError."""
        return Journal(self._playing / f"{match}{SUFFIX}")

    def in_play(self) -> list[str]:
        """The matches that were being played when the runner last stopped, in order.

        Raises JournalError for a file that is no journal.
        """
        matches = []
        for path in sorted(self._playing.glob(f"*{SUFFIX}")):
            match = path.name.removesuffix(SUFFIX)
            if not MATCH_ID.fullmatch(match):
                raise JournalError(f"{path}: is no journal of a match; move it somewhere else")
            matches.append(match)
        return matches

    def recover(self, match: str) -> Transcript | None:
        """What the journal of a match in play holds; a torn last line is cut off the file.

        None, and no file any more, where not even the header is whole: the match never began.
        Raises TranscriptError for damage anywhere else, JournalError when it cannot be read.
        """
        path = self._playing / f"{match}{SUFFIX}"
        try:
            data = path.read_bytes()
            whole = data[: data.rfind(b"\n") + 1]
            if not whole:
                path.unlink()
                return None
            if len(whole) < len(data):
                os.truncate(path, len(whole))
        except OSError as error:
            raise JournalError(f"{path}: {error.strerror}") from error
        return read(whole.splitlines())

    def sync(self, match: str) -> None:
        """Have a finished journal written to disk, as the ledger's entry about it will be.

        Blocks; for a thread. Raises JournalError.
        """
        path = self._playing / f"{match}{SUFFIX}"
        try:
            sync(path)
        except OSError as error:
            raise JournalError(f"{path}: {error.strerror}") from error

    def finish(self, match: str) -> Path:
        """Publish the transcript of a match that is in the ledger; returns where it is."""
        path = self._playing / f"{match}{SUFFIX}"
        path.chmod(0o644)
        return path.replace(self._over / path.name)


def transcript_paths(data: Path) -> dict[str, Path]:
    """Where the transcripts of a season's finished matches lie, by match.

    One whose result is in the ledger may still lie among those in play, for a moment or until
    the runner is started again.
    """
    found = {}
    for folder in (PLAYING, OVER):
        for path in sorted((data / folder).glob(f"*{SUFFIX}")):
            found[path.name.removesuffix(SUFFIX)] = path
    return found


def digest_of(content: bytes) -> str:
    """SHA-256 of a transcript, hex, as the ledger keeps it."""
    return hashlib.sha256(content).hexdigest()
