"""The HTTP side over a real socket: what is sent, and every way in which it can go wrong."""

from __future__ import annotations

import asyncio
import gzip
import socket

import pytest

from runner.bots.llm.adviser import Message, ModelError
from runner.bots.llm.endpoint import MOST_BYTES, Endpoint
from runner.bots.llm.settings import Settings
from tests.runner.bots.llm.fake import completion, response, serving

KEY = "sk-Secret/1"
ASKED = (Message("system", "rules"), Message("user", "which?"))


async def complete(url: str, key: str | None = KEY) -> str:
    async with asyncio.timeout(20):
        return await Endpoint(Settings(url, "tiny", key)).complete(ASKED)


async def failure(answer: bytes) -> ModelError:
    """How asking an endpoint fails that sends `answer`."""
    with serving(lambda *_: answer) as fake, pytest.raises(ModelError) as caught:
        await complete(fake.url)
    assert KEY not in f"{caught.value!r} {caught.value.__cause__!r}"
    return caught.value


async def test_what_is_sent_and_read() -> None:
    with serving(lambda *_: completion("four")) as fake:
        assert await complete(fake.url) == "four"
    (sent,) = fake.sent
    assert sent.line == "POST /v1/chat/completions HTTP/1.1"
    assert sent.headers["authorization"] == f"Bearer {KEY}"
    assert sent.headers["content-type"] == "application/json"
    assert sent.json() == {
        "model": "tiny",
        "messages": [
            {"role": "system", "content": "rules"},
            {"role": "user", "content": "which?"},
        ],
    }


async def test_without_a_key_none_is_sent() -> None:
    with serving(lambda *_: completion("four")) as fake:
        await complete(fake.url, key=None)
    assert "authorization" not in fake.sent[0].headers


async def test_proxies_and_passwords_of_the_environment_are_left_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    with serving(lambda *_: completion("four")) as fake:
        assert await complete(fake.url) == "four"


@pytest.mark.parametrize(
    ("status", "body", "told"),
    [
        ("500 Internal Server Error", b"out of\x1b[2J memory", r"out of\x1b[2J memory"),
        ("429 Too Many Requests", b'{"error": "slow down"}', '{"error": "slow down"}'),
        ("404 Not Found", b"", "no text"),
        ("400 Bad Request", b"x" * 10_000, "xxx…"),
        ("400 Bad Request", b"\xff", "\ufffd"),
        ("400 Bad Request", b"you sent Bearer sk-Secret/1", "you sent Bearer [key]"),
        ("401 Unauthorized", rb"bad key sk-Secret\/1", "the key in PIONEERS_LLM_KEY is refused"),
        ("204 No Content", b"", "no text"),
    ],
)
async def test_statuses_that_are_no_answer(status: str, body: bytes, told: str) -> None:
    error = await failure(response(body, status))
    assert error.cause == f"status {status[:3]}"
    assert told in error.detail
    assert len(error.detail) <= 200


async def test_redirects_are_not_followed() -> None:
    with serving(lambda *_: completion("four")) as elsewhere:
        error = await failure(response(b"", "307 Temporary Redirect", Location=elsewhere.url))
    assert error.cause == "status 307"
    assert "not followed" in error.detail
    assert elsewhere.sent == []


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>four</html>",
        b"\xff\xfe",
        b"[]",
        b"{}",
        b'{"choices": []}',
        b'{"choices": [{"message": {}}]}',
        b'{"choices": [{"message": {"content": null}}]}',
        b'{"choices": [{"message": {"content": 4}}]}',
        b'{"choices": [{"message": {"content": "\xff"}}]}',
        b'{"choices": ' + b"[" * 100_000,
    ],
)
async def test_what_is_no_completion(body: bytes) -> None:
    assert (await failure(response(body))).cause == "no chat completion"


async def test_an_answer_compressed_against_our_wish_is_not_unpacked() -> None:
    bomb = gzip.compress(b" " * 10_000_000)
    headers = {"Content-Encoding": "gzip"}
    assert (await failure(response(bomb, **headers))).cause == "no chat completion"


async def test_an_endless_answer_is_cut_off() -> None:
    endless = b"HTTP/1.1 200 OK\r\n\r\n" + b" " * (64 * MOST_BYTES)
    with serving(lambda *_: endless) as fake:
        with pytest.raises(ModelError) as caught:
            await complete(fake.url)
        assert caught.value.cause == "too long"
        assert await asyncio.to_thread(fake.cut_short.wait, 20), "the connection was closed"


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{",
        b"SSH-2.0-OpenSSH_9.9\r\n",
        b"\x15\x03\x01\x00\x02\x02\x50",
        b"HTTP/1.1 200 OK\r\n" + b"X-Long: " + b"x" * 300_000,
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n",
    ],
)
async def test_what_is_not_http(answer: bytes) -> None:
    assert (await failure(answer)).cause == "the exchange broke off"


async def test_nobody_there() -> None:
    with socket.socket() as taken:  # bound and not listening, so that nobody else is
        taken.bind(("127.0.0.1", 0))
        with pytest.raises(ModelError) as caught:
            await complete(f"http://127.0.0.1:{taken.getsockname()[1]}/v1")
    assert caught.value.cause == "cannot be reached"


async def test_no_tls_where_it_was_asked_for() -> None:
    with serving(lambda *_: response(b"")) as fake, pytest.raises(ModelError) as caught:
        await complete(fake.url.replace("http://", "https://"))
    assert caught.value.cause == "cannot be reached"
