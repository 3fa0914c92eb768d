#!/usr/bin/env python3
"""How many won positions a player wins, and where it gives a win away.

    tests/strength/kept.py GAME [--positions 100] [--plies 8-14] [--player auto:time=1] [--opponent auto:time=1]

Positions come from random games. `zug solve --prove` says which are won for the player to move or for the other one; the
side that has the win is played by PLAYER, the other one by OPPONENT. A win is kept if every position after a move of
PLAYER is proved to be still won. Prints a line a position and the share of those kept, with its 95 percent interval
(E. B. Wilson, 1927). For games of two players without chance that can be proved within some seconds from there on.
ZUG names the program (./zug).
"""

import argparse
import json
import math
import os
import random
import subprocess
import sys
import tempfile

ZUG = os.environ.get("ZUG", "./zug")


def zug(*arguments):
    done = subprocess.run([ZUG, *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"zug {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout


def moves_of_game(game, first, players, seed):
    """The moves of one game after the given ones."""
    with tempfile.TemporaryDirectory() as folder:
        record = os.path.join(folder, "record")
        zug("match", game, "--games", "1", "--seed", str(seed), "--players", ",".join(players), "--record", record,
            *(["--moves", ",".join(first)] if first else []))
        with open(record) as lines:
            return json.loads(lines.readline())["moves"]


def value(game, moves):
    """The first player's proved utility after some moves."""
    proof = json.loads(zug("solve", game, "--prove", "--json", "--moves", ",".join(moves)))
    return proof[0]["value"]


def interval(kept, tried):
    share, z = kept / tried, 1.96
    middle = (share + z * z / (2 * tried)) / (1 + z * z / tried)
    half = z / (1 + z * z / tried) * math.sqrt(share * (1 - share) / tried + z * z / (4 * tried * tried))
    return middle - half, middle + half


def given_away(game, start, players, winner, seed):
    """The moves up to the one of the winner that gives the win away; None if it is kept."""
    moves = moves_of_game(game, start, players, seed)
    if moves[: len(start)] != start:
        moves = start + moves
    for plies in range(len(start) + 1, len(moves) + 1):
        by_winner = (plies - 1) % 2 == winner
        worth = value(game, moves[:plies]) if by_winner or plies == len(moves) else None
        if worth is not None and (worth <= 0 if winner == 0 else worth >= 0):
            return moves[:plies]
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--plies", default="8-14")
    parser.add_argument("--player", default="auto:time=1")
    parser.add_argument("--opponent", default="auto:time=1")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    least, most = map(int, options.plies.split("-"))
    lot = random.Random(options.seed)
    tried = kept = seed = 0
    while tried < options.positions:
        seed += 1
        moves = moves_of_game(options.game, [], ["random", "random"], options.seed * 1_000_000 + seed)
        plies = lot.randint(least, most)
        start = moves[:plies]
        if len(moves) <= plies:
            continue
        worth = value(options.game, start)
        if worth == 0:
            continue
        winner = 0 if worth > 0 else 1
        players = [options.player, options.opponent] if winner == 0 else [options.opponent, options.player]
        lost = given_away(options.game, start, players, winner, seed)
        tried += 1
        kept += lost is None
        print(f"{tried}: {' '.join(start)}: {'kept' if lost is None else 'given away: ' + ' '.join(lost)}", flush=True)
    low, high = interval(kept, tried)
    print(f"{kept} of {tried} kept ({100 * kept / tried:.1f}%, {100 * low:.1f} to {100 * high:.1f}%)")


if __name__ == "__main__":
    main()
