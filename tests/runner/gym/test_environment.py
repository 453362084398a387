"""The PettingZoo environment: PettingZoo's own tests, and that it plays the engine's matches."""

from __future__ import annotations

import hashlib
import pickle
import random
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("pettingzoo")

import numpy as np
from pettingzoo import AECEnv
from pettingzoo.test import api_test, seed_test
from pettingzoo.utils import wrappers

from engine import catalog
from engine.chance import derive_seed
from engine.game import Action
from engine.pioneers import Pioneers
from engine.pioneers.encoding import ENCODING
from runner import gym

SEATS = pytest.mark.parametrize("seats", [3, 4])
START = ENCODING.choices.starts


def pick(env: AECEnv, rng: random.Random) -> int:
    """An open choice of the selected agent."""
    return int(rng.choice(np.flatnonzero(env.last()[0]["action_mask"])))


def play(env: AECEnv, rng: random.Random) -> Iterator[tuple[str, int]]:
    """Play the match to its end, before each step: who, and what is chosen."""
    while not env.terminations[env.agent_selection]:
        choice = pick(env, rng)
        yield env.agent_selection, choice
        env.step(choice)


# What the tests of PettingZoo say about every environment with a dictionary for an observation
# that is not on their own list of those with masks.
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning")
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably:UserWarning")
@SEATS
def test_pettingzoo_approves_of_it(seats: int) -> None:
    # A random match takes 3,000 steps or so: long enough to be played to its end.
    api_test(gym.env(seats=seats), num_cycles=2500)


@SEATS
def test_pettingzoo_finds_it_repeatable(seats: int) -> None:
    seed_test(lambda: gym.env(seats=seats), num_cycles=2500)


@SEATS
def test_it_plays_the_engines_matches(seats: int) -> None:
    env = gym.raw_env(seats=seats)
    env.reset(seed=5)
    seed = derive_seed(hashlib.sha256(b"5").digest(), "match 0")
    game = Pioneers.deal(seats, seed)
    memories = [game.memory() for _ in range(seats)]
    answers: dict[int, Action] = {}
    made: tuple[int, ...] = ()
    for agent, choice in play(env, random.Random(1)):
        seat, kind = next(pair for pair in game.pending().items() if pair[0] not in answers)
        assert agent == f"player_{seat}"
        view = game.view(seat)
        seen = env.observe(agent)
        assert seen["observation"].tolist() == list(
            ENCODING.observe(kind, view, memories[seat], made)
        )
        options = ENCODING.options(kind, view, game.legal(seat), made)
        assert np.flatnonzero(seen["action_mask"]).tolist() == list(options)
        made += (choice,)
        action = ENCODING.action(kind, view, made)
        if action is not None:
            memories[seat].note(kind, view, action)
            answers[seat] = action
            made = ()
        if answers.keys() == game.pending().keys():
            game.advance(answers)
            answers = {}
    outcome = game.outcome()
    assert outcome is not None
    assert tuple(env.rewards.values()) == gym.by_placement(outcome)
    assert [info["placement"] for info in env.infos.values()] == list(outcome.placements)
    assert [info["score"] for info in env.infos.values()] == list(outcome.scores)


def test_all_agents_end_together_and_leave() -> None:
    env = gym.env(seats=3, rewards=gym.by_win)
    env.reset(seed=3)
    rng = random.Random(3)
    total: dict[str, float] = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        _, reward, over, truncated, _ = env.last()
        assert not truncated
        total[agent] += reward
        if over:
            assert not env.observe(agent)["action_mask"].any()
        env.step(None if over else pick(env, rng))
    assert env.agents == []
    assert sorted(total.values()) == [-0.5, -0.5, 1.0]


def until_asked_together(env: AECEnv, kind: str) -> None:
    """Play on until several agents are asked `kind` and the first of them has a choice."""
    for seed in range(20):
        env.reset(seed=seed)
        for agent, _ in play(env, random.Random(seed)):
            pending = env._match.pending()
            first, *others = pending
            options = env.observe(agent)["action_mask"].sum()
            if others and pending[first] == kind and agent == f"player_{first}" and options > 1:
                return
    raise AssertionError(f"nobody was asked `{kind}` beside others")


