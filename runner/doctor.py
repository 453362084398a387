"""A look at everything that a season needs, before it begins: what is well and what to mend."""

from __future__ import annotations

import datetime
import os
import shutil
import socket
import ssl
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, TypeAlias

from cryptography import x509
from msgspec import Struct

from ratings.errors import LedgerError
from runner.app import LEDGER, allow_descriptors, open_ledger, tls_of
from runner.bots import configured
from runner.bots.configured import SettingsError
from runner.config import ConfigError, Loaded
from runner.tokens import TokenBook, TokenError
from runner.vault import Vault, VaultError

State: TypeAlias = Literal["well", "warning", "ill"]

DISK_WARNING_BYTES = 1 << 30
DISK_ILL_BYTES = 50 << 20
CERTIFICATE_WARNING_DAYS = 14
# Words of a command with these endings are taken for files that it needs; what they are run by.
SCRIPTS = {".py": "python", ".js": "node"}
# A clock before this day is one that was never set.
OLDEST_CLOCK = datetime.datetime(2025, 1, 1, tzinfo=datetime.UTC)
COARSE_CLOCK_SECONDS = 0.001


class Finding(Struct, frozen=True):
    """What was looked at, how it is, and for what is not well, what to do."""

    subject: str
    state: State
    text: str


def examine(loaded: Loaded) -> Iterator[Finding]:
    """Look at the config's data directory, disk, ledger, port, bots, clock and certificate."""
    yield Finding("config", "well", f"{loaded.path} can be used")
    for look in (_data, _disk, _ledger, _port, _descriptors, _bots, _tokens, _clock, _certificate):
        yield from look(loaded)


def _data(loaded: Loaded) -> Iterator[Finding]:
    try:
        with Vault(loaded.data) as vault, tempfile.TemporaryFile(dir=loaded.data) as file:
            file.write(b"x")
            file.flush()
            os.fsync(file.fileno())
            over = vault.closed
    except VaultError as error:
        yield Finding("data", "ill", str(error))
    except OSError as error:
        text = f"cannot write to {loaded.data}: {error.strerror}; choose another season.data"
        yield Finding("data", "ill", text)
    else:
        yield Finding("data", "well", f"{loaded.data} can be written and is not in use")
        if over:
            text = "is over, and its secret published; choose another season.name and season.data"
            yield Finding("season", "ill", text)


def _disk(loaded: Loaded) -> Iterator[Finding]:
    try:
        free = shutil.disk_usage(loaded.data).free
    except OSError as error:
        yield Finding("disk", "ill", f"{loaded.data}: {error.strerror}")
        return
    text = f"{free / (1 << 20):,.0f} MiB are free; a match takes about 0.1 MiB"
    state: State = "well"
    if free < DISK_WARNING_BYTES:
        state = "ill" if free < DISK_ILL_BYTES else "warning"
        text += "; make room, or choose another season.data"
    yield Finding("disk", state, text)


def _ledger(loaded: Loaded) -> Iterator[Finding]:
    if not (loaded.data / LEDGER).exists():
        yield Finding("ledger", "well", "none yet: it is made when the season begins")
        return
    try:
        with open_ledger(loaded, create=False) as ledger:
            text = f"{ledger.matches_played} matches, of the version that this program writes"
            yield Finding("ledger", "well", text)
    except LedgerError as error:
        yield Finding("ledger", "ill", str(error))


def _port(loaded: Loaded) -> Iterator[Finding]:
    server, admin = loaded.config.server, loaded.config.admin
    yield _listening("port", "server", server.host, server.port)
    if admin is not None:
        yield _listening("admin port", "admin", "127.0.0.1", admin.port)


def _listening(subject: str, table: str, host: str, port: int) -> Finding:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        for family, kind, protocol, _, address in found:
            with socket.socket(family, kind, protocol) as trial:
                trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                trial.bind(address)
                trial.listen()
    except OSError as error:
        text = f"cannot listen on {host}:{port}: {error.strerror}; change {table}.port or its host"
        return Finding(subject, "ill", text)
    return Finding(subject, "well", f"{host}:{port} is free" if port else f"any free one of {host}")


