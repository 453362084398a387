"""What the types of a season file cannot say: known games and bots, keys that go together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from engine.chance import SEED_BYTES
from engine.game import Game

if TYPE_CHECKING:
    from runner.config import BotEntry, Builtins, Config

# Hosts that hold the port of the loopback address, where the admin port is.
_LOOPBACK_TOO = ("127.0.0.1", "localhost", "0.0.0.0")  # noqa: S104 - compared, not bound


class Complaint(Struct, frozen=True):
    """What is wrong: at which key, and what is allowed there."""

    key: str
    message: str


def complaints(
    config: Config, games: Mapping[str, type[Game]], builtins: Builtins
) -> Iterator[Complaint]:
    """Everything in `config` that makes no sense, the gravest first.

    games: known games by id. builtins: the reference bots.
    """
    season = config.season
    if season.game not in games:
        known = ", ".join(sorted(games))
        yield Complaint("season.game", f"unknown game {season.game!r}; known: {known}")
        return
    yield from _season(config, games[season.game])
    yield from _format(config)
    yield from _stop(config)
    yield from _bots(config, builtins)
    yield from _server_and_play(config)


def _season(config: Config, game: type[Game]) -> Iterator[Complaint]:
    """Numbers of seats and options that the game has."""
    season = config.season
    for size in season.sizes:
        if size not in game.seat_counts:
            allowed = " or ".join(map(str, game.seat_counts))
            text = f"{season.game} is played by {allowed}, not by {size}"
            yield Complaint("season.seats", text)
            return
    try:
        game.deal(season.sizes[0], bytes(SEED_BYTES), season.options)
    except ValueError as error:
        yield Complaint("season.options", str(error))


def _format(config: Config) -> Iterator[Complaint]:
    """What each format needs, and what it does not know."""
    kind, rounds = config.format.kind, config.format.rounds
    challenger = config.format.challenger
    if rounds is None and kind == "swiss":
        yield Complaint("format.rounds", "a Swiss tournament needs a number of rounds")
    if rounds is not None and kind in ("ladder", "knockout"):
        yield Complaint("format.rounds", f"a {kind} has no number of rounds to choose")
    if challenger is None and kind == "gauntlet":
        yield Complaint("format.challenger", "a gauntlet needs the name of the bot")
    if challenger is not None and kind != "gauntlet":
        yield Complaint("format.challenger", f"only a gauntlet has one, no {kind}")
    names = [bot.name for bot in config.bots]
    if challenger is not None and challenger not in names:
        text = f"no bot is called {challenger!r}; there are: {', '.join(names)}"
        yield Complaint("format.challenger", text)


def _stop(config: Config) -> Iterator[Complaint]:
    """A season that ends, by rules that are complete."""
    stop = config.stop
    endless = stop.matches is stop.hours is stop.rank_confidence is None
    if config.format.kind == "ladder" and endless:
        text = "a ladder needs one of matches, hours and rank_confidence, or it goes on for ever"
        yield Complaint("stop", text)
    if stop.rank_confidence is None and (stop.top is not None or stop.indifference):
        lone = "indifference" if stop.top is None else "top"
        yield Complaint(f"stop.{lone}", "goes with rank_confidence, which is not set")


def _bots(config: Config, builtins: Builtins) -> Iterator[Complaint]:
    """Enough of them, each of one kind, with a name of its own."""
    seen: dict[str, int] = {}
    for index, bot in enumerate(config.bots):
        key = f"bots[{index}]"
        yield from _bot(key, bot, config.season.game, builtins)
        if bot.name in seen:
            text = f"{bot.name!r} is also the name of bots[{seen[bot.name]}]"
            yield Complaint(f"{key}.name", text)
        seen[bot.name] = index
    seats = config.season.sizes[0]
    if len(config.bots) < seats:
        text = f"{len(config.bots)} for tables of {seats}: add at least as many as seats"
        yield Complaint("bots", text)


def _bot(key: str, bot: BotEntry, game: str, builtins: Builtins) -> Iterator[Complaint]:
    """One way to be started; a reference bot is a known one, and plays the season's game."""
    kinds = [name for name in ("builtin", "command", "remote") if getattr(bot, name)]
    if len(kinds) != 1:
        had = "none of them is there" if not kinds else f"there are {' and '.join(kinds)}"
        text = f"needs exactly one of builtin, command and remote; {had}"
        yield Complaint(f"{key} ({bot.name})", text)
    if bot.builtin is None:
        return
    able = [name for name, games in builtins.items() if games is None or game in games]
    if bot.builtin not in able:
        known = bot.builtin in builtins
        what = f"{bot.builtin} does not play {game}" if known else f"unknown bot {bot.builtin!r}"
        yield Complaint(f"{key}.builtin", f"{what}; known for {game}: {', '.join(able)}")


def _server_and_play(config: Config) -> Iterator[Complaint]:
    """A whole certificate, a port each, and no more bots to start with than there are."""
    server = config.server
    if (server.tls_cert is None) != (server.tls_key is None):
        lone = "tls_cert" if server.tls_key is None else "tls_key"
        yield Complaint(f"server.{lone}", "tls_cert and tls_key belong together")
    admin = config.admin
    if admin is not None and admin.port == server.port != 0 and server.host in _LOOPBACK_TOO:
        yield Complaint("admin.port", f"{admin.port} is server.port already; choose another one")
    start_with, seats = config.play.start_with, config.season.sizes[0]
    if start_with is not None and not seats <= start_with <= len(config.bots):
        text = f"{start_with} must lie between {seats} seats and {len(config.bots)} bots"
        yield Complaint("play.start_with", text)
