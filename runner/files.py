"""Small files that are never half-written, and locks between processes."""

from __future__ import annotations

import os
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
