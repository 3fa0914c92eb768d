"""Games as environments of Gymnasium: one player learns, programs play the others.

The interface is Gymnasium's (reset, step, spaces); that package itself is used if it is installed, and not needed.
"""

import numpy as np

from . import spaces

try:
    from gymnasium import Env as _Env
except ImportError:

    class _Env:
        """What is used of Gymnasium's class."""

        _np_random = None

        def reset(self, *, seed=None, options=None):
            if seed is not None:
                self._np_random = np.random.default_rng(seed)

        @property
        def np_random(self):
            if self._np_random is None:
                self._np_random = np.random.default_rng()
            return self._np_random


class ZugEnv(_Env):
    """An environment for one player of a game.

    `player` is the learner's seat, or None for a random one in each episode. `opponent` makes the moves of all others:
    the text of a player ("random", "alphabeta:depth=2"), or a function from a state to a move. The reward is the
    learner's utility at the end, and 0 before. `max_steps` actions of the learner truncate an episode (None: never).
    `info` has the `action_mask`, the `legal_actions`, the `state` and the learner's `player`.
    """

    metadata = {"render_modes": ["ansi"]}

    def __init__(self, game, player=0, opponent="random", max_steps=None, render_mode=None):
        self.game = game
        self.player = player
        self.seat = player or 0
        self.max_steps = max_steps
        self.render_mode = render_mode
        self.observation_space = spaces.observation_space(game)
        self.action_space = spaces.Discrete(game.num_actions)
        searches = isinstance(opponent, str) and opponent != "random"
        self._opponent = game.player(opponent) if searches else opponent
        self.state = None

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        if hasattr(self._opponent, "forget"):
            self._opponent.forget(int(self.np_random.integers(2**32)))
        if self.player is None:
            self.seat = int(self.np_random.integers(len(self.game.players)))
        self.state = self.game.initial()
        self._steps = 0
        self._play_others()
        return self._observation(), self._info()

    def step(self, action):
        if self.state is None or self.state.is_terminal:
            raise RuntimeError("the episode is over: call reset()")
        self.state.act(int(action))
        self._steps += 1
        self._play_others()
        over = self.state.is_terminal
        cut = not over and self.max_steps is not None and self._steps >= self.max_steps
        return self._observation(), float(self.state.utilities[self.seat]), over, cut, self._info()

    def render(self):
        return self.state.board

    def close(self):
        pass

    def _play_others(self):
        while not self.state.is_terminal:
            if self.state.is_chance:
                self.state.act(spaces.chance_outcome(self.state, self.np_random))
            elif self.state.current_player != self.seat:
                self.state.apply(self._chosen())
            else:
                return

    def _chosen(self):
        if self._opponent == "random":
            moves = self.state.legal_moves
            return moves[self.np_random.integers(len(moves))]
        if hasattr(self._opponent, "search"):
            return self._opponent.search(self.state).move
        return self._opponent(self.state)

    def _observation(self):
        return self.state.tensor()

    def _info(self):
        over = self.state.is_terminal
        return {
            "action_mask": self.state.action_mask(),
            "legal_actions": [] if over else self.state.legal_actions(),
            "state": self.state.copy(),
            "player": self.seat,
        }
