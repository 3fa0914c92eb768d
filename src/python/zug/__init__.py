"""Zug from Python: any game that a rule file describes, to play, search, solve and learn.

>>> import zug
>>> game = zug.load("tic-tac-toe")
>>> state = game.initial()
>>> state.apply("b2")
>>> len(state.legal_moves)
8
"""

from __future__ import annotations

import os
from typing import Any, Dict, Iterable, Mapping, Optional

import numpy as np
import numpy.typing as npt

from . import _zug
from ._zug import (
    Block,
    Database,
    Error,
    Game,
    Move,
    Player,
    Playouts,
    SearchLine,
    SearchResult,
    Solution,
    Standing,
    State,
    __version__,
    games,
)

__all__ = [
    "Block", "Database", "Error", "Game", "Move", "Player", "Playouts", "SearchLine", "SearchResult", "Solution",
    "Standing", "State", "__version__", "games", "load", "loads", "split",
]  # fmt: skip


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _parameters(given: Optional[Mapping[str, Any]], named: Mapping[str, Any]) -> Dict[str, str]:
    every = {**(given or {}), **named}
    return {name: _text(value) for name, value in every.items()}


def load(
    file: str | os.PathLike[str],
    parameters: Optional[Mapping[str, Any]] = None,
    *,
    executor: str = "",
    folders: Iterable[str | os.PathLike[str]] = (),
    **named: Any,
) -> Game:
    """A game from a rule file: its path, or the name of one that comes with Zug (`zug.games()`).

    Parameters of the file are given by name, or in a dictionary: `zug.load("breakthrough", width=5, height=5)`.
    `executor` is "native" (waits for optimised machine code), "interpreter" or "reference"; by default play starts in
    the interpreter and goes on in machine code. Rule files may extend and import those in `folders`, too.
    """
    names = [os.fspath(folder) for folder in folders]
    return _zug.load(os.fspath(file), _parameters(parameters, named), executor, names)


def loads(
    text: str,
    parameters: Optional[Mapping[str, Any]] = None,
    *,
    executor: str = "",
    folders: Iterable[str | os.PathLike[str]] = (),
    **named: Any,
) -> Game:
    """A game from the text of its rules; everything else is as for load()."""
    names = [os.fspath(folder) for folder in folders]
    return _zug.loads(text, _parameters(parameters, named), executor, names)


def split(game: Game, tensor: npt.NDArray[np.float32]) -> Dict[str, npt.NDArray[np.float32]]:
    """Views of a tensor (or a batch of tensors), by the names of state variables, in the shapes of their blocks."""
    return {
        block.name: tensor[..., block.offset : block.offset + block.size].reshape(tensor.shape[:-1] + block.shape)
        for block in game.tensor_blocks
    }
