"""The one place where a season is put together: everything is built here and handed down."""

from __future__ import annotations

import asyncio
import gc
import os
import socket
import ssl
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

import structlog
from msgspec import Struct

from engine.catalog import find
from engine.chance import commitment, derive_seed
from ratings.ledger import Ledger
from ratings.skill import Skill
from ratings.standings import Standing
from runner import protocol as wire
from runner.admin import LOOPBACK, AdminServer, Health
from runner.books import Books
from runner.bots import settings_of
from runner.clock import LoopWatch
from runner.closing import Closing
from runner.config import BotEntry, ConfigError, Loaded, RatingSettings
from runner.deadlines import Deadlines
from runner.dealer import Dealer
from runner.descriptors import BURST, EACH_BOT, OVERHEAD, raise_limit
from runner.door import Door, Limits
from runner.farewell import Callers
from runner.files import private_folder
from runner.gateway import Gateway
from runner.journal import JournalStore
from runner.meters import Meters
from runner.player import Player
from runner.processes import BotProcess, Program, builtin_argv, environment_for
from runner.schedule import Schedule
from runner.season import Season
from runner.session import Session
from runner.tokens import TokenBook
from runner.vault import Vault

log: Any = structlog.get_logger()

LEDGER = "ledger.sqlite"
SEASON_OVER = "season over"
STOPPED = "server going away"
RETRY_MS = 2000
GC_ALLOCATIONS = 20_000
CLOSE_NORMAL = 1000


class Running(Struct, frozen=True):
    """A season that is being played, for whoever shows its progress."""

    season: Season
    books: Books
    url: str


class Report(Struct, frozen=True):
    """How a run of the runner ended. finished: the season is over, not merely stopped; closed:
    it was over before. matches: how many count. faults: a sentence for each match of this run
    that does not, because the game raised."""

    finished: bool
    closed: bool
    matches: int
    standings: tuple[Standing, ...]
    faults: tuple[str, ...] = ()


def skill_of(settings: RatingSettings) -> Skill:
    """The rating model of a config. Raises ValueError for settings that make no sense."""
    return Skill(
        settings.mu, settings.sigma, settings.beta, settings.tau, settings.draw_probability
    )


def open_ledger(loaded: Loaded, *, create: bool) -> Ledger:
    """The ledger of a season. Raises LedgerError."""
    config = loaded.config
    location = loaded.data / LEDGER
    return Ledger.open(location, skill_of(config.rating), config.season.name, create=create)


def now_ms() -> int:
    """The wall clock, Unix milliseconds."""
    return time.time_ns() // 1_000_000


async def run_season(
    loaded: Loaded,
    stop: asyncio.Event,
    watch_progress: Callable[[Running], Coroutine[Any, Any, None]],
) -> Report:
    """Play the season of a config until it is over, or until `stop` is set.

    watch_progress: runs beside the season and is cancelled when that ends.
    Raises VaultError, LedgerError, ConfigError (a port cannot be had), or an exception group
    with what went wrong on the way.
    """
    config = loaded.config
    structlog.contextvars.bind_contextvars(season=config.season.name)
    with Vault(loaded.data) as vault:
        season = config.season
        secret = vault.secret(season.name, season.game, season.secret)
        books = Books(lambda: open_ledger(loaded, create=True))
        try:
            await books.open()
            finished = closed = vault.closed
            faults: Sequence[str] = ()
            if not closed:
                run = _Run(loaded, vault, secret, books)
                finished = await run.play(stop, watch_progress)
                faults = run.faults
            if finished:
                vault.publish(season.name, season.game, secret)
            standings = await books.use(lambda ledger: ledger.standings())
            matches = await books.use(lambda ledger: ledger.matches_played)
        finally:
            await books.close()
    return Report(finished, closed, matches, standings, tuple(faults))


