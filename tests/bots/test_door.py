"""Bots that knock in the wrong way: each gets the close code that the protocol has for it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

from engine.chance import commitment
from runner import protocol as wire
from runner.door import FAILED_TRIES
from runner.tokens import FILE
from tests.bots.honest import honest
from tests.runner.ladder import SECRET, House, Ladder
from tests.runner.rawbot import RawBot

ROUNDS = [[0], [1], [0, 1]]


async def _refused(bot: RawBot, **hello: object) -> tuple[str, int]:
    """Greet and be refused: the code of the error and of the close."""
    error = await bot.hello(**hello)
    assert error["type"] == "error"
    assert error["message"]
    code, _ = await bot.closed()
    assert len(bot.heard) == 1, "an error, a close, and nothing else"
    return error["code"], code


async def _season_goes_on(ladder: Ladder, house: House) -> None:
    """Nothing that happened at the door keeps a season from being played."""
    bots = [await house.connect(name) for name in ladder.tokens]
    await asyncio.gather(*map(honest, bots))
    assert (await house.over()).finished
    assert ladder.faults("ann") == []


async def test_an_unknown_token_is_refused(tmp_path: Path) -> None:
    ladder = Ladder(tmp_path, rounds=ROUNDS)
    async with ladder.run() as house:
        stranger = house.keep(await RawBot.dial(house.url, "guess"))
        assert await _refused(stranger) == ("unknown_token", 4401)
        await _season_goes_on(ladder, house)


async def test_a_bot_without_a_token_is_refused(tmp_path: Path) -> None:
    async with Ladder(tmp_path, rounds=ROUNDS).run() as house:
        stranger = house.keep(await RawBot.dial(house.url, None))
        assert await _refused(stranger) == ("no_token", 4401)


async def test_a_token_may_come_in_hello(tmp_path: Path) -> None:
    ladder = Ladder(tmp_path, rounds=ROUNDS)
    async with ladder.run() as house:
        bot = house.keep(await RawBot.dial(house.url, None))
        welcome = await bot.hello(token=ladder.tokens["bob"])
        assert (welcome["type"], welcome["bot"]) == ("welcome", "bob")


async def test_the_header_counts_before_hello(tmp_path: Path) -> None:
    ladder = Ladder(tmp_path, rounds=ROUNDS)
    async with ladder.run() as house:
        bot = await house.dial("ann")
        assert (await bot.hello(token=ladder.tokens["bob"]))["bot"] == "ann"


@pytest.mark.parametrize("token", ["", "ü", "\N{GAME DIE}", "a b"])
async def test_a_token_of_any_characters_is_only_unknown(token: str, tmp_path: Path) -> None:
    async with Ladder(tmp_path, rounds=ROUNDS).run() as house:
        bot = house.keep(await RawBot.dial(house.url, None))
        assert await _refused(bot, token=token) == ("unknown_token", 4401)


async def test_a_bot_that_is_not_entered_is_refused(tmp_path: Path) -> None:
    ladder = Ladder(tmp_path, rounds=ROUNDS)
    token = ladder.book.issue("carl")
    async with ladder.run() as house:
        stranger = house.keep(await RawBot.dial(house.url, token))
        assert await _refused(stranger) == ("not_entered", 4403)
        assert "carl" in stranger.heard[0]["message"]


async def test_a_revoked_token_lets_nobody_in_while_the_season_runs(tmp_path: Path) -> None:
    ladder = Ladder(tmp_path, rounds=ROUNDS)
    async with ladder.run() as house:
        await house.connect("ann")
        ladder.book.revoke("ann")
        assert await _refused(await house.dial("ann")) == ("unknown_token", 4401)
        ladder.tokens["ann"] = ladder.book.issue("ann")
        await _season_goes_on(ladder, house)


async def test_bad_tokens_of_others_keep_no_good_one_out(tmp_path: Path) -> None:
    """All of them come from one address, as bots on one machine do."""
    ladder = Ladder(tmp_path, rounds=ROUNDS)
    async with ladder.run() as house:
        refusals = []
        for n in range(FAILED_TRIES + 5):
            stranger = house.keep(await RawBot.dial(house.url, f"guess {n}"))
            refusals.append(await _refused(stranger))
        assert refusals[0] == ("unknown_token", 4401)
        assert refusals[-1] == ("too_many_tries", 4401)
        await _season_goes_on(ladder, house)


async def test_tokens_that_cannot_be_read_are_nobodys_fault(tmp_path: Path) -> None:
    ladder = Ladder(tmp_path, rounds=ROUNDS)
    async with ladder.run() as house:
        file = ladder.loaded.data / FILE
        good = file.read_bytes()
        file.write_text("{")
        assert await _refused(await house.dial("ann")) == ("not_now", 1013)
        file.write_bytes(good)
        await _season_goes_on(ladder, house)


async def test_a_full_house_turns_bots_away(tmp_path: Path) -> None:
    ladder = Ladder(tmp_path, rounds=ROUNDS, max_connections=2)
    async with ladder.run() as house:
        waiting = [await house.dial("ann"), await house.dial("ann")]
        third = await house.dial("bob")
        assert (await third.closed())[0] == 1013
        for bot in waiting:
            await bot.socket.close()
        await _season_goes_on(ladder, house)


@pytest.mark.parametrize("path", ["/", "/play/", "/play?token=x", "/Play", "/play/../play"])
async def test_another_path_is_not_found(path: str, tmp_path: Path) -> None:
    ladder = Ladder(tmp_path, rounds=ROUNDS)
    async with ladder.run() as house:
        wrong = house.url.removesuffix(wire.PATH) + path
        with pytest.raises(InvalidStatus) as refused:
            await RawBot.dial(wrong, ladder.tokens["ann"])
        assert refused.value.response.status_code == 404
        assert wire.PATH.encode() in refused.value.response.body


async def test_another_subprotocol_is_refused(tmp_path: Path) -> None:
    ladder = Ladder(tmp_path, rounds=ROUNDS)
    async with ladder.run() as house:
        with pytest.raises(InvalidStatus) as refused:
            await house.dial("ann", subprotocols=("pioneers.v2", "chat"))
        assert refused.value.response.status_code == 400
        assert wire.SUBPROTOCOL.encode() in refused.value.response.body


async def test_ours_is_chosen_among_the_subprotocols(tmp_path: Path) -> None:
    async with Ladder(tmp_path, rounds=ROUNDS).run() as house:
        bot = await house.dial("ann", subprotocols=("chat", wire.SUBPROTOCOL))
        assert bot.socket.subprotocol == wire.SUBPROTOCOL


async def test_a_client_that_offers_no_subprotocol_may_play(tmp_path: Path) -> None:
    async with Ladder(tmp_path, rounds=ROUNDS).run() as house:
        bot = await house.dial("ann", subprotocols=())
        assert bot.socket.subprotocol is None
        assert (await bot.hello())["type"] == "welcome"


async def test_no_hello_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ladder = Ladder(tmp_path, rounds=ROUNDS)
    async with ladder.run() as house:
        with monkeypatch.context() as patch:
            patch.setattr(wire, "HELLO_SECONDS", 0.05)
            mute = await house.dial("ann")
        assert await mute.closed() == (4400, "no hello in time")
        await _season_goes_on(ladder, house)


async def test_no_handshake_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with Ladder(tmp_path, rounds=ROUNDS).run() as house:
        with monkeypatch.context() as patch:
            patch.setattr(wire, "HELLO_SECONDS", 0.05)
            host, port = house.url.removeprefix("ws://").removesuffix(wire.PATH).split(":")
            reader, writer = await asyncio.open_connection(host, int(port))
            writer.write(b"GET /play HTTP/1.1\r\n")
            assert await reader.read() == b""
            writer.close()
            await writer.wait_closed()


BAD_GREETINGS = {
    "an answer": ('{"id": 0, "action": {"number": 1}}', "bad_hello"),
    "no type": ('{"protocol": 1}', "bad_hello"),
    "another type": ('{"type": "howdy", "protocol": 1}', "bad_hello"),
    "no places": ('{"type": "hello", "maxMatches": 0}', "bad_hello"),
    "too many places": ('{"type": "hello", "maxMatches": 1001}', "bad_hello"),
    "a field of another type": ('{"type": "hello", "events": "yes"}', "bad_hello"),
    "a long name": ('{"type": "hello", "client": "' + 101 * "x" + '"}', "bad_hello"),
    "another version": ('{"type": "hello", "protocol": 2}', "unsupported_protocol"),
    "half an object": ('{"type": "hello"', "malformed_frame"),
    "nothing": ("", "malformed_frame"),
    "a list": ("[]", "bad_hello"),
    "no end of lists": ('{"type": "hello", "x": ' + 20_000 * "[", "malformed_frame"),
    "a lone surrogate": ('{"type": "hello", "token": "\\ud800"}', "malformed_frame"),
}


@pytest.mark.parametrize(("greeting", "code"), BAD_GREETINGS.values(), ids=BAD_GREETINGS)
async def test_a_bad_greeting(greeting: str, code: str, tmp_path: Path) -> None:
    async with Ladder(tmp_path, rounds=ROUNDS).run() as house:
        bot = await house.dial("ann")
        await bot.send(greeting)
        error = await bot.hear()
        assert (error["type"], error["code"]) == ("error", code)
        assert (await bot.closed())[0] == 4400


async def test_fields_that_nobody_knows_are_ignored(tmp_path: Path) -> None:
    async with Ladder(tmp_path, rounds=ROUNDS).run() as house:
        bot = await house.dial("ann")
        assert (await bot.hello(mood="good", capabilities={"x": [1]}))["type"] == "welcome"


async def test_a_second_hello_is_told_so_and_changes_nothing(tmp_path: Path) -> None:
    ladder = Ladder(tmp_path, rounds=ROUNDS)
    async with ladder.run() as house:
        ann, bob = await house.connect("ann"), await house.connect("bob")
        await ann.send({"type": "hello", "protocol": 1, "version": "2"})
        error = await ann.hear("error")
        assert error == {"type": "error", "code": "unexpected_hello", "message": error["message"]}
        await asyncio.gather(honest(ann), honest(bob))
        assert (await house.over()).finished
    assert ladder.faults("ann") == []
    assert ladder.transcript().header.versions == ("", "")


async def test_hello_and_goodbye_in_one_breath(tmp_path: Path) -> None:
    """A bot that greets and closes at once is gone, and can come back."""
    ladder = Ladder(tmp_path, rounds=ROUNDS)
    async with ladder.run() as house:
        hasty = await house.dial("ann")
        hasty.socket.protocol.send_text(b'{"type": "hello"}')
        hasty.socket.protocol.send_close(1000)
        hasty.socket.send_data()
        assert (await hasty.closed())[0] == 1000
        await _season_goes_on(ladder, house)


async def test_welcome_names_bot_season_and_commitment(tmp_path: Path) -> None:
    ladder = Ladder(tmp_path, rounds=ROUNDS)
    async with ladder.run() as house:
        bot = await house.dial("ann")
        assert await bot.hello() == {
            "type": "welcome",
            "protocol": 1,
            "bot": "ann",
            "season": "test",
            "commitment": commitment(bytes.fromhex(SECRET)),
            "resumed": False,
            "openRequests": 0,
        }
