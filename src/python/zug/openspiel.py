"""Games with the interface of OpenSpiel's Python module, `pyspiel`; that package is not needed.

    game = zug.openspiel.load_game("connect-four")
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(random.choice(state.legal_actions()))

Rules need not bound the length of a game. Where an algorithm needs a bound, `max_game_length` among the parameters sets
one: a game that lasts longer is over then, and everybody gets 0.
"""

import re
from types import SimpleNamespace

import numpy as np

import zug


class PlayerId:
    CHANCE = -1
    TERMINAL = -4


def load_game(name, params=None):
    """A game by the name or path of its rule file, with parameters, which may also follow in parentheses: `nim(n=3)`."""
    params = dict(params or {})
    call = re.fullmatch(r"(.*?)\((.*)\)", name)
    if call:
        name = call[1]
        params.update(re.findall(r"(\w+)=((?:{[^}]*}|[^,{])*)", call[2]))
    length = params.pop("max_game_length", None)
    return Game(zug.load(name, params), name, None if length is None else int(length))


def serialize_game_and_state(game, state):
    """As pyspiel's function of this name writes them."""
    return f"# Zug\n[Meta]\nVersion: 1\n\n[Game]\n{game}\n[State]\n{state.serialize()}"


def deserialize_game_and_state(text):
    game_text, state_text = text.split("[Game]\n", 1)[1].split("\n[State]\n", 1)
    game = load_game(game_text)
    return game, game.deserialize_state(state_text)


def _restored(game, text):
    return game.deserialize_state(text)


class Game:
    """As pyspiel.Game, for the functions below."""

    def __init__(self, game, name=None, max_length=None):
        self.zug_game = game
        self._name = name or game.name
        self._max_length = max_length

    def __reduce__(self):
        return load_game, (str(self),)

    def new_initial_state(self, text=None):
        return State(self, self.zug_game.initial() if text is None else self.zug_game.position(text), start=text)

    def deserialize_state(self, text):
        lines = text.splitlines()
        start = lines.pop(0)[len("position "):] if lines and lines[0].startswith("position ") else None
        state = self.new_initial_state(start)
        for line in lines:
            state.apply_action(int(line))
        return state

    def max_game_length(self):
        if self._max_length is None:
            raise zug.Error("no bound of the length of a game is known: load it with the parameter max_game_length")
        return self._max_length

    def num_players(self):
        return len(self.zug_game.players)

    def num_distinct_actions(self):
        return self.zug_game.num_actions

    def max_chance_outcomes(self):
        return self.zug_game.num_outcomes

    def min_utility(self):
        return self.zug_game.lowest_utility

    def max_utility(self):
        return self.zug_game.highest_utility

    def utility_sum(self):
        return 0.0 if self.zug_game.is_zero_sum else None

    def observation_tensor_shape(self):
        return [self.zug_game.tensor_size]

    def observation_tensor_size(self):
        return self.zug_game.tensor_size

    information_state_tensor_shape = observation_tensor_shape
    information_state_tensor_size = observation_tensor_size

    def action_to_string(self, player, action):
        by_chance = player == PlayerId.CHANCE
        return self.zug_game.outcome_text(action) if by_chance else self.zug_game.action_text(action)

    def get_parameters(self):
        return self.zug_game.parameters

    def get_type(self):
        return SimpleNamespace(
            short_name=self.zug_game.name,
            long_name=self.zug_game.title,
            dynamics="sequential",
            chance_mode="explicit_stochastic" if self.zug_game.has_chance else "deterministic",
            information="perfect_information",
            utility="zero_sum" if self.zug_game.is_zero_sum else "general_sum",
            reward_model="terminal",
            max_num_players=self.num_players(),
            min_num_players=self.num_players(),
            provides_observation_tensor=True,
            provides_observation_string=True,
            provides_information_state_tensor=True,
            provides_information_state_string=True,
        )

    def __str__(self):
        settings = dict(self.zug_game.parameters)
        if self._max_length is not None:
            settings["max_game_length"] = self._max_length
        return f"{self._name}({','.join(f'{name}={value}' for name, value in settings.items())})"


