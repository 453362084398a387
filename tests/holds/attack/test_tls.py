"""Encrypted connections, with a certificate made for the test and a handshake that is real."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import errno
import ipaddress
import os
import socket
import ssl
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from runner import door, handshake
from runner import protocol as wire
from runner.config import Loaded, load
from tests.bots.honest import honest
from tests.runner.command import run, write_config
from tests.runner.ladder import House, Ladder
from tests.runner.rawbot import RawBot
from tests.runner.rounds import Rounds

ROUNDS = [[0], [1], [0, 1]]


def certify(folder: Path, days: int = 30) -> ssl.SSLContext:
    """Write `cert.pem` and `key.pem` for 127.0.0.1, good for `days`; returns what trusts them."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "ladder")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=10))
        .not_valid_after(now + datetime.timedelta(days=days))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]),
            critical=False,
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "cert.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    (folder / "key.pem").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return ssl.create_default_context(cafile=str(folder / "cert.pem"))


class TlsLadder(Ladder):
    """A season behind a certificate."""

    def __init__(
        self, folder: Path, rounds: Sequence[Sequence[int]] = ROUNDS, **settings: Any
    ) -> None:
        super().__init__(folder, rounds=rounds, **settings)
        self.trust = certify(folder)
        text = self.loaded.path.read_text(encoding="utf-8")
        files = '[server]\ntls_cert = "cert.pem"\ntls_key = "key.pem"\n'
        self.loaded.path.write_text(text.replace("[server]\n", files), encoding="utf-8")
        self.loaded: Loaded = load(self.loaded.path, games={"rounds": Rounds}, builtins={})


async def encrypted(house: House, ladder: TlsLadder, name: str, **hello: Any) -> RawBot:
    """A bot that is in, over TLS."""
    connected = await connect(
        house.url,
        ssl=ladder.trust,
        additional_headers={"Authorization": f"Bearer {ladder.tokens[name]}"},
        subprotocols=[Subprotocol(wire.SUBPROTOCOL)],
        compression=None,
        proxy=None,
        max_size=None,
    )
    bot = house.keep(RawBot(connected))
    assert (await bot.hello(**hello))["type"] == "welcome"
    return bot


async def test_a_match_over_tls(tmp_path: Path) -> None:
    ladder = TlsLadder(tmp_path)
    async with ladder.run() as house:
        assert house.url.startswith("wss://")
        bots = [await encrypted(house, ladder, name) for name in ladder.tokens]
        await asyncio.gather(*map(honest, bots))
        assert (await house.over()).finished
    assert ladder.faults("ann") == []


async def test_the_runners_own_programs_need_no_certificate(tmp_path: Path) -> None:
    """They run beside the runner, where nobody is called what a certificate says."""
    certify(tmp_path)
    path = write_config(tmp_path, {name: {"builtin": "random"} for name in ("ann", "bob", "cat")})
    text = path.read_text(encoding="utf-8")
    files = '[server]\ntls_cert = "cert.pem"\ntls_key = "key.pem"\n'
    path.write_text(text.replace("[server]\n", files), encoding="utf-8")
    ended = await run("season", "run", path)
    assert (ended.status, ended.err) == (0, "")
    assert "wss://127.0.0.1:" in ended.out
    assert "1 matches count" in ended.out


async def test_who_does_not_trust_the_certificate_sends_no_token(tmp_path: Path) -> None:
    ladder = TlsLadder(tmp_path)
    async with ladder.run() as house:
        ladder.trust = ssl.create_default_context()
        with pytest.raises(ssl.SSLCertVerificationError):
            await encrypted(house, ladder, "ann")


async def test_plain_words_at_a_tls_port_lead_nowhere(tmp_path: Path) -> None:
    ladder = TlsLadder(tmp_path)
    async with ladder.run() as house:
        host, port = house.url.removeprefix("wss://").removesuffix(wire.PATH).split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(b"GET /play HTTP/1.1\r\n\r\n")
        with contextlib.suppress(ConnectionError):
            assert b"HTTP" not in await reader.read()
        writer.close()
        bots = [await encrypted(house, ladder, name) for name in ladder.tokens]
        await asyncio.gather(*map(honest, bots))
        assert (await house.over()).finished


async def test_a_tls_handshake_that_is_never_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire, "HELLO_SECONDS", 0.3)
    ladder = TlsLadder(tmp_path)
    async with ladder.run() as house:
        host, port = house.url.removeprefix("wss://").removesuffix(wire.PATH).split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        with contextlib.suppress(ConnectionError):
            assert await reader.read() == b""
        writer.close()


async def _say_nothing(house: House) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection that never begins its handshake."""
    host, port = house.url.removeprefix("wss://").removesuffix(wire.PATH).split(":")
    return await asyncio.open_connection(host, int(port))


async def _cut_off(stranger: tuple[asyncio.StreamReader, asyncio.StreamWriter]) -> None:
    """Wait until the server has ended a connection, without a word."""
    reader, writer = stranger
    with contextlib.suppress(ConnectionError):
        assert await reader.read() == b""
    writer.close()


async def test_handshakes_are_counted_from_their_first_byte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire, "HELLO_SECONDS", 3600.0)
    monkeypatch.setattr(door, "SLACK", 0)
    ladder = TlsLadder(tmp_path, max_connections=4)
    async with ladder.run() as house:
        bots = [await encrypted(house, ladder, name) for name in ladder.tokens]
        silent = [await _say_nothing(house) for _ in range(2)]
        await _cut_off(await _say_nothing(house))  # one more than there may be
        await asyncio.gather(*map(honest, bots))
        assert (await house.over()).finished
        for stranger in silent:  # nobody waits for them
            await _cut_off(stranger)
    assert ladder.faults("ann") == []


async def test_a_handshake_that_failed_is_not_counted_any_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door, "SLACK", 0)
    ladder = TlsLadder(tmp_path, max_connections=2)
    async with ladder.run() as house:
        with monkeypatch.context() as patch:
            patch.setattr(wire, "HELLO_SECONDS", 0.1)
            for stranger in [await _say_nothing(house) for _ in range(2)]:
                await _cut_off(stranger)
        for _ in range(2):
            stranger = await _say_nothing(house)
            stranger[1].write(b"GET /play HTTP/1.1\r\n\r\n")
            with contextlib.suppress(ConnectionError):
                await stranger[0].read()
            stranger[1].close()
        bots = [await encrypted(house, ladder, name) for name in ladder.tokens]
        await asyncio.gather(*map(honest, bots))
        assert (await house.over()).finished


async def test_a_runner_without_open_files_left_counts_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_more(transport: asyncio.BaseTransport) -> socket.socket:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr(door, "SLACK", 0)
    ladder = TlsLadder(tmp_path, max_connections=2)
    async with ladder.run() as house:
        with monkeypatch.context() as patch:
            patch.setattr(handshake, "duplicate", no_more)
            for _ in range(3):
                await _cut_off(await _say_nothing(house))
        bots = [await encrypted(house, ladder, name) for name in ladder.tokens]
        await asyncio.gather(*map(honest, bots))
        assert (await house.over()).finished
