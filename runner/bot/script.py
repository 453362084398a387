"""Running a bot as a program: environment, log, signals, exit status."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from runner.bot.bot import Bot
from runner.bot.client import PATIENCE_S, play
from runner.bot.load import load_bot
from runner.bot.retry import Refused

LOG = logging.getLogger("runner.bot")

_LEVELS = ("debug", "info", "warning", "error")


def run(
    bot: type[Bot],
    *,
    url: str | None = None,
    token: str | None = None,
    max_matches: int | None = None,
    patience_s: float = PATIENCE_S,
) -> None:
    """Play a season as a program does: `if __name__ == "__main__": run(MyBot)`.

    `url` and `token` come from PIONEERS_URL and PIONEERS_TOKEN where left out, the rest is as in
    `play`. Logs to stderr, at the level in PIONEERS_LOG (`info` if unset). Returns when the
    season is over, or on SIGINT or SIGTERM; exits with a message and status 1 where the server
    refuses the bot.
    """
    _log_to_stderr()
    url = url or _from_environment("PIONEERS_URL", "the server's ws:// or wss:// address")
    token = token or _from_environment("PIONEERS_TOKEN", "the bot's token for the season")
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        try:
            runner.run(_play_until_signal(bot, url, token, max_matches, patience_s))
        except Refused as refused:
            _fail(str(refused))
        except KeyboardInterrupt:  # where the loop takes no signal handlers
            LOG.info("interrupted")


def run_file(
    path: Path,
    class_name: str | None = None,
    *,
    url: str | None = None,
    token: str | None = None,
    max_matches: int | None = None,
) -> None:
    """`run` for the bot in a Python file; see `load_bot`. Raises BotFileError."""
    run(load_bot(path, class_name), url=url, token=token, max_matches=max_matches)


async def _play_until_signal(
    bot: type[Bot], url: str, token: str, max_matches: int | None, patience_s: float
) -> None:
    task = asyncio.current_task()
    assert task is not None
    signalled: list[signal.Signals] = []

    def stop(number: signal.Signals) -> None:
        signalled.append(number)
        task.cancel()

    if sys.platform != "win32":
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stop, number)
    try:
        await play(bot, url, token, max_matches=max_matches, patience_s=patience_s)
    except asyncio.CancelledError:
        if not signalled:
            raise
        LOG.info("stopped by %s", signalled[0].name)


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    if sys.platform == "win32":
        return None
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


def _log_to_stderr() -> None:
    level = os.environ.get("PIONEERS_LOG") or "info"
    if level not in _LEVELS:
        _fail(f"PIONEERS_LOG is {level!r}; it can be {', '.join(_LEVELS)}")
    logging.basicConfig(level=level.upper(), format="%(asctime)s %(levelname)s %(message)s")
    logging.getLogger("websockets").setLevel(logging.WARNING)


def _from_environment(name: str, what: str) -> str:
    value = os.environ.get(name)
    if not value:
        _fail(f"{name} is not set: it must hold {what}")
    return value


def _fail(message: str) -> NoReturn:
    sys.stderr.write(f"{message}\n")
    raise SystemExit(1)
