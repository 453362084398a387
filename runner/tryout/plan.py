"""Who plays, and how, as a season that `runner.app` can run."""

from __future__ import annotations

import hashlib
import shlex
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from engine.game import Game
from runner.config import BotEntry, Config, Loaded, Name

SEASON = "play"


class PlanError(ValueError):
    """Something that cannot be played; the message says what, and what can be."""


class Plan(Struct, frozen=True):
    """Some matches to play now. bots: at least `seats`.

    seed: any text, fixes all dice; None draws them. With one match at a time (concurrent_matches)
    everything repeats with it, as far as the bots do.
    """

    game: type[Game]
    bots: tuple[BotEntry, ...]
    seats: int
    matches: int
    deadline_ms: int
    seed: str | None = None
    concurrent_matches: int = 8
    rejoin_seconds: float = 30.0

    def season(self, data: Path, folder: Path) -> Loaded:
        """The plan as a season with its ledger and transcripts in `data`.

        folder: where programs are started.
        """
        secret = None if self.seed is None else hashlib.sha256(self.seed.encode()).hexdigest()
        raw = {
            "season": {
                "name": SEASON,
                "game": self.game.id,
                "seats": self.seats,
                "secret": secret,
            },
            "stop": {"matches": self.matches},
            "play": {
                "deadline_ms": self.deadline_ms,
                "concurrent_matches": self.concurrent_matches,
                "rejoin_seconds": self.rejoin_seconds,
            },
            "server": {"port": 0},
            "bots": [msgspec.structs.asdict(bot) for bot in self.bots],
        }
        config = msgspec.convert(raw, Config)
        return Loaded(folder.absolute() / SEASON, data.absolute(), config)


def entrants(specs: Sequence[str], builtins: Sequence[str]) -> tuple[BotEntry, ...]:
    """The bots that are asked for, one for each of `specs`, all with different names.

    A spec is the name of a reference bot (one of `builtins`), a Python file with a bot in it,
    or a command line with arguments; `NAME=` before it gives it another name than its own.
    Names that come several times are numbered. Raises PlanError.
    """
    bots = [_entrant(spec, builtins) for spec in specs]
    often = Counter(bot.name for bot in bots)
    seen: Counter[str] = Counter()
    numbered = []
    for bot in bots:
        seen[bot.name] += 1
        if often[bot.name] > 1:
            bot = msgspec.structs.replace(bot, name=f"{bot.name}-{seen[bot.name]}")
        numbered.append(bot)
    names = [bot.name for bot in numbered]
    if len(set(names)) < len(names):
        raise PlanError(f"the names {', '.join(names)} are not all different")
    return tuple(numbered)


def seats_for(game: type[Game], bots: int, wanted: int | None) -> int:
    """How many seats a table has for `bots` bots. Raises PlanError where they are too few."""
    fewest, most = min(game.seat_counts), max(game.seat_counts)
    if wanted is not None and wanted not in game.seat_counts:
        allowed = " or ".join(map(str, game.seat_counts))
        raise PlanError(f"--seats {wanted}: {game.id} is played by {allowed}")
    seats = min(bots, most) if wanted is None else wanted
    if seats not in game.seat_counts or bots < seats:
        needed = fewest if wanted is None else wanted
        raise PlanError(
            f"{bots} {'bot' if bots == 1 else 'bots'} for a table of {needed}: name "
            f"{needed - bots} more, for example `random`; a bot can be named more than once"
        )
    return seats


def _entrant(spec: str, builtins: Sequence[str]) -> BotEntry:
    name, equals, rest = spec.partition("=")
    if equals and "/" not in name and " " not in name:
        return _named(name, rest, builtins)
    return _named(None, spec, builtins)


def _named(name: str | None, what: str, builtins: Sequence[str]) -> BotEntry:
    if what in builtins:
        return _entry(name or what, what, builtin=what)
    if what.endswith(".py") and " " not in what:
        path = Path(what)
        if not path.is_file():
            raise PlanError(f"{what}: no such file; `pioneers bot new {what}` writes a bot there")
        command = (sys.executable, "-m", "runner.bot", str(path.absolute()))
        return _entry(name or path.stem, what, command=command)
    try:
        words = shlex.split(what)
    except ValueError as error:
        raise PlanError(f"{what}: not a command line: {error}") from None
    if len(words) < 2:
        known = ", ".join(builtins)
        raise PlanError(
            f"{what}: neither a reference bot ({known}), nor a Python file, nor a command line "
            f"in quotes such as 'node my_bot.js'"
        )
    program = next((word for word in words[1:] if not word.startswith("-")), words[0])
    return _entry(name or Path(program).stem, what, command=tuple(words))


def _entry(
    name: str, spec: str, *, builtin: str | None = None, command: tuple[str, ...] | None = None
) -> BotEntry:
    try:
        msgspec.convert(name, Name)
    except msgspec.ValidationError:
        raise PlanError(
            f"{spec}: {name!r} is no name for a bot (letters, digits and ._+-, at most 40); "
            f"give it one: NAME={spec}"
        ) from None
    # A program that dies is looked into, not started again.
    return BotEntry(name=name, builtin=builtin, command=command, max_restarts=0)
