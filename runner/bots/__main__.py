"""`python -m runner.bots NAME`: a reference bot as a process of its own."""

from __future__ import annotations

import argparse
import os
import sys

from runner.bot import run
from runner.bots import NAMES, configured
from runner.bots.configured import SettingsError
from runner.bots.seeded import SeededBot

# The runner that started the bot is beside it: if it is gone this long, it is gone for good.
_PATIENCE_S = 30.0


def main() -> None:
    """Play the season at PIONEERS_URL with PIONEERS_TOKEN; PIONEERS_SEED makes it repeatable."""
    parser = argparse.ArgumentParser(prog="python -m runner.bots", description=main.__doc__)
    parser.add_argument("name", choices=NAMES)
    parser.add_argument("--max-matches", type=int, help="how many matches to play at once")
    arguments = parser.parse_args()
    SeededBot.seed = os.environ.get("PIONEERS_SEED")
    try:
        bot = configured(arguments.name, os.environ)
    except SettingsError as error:
        sys.stderr.write(f"{error}\n")
        raise SystemExit(1) from None
    run(bot, max_matches=arguments.max_matches, patience_s=_PATIENCE_S)


if __name__ == "__main__":
    main()
