"""A bot whose answers are no actions, or none that the rules allow."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tests.bots.duel import DECISIONS, DEFAULT, duel
from tests.bots.honest import honest
from tests.runner.ladder import House
from tests.runner.rawbot import RawBot

# The answer but for its id, the code of the strike, and a word that the message must have.
BAD_ANSWERS = {
    "against a rule": ('"action": {"number": 7}', "no_sevens", "7"),
    "out of bounds": ('"action": {"number": 10}', "malformed", "number"),
    "of another type": ('"action": {"number": "1"}', "malformed", "number"),
    "a number that is too big": ('"action": {"number": 1' + 300 * "0" + "}", "malformed", "number"),
    "a number past all bounds": ('"action": {"number": 1e999}', "malformed", "number"),
    "a field is missing": ('"action": {}', "malformed", "number"),
    "null": ('"action": null', "malformed", "null"),
    "a list": ('"action": [1]', "malformed", "array"),
    "text": ('"action": "say 1"', "malformed", "str"),
    "no action": ('"acton": {"number": 1}', "malformed", "`action`"),
    "a nested action": (
        '"action": {"number": ' + 500 * "[" + 500 * "]" + "}",
        "malformed",
        "number",
    ),
    "an error that is no text": ('"error": 5', "malformed", "error"),
}


@pytest.mark.parametrize(("answer", "code", "word"), BAD_ANSWERS.values(), ids=BAD_ANSWERS)
async def test_a_bad_action_is_a_strike_and_the_default_is_played(
    answer: str, code: str, word: str, tmp_path: Path
) -> None:
    async def illegal(house: House, bot: RawBot) -> None:
        request = await bot.hear("request")
        await bot.send(f'{{"id": {request["id"]}, {answer}}}')
        strike = await bot.hear("strike")
        message = strike.pop("message")
        assert word in message
        assert strike == {
            "type": "strike",
            "match": request["match"],
            "id": request["id"],
            "reason": "illegal",
            "code": code,
            "strikes": 1,
            "resigned": False,
            "applied": DEFAULT,
        }
        # There is no second try.
        await bot.answer(request, number=1)
        assert (await bot.hear("error"))["code"] == "duplicate_answer"
        await honest(bot)
        assert len(bot.of_type("request")) == DECISIONS

    ladder = await duel(tmp_path, illegal)
    assert ladder.faults("ann") == [("illegal", code)]


async def test_bytes_that_are_no_text_are_a_malformed_action(tmp_path: Path) -> None:
    async def no_text(house: House, bot: RawBot) -> None:
        request = await bot.hear("request")
        start = f'{{"id": {request["id"]}, "action": {{"number": 1, "text": "'.encode()
        await bot.send(start + b'\xff\xfe"}}')
        assert (await bot.hear("strike"))["code"] == "malformed"
        await honest(bot)

    ladder = await duel(tmp_path, no_text)
    assert ladder.faults("ann") == [("illegal", "malformed")]


async def test_what_was_refused_is_in_the_transcript_as_one_line(tmp_path: Path) -> None:
    async def spread_out(house: House, bot: RawBot) -> None:
        request = await bot.hear("request")
        await bot.send(
            f'{{"id": {request["id"]},\r\n "action":\n{{"number":\n7,\r"text":\n"a\\nb"}}\n}}'
        )
        await bot.hear("strike")
        await honest(bot)

    ladder = await duel(tmp_path, spread_out)
    assert ladder.faults("ann") == [("illegal", "no_sevens")]
    fault = next(d.fault for d in ladder.transcript().decisions if d.fault is not None)
    assert isinstance(fault.answer, msgspec.Raw)
    assert bytes(fault.answer) == b'{"number":7,"text":"a\\nb"}'


async def test_a_huge_refused_answer_is_not_kept(tmp_path: Path) -> None:
    async def huge(house: House, bot: RawBot) -> None:
        await bot.answer(await bot.hear("request"), number=7, text=60_000 * "x")
        await bot.hear("strike")
        await honest(bot)

    ladder = await duel(tmp_path, huge)
    assert ladder.faults("ann") == [("illegal", "no_sevens")]
    fault = next(d.fault for d in ladder.transcript().decisions if d.fault is not None)
    assert fault.answer is msgspec.UNSET


async def test_three_kinds_of_fault_resign_together(tmp_path: Path) -> None:
    async def all_sorts(house: House, bot: RawBot) -> None:
        await bot.answer(await bot.hear("request"), number=7)
        await bot.answer(await bot.hear("request"), number=70)
        await bot.send({"id": (await bot.hear("request"))["id"], "error": "no more"})
        strikes = [await bot.hear("strike") for _ in range(3)]
        assert [strike["reason"] for strike in strikes] == ["illegal", "illegal", "error"]
        assert [strike["strikes"] for strike in strikes] == [1, 2, 3]
        assert [strike["resigned"] for strike in strikes] == [False, False, True]
        await bot.hear("match_end")
        assert len(bot.of_type("request")) == 3

    ladder = await duel(tmp_path, all_sorts)
    faults = ladder.faults("ann")
    assert faults == [("illegal", "no_sevens"), ("illegal", "malformed"), ("error", "gave_up")]
    (result,) = ladder.results()
    seat = next(seat for seat in result.seats if seat.bot == "ann")
    assert seat.strikes == {"error": 1, "illegal": 2}


async def test_an_action_keeps_its_unknown_fields_to_itself(tmp_path: Path) -> None:
    """Fields that the game does not know are ignored, and are not in the transcript."""

    async def chatty(house: House, bot: RawBot) -> None:
        await bot.answer(await bot.hear("request"), number=3, reasoning=["because"])
        await honest(bot)

    ladder = await duel(tmp_path, chatty)
    assert ladder.faults("ann") == []
    actions = [msgspec.json.decode(d.action) for d in ladder.transcript().decisions]
    assert {"number": 3} in actions
