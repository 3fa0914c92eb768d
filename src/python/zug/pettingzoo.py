"""Games as environments of PettingZoo: every player is an agent, and they take turns (AEC).

The interface is PettingZoo's; that package itself is used if it is installed, and not needed.
"""

import numpy as np

from . import spaces

try:
    from pettingzoo import AECEnv as _Env
except ImportError:
    _Env = object


class ZugAEC(_Env):
    """A game for all of its players. Agents are named as the players of the rule file.

    Observations are dictionaries of `observation` and `action_mask`, which is all zeros for an agent whose turn it is
    not. Chance is played by the environment. Rewards are the utilities at the end. `max_steps` actions truncate a game.
    """

    def __init__(self, game, max_steps=None, render_mode=None):
        self.game = game
        self.max_steps = max_steps
        self.render_mode = render_mode
        self.metadata = {"name": f"zug_{game.name}", "render_modes": ["ansi"], "is_parallelizable": False}
        self.possible_agents = list(game.players)
        self.agents = []
        space = spaces.Dict({"observation": spaces.observation_space(game), "action_mask": spaces.mask_space(game)})
        self.observation_spaces = {agent: space for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(game.num_actions) for agent in self.possible_agents}
        self._random = np.random.default_rng()

    def observation_space(self, agent):
        return self.observation_spaces[agent]

    def action_space(self, agent):
        return self.action_spaces[agent]

    @property
    def num_agents(self):
        return len(self.agents)

    @property
    def max_num_agents(self):
        return len(self.possible_agents)

    @property
    def unwrapped(self):
        return self

    def reset(self, seed=None, options=None):
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self.agents = list(self.possible_agents)
        self.rewards = {agent: 0.0 for agent in self.agents}
        self._cumulative_rewards = {agent: 0.0 for agent in self.agents}
        self.terminations = {agent: False for agent in self.agents}
        self.truncations = {agent: False for agent in self.agents}
        self.infos = {agent: {} for agent in self.agents}
        self.game_state = self.game.initial()
        self._steps = 0
        self._play_chance()
        self._select()

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._leave(agent, action)
            return
        self._cumulative_rewards[agent] = 0.0
        self.game_state.act(int(action))
        self._steps += 1
        self._play_chance()
        over = self.game_state.is_terminal
        cut = not over and self.max_steps is not None and self._steps >= self.max_steps
        for each, utility in zip(self.possible_agents, self.game_state.utilities):
            self.rewards[each] = float(utility)
            self._cumulative_rewards[each] += float(utility)
            self.terminations[each] = over
            self.truncations[each] = cut
        self._select()

    def observe(self, agent):
        own = self.game_state.current_player == self.possible_agents.index(agent)
        mask = self.game_state.action_mask() if own else np.zeros(self.game.num_actions, np.int8)
        return {"observation": self.game_state.tensor(), "action_mask": mask}

    def last(self, observe=True):
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def agent_iter(self, max_iter=2**63):
        while self.agents and max_iter > 0:
            yield self.agent_selection
            max_iter -= 1

    def state(self):
        return self.game_state.tensor()

    def render(self):
        return self.game_state.board

    def close(self):
        pass

    def _play_chance(self):
        while self.game_state.is_chance:
            self.game_state.act(spaces.chance_outcome(self.game_state, self._random))

    def _select(self):
        player = self.game_state.current_player
        self.agent_selection = self.agents[0] if player is None else self.possible_agents[player]

    # Agents of a game that is over leave it one after the other, by an action of None.
    def _leave(self, agent, action):
        if action is not None:
            raise ValueError("the game is over: the only action left is None")
        self.agents.remove(agent)
        for each in (self.rewards, self._cumulative_rewards, self.terminations, self.truncations, self.infos):
            del each[agent]
        for each in self.agents:
            self.rewards[each] = 0.0
        if self.agents:
            self.agent_selection = self.agents[0]
