"""How many files and sockets this process may have open."""

from __future__ import annotations

import sys

# Beside connections and journals: the ledger, logs, pipes, the listening sockets.
OVERHEAD = 64


def raise_limit(needed: int) -> int:
    """Raise the limit of open files as far as `needed` and allowed; returns what it is now."""
    if sys.platform == "win32":
        return needed  # there is no limit that could matter
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return needed
    wanted = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
    if wanted > soft:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return wanted