@pytest.mark.parametrize("kind", ["trade", "discard"])
def test_pending_answers_of_others_are_not_to_be_seen(kind: str) -> None:
    env = gym.raw_env(seats=4)
    answers, sights = [], []
    # The first agent answers in two ways: with the first or the last of its options throughout.
    for end in (0, -1):
        until_asked_together(env, kind)
        first = env.agent_selection
        answer = []
        while env.agent_selection == first:
            answer.append(np.flatnonzero(env.observe(first)["action_mask"])[end])
            env.step(answer[-1])
        answers.append(answer)
        sights.append((env.last(), {agent: env.observe(agent) for agent in env.agents}))
    assert answers[0] != answers[1]
    np.testing.assert_equal(sights[0], sights[1])


def test_choices_made_so_far_are_for_the_chooser_alone() -> None:
    env = gym.raw_env(seats=4)
    until_asked_together(env, "discard")
    chooser = env.agent_selection
    others = [agent for agent in env.agents if agent != chooser]
    before = [env.observe(agent) for agent in others]
    own = env.observe(chooser)
    env.step(pick(env, random.Random(0)))
    assert env.agent_selection == chooser
    np.testing.assert_equal([env.observe(agent) for agent in others], before)
    assert not np.array_equal(env.observe(chooser)["observation"], own["observation"])


def test_a_choice_that_the_mask_forbids_is_refused_and_changes_nothing() -> None:
    env = gym.env(seats=3)
    env.reset(seed=1)
    before = env.last()
    with pytest.raises(
        ValueError, match=r"^144 \(end_turn\) is not open to player_0, asked `setup`"
    ):
        env.step(START["end_turn"])
    np.testing.assert_equal(env.last(), before)
    with pytest.raises(AssertionError, match="not in action space"):
        env.step(ENCODING.choices.size)
    with pytest.raises(ValueError, match=r"482 \(no choice: they go to 481\)"):
        env.unwrapped.step(ENCODING.choices.size)


def test_pettingzoos_wrapper_can_end_the_match_instead() -> None:
    env = wrappers.TerminateIllegalWrapper(gym.raw_env(seats=3), illegal_reward=-1)
    env.reset(seed=1)
    env.last()
    env.step(START["end_turn"])
    assert env.terminations == dict.fromkeys(env.possible_agents, True)
    assert env.rewards["player_0"] == -1
    for _ in env.agent_iter():
        env.step(None)
    assert env.agents == []


def test_without_a_seed_the_row_of_matches_goes_on() -> None:
    def lands(*seeds: int | None) -> list[Any]:
        env = gym.raw_env(seats=3)
        boards = []
        for seed in seeds:
            env.reset(seed=seed)
            boards.append(env.observe("player_0")["observation"].tolist())
        return boards

    a, b, c = lands(7, None, None)
    assert lands(7, None, None) == [a, b, c]
    assert a != b != c != a
    # Nobody gave a seed: by chance.
    assert lands(None) != lands(None)


def test_it_can_be_copied_to_another_process() -> None:
    env = gym.env(seats=3, rewards=gym.by_win)
    copy = pickle.loads(pickle.dumps(env))
    for one in (env, copy):
        one.reset(seed=2)
    np.testing.assert_equal(copy.last(), env.last())
    assert copy.possible_agents == ["player_0", "player_1", "player_2"]


def test_it_draws_itself(capsys: pytest.CaptureFixture[str]) -> None:
    for mode in ("ansi", "human", None):
        env = gym.env(seats=3, render_mode=mode)
        env.reset(seed=2)
        expected = Pioneers.draw(env.unwrapped._match.view(None))
        assert env.render() == (expected if mode == "ansi" else None)
        assert capsys.readouterr().out == (f"{expected}\n\n" if mode == "human" else "")


def test_bad_settings_are_refused() -> None:
    with pytest.raises(ValueError, match="seats: pioneers is for 3 or 4 of them, not 2"):
        gym.env("pioneers", seats=2)
    with pytest.raises(ValueError, match="unknown game 'go'"):
        gym.env("go")
    with pytest.raises(ValueError, match="render_mode: ansi, human or None, not 'rgb_array'"):
        gym.env(render_mode="rgb_array")


def test_a_game_without_an_encoding_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "_ENCODINGS", {})
    with pytest.raises(ValueError, match="pioneers has no encoding"):
        gym.env("pioneers")
