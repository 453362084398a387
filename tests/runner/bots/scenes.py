"""Views to ask bots about, and bots to ask: what comes back has been found legal."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engine.game import Outcome
from engine.pioneers import Pioneers, PioneersView
from engine.pioneers.actions import Bundle
from engine.pioneers.board import HEX_VERTICES
from engine.pioneers.glimpse import PioneersMemory
from engine.pioneers.view import DevCards, Offer
from runner import protocol as wire
from runner.bot import Bot, Request
from runner.bots.greedy import Greedy
from tests.runner.bots.local import LocalMatch


def share_of_wins(outcomes: Sequence[Outcome], seats: Sequence[int]) -> float:
    """Shared first places count in parts."""
    wins = 0.0
    for outcome in outcomes:
        winners = [place for place, placement in enumerate(outcome.placements) if placement == 1]
        wins += sum(place in seats for place in winners) / len(winners)
    return wins / len(outcomes)


@cache
def opening() -> PioneersView:
    """What seat 0 sees on turn 1, after a set-up by four greedy bots."""
    local = LocalMatch("opening", [Greedy] * 4, ("a", "b", "c", "d"))
    while "turn" not in local.game.pending().values():
        local.step()
    view = local.game.view(0)
    assert isinstance(view, PioneersView)
    return view


def hand(view: PioneersView, **counts: int) -> PioneersView:
    """The same view with another hand."""
    total = sum(counts.values())
    return replace(view, hand=Bundle(**counts), hand_counts=(total, *view.hand_counts[1:]))


def holding(view: PioneersView, **dev_cards: int) -> PioneersView:
    """The same view with dev cards in the hand."""
    counts = (sum(dev_cards.values()), *view.dev_counts[1:])
    return replace(view, dev_cards=DevCards(**dev_cards), dev_counts=counts)


def seated(bot_class: type[Bot]) -> Bot:
    """A bot in seat 0 of a match."""
    start = wire.MatchStart("m", Pioneers.id, 0, ("a", "b", "c", "d"), 5000, "00", {})
    return bot_class(Pioneers, start)


def ask_again(
    bot: Bot,
    kind: str,
    view: PioneersView,
    memory: PioneersMemory,
    deadline: float = float("inf"),
) -> Any:
    """What a seated bot answers; the engine has found it legal."""
    request = Request(
        id=0,
        match="m",
        seat=0,
        kind=kind,
        view=view,
        number=0,
        deadline=deadline,
        deadline_ms=5000,
        game=Pioneers,
        memory=memory,
    )
    bot.request = request
    action = bot.decide(request)
    assert isinstance(action, Struct)
    request.check(action)
    return action


def ask(
    bot_class: type[Bot], kind: str, view: PioneersView, memory: PioneersMemory | None = None
) -> Any:
    """What a bot that has just come to the table answers."""
    return ask_again(seated(bot_class), kind, view, memory or Pioneers.memory())


_PLAY_ONE = """
import hashlib, msgspec
from {module} import {name}
from runner.bots.seeded import SeededBot
from tests.runner.bots.local import LocalMatch
SeededBot.seed = "7"
local = LocalMatch("m", [{name}] * 3, ("a", "b", "c"))
local.play()
print(hashlib.sha256(msgspec.json.encode(local.record)).hexdigest())
"""


def hangs_on_no_hash(bot: type[Bot]) -> bool:
    """Whether a seeded match among bots of one kind is the same under two seeds of hashes."""
    played = {
        subprocess.run(
            [sys.executable, "-c", _PLAY_ONE.format(module=bot.__module__, name=bot.__name__)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert all(len(digest) == 65 for digest in played)
    return len(played) == 1


def blocked(view: PioneersView) -> PioneersView:
    """The bandit stands on a hex that would pay seat 0."""
    mine = {*view.settlements[0]}
    return replace(
        view,
        bandit=next(
            h for h, ring in enumerate(HEX_VERTICES) if mine & {*ring} and view.hexes[h].token
        ),
    )


def unblocked(view: PioneersView) -> PioneersView:
    """The bandit stands on the desert."""
    desert = next(h for h, tile in enumerate(view.hexes) if tile.token is None)
    return replace(view, bandit=desert)


def offered(view: PioneersView, give: Bundle, get: Bundle) -> PioneersView:
    """The same view, with an offer of seat 1's."""
    return replace(view, current=1, offer=Offer(seat=1, give=give, get=get, open=True))
