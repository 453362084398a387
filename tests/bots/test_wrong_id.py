"""A bot that answers what it was not asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.bots.duel import duel
from tests.bots.honest import honest
from tests.runner.ladder import House
from tests.runner.rawbot import RawBot

WRONG: dict[str, tuple[str, str, int | None]] = {
    "a request to come": ('{"id": 99, "action": {"number": 1}}', "unknown_request", 99),
    "the next request": ('{"id": 1, "error": "x"}', "unknown_request", 1),
    "below zero": ('{"id": -1, "action": {"number": 1}}', "unknown_request", -1),
    "a huge id": (f'{{"id": {2**70}, "error": "x"}}', "unknown_request", 2**70),
    "an id past all bounds": ('{"id": 1' + 4000 * "0" + ', "error": "x"}', "unknown_request", None),
    "a huge id of a malformed answer": (f'{{"id": {2**70}, "error": 1}}', "unknown_request", 2**70),
    "text": ('{"id": "0", "action": {"number": 1}}', "bad_message", None),
    "a fraction": ('{"id": 0.5, "action": {"number": 1}}', "bad_message", None),
    "a float": ('{"id": 0.0, "action": {"number": 1}}', "bad_message", None),
    "true": ('{"id": true, "action": {"number": 1}}', "bad_message", None),
    "null": ('{"id": null, "action": {"number": 1}}', "bad_message", None),
    "no id": ('{"action": {"number": 1}}', "bad_message", None),
    "nothing": ("{}", "bad_message", None),
    "another type": ('{"type": "resign", "id": 0, "action": {"number": 1}}', "unknown_type", None),
    "a type of the server's": ('{"type": "request", "id": 0}', "unknown_type", None),
    "a type that is no text": ('{"type": 5, "id": 0, "error": "x"}', "unknown_type", None),
    "a type that is null": ('{"type": null, "id": 0, "error": "x"}', "unknown_type", None),
}


@pytest.mark.parametrize(("message", "code", "id_"), WRONG.values(), ids=WRONG)
async def test_a_message_that_answers_nothing_is_told_so(
    message: str, code: str, id_: int | None, tmp_path: Path
) -> None:
    async def wrong_id(house: House, bot: RawBot) -> None:
        request = await bot.hear("request")
        await bot.send(message)
        error = await bot.hear("error")
        text = error.pop("message")
        assert text
        assert len(text) < 1000
        if id_ is None:
            error.pop("id", None)
            assert error == {"type": "error", "code": code}
        else:
            assert error == {"type": "error", "code": code, "id": id_}
        await bot.answer(request, number=4)
        await honest(bot)
        assert bot.of_type("strike") == []

    ladder = await duel(tmp_path, wrong_id)
    assert ladder.faults("ann") == []


async def test_an_answer_of_another_bots_request(tmp_path: Path) -> None:
    """Ids are each bot's own: nobody can answer for another."""
    seen: dict[str, Any] = {}

    async def answer_for_bob(house: House, bot: RawBot) -> None:
        request = await bot.hear("request")
        await bot.answer(request, number=1)
        # Now it is bob's turn, or was already: with the same id, 0.
        await bot.answer(request, number=9)
        seen["error"] = await bot.hear("error")
        await honest(bot)

    ladder = await duel(tmp_path, answer_for_bob)
    assert seen["error"]["code"] == "duplicate_answer"
    assert all(bytes(d.action) == b'{"number":1}' for d in ladder.transcript().decisions)