class State:
    """As pyspiel.State, for the functions below."""

    def __init__(self, game, state, history=(), start=None):
        self._game = game
        self._history = list(history)  # players, actions, and the states before them
        self._start = start  # the text of the position, if it is another than that of the rules
        self.zug_state = state

    def __reduce__(self):
        return _restored, (self._game, self.serialize())

    def get_game(self):
        return self._game

    def num_players(self):
        return self._game.num_players()

    def num_distinct_actions(self):
        return self._game.num_distinct_actions()

    def current_player(self):
        if self.is_terminal():
            return PlayerId.TERMINAL
        return PlayerId.CHANCE if self.is_chance_node() else self.zug_state.current_player

    def _is_cut(self):
        return len(self._history) == self._game._max_length and not self.zug_state.is_terminal

    def is_terminal(self):
        return self.zug_state.is_terminal or self._is_cut()

    def is_chance_node(self):
        return self.zug_state.is_chance and not self._is_cut()

    def is_player_node(self):
        return not self.is_terminal() and not self.is_chance_node()

    def is_simultaneous_node(self):
        return False

    def is_initial_state(self):
        return not self._history

    def legal_actions(self, player=None):
        if self.is_terminal() or (player is not None and player != self.current_player()):
            return []
        return self.zug_state.legal_actions()

    def legal_actions_mask(self, player=None):
        mask = np.zeros(self._game.max_chance_outcomes() if self.is_chance_node() else self.num_distinct_actions(), int)
        mask[self.legal_actions(player)] = 1
        return mask.tolist()

    def chance_outcomes(self):
        return self.zug_state.chance_outcomes()

    def apply_action(self, action):
        player, before = self.current_player(), self.zug_state.copy()
        if player == PlayerId.TERMINAL:
            raise zug.Error("the game is over")
        self.zug_state.act(action)
        self._history.append((player, action, before))

    def undo_action(self, player, action):
        """Takes back the last action, which these must be."""
        if not self._history or self._history[-1][:2] != (player, action):
            raise zug.Error(f"the last action was not {action} by {player}")
        self.zug_state = self._history.pop()[2]

    def serialize(self):
        """The actions so far, one a line, after the position that they begin from, if it is not that of the rules."""
        start = "" if self._start is None else f"position {self._start}\n"
        return start + "".join(f"{action}\n" for action in self.history())

    def child(self, action):
        copy = self.clone()
        copy.apply_action(action)
        return copy

    def clone(self):
        return State(self._game, self.zug_state.copy(), self._history, self._start)

    def returns(self):
        return [0.0] * self.num_players() if self._is_cut() else self.zug_state.utilities.tolist()

    rewards = returns

    def player_return(self, player):
        return self.returns()[player]

    player_reward = player_return

    def history(self):
        return [action for _, action, _ in self._history]

    def history_str(self):
        return ", ".join(str(action) for action in self.history())

    def full_history(self):
        return [SimpleNamespace(player=player, action=action) for player, action, _ in self._history]

    def move_number(self):
        return len(self._history)

    def action_to_string(self, player_or_action, action=None):
        return self.zug_state.action_text(player_or_action if action is None else action)

    def string_to_action(self, player_or_text, text=None):
        wanted = player_or_text if text is None else text
        for action in self.legal_actions():
            if self.zug_state.action_text(action) == wanted:
                return action
        raise zug.Error(f"no legal action is called `{wanted}`")

    def observation_tensor(self, player=None):
        return self.zug_state.tensor()

    information_state_tensor = observation_tensor

    def observation_string(self, player=None):
        return self.zug_state.text

    def information_state_string(self, player=None):
        return self.history_str()

    def __str__(self):
        return self.zug_state.board