def _descriptors(loaded: Loaded) -> Iterator[Finding]:
    try:
        allow_descriptors(loaded)
    except ConfigError as error:
        yield Finding("open files", "ill", f"{error.key}: {error.message}")
    else:
        yield Finding("open files", "well", "as many as connections and matches need")


def _bots(loaded: Loaded) -> Iterator[Finding]:
    for index, bot in enumerate(loaded.config.bots):
        if bot.builtin is not None:
            try:
                configured(bot.builtin, os.environ)
            except SettingsError as error:
                yield Finding("bots", "ill", f"bots[{index}] ({bot.name}): {error}")
                return
        if bot.command is None:
            continue
        folder = loaded.path.parent
        program = bot.command[0]
        found = shutil.which(program if os.sep not in program else str(folder / program))
        if found is None:
            text = f"bots[{index}] ({bot.name}): there is no program {program!r}"
            by = SCRIPTS.get(Path(program).suffix)
            if by is not None and (folder / program).exists():
                text += f'; a script needs one: command = ["{by}", "{program}"]'
            yield Finding("bots", "ill", text)
            return
        for word in bot.command[1:]:
            if Path(word).suffix in SCRIPTS and not (folder / word).exists():
                text = f"bots[{index}] ({bot.name}): there is no file {folder / word}"
                yield Finding("bots", "ill", text)
                return
    yield Finding("bots", "well", f"{len(loaded.config.bots)} bots, their programs are there")


def _tokens(loaded: Loaded) -> Iterator[Finding]:
    remote = [bot.name for bot in loaded.config.bots if bot.remote]
    try:
        without = sorted(set(remote) - set(TokenBook(loaded.data).names()))
    except TokenError as error:
        yield Finding("tokens", "ill", str(error))
        return
    if without:
        text = f"none for {', '.join(without)}: `pioneers token issue {loaded.path} NAME`"
        yield Finding("tokens", "warning", text)
    elif remote:
        yield Finding("tokens", "well", f"all {len(remote)} remote bots have one")


def _clock(_: Loaded) -> Iterator[Finding]:
    """The wall clock dates results, the steady one measures answer times."""
    now = datetime.datetime.now(datetime.UTC)
    resolution = time.get_clock_info("perf_counter").resolution
    if now < OLDEST_CLOCK:
        text = f"says {now:%Y-%m-%d %H:%M} UTC, which is in the past; set it"
        yield Finding("clock", "ill", text)
    elif resolution > COARSE_CLOCK_SECONDS:
        text = f"answer times are measured in steps of {resolution * 1000:.1f} ms here"
        yield Finding("clock", "warning", text)
    else:
        text = f"{now:%Y-%m-%d %H:%M} UTC; answer times in steps of {resolution * 1e9:.0f} ns"
        yield Finding("clock", "well", text)


def _certificate(loaded: Loaded) -> Iterator[Finding]:
    server = loaded.config.server
    try:
        context = tls_of(loaded)
    except ConfigError as error:
        yield Finding("certificate", "ill", f"{error.key}: {error.message}")
        return
    if context is None or server.tls_cert is None:
        if server.host not in ("127.0.0.1", "::1", "localhost"):
            text = "none: tokens cross the network in the clear; set server.tls_cert and tls_key"
            yield Finding("certificate", "warning", text)
        return
    yield _expiry((loaded.path.parent / server.tls_cert).read_bytes())


def _expiry(pem: bytes) -> Finding:
    certificate = x509.load_pem_x509_certificate(pem)
    now = datetime.datetime.now(datetime.UTC)
    ends = certificate.not_valid_after_utc
    if now < certificate.not_valid_before_utc:
        begins = certificate.not_valid_before_utc
        return Finding("certificate", "ill", f"is not valid before {begins:%Y-%m-%d %H:%M} UTC")
    if ends <= now:
        return Finding("certificate", "ill", f"has expired on {ends:%Y-%m-%d}; get a new one")
    days = (ends - now).days
    text = f"is valid for {days} more days, {ssl.OPENSSL_VERSION}"
    if days < CERTIFICATE_WARNING_DAYS:
        return Finding("certificate", "warning", f"{text}; renew it")
    return Finding("certificate", "well", text)
