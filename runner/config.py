"""A season's TOML file as typed structs; what is wrong with one is said with its key path."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, TypeAlias, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct

from engine.game import Game
from runner.config_checks import complaints

# Reference bots by name: the ids of the games that each plays, None for any game.
Builtins: TypeAlias = Mapping[str, Collection[str] | None]

# `\Z`, not `$`, which would let a newline follow.
Name = Annotated[str, Meta(min_length=1, max_length=40, pattern=r"^[A-Za-z0-9][A-Za-z0-9._+ -]*\Z")]
Positive = Annotated[int, Meta(ge=1)]
NotNegative = Annotated[int, Meta(ge=0)]
# What is handed to the operating system: no path, host or argument of its can hold a NUL.
SystemText = Annotated[str, Meta(min_length=1, pattern=r"^[^\x00]+\Z")]
ProgramArgument = Annotated[str, Meta(pattern=r"^[^\x00]*\Z")]


class ConfigError(Exception):
    """A config that cannot be used: which file, which key, what is allowed there."""

    def __init__(self, path: Path, key: str, message: str) -> None:
        super().__init__(path, key, message)
        self.path = path
        self.key = key
        self.message = message

    def __str__(self) -> str:
        where = f"{self.path}: {self.key}" if self.key else str(self.path)
        return f"{where}: {self.message}"


class _Table(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Base of all tables of the file: a key that is not known is an error."""


class Season(_Table, frozen=True):
    """What is played. seats: of a match; a list where the format may choose. data: where ledger
    and transcripts go, relative to the config file; `seasons/NAME` beside it if left out. secret:
    64 hex digits that fix all dice, for tests; drawn at random if left out, as it must be
    wherever anything is at stake."""

    name: Name
    game: str
    seats: int | Annotated[tuple[int, ...], Meta(min_length=1)] = 4
    data: SystemText | None = None
    options: dict[str, Any] = {}
    secret: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")] | None = None

    @property
    def sizes(self) -> tuple[int, ...]:
        """The numbers of seats that a match may have, smallest first."""
        return (self.seats,) if isinstance(self.seats, int) else tuple(sorted(set(self.seats)))


class Format(_Table, frozen=True):
    """Who meets whom. kind: `ladder` makes matches as they are needed until [stop] is reached,
    the others end by themselves. rounds: of a round robin, gauntlet or Swiss tournament.
    challenger: the bot that runs the gauntlet."""

    kind: Literal["ladder", "round_robin", "gauntlet", "swiss", "knockout"] = "ladder"
    rounds: Positive | None = None
    challenger: str | None = None


class Play(_Table, frozen=True):
    """How it is played. margin_ms: added to each deadline for the network, unannounced.
    start_with: how many bots must be connected before the first match; all if left out.
    rejoin_seconds: after a restart, how long a match in play waits for its bots.
    void_stall_ms: a match in which the runner itself stood still for longer, in one go and
    beyond the margin, does not count."""

    deadline_ms: Annotated[int, Meta(ge=1, le=3_600_000)] = 5000
    margin_ms: Annotated[int, Meta(ge=0, le=60_000)] = 0
    concurrent_matches: Annotated[int, Meta(ge=1, le=10_000)] = 8
    start_with: Positive | None = None
    rejoin_seconds: Annotated[float, Meta(ge=0)] = 30.0
    void_stall_ms: NotNegative = 1000


class Stop(_Table, frozen=True):
    """When the season is over: as soon as one of these is reached. matches: so many count.
    hours: since the first match began. rank_confidence: so sure is every pair of neighbours
    among the `top` best (all if left out), either of who is better or that they are within
    `indifference` points of mu of each other. Sets that were begun are played out after the
    last two."""

    matches: Positive | None = None
    hours: Annotated[float, Meta(gt=0)] | None = None
    rank_confidence: Annotated[float, Meta(gt=0.5, lt=1)] | None = None
    top: Annotated[int, Meta(ge=2)] | None = None
    indifference: Annotated[float, Meta(ge=0)] = 0.0


class Server(_Table, frozen=True):
    """Where bots connect. port 0 takes any free one. tls_cert, tls_key: PEM files, relative to
    the config file; both or neither. max_per_address: connections from one address at once.
    """

    host: SystemText = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535)] = 8765
    max_connections: Positive = 500
    max_per_address: Positive = 500
    tls_cert: SystemText | None = None
    tls_key: SystemText | None = None


