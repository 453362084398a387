"""The kit over real sockets: reconnects, takeovers, goodbyes, late and raising code."""

from __future__ import annotations

import asyncio
import ssl
import threading
from collections.abc import AsyncIterator
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest

from engine.game import Action
from runner.bot import Bot, Refused, Request, play
from tests.holds.attack.test_tls import certify
from tests.runner.bot import messages
from tests.runner.bot.scripted import Server, playing, scripted_server
from tests.runner.bot.toy import Pass, Pick, ToyView


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    async with scripted_server() as listening:
        yield listening


class Picker(Bot):
    def pick(self, view: ToyView) -> Pick:
        return Pick(view.below - 1)


class AsyncPicker(Bot):
    async def pick(self, view: ToyView) -> Pick:
        return Pick(view.below - 1)


class InlinePicker(Picker):
    inline = True


@pytest.mark.parametrize("bot", [Picker, AsyncPicker, InlinePicker])
async def test_a_season_from_hello_to_goodbye(bot: type[Bot], server: Server) -> None:
    async with playing(bot, server.url) as task:
        peer = await server.peer()
        hello = await peer.greet()
        assert peer.authorization == "Bearer secret"
        assert "token" not in hello
        await peer.send(messages.match_start(), messages.request(0))
        assert await peer.answer() == {"id": 0, "action": {"number": 4}}
        await peer.send(messages.request(1, "rest"))
        assert await peer.answer() == {"id": 1, "action": {"content": False}}
        await peer.send(messages.match_end())
        await peer.season_over()
        await task


async def test_max_matches_can_be_given(server: Server) -> None:
    async with playing(Picker, server.url, max_matches=9):
        assert (await (await server.peer()).greet())["maxMatches"] == 9


