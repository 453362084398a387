"""A PettingZoo environment of any game that has an encoding; see the README beside this file.

Needs the extra `gym`: pip install 'pioneers-ladder[gym]'.

    from runner import gym

    env = gym.env(seats=4)
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        over = termination or truncation
        env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
"""

from runner.gym.environment import env, raw_env
from runner.gym.rewards import by_placement, by_win

__all__ = ["by_placement", "by_win", "env", "raw_env"]
