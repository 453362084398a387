"""How many files and sockets this process may have open."""

from __future__ import annotations

import sys

# Beside connections, journals and bots: the ledger, logs, the listening sockets.
OVERHEAD = 64
# Of a bot that is started here: its pipe and its log.
EACH_BOT = 2
# A loop accepts whoever waits before anybody can be refused: room for them, if it is to be had.
BURST = 2048


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
