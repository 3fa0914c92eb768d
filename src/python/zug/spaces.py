"""The spaces of Gymnasium, or the part of them that the adapters need where Gymnasium is not installed."""

import numpy as np

try:
    from gymnasium.spaces import Box, Dict, Discrete
except ImportError:

    class Discrete:
        """The numbers 0 to n-1."""

        def __init__(self, n, seed=None):
            self.n = n
            self.shape = ()
            self.dtype = np.dtype(np.int64)
            self.seed(seed)

        def seed(self, seed=None):
            self._random = np.random.default_rng(seed)

        def sample(self, mask=None):
            if mask is None:
                return int(self._random.integers(self.n))
            return int(self._random.choice(np.flatnonzero(mask)))

        def contains(self, x):
            return isinstance(x, (int, np.integer)) and 0 <= x < self.n

        __contains__ = contains

        def __repr__(self):
            return f"Discrete({self.n})"

    class Box:
        """Arrays of a shape, between two bounds."""

        def __init__(self, low, high, shape, dtype=np.float32):
            self.low = np.full(shape, low, dtype)
            self.high = np.full(shape, high, dtype)
            self.shape = shape
            self.dtype = np.dtype(dtype)

        def contains(self, x):
            fits = isinstance(x, np.ndarray) and x.shape == self.shape
            return bool(fits and np.all(x >= self.low) and np.all(x <= self.high))

        __contains__ = contains

        def __repr__(self):
            return f"Box({self.low.min()}, {self.high.max()}, {self.shape}, {self.dtype})"

    class Dict:
        """A dictionary of spaces."""

        def __init__(self, spaces):
            self.spaces = spaces

        def __getitem__(self, key):
            return self.spaces[key]

        def contains(self, x):
            return isinstance(x, dict) and all(key in x and x[key] in space for key, space in self.spaces.items())

        __contains__ = contains

        def __repr__(self):
            return f"Dict({self.spaces})"


def observation_space(game):
    return Box(0.0, 1.0, (game.tensor_size,), np.float32)


def mask_space(game):
    return Box(0, 1, (game.num_actions,), np.int8)


def chance_outcome(state, random):
    """The number of an outcome of chance, drawn by its probability."""
    numbers, probabilities = zip(*state.chance_outcomes())
    weights = np.asarray(probabilities)
    return numbers[random.choice(len(numbers), p=weights / weights.sum())]