class Admin(_Table, frozen=True):
    """The organiser's port on 127.0.0.1: /healthz, /readyz, /metrics. port 0 for any free one."""

    port: Annotated[int, Meta(ge=0, le=65535)]


class RatingSettings(_Table, frozen=True):
    """TrueSkill's parameters; beta is sigma / 2 if left out."""

    mu: float = 25.0
    sigma: Annotated[float, Meta(gt=0)] = 25 / 3
    beta: Annotated[float, Meta(gt=0)] | None = None
    tau: Annotated[float, Meta(ge=0)] = 0.008
    draw_probability: Annotated[float, Meta(ge=0, lt=1)] = 0.02


class BotEntry(_Table, frozen=True):
    """A bot that plays: exactly one of builtin, command and remote.

    builtin: a reference bot by name. command: a program, started beside the config file.
    remote: connects by itself, with a token of its own. max_restarts: how often a program that
    dies is started again. owner: bots of one owner never meet. anchor: a reference that others
    are measured by, always in reach of new bots. environment: names of variables that a program
    is handed from the runner's environment, which it does not see otherwise.
    """

    name: Name
    builtin: str | None = None
    command: Annotated[tuple[ProgramArgument, ...], Meta(min_length=1)] | None = None
    remote: bool = False
    max_restarts: NotNegative = 3
    environment: tuple[SystemText, ...] = ()
    owner: Annotated[str, Meta(max_length=40)] = ""
    anchor: bool = False


class Config(_Table, frozen=True):
    """A whole season file."""

    season: Season
    bots: tuple[BotEntry, ...]
    format: Format = Format()
    stop: Stop = Stop()
    play: Play = Play()
    server: Server = Server()
    admin: Admin | None = None
    rating: RatingSettings = RatingSettings()


class Loaded(Struct, frozen=True):
    """A config and the two places that it implies, absolute."""

    path: Path
    data: Path
    config: Config


def load(path: Path, *, games: Mapping[str, type[Game]], builtins: Builtins) -> Loaded:
    """Read and check a season file. Raises ConfigError.

    games: known games by id. builtins: the reference bots.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigError(path, "", f"cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(path, "", f"is not UTF-8: byte {error.start}") from error
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(path, "", f"is not TOML: {error}") from error
    _refuse_unknown_keys(path, "", raw, Config)
    try:
        config = msgspec.convert(raw, Config)
    except msgspec.ValidationError as error:
        message, _, where = str(error).partition(" - at `$")
        key = where.rstrip("`").lstrip(".")
        raise ConfigError(path, key, _sentence(message)) from error
    _refuse_endless_numbers(path, "", config)
    gravest = next(complaints(config, games, builtins), None)
    if gravest is not None:
        raise ConfigError(path, gravest.key, gravest.message)
    base = path.resolve().parent
    data = base / (config.season.data or f"seasons/{config.season.name}")
    return Loaded(path.resolve(), data.resolve(), config)


def _refuse_unknown_keys(path: Path, key: str, raw: object, kind: Any) -> None:
    """Name the first key that no table knows, and those that it could have been."""
    origin = get_origin(kind)
    if origin is UnionType:
        for member in get_args(kind):
            _refuse_unknown_keys(path, key, raw, member)
    elif origin is tuple and isinstance(raw, list):
        for index, item in enumerate(raw):
            _refuse_unknown_keys(path, f"{key}[{index}]", item, get_args(kind)[0])
    elif isinstance(kind, type) and issubclass(kind, Struct) and isinstance(raw, dict):
        hints = get_type_hints(kind, include_extras=False)
        for name, value in raw.items():
            inner = f"{key}.{name}" if key else name
            if name not in hints:
                known = ", ".join(sorted(hints))
                raise ConfigError(path, inner, f"unknown key; allowed here: {known}")
            _refuse_unknown_keys(path, inner, value, hints[name])


def _sentence(message: str) -> str:
    return message[:1].lower() + message[1:]


def _refuse_endless_numbers(path: Path, key: str, value: object) -> None:
    """TOML has `inf` and `nan`; nothing in a season is one of them. Raises ConfigError."""
    if isinstance(value, Struct):
        for name in value.__struct_fields__:
            inner = f"{key}.{name}" if key else name
            _refuse_endless_numbers(path, inner, getattr(value, name))
    elif isinstance(value, float) and not math.isfinite(value):
        raise ConfigError(path, key, f"must be a finite number, not {value}")
