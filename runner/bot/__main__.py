"""`python -m runner.bot my_bot.py`: an author's bot as a process of its own."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from runner.bot.load import BotFileError
from runner.bot.script import run_file


def main() -> None:
    """Play the season at PIONEERS_URL with PIONEERS_TOKEN."""
    parser = argparse.ArgumentParser(prog="python -m runner.bot", description=main.__doc__)
    parser.add_argument("file", type=Path, help="a Python file with a subclass of runner.bot.Bot")
    parser.add_argument("--class", dest="class_name", help="which class, if there are several")
    arguments = parser.parse_args()
    try:
        run_file(arguments.file, arguments.class_name)
    except BotFileError as error:
        sys.stderr.write(f"{error}\n")
        raise SystemExit(1) from None


if __name__ == "__main__":
    main()