class _Run:
    """One run of a season: the parts, and the order in which they start and stop."""

    def __init__(self, loaded: Loaded, vault: Vault, secret: bytes, books: Books) -> None:
        self._loaded = loaded
        self._vault = vault
        self._secret = secret
        self._books = books
        config = loaded.config
        loop = asyncio.get_running_loop()
        self._watch = LoopWatch(loop)
        deadlines = Deadlines(loop, self._watch)
        self._players = {
            bot.name: Player(
                bot.name, Session(vault.first_id(bot.name)), loop, deadlines, self._changed
            )
            for bot in config.bots
        }
        self._meters = Meters()
        self._tokens = TokenBook(loaded.data)
        dealer = Dealer(
            config,
            find(config.season.game),
            secret,
            self._players,
            JournalStore(loaded.data),
            self._meters,
            now_ms,
        )
        self._season = Season(
            config,
            self._players,
            dealer,
            Schedule(
                config,
                skill_of(config.rating),
                derive_seed(secret, "pairing"),
                now_ms,
            ),
            books,
            Closing(books, dealer, self._players, self._meters, now_ms),
            self._meters,
            self._watch,
            self._before_match,
        )
        limits = Limits(config.server.max_connections, config.server.max_per_address)
        self._gateway = Gateway(
            loop,
            self._players,
            Door(self._tokens, config.season.name, limits),
            self._meters,
            season=config.season.name,
            commitment=commitment(secret),
        )

    @property
    def faults(self) -> Sequence[str]:
        """See `Report`."""
        return self._season.faults

    async def play(
        self, stop: asyncio.Event, watch_progress: Callable[[Running], Coroutine[Any, Any, None]]
    ) -> bool:
        """Open the door, start the bots, play; says whether the season is over.

        One that was over before is not played, but those who have not heard of it are told.
        """
        season = self._season
        await season.prepare()
        over = season.finished
        callers = Callers.of(self._loaded.config.bots, self._tokens.names())
        if over and not callers:
            return True
        self._reserve_ids()
        _calm_garbage_collection()
        self._watch.start()
        admin = self._admin()
        try:
            allow_descriptors(self._loaded)
            url = await self._listen()
            started_here = [] if over else self._started_here()
            own_url = await self._listen_to_own(url) if started_here else url
            processes = [self._process(bot, own_url) for bot in started_here]
            async with asyncio.TaskGroup() as helpers:
                for process in processes:
                    helpers.create_task(process.run())
                watching = [
                    helpers.create_task(watch_progress(Running(season, self._books, url))),
                    helpers.create_task(_when(stop, season.stop)),
                ]
                try:
                    if over:
                        await callers.come(self._players, stop)
                    else:
                        await season.run()
                finally:
                    for task in watching:
                        task.cancel()
                    for process in processes:
                        process.stop()
                    await self._say_goodbye()
        finally:
            self._watch.stop()
            if admin is not None:
                admin.close()
            self._vault.settle(self._next_ids())
        return season.finished

    async def _listen(self) -> str:
        """Open the door; returns its address. Raises ConfigError."""
        tls = tls_of(self._loaded)
        server = self._loaded.config.server
        try:
            port = await self._gateway.open(server.host, server.port, tls)
        except socket.gaierror as error:
            text = f"{server.host!r} is no address of this machine: {error.strerror}"
            raise ConfigError(self._loaded.path, "server.host", text) from error
        except OSError as error:
            text = f"cannot listen on {server.host}:{server.port}: {os.strerror(error.errno or 0)}"
            raise ConfigError(self._loaded.path, "server.port", text) from error
        scheme = "ws" if tls is None else "wss"
        return f"{scheme}://{_authority(server.host, port)}{wire.PATH}"

    async def _listen_to_own(self, url: str) -> str:
        """Where the runner's own programs connect. Raises OSError.

        A certificate is made out to the name that the world knows, which is not how they would
        find the way here: behind one, they have a door on the loopback address.
        """
        if not url.startswith("wss:"):
            return url
        port = await self._gateway.open(LOOPBACK, 0)
        return f"ws://{LOOPBACK}:{port}{wire.PATH}"

    def _admin(self) -> AdminServer | None:
        """Open the organiser's port, if there is one. Raises ConfigError."""
        admin = self._loaded.config.admin
        if admin is None:
            return None
        try:
            server = AdminServer(admin.port, self._meters, self._health)
        except OSError as error:
            text = f"cannot listen on {LOOPBACK}:{admin.port}: {os.strerror(error.errno or 0)}"
            raise ConfigError(self._loaded.path, "admin.port", text) from error
        log.info("admin port", port=server.port)
        return server

    def _health(self) -> Health:
        """Called on the admin port's threads: it only reads."""
        return Health(
            ready=self._gateway.listening,
            matches_in_play=self._season.progress().playing,
            connected_bots=sum(player.connected for player in self._players.values()),
            lag_seconds=self._watch.lag,
            stalls=self._watch.stalls,
        )

    async def _say_goodbye(self) -> None:
        if self._season.finished:
            await self._gateway.close(SEASON_OVER, CLOSE_NORMAL)
        else:
            await self._gateway.close(STOPPED, wire.CLOSE_GOING_AWAY, RETRY_MS)

    def _started_here(self) -> list[BotEntry]:
        return [bot for bot in self._loaded.config.bots if not bot.remote]

    def _process(self, bot: BotEntry, url: str) -> BotProcess:
        folder = self._loaded.path.parent
        log_path = private_folder(self._loaded.data / "logs") / f"{bot.name}.log"
        argv = bot.command if bot.command is not None else builtin_argv(bot.builtin or "")
        program = Program(bot.name, tuple(argv), folder, log_path, bot.max_restarts)
        # A seed of its own for each bot, so that a season can be repeated; nothing about the dice
        # follows from it.
        extra = {"PIONEERS_SEED": derive_seed(self._secret, f"bot:{bot.name}").hex()}
        if bot.builtin is not None:
            extra |= settings_of(bot.builtin, os.environ)
        token = self._tokens.lend(bot.name)
        environment = environment_for(token, url, extra, bot.environment)
        return BotProcess(program, environment, self._on_death)

    def _on_death(self, program: Program, how: str, again: bool) -> None:
        log.warning("bot died", bot=program.bot, how=how, again=again, log=str(program.log))
        if not again:
            self._season.give_up(program.bot, f"{how} (see {program.log})")

    def _changed(self) -> None:
        self._season.changed()

    def _next_ids(self) -> dict[str, int]:
        return {name: player.session.next_id for name, player in self._players.items()}

    def _before_match(self) -> None:
        self._reserve_ids()
        self._gateway.expel_revoked()

    def _reserve_ids(self) -> None:
        self._vault.reserve(self._next_ids())


