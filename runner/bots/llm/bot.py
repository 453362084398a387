"""`llm`: a language model chooses; what it does not choose in time, a reference bot does."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping
from typing import ClassVar

from msgspec.structs import replace

from engine.game import Action, Game
from engine.pioneers import Pioneers
from engine.program import Program
from runner import protocol as wire
from runner.bot import Bot, Request
from runner.bots.configured import ConfiguredBot, SettingsError
from runner.bots.greedy import Greedy
from runner.bots.llm.adviser import Adviser, Model, NoAdvice
from runner.bots.llm.prompt import WORDINGS, prompt, talks
from runner.bots.llm.settings import Settings
from runner.bots.settler import Settler

LOG = logging.getLogger("runner.bots.llm")

_RESERVE_S = 0.5  # of the time for a decision, or a quarter of it where that is less
_MOST_VERSION = 100  # characters

_STAND_INS: Mapping[str, type[Bot]] = {Pioneers.id: Greedy, Program.id: Settler}


class LanguageModelBot(ConfiguredBot):
    """Asks its model about each decision that is one; the stand-in's answer is ready before."""

    adviser: ClassVar[Adviser]

    @classmethod
    def configured(cls, environment: Mapping[str, str]) -> type[LanguageModelBot]:
        """The bot with the model that PIONEERS_LLM_URL, …_MODEL and …_KEY name."""
        settings = Settings.read(environment)
        try:
            from runner.bots.llm.endpoint import Endpoint
        except ModuleNotFoundError as error:
            if error.name != "httpx":
                raise
            text = "llm needs the package httpx: pip install 'pioneers-ladder[llm]'"
            raise SettingsError(text) from None
        return cls.advised_by(Endpoint(settings), settings.model)

    @classmethod
    def advised_by(cls, model: Model, name: str) -> type[LanguageModelBot]:
        """The bot with a model called `name`. Another model is another build: see `version`."""
        members = {"adviser": Adviser(model), "version": f"1 {name}"[:_MOST_VERSION]}
        made: type[LanguageModelBot] = type(cls.__name__, (cls,), members)
        return made

    def __init__(self, game: type[Game], start: wire.MatchStart) -> None:
        super().__init__(game, start)
        self._stand_in = _STAND_INS[game.id](game, start)
        self._turn: object = None
        self._done: list[str] = []
        self._choices: Counter[str] = Counter()

    async def decide(self, request: Request) -> Action:
        """The model's choice, or the stand-in's."""
        legal = request.legal()
        if len(legal) == 1:
            return legal[0]
        self._stand_in.request = request
        instead = self._stand_in.decide(request)
        assert isinstance(instead, Action)
        turn = getattr(request.view, self.game.turn_field)
        if turn != self._turn:
            self._turn = turn
            self._done.clear()
        asked = prompt(self.game, request.view, legal, instead, self._done)
        seconds = request.left - min(_RESERVE_S, request.left / 4)
        try:
            reply = await self.adviser.choose(asked.messages, len(asked.actions), seconds)
        except NoAdvice as none:
            self._choices[none.cause] += 1
            action = instead
        else:
            self._choices[""] += 1
            action = asked.actions[reply.action - 1]
            if reply.say is not None and talks(action):
                action = replace(action, talk=reply.say)
        self._done.append(WORDINGS[self.game.id].spell(request.view, action))
        return action

    async def on_end(self, end: wire.MatchEnd) -> None:
        """Log how often the model chose, and why it did not where it did not."""
        chosen = self._choices.pop("", 0)
        causes = ", ".join(f"{count} {cause}" for cause, count in sorted(self._choices.items()))
        LOG.log(
            logging.ERROR if causes else logging.INFO,
            "match %s: the model chose %d of %d times%s",
            end.match,
            chosen,
            chosen + self._choices.total(),
            f"; otherwise: {causes}" if causes else "",
        )
