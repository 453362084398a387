"""The bot in the kit: what the model chooses is played, and without it the stand-in plays."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest
from msgspec import Raw

from engine.catalog import GAMES
from engine.game import Action, Game
from engine.pioneers import Pioneers
from engine.pioneers.actions import Bundle, EndTurn, OfferTrade, Respond
from runner import protocol as wire
from runner.bot import Bot, Request
from runner.bot.effects import Decide
from runner.bot.session import Session
from runner.bots.greedy import Greedy
from runner.bots.llm.adviser import Adviser, Message, ModelError, NoAdvice
from runner.bots.llm.bot import LanguageModelBot
from runner.bots.llm.prompt import WORDINGS
from runner.bots.llm.reply import Reply
from runner.bots.settler import Settler
from tests.runner.bots.llm.test_prompt import numbered
from tests.runner.bots.scenes import hand, offered, opening

STAND_INS: dict[str, type[Bot]] = {"pioneers": Greedy, "pioneers-program": Settler}
LONG_S = 20.0


class Scripted:
    """Answers by `choose`, which is told the actions by number."""

    def __init__(self, choose: Callable[[dict[int, str]], str]) -> None:
        self._choose = choose
        self.prompts: list[str] = []

    async def complete(self, messages: Sequence[Message]) -> str:
        self.prompts.append(messages[1].content)
        return self._choose(numbered(messages[1].content))


class Silent:
    """Never answers."""

    async def complete(self, _: Sequence[Message]) -> str:
        await asyncio.Event().wait()
        raise AssertionError


class Failing:
    async def complete(self, _: Sequence[Message]) -> str:
        raise ModelError("status 500", "out of memory")


def seated(model: Any, game: type[Game] = Pioneers) -> Bot:
    names = ("a", "b", "c", "d")
    start = wire.MatchStart("m", game.id, 0, names, 5000, "00", {})
    return LanguageModelBot.advised_by(model, "tiny")(game, start)


def request(kind: str, view: Any, seconds: float = LONG_S) -> Request:
    return Request(
        id=0,
        match="m",
        seat=0,
        kind=kind,
        view=view,
        number=0,
        deadline=time.monotonic() + seconds,
        deadline_ms=5000,
        game=Pioneers,
        memory=Pioneers.memory(),
    )


async def decided(bot: Bot, asked: Request) -> Any:
    answer = bot.decide(asked)
    assert not isinstance(answer, msgspec.Struct)
    assert answer is not None
    action = await answer
    assert action is not None
    asked.check(action)
    return action


def instead(asked: Request) -> Action:
    """What greedy plays."""
    start = wire.MatchStart("m", Pioneers.id, 0, ("a", "b", "c", "d"), 5000, "00", {})
    bot = Greedy(Pioneers, start)
    bot.request = asked
    action = bot.decide(asked)
    assert isinstance(action, msgspec.Struct)
    return action


@pytest.mark.parametrize("game", [GAMES[name] for name in STAND_INS])
async def test_through_whole_matches_what_the_model_names_is_what_is_played(
    game: type[Game],
) -> None:
    """The model takes one action after the other, whatever it is; frames are read as the server
    reads them."""
    chosen: list[str] = []

    def choose(actions: dict[int, str]) -> str:
        number = 1 + 7 * len(chosen) % len(actions)
        chosen.append(actions[number].removesuffix(" *"))
        return f'{{"action": {number}, "say": "move {len(chosen)}"}}'

    match = game.deal(3, bytes(32))
    session = Session(LanguageModelBot.advised_by(Scripted(choose), "tiny"))
    start = wire.MatchStart("m", game.id, 0, ("a", "b", "c"), 5000, "00", options={})
    session.receive(wire.encode(start), 0.0)
    asked_for = 0
    spell = WORDINGS[game.id].spell
    while asked := match.pending():
        actions = {}
        for seat, kind in asked.items():
            legal = match.legal(seat)
            if seat:
                actions[seat] = legal[len(legal) // 2]
                continue
            asked_for += 1
            before = len(chosen)
            view = match.view(seat)
            frame = wire.Request(asked_for, "m", game.id, seat, kind, 5000, _json(view))
            (effect,) = session.receive(wire.encode(frame), time.monotonic())
            assert isinstance(effect, Decide)
            bot = effect.table.bot
            answer = bot.decide(effect.request)
            assert asyncio.iscoroutine(answer)
            sent = session.answer(effect.table, effect.request, await answer)
            assert sent is not None
            raw = wire.decode_answer(sent).action
            assert isinstance(raw, Raw)
            actions[seat] = match.decode(seat, raw)
            assert len(chosen) - before == (len(legal) > 1), "asked where there is a choice"
            if len(legal) > 1:
                assert spell(view, actions[seat]) == chosen[-1]
                said = getattr(actions[seat], "talk", f"move {len(chosen)}")
                assert said == f"move {len(chosen)}"
        match.advance(actions)
    assert len(chosen) > 20


def _json(value: object) -> Raw:
    return Raw(msgspec.json.encode(value))


async def test_talk_goes_with_the_action_where_it_can() -> None:
    def end(actions: dict[int, str]) -> str:
        (number,) = (n for n, what in actions.items() if what == "end turn *")
        return f'{{"action": {number}, "say": "good luck"}}'

    view = hand(opening(), brick=1, lumber=1)
    assert await decided(seated(Scripted(end)), request("turn", view)) == EndTurn(talk="good luck")

    def road(actions: dict[int, str]) -> str:
        number = next(n for n, what in actions.items() if what.startswith("build road"))
        return f'{{"action": {number}, "say": "good luck"}}'

    built = await decided(seated(Scripted(road)), request("turn", view))
    assert type(built).__name__ == "BuildRoad"


async def test_what_was_answered_in_the_turn_is_told_and_forgotten_after_it() -> None:
    def offer(actions: dict[int, str]) -> str:
        return str(next(n for n, what in actions.items() if what.startswith("offer")))

    model = Scripted(offer)
    bot = seated(model)
    view = hand(opening(), brick=1, lumber=1)
    for _ in range(2):
        assert isinstance(await decided(bot, request("turn", view)), OfferTrade)
    later = msgspec.structs.replace(view, turn=view.turn + 4)
    await decided(bot, request("turn", later))
    told = ["Your last answers in this turn: offer all: 1 brick for " in p for p in model.prompts]
    assert told == [False, True, False]


async def test_one_legal_action_is_not_sent() -> None:
    model = Scripted(lambda _: "1")
    poor = offered(hand(opening(), ore=1), give=Bundle(brick=1), get=Bundle(wool=1))
    assert await decided(seated(model), request("trade", poor)) == Respond(accept=False)
    assert model.prompts == []


@pytest.mark.parametrize(
    "model",
    [Failing(), Scripted(lambda _: "I pass."), Scripted(lambda actions: str(len(actions) + 1))],
)
async def test_greedy_plays_where_the_model_does_not(model: Any) -> None:
    for kind, view in (
        ("turn", hand(opening(), ore=3, grain=2)),
        ("bandit", opening()),
    ):
        asked = request(kind, view)
        assert instead(asked) != asked.default()
        assert await decided(seated(model), asked) == instead(asked)


@pytest.mark.parametrize(("left", "most"), [(8.0, 7.5), (1.0, 0.75)])
async def test_waiting_for_the_model_leaves_time_to_answer(left: float, most: float) -> None:
    waited: list[float] = []

    class Impatient(Adviser):
        async def choose(self, _: object, actions: int, seconds: float) -> Reply:
            waited.append(seconds)
            raise NoAdvice("no answer in time")

    class Told(LanguageModelBot):
        adviser = Impatient(Silent())

    bot = Told(Pioneers, wire.MatchStart("m", Pioneers.id, 0, ("a", "b", "c"), 5000, "00", {}))
    asked = request("turn", hand(opening(), ore=3, grain=2), seconds=left)
    assert await decided(bot, asked) == instead(asked)
    assert 0 < waited[0] <= most


async def test_a_model_that_never_answers() -> None:
    asked = request("turn", hand(opening(), ore=3, grain=2), seconds=0.5)
    assert await decided(seated(Silent()), asked) == instead(asked)


async def test_a_deadline_that_is_all_but_over_is_not_spent_on_asking() -> None:
    model = Scripted(lambda _: "1")
    asked = request("turn", hand(opening(), ore=3, grain=2), seconds=0.05)
    assert await decided(seated(model), asked) == instead(asked)
    assert model.prompts == []


async def test_the_end_of_a_match_is_summed_up(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    script = iter(["1", "what?", "1"])
    bot = seated(Scripted(lambda _: next(script)))
    for _ in range(3):
        await decided(bot, request("turn", hand(opening(), brick=1)))
    await bot.on_end(wire.MatchEnd("m", "win", (1, 2, 2, 2), (10, 2, 2, 2), "00"))
    assert caplog.messages[-1] == (
        "match m: the model chose 2 of 3 times; otherwise: 1 unclear answer"
    )
