"""The environment: one match at a time, one choice of one agent per step."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from gymnasium.utils import EzPickle
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from engine import catalog
from engine.chance import derive_seed
from engine.game import Action, Game, Memory, View
from runner.gym.rewards import Rewards, by_placement

# To be raised when choices, observations or rewards change: what was learned no longer fits.
VERSION = 0
RENDER_MODES = ("ansi", "human")

Observation: TypeAlias = dict[str, NDArray[Any]]


class _Decision:
    """The decision that the selected agent is making."""

    __slots__ = ("kind", "legal", "made", "options", "seat", "view")

    def __init__(self, seat: int, kind: str, match: Game) -> None:
        self.seat = seat
        self.kind = kind
        self.view: View = match.view(seat)
        self.legal: Sequence[Action] = match.legal(seat)
        self.made: tuple[int, ...] = ()
        self.options: Sequence[int] = ()


def env(
    game: str | None = None,
    *,
    seats: int = 4,
    rewards: Rewards = by_placement,
    render_mode: str | None = None,
) -> AECEnv:
    """The environment with PettingZoo's checks of how it is used around it; see `raw_env`."""
    inner = raw_env(game, seats=seats, rewards=rewards, render_mode=render_mode)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(inner))


class raw_env(AECEnv, EzPickle):  # type: ignore[misc]  # noqa: N801 - PettingZoo's own names
    """Matches of one game, as PettingZoo's AEC interface has it.

    The agents are `player_0` and on, by seat. Where several seats decide at once they are asked
    one after the other in seat order; what they choose takes effect, and is to be seen, only when
    the last of them has chosen.
    """

    def __init__(
        self,
        game: str | None = None,
        *,
        seats: int = 4,
        rewards: Rewards = by_placement,
        render_mode: str | None = None,
    ) -> None:
        """game: id, the first of the catalogue where it is None. rewards: of a match that is over.

        Raises ValueError for a game without an encoding, a number of seats that it does not
        have, and an unknown render mode.
        """
        EzPickle.__init__(self, game, seats=seats, rewards=rewards, render_mode=render_mode)
        AECEnv.__init__(self)
        self._game = next(iter(catalog.GAMES.values())) if game is None else catalog.find(game)
        self._encoding = catalog.encoding(self._game.id)
        if seats not in self._game.seat_counts:
            allowed = " or ".join(map(str, self._game.seat_counts))
            raise ValueError(f"seats: {self._game.id} is for {allowed} of them, not {seats}")
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"render_mode: {', '.join(RENDER_MODES)} or None, not {render_mode!r}")
        self.metadata = {
            "render_modes": list(RENDER_MODES),
            "name": f"{self._game.id.replace('-', '_')}_v{VERSION}",
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self._rewards_of = rewards
        self._secret = os.urandom(32)
        self._match_number = 0

        self.possible_agents = [f"player_{seat}" for seat in range(seats)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        choices, fields = self._encoding.choices, self._encoding.fields
        most = np.concatenate(
            [np.full(block.size, block.most, np.float32) for block in fields.blocks]
        )
        self.action_spaces = {agent: Discrete(choices.size) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: Dict(
                {
                    "observation": Box(np.zeros_like(most), most, dtype=np.float32),
                    "action_mask": Box(0, 1, (choices.size,), np.int8),
                }
            )
            for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> Dict:
        """The space of the agent's observations, the same for all."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """The space of the agent's choices, the same for all."""
        return self.action_spaces[agent]

    def reset(
        self,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002 - PettingZoo passes it always
    ) -> None:
        """Deal a new match.

        seed: from it follow this match and all that are dealt until a seed is given again; None
        goes on in the row of matches, which begins by chance. options: there are none.
        """
        if seed is not None:
            self._secret = hashlib.sha256(str(seed).encode()).digest()
            self._match_number = 0
        match_seed = derive_seed(self._secret, f"match {self._match_number}")
        self._match_number += 1
        self._match: Game = self._game.deal(len(self.possible_agents), match_seed)
        self._memories: list[Memory] = [self._game.memory() for _ in self.possible_agents]
        self._unasked = set(range(len(self.possible_agents)))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._ask_all()

    def step(self, action: int | None) -> None:
        """Take the selected agent's choice; None for an agent whose match is over.

        Raises ValueError, naming the choice, where the action mask forbids it.
        """
        agent = self.agent_selection
        decision = self._decision
        # Wrappers can end a match, too.
        if decision is None or self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None or action not in decision.options:
            raise ValueError(self._refusal(action, decision))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        decision.made = (*decision.made, int(action))
        chosen = self._encoding.action(decision.kind, decision.view, decision.made)
        if chosen is None:
            self._list_options(decision)
        else:
            self._settle(decision, chosen)
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """What the agent sees, from its seat's view alone; only the selected one has options."""
        seat = self._seat_of[agent]
        memory = self._memories[seat]
        mask = np.zeros(self._encoding.choices.size, np.int8)
        decision = self._decision
        if decision is not None and decision.seat == seat:
            values = self._encoding.observe(decision.kind, decision.view, memory, decision.made)
            mask[decision.options] = 1
        else:
            # Who has answered, or is still to be asked about the same, is asked nothing now.
            values = self._encoding.observe(None, self._match.view(seat), memory, ())
        return {
            "observation": np.frombuffer(values, np.int16).astype(np.float32),
            "action_mask": mask,
        }

    def render(self) -> str | None:
        """The match as a spectator sees it, as text: returned by `ansi`, printed by `human`."""
        if self.render_mode is None:
            return None
        text = self._match.draw(self._match.view(None))
        if self.render_mode == "ansi":
            return text
        sys.stdout.write(f"{text}\n\n")
        return None

    def close(self) -> None:
        """Nothing is held open."""

    def _ask_all(self) -> None:
        """Begin with the decisions that the match asks for now, or end with the match."""
        self._waiting = list(self._match.pending().items())
        self._answers: dict[int, Action] = {}
        if self._waiting:
            self._ask_next()
        else:
            self._end()

    def _ask_next(self) -> None:
        seat, kind = self._waiting.pop(0)
        decision = _Decision(seat, kind, self._match)
        if seat in self._unasked:
            self._unasked.remove(seat)
            self._memories[seat].begin(kind, decision.view)
        self._list_options(decision)
        self._decision: _Decision | None = decision
        self.agent_selection = self.possible_agents[seat]

    def _list_options(self, decision: _Decision) -> None:
        decision.options = self._encoding.options(
            decision.kind, decision.view, decision.legal, decision.made
        )

    def _settle(self, decision: _Decision, chosen: Action) -> None:
        self._memories[decision.seat].note(decision.kind, decision.view, chosen)
        self._answers[decision.seat] = chosen
        if self._waiting:
            self._ask_next()
        else:
            self._match.advance(self._answers)
            self._ask_all()

    def _end(self) -> None:
        self._decision = None
        outcome = self._match.outcome()
        assert outcome is not None
        self.rewards = dict(zip(self.agents, self._rewards_of(outcome), strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
        self.infos = {
            agent: {
                "placement": outcome.placements[seat],
                "score": outcome.scores[seat],
                "reason": outcome.reason,
            }
            for agent, seat in self._seat_of.items()
        }
        self.agent_selection = self.agents[0]

    def _refusal(self, action: object, decision: _Decision) -> str:
        choices = self._encoding.choices
        known = isinstance(action, int | np.integer) and 0 <= action < choices.size
        name = choices.name(int(action)) if known else f"no choice: they go to {choices.size - 1}"  # type: ignore[call-overload]
        return (
            f"{action} ({name}) is not open to {self.agent_selection}, asked `{decision.kind}`: "
            "its action mask says what is"
        )
