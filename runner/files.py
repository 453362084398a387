"""Small files that are never half-written, private folders, and locks between processes."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import tempfile
from pathlib import Path


def replace_file(path: Path, content: bytes, mode: int) -> None:
    """Replace a file in one step; it is on disk, with its mode, before this returns.

    Raises OSError; the old file is then as it was.
    """
    fd, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(mode)
        temporary.replace(path)
        sync(path.parent)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


def private_folder(path: Path) -> Path:
    """Make a folder that nobody but its owner can look into; one that exists becomes such.

    Where it belongs to somebody else it stays as it is: what is written there has modes of its
    own. Returns `path`. Raises OSError.
    """
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    if stat.S_IMODE(path.stat().st_mode) & 0o077:
        with contextlib.suppress(PermissionError):
            path.chmod(0o700)
    return path


def sync(path: Path) -> None:
    """Have a file, or the names in a folder, written to disk. Raises OSError."""
    if path.is_dir() and sys.platform == "win32":
        return  # folders cannot be opened there, and need not be
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def lock(fd: int, *, wait: bool = False) -> None:
    """Lock an open file for this process until it is closed.

    wait: for another process that has it; otherwise that raises OSError.
    """
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(fd, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(fd, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