async def test_code_that_raises(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    class Raising(Bot):
        def pick(self, view: ToyView) -> Pick:
            raise LookupError("no such number")

        async def rest(self, view: ToyView) -> Pass:
            raise TimeoutError("the model's own")

    async with playing(Raising, server.url):
        peer = await server.peer()
        await peer.greet()
        await peer.send(messages.match_start(), messages.request(0))
        assert await peer.answer() == {"id": 0, "action": {"number": 0}}
        await peer.send(messages.request(1, "rest"))
        assert await peer.answer() == {"id": 1, "action": {"content": False}}
    assert "LookupError: no such number" in caplog.text
    assert "TimeoutError: the model's own" in caplog.text
    # The traceback begins in the author's file.
    assert "Traceback" in caplog.text
    assert "desk.py" not in caplog.text


async def test_inline_code_that_raises(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    class Raising(Bot):
        inline = True

        def decide(self, request: Request) -> Action:
            raise LookupError("no such number")

    async with playing(Raising, server.url):
        peer = await server.peer()
        await peer.greet()
        await peer.send(messages.match_start(), messages.request(0))
        assert await peer.answer() == {"id": 0, "action": {"number": 0}}
    assert "LookupError: no such number" in caplog.text


async def test_a_thread_that_runs_late_holds_up_its_own_match_only(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    go_on = threading.Event()

    class Slow(Bot):
        def pick(self, view: ToyView) -> Pick:
            if view.below == 2:
                go_on.wait(20)
            return Pick(1)

    async with playing(Slow, server.url):
        peer = await server.peer()
        await peer.greet()
        await peer.send(messages.match_start("m1"), messages.match_start("m2"))
        await peer.send(
            messages.request(0, match="m1", below=2, deadline_ms=300),
            messages.request(1, match="m2"),
        )
        # The slow match gets its default, the other one what its code says.
        answers = [await peer.answer(), await peer.answer()]
        assert sorted(answer["action"]["number"] for answer in answers) == [0, 1]
        assert {"id": 1, "action": {"number": 1}} in answers
        assert "request 0" in caplog.text
        # The next decision of the match waits for the late code and is then made as ever.
        await peer.send(messages.request(2, match="m1"))
        go_on.set()
        assert await peer.answer() == {"id": 2, "action": {"number": 1}}


async def test_a_coroutine_that_runs_late_is_cancelled(server: Server) -> None:
    cancelled = asyncio.Event()

    class Slow(Bot):
        async def pick(self, view: ToyView) -> Pick:
            if view.below == 2:
                try:
                    await asyncio.Event().wait()
                finally:
                    cancelled.set()
            return Pick(1)

    async with playing(Slow, server.url):
        peer = await server.peer()
        await peer.greet()
        await peer.send(messages.match_start())
        await peer.send(messages.request(0, below=2, deadline_ms=100))
        assert await peer.answer() == {"id": 0, "action": {"number": 0}}
        await cancelled.wait()
        await peer.send(messages.request(1))
        assert await peer.answer() == {"id": 1, "action": {"number": 1}}


async def test_calls_of_one_object_never_overlap_and_keep_their_order(server: Server) -> None:
    class Diary(Bot):
        entries: list[str]
        written = asyncio.Event()

        async def on_start(self) -> None:
            self.entries = ["start"]
            await asyncio.sleep(0)
            self.entries.append("started")

        def pick(self, view: ToyView) -> Pick:
            self.entries.append("pick")
            return Pick(0)

        def on_strike(self, strike: Any) -> None:
            self.entries.append(f"strike {strike.id}")

        async def on_end(self, end: Any) -> None:
            self.entries.append(f"end {end.reason}")
            diaries.append(self.entries)

    diaries: list[list[str]] = []
    async with playing(Diary, server.url) as task:
        peer = await server.peer()
        await peer.greet()
        await peer.send(messages.match_start(), messages.request(0))
        await peer.answer()
        await peer.send(messages.strike(0, Pick(0)), messages.match_end())
        await peer.season_over()
        await task
    assert diaries == [["start", "started", "pick", "strike 0", "end done"]]


async def test_several_matches_are_thought_about_at_once(server: Server) -> None:
    everybody = threading.Barrier(3, timeout=20)

    class Together(Bot):
        def pick(self, view: ToyView) -> Pick:
            everybody.wait()
            return Pick(view.below - 1)

    async with playing(Together, server.url):
        peer = await server.peer()
        await peer.greet()
        for n in range(3):
            await peer.send(messages.match_start(f"m{n}"))
            await peer.send(messages.request(n, match=f"m{n}", below=n + 1))
        answers = [await peer.answer() for _ in range(3)]
        assert sorted(answers, key=lambda answer: answer["id"]) == [
            {"id": n, "action": {"number": n}} for n in range(3)
        ]


async def test_an_answer_thought_of_while_away_is_given_on_return(server: Server) -> None:
    thinking, go_on = asyncio.Event(), asyncio.Event()

    class Patient(Bot):
        calls = 0

        async def pick(self, view: ToyView) -> Pick:
            Patient.calls += 1
            thinking.set()
            await go_on.wait()
            return Pick(3)

    async with playing(Patient, server.url):
        peer = await server.peer()
        await peer.greet()
        await peer.send(messages.match_start(), messages.request(0))
        await thinking.wait()
        peer.socket.transport.abort()
        peer = await server.peer()
        go_on.set()
        await peer.greet(resumed=True, open_requests=1)
        await peer.send(messages.match_start(), messages.request(0, deadline_ms=19_000))
        assert await peer.answer() == {"id": 0, "action": {"number": 3}}
        assert Patient.calls == 1


@pytest.mark.parametrize("code", [1000, 1001, 1011, 1013, 4408])
async def test_comes_back_after_a_passing_close(code: int, server: Server) -> None:
    async with playing(Picker, server.url) as task:
        await (await server.peer()).end(code, "for now")
        peer = await server.peer()
        await peer.greet()
        await peer.season_over()
        await task


async def test_comes_back_after_a_goodbye_with_a_time(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    async with playing(Picker, server.url) as task:
        peer = await server.peer()
        await peer.greet()
        await peer.send(messages.goodbye("restarting", 20))
        await peer.end(1001, "going away")
        peer = await server.peer()
        await peer.greet()
        await peer.season_over()
        await task
    assert "the server says goodbye: restarting" in caplog.text


@pytest.mark.parametrize(
    ("code", "words"), [(4401, "token"), (4403, "not entered"), (4409, "took over")]
)
async def test_stops_where_coming_back_is_hopeless(code: int, words: str, server: Server) -> None:
    async with playing(Picker, server.url) as task:
        peer = await server.peer()
        await peer.send(messages.error("refused", "the server's own words"))
        await peer.end(code)
        with pytest.raises(Refused, match=words) as refused:
            await task
    assert refused.value.code == code
    assert "the server's own words" in str(refused.value)


async def test_http_refusals_stop_the_bot_or_do_not(server: Server) -> None:
    server.refuse_with = [HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.UNAUTHORIZED]
    async with playing(Picker, server.url) as task:
        with pytest.raises(Refused, match="HTTP status 401"):
            await task
    assert server.refuse_with == []


async def test_another_protocol_is_refused() -> None:
    async with scripted_server("chat.v2") as server, playing(Picker, server.url) as task:
        with pytest.raises(Refused, match="does not speak"):
            await task


async def test_patience_ends() -> None:
    async with scripted_server() as server:
        url = server.url
    async with playing(Picker, url, patience_s=0.0) as task:
        with pytest.raises(Refused, match="cannot connect"):
            await task


async def test_an_address_that_is_none_is_refused() -> None:
    async with playing(Picker, "http://example.test/play") as task:
        with pytest.raises(Refused, match="not the address of a server"):
            await task


@pytest.mark.parametrize(
    "url",
    [
        "ws://alice@127.0.0.1:1/play",
        "ws://alice:s3cret@127.0.0.1:1/play",
        "ws://:s3cret@127.0.0.1:1/play",
        "ws://127.0.0.1:1/play?token=s3cret",
    ],
)
async def test_an_address_with_secrets_is_refused_and_not_shown(
    url: str, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(Refused, match="a user, a password or a query") as refused:
        await asyncio.wait_for(play(Picker, url, "token"), 10)
    assert "cret" not in caplog.text + str(refused.value)
    assert "alice" not in caplog.text + str(refused.value)


async def test_an_address_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(Refused, match="not the address of a server"):
        await asyncio.wait_for(play(Picker, "ws://[/play", "token"), 10)


async def test_tls_to_a_port_without_it_is_told(server: Server) -> None:
    url = server.url.replace("ws://", "wss://")
    async with playing(Picker, url, patience_s=0.0) as task:
        with pytest.raises(Refused, match=r"has the server TLS\? If not, .* begins with ws://"):
            await task


async def test_no_tls_to_a_port_with_it_is_told(tmp_path: Path) -> None:
    certify(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    async with (
        scripted_server(tls=context) as server,
        playing(Picker, server.url, patience_s=0.0) as task,
    ):
        with pytest.raises(Refused, match=r"has the server TLS\? Then .* begins with wss://"):
            await task


async def test_who_is_not_there_has_no_hint_about_tls() -> None:
    async with scripted_server() as server:
        url = server.url
    async with playing(Picker, url, patience_s=0.0) as task:
        with pytest.raises(Refused) as refused:
            await task
    assert "TLS" not in str(refused.value)


@pytest.mark.parametrize("token", ["s3cret\n", "s3 cret", "s3cret\u2026", ""])
async def test_a_token_that_can_be_none_is_refused_and_not_shown(
    token: str, server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(Refused, match="the token has a space, a line break or") as refused:
        await asyncio.wait_for(play(Picker, server.url, token), 10)
    assert "cret" not in caplog.text + str(refused.value)


async def test_inline_is_for_plain_methods() -> None:
    class Mixed(AsyncPicker):
        inline = True

    with pytest.raises(TypeError, match="async def"):
        await play(Mixed, "ws://127.0.0.1:1/play", "secret")


async def test_the_end_of_the_season_does_not_wait_for_late_code(server: Server) -> None:
    started, let_go = threading.Event(), threading.Event()

    class Endless(Bot):
        def pick(self, view: ToyView) -> Pick:
            started.set()
            let_go.wait(20)
            return Pick(0)

    async with playing(Endless, server.url) as task:
        peer = await server.peer()
        await peer.greet()
        await peer.send(messages.match_start(), messages.request(0, deadline_ms=60_000))
        await asyncio.to_thread(started.wait, 20)
        await peer.season_over()
        await task
    let_go.set()


async def test_stopping_the_bot_closes_its_connection(server: Server) -> None:
    async with playing(Picker, server.url) as task:
        peer = await server.peer()
        await peer.greet()
        task.cancel()
        await peer.socket.wait_closed()
        assert peer.socket.close_code == 1001