def allow_descriptors(loaded: Loaded) -> None:
    """Make sure that as many sockets and files as the config allows can be open at once.

    Raises ConfigError.
    """
    config = loaded.config
    connections, matches = config.server.max_connections, config.play.concurrent_matches
    needed = connections + matches + EACH_BOT * len(config.bots) + OVERHEAD
    allowed = raise_limit(needed + BURST)
    if allowed < needed:
        text = (
            f"{connections} connections and {matches} matches need {needed} open files; this "
            f"system allows {allowed}: lower it, or raise the limit (ulimit -Hn)"
        )
        raise ConfigError(loaded.path, "server.max_connections", text)


def tls_of(loaded: Loaded) -> ssl.SSLContext | None:
    """The certificate that a config names, or None. Raises ConfigError."""
    server = loaded.config.server
    if server.tls_cert is None or server.tls_key is None:
        return None
    folder = loaded.path.parent
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(folder / server.tls_cert, folder / server.tls_key)
    except (OSError, ssl.SSLError) as error:
        text = f"{server.tls_cert} and {server.tls_key} cannot be used: {error}"
        raise ConfigError(loaded.path, "server.tls_cert", text) from error
    return context


def _calm_garbage_collection() -> None:
    """Let the collector look at what matches make, seldom, and not at all the modules.

    Next to nothing here is in cycles, and a look at everything that a long season holds takes
    as long as many decisions.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(GC_ALLOCATIONS, 20, 50)


async def _when(event: asyncio.Event, function: Callable[[], None]) -> None:
    await event.wait()
    function()


def _authority(host: str, port: int) -> str:
    shown = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104
    return f"[{shown}]:{port}" if ":" in shown else f"{shown}:{port}"
