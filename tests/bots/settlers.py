"""Bots for Pioneers that speak the protocol frame by frame: one that plays defaults, and worse."""

from __future__ import annotations

from typing import Any

import msgspec

from engine.pioneers import Pioneers
from tests.runner.rawbot import RawBot

RESOURCES = ("brick", "lumber", "wool", "grain", "ore")


def default_action(request: dict[str, Any]) -> dict[str, Any]:
    """What the game would play for the seat."""
    if request["kind"] == "turn":
        return {"type": "end_turn"}
    if request["kind"] == "trade":
        return {"accept": False}
    view = msgspec.convert(request["view"], Pioneers.view_type)
    game = Pioneers.from_view(request["kind"], view, Pioneers.memory())
    action: dict[str, Any] = msgspec.to_builtins(game.default(request["seat"]))
    return action


async def settle(bot: RawBot) -> None:
    """Play defaults of one's own will until the server says goodbye."""
    while (message := await bot.hear("request", "goodbye"))["type"] == "request":
        await bot.send({"id": message["id"], "action": default_action(message)})


async def haggle(bot: RawBot) -> None:
    """The same, but offer everybody a trade once in each turn, and a bad one."""
    offered_in = -1
    while (message := await bot.hear("request", "goodbye"))["type"] == "request":
        action = default_action(message)
        view = message["view"]
        held = [name for name in RESOURCES if (view["hand"] or {}).get(name)]
        if message["kind"] == "turn" and held and view["turn"] != offered_in:
            offered_in = view["turn"]
            wanted = next(name for name in RESOURCES if name != held[0])
            action = {"type": "offer_trade", "give": {held[0]: 1}, "get": {wanted: 19}}
        await bot.send({"id": message["id"], "action": action})


async def until(bot: RawBot, kind: str) -> dict[str, Any]:
    """Play defaults until a request of this kind comes; that request."""
    while (message := await bot.hear("request"))["kind"] != kind:
        await bot.send({"id": message["id"], "action": default_action(message)})
    return message
