"""A bot that answers twice: the first answer counts."""

from __future__ import annotations

from pathlib import Path

from tests.bots.duel import duel
from tests.bots.honest import honest
from tests.runner.ladder import House
from tests.runner.rawbot import RawBot


async def double(house: House, bot: RawBot) -> None:
    """Says 3 and then 9, in one packet, and once more when the match has gone on."""
    request = await bot.hear("request")
    for number in (3, 9):
        bot.socket.protocol.send_text(
            b'{"id": %d, "action": {"number": %d}}' % (request["id"], number)
        )
    bot.socket.send_data()
    error = await bot.hear("error")
    assert (error["code"], error["id"]) == ("duplicate_answer", request["id"])
    await bot.answer(await bot.hear("request"), number=1)
    await bot.send({"id": request["id"], "error": "I take it back"})
    error = await bot.hear("error")
    assert (error["code"], error["id"]) == ("duplicate_answer", request["id"])
    await honest(bot)
    assert bot.of_type("strike") == []


async def test_the_first_answer_counts(tmp_path: Path) -> None:
    ladder = await duel(tmp_path, double)
    assert ladder.faults("ann") == []
    found = ladder.transcript()
    seat = found.header.players.index("ann")
    actions = [bytes(d.action) for d in found.decisions if d.seat == seat]
    assert actions[0] == b'{"number":3}'
    assert set(actions[1:]) == {b'{"number":1}'}


async def test_a_legal_answer_after_an_illegal_one_is_a_duplicate(tmp_path: Path) -> None:
    async def think_again(house: House, bot: RawBot) -> None:
        request = await bot.hear("request")
        await bot.answer(request, number=7)
        await bot.answer(request, number=8)
        assert (await bot.hear("strike"))["code"] == "no_sevens"
        assert (await bot.hear("error"))["code"] == "duplicate_answer"
        await honest(bot)

    ladder = await duel(tmp_path, think_again)
    assert ladder.faults("ann") == [("illegal", "no_sevens")]
