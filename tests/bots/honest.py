"""A bot that does nothing wrong in the game `rounds`: those who must never notice the others."""

from __future__ import annotations

from tests.runner.rawbot import RawBot

HONEST_NUMBER = 1


async def honest(bot: RawBot) -> None:
    """Answer every request until the server says goodbye."""
    while (message := await bot.hear("request", "goodbye"))["type"] == "request":
        await bot.answer(message, number=HONEST_NUMBER)
