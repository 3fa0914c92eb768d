#!/usr/bin/env python3
"""Runs the checkers of Gymnasium and PettingZoo on the adapters, where these packages are (they are not in Debian).

    PYTHONPATH=build/python tests/python/check_adapters.py

Tried with Gymnasium 1.4.0 and PettingZoo 1.27.0 (August 2026): all of it passes. PettingZoo's checker warns that agents
are not called player_0 and observations are dictionaries, as those of its own board games are.
"""

import sys

import gymnasium
import numpy as np
import zug
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import SyncVectorEnv
from gymnasium.wrappers import RecordEpisodeStatistics, TimeLimit
from pettingzoo.test import api_test, seed_test
from zug.gym import ZugEnv
from zug.pettingzoo import ZugAEC

GAMES = ["tic-tac-toe", "connect-four", "pig", "nim", "chess", "backgammon", "kalah", "three-tic-tac-toe", "ludo",
         "english-draughts"]


class LegalEnv(ZugEnv):
    """Takes any action for a legal one: the checker draws them without looking at the mask."""

    def step(self, action):
        legal = self.state.legal_actions()
        return super().step(legal[int(action) % len(legal)])


def check_wrappers(game):
    env = RecordEpisodeStatistics(TimeLimit(ZugEnv(game), 3))
    _, info = env.reset(seed=1)
    for _ in range(50):
        _, _, over, cut, info = env.step(info["legal_actions"][0])
        if over or cut:
            _, info = env.reset()


def check_vector(game):
    env = SyncVectorEnv([lambda: ZugEnv(game) for _ in range(3)])
    _, info = env.reset(seed=1)
    observations = env.step(np.array([np.flatnonzero(mask)[0] for mask in info["action_mask"]]))[0]
    assert len(observations) == 3


def main():
    for name in GAMES:
        game = zug.load(name)
        assert isinstance(ZugEnv(game), gymnasium.Env)
        check_env(LegalEnv(game, render_mode="ansi"))
        api_test(ZugAEC(game), num_cycles=200)
        seed_test(lambda: ZugAEC(game), num_cycles=20)
        check_wrappers(game)
        check_vector(game)
    print(f"{len(GAMES)} games passed")


if __name__ == "__main__":
    sys.exit(main())
