#!/usr/bin/env python3
"""Plays a series of games with clocks between Zug, by its protocols, and another program.

    tests/protocols/series.py chess "uci: stockfish"
    tests/protocols/series.py chess "cecp: fairymax"
    tests/protocols/series.py capablanca "uci capablanca: fairy-stockfish"
    tests/protocols/series.py shatranj "cecp shatranj: fairymax"
    tests/protocols/series.py "go -D size=9" --increment 1 \
        "gtp: gnugo --mode gtp --boardsize 9 --komi 7.5 --chinese-rules --positional-superko --play-out-aftermath"

From the top of the clone; ZUG=FILE is the program (default: build/zug). Zug plays by `zug uci`, or by `zug gtp` where
the other program speaks GTP; the colours change from game to game. Each program checks every move of the other one, and
`zug engine` is the referee, which says when a game is over and how. A move that either of them does not take ends the
series with an error, and so does a clock of Zug that runs out. The last line is a row of series.md; --log keeps the
games, a line of JSON each.
"""

import argparse
import json
import os
import shlex
import sys
import time

import engines

ZUG = os.environ.get("ZUG", "build/zug")
OVER = {1.0: "won", 0.0: "drawn", -1.0: "lost"}


class Referee(engines.Side):
    """Zug's own protocol."""

    def ask(self, **request):
        self.say(json.dumps({"protocol": 1, "id": 1, **request}))
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer:
            raise engines.IllegalMove("referee: " + answer["error"]["message"])
        return answer["result"]


class Clocks:
    """What both players have left, in seconds, and what is remembered of it."""

    def __init__(self, seconds, increment):
        self.left, self.increment = [seconds, seconds], increment
        self.least, self.longest = [seconds, seconds], [0.0, 0.0]

    def spend(self, player, seconds):
        self.left[player] -= seconds
        self.least[player] = min(self.least[player], self.left[player])
        self.longest[player] = max(self.longest[player], seconds)
        self.left[player] += self.increment


def play(sides, referee, clocks, most_plies):
    """One game. Who has won (None: nobody), how the game ended, the moves."""
    for player, side in enumerate(sides):
        side.new_game(player == 0)
    state, moves, player = referee.ask(command="new"), [], 0
    while state["kind"] != "over":
        if len(moves) == most_plies:
            return None, "too long", moves
        begin = time.monotonic()
        move = sides[player].answer(clocks.left, clocks.increment)
        clocks.spend(player, time.monotonic() - begin)
        if clocks.least[player] < 0:
            return 1 - player, "time", moves
        if move == "resign":
            return 1 - player, "resigned", moves
        state = referee.ask(command="play", moves=[move])
        sides[1 - player].take(move)
        moves.append(move)
        player = 1 - player
    first, second = state["returns"]
    winner = None if first == second else int(second > first)
    return winner, "rules", moves


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("game")
    options.add_argument("opponent")
    options.add_argument("--games", type=int, default=20)
    options.add_argument("--seconds", type=float, default=10)
    options.add_argument("--increment", type=float, default=0.1)
    options.add_argument("--plies", type=int, default=400, help="a longer game is drawn")
    options.add_argument("--player", default="auto:threads=1")
    options.add_argument("--log")
    given = options.parse_args()
    protocol = "gtp" if given.opponent.startswith("gtp") else "uci"
    zug = engines.side(f"{protocol}: {ZUG} {protocol} {given.game} --player {given.player}")
    rival = engines.side(given.opponent)
    referee = Referee(f"{ZUG} engine {given.game}")
    results, plies, least, longest = [], 0, [given.seconds] * 2, [0.0, 0.0]
    lost_on_time = [0, 0]
    for game in range(given.games):
        sides = [zug, rival] if game % 2 == 0 else [rival, zug]
        seats = [0, 1] if game % 2 == 0 else [1, 0]  # of Zug, and of the rival
        clocks = Clocks(given.seconds, given.increment)
        winner, how, moves = play(sides, referee, clocks, given.plies)
        result = 0.0 if winner is None else 1.0 if winner == seats[0] else -1.0
        results.append(result)
        plies += len(moves)
        for who, seat in enumerate(seats):
            least[who] = min(least[who], clocks.least[seat])
            longest[who] = max(longest[who], clocks.longest[seat])
            lost_on_time[who] += how == "time" and winner != seat
        print(f"{game + 1}: {OVER[result]} ({how}), {len(moves)} plies; left at least "
              f"{clocks.least[seats[0]]:.2f} s, longest move {clocks.longest[seats[0]]:.2f} s", flush=True)
        if given.log:
            with open(given.log, "a", encoding="utf-8") as log:
                print(json.dumps({"game": given.game, "opponent": given.opponent, "first": seats[0] == 0,
                                  "result": result, "end": how, "moves": moves}), file=log)
    for program in (zug, rival, referee):
        program.close()
    counts = " ".join(str(results.count(value)) for value in (1.0, 0.0, -1.0))
    print(f"| {given.game} | {shlex.split(given.opponent.split(': ', 1)[1])[0]} | {len(results)} | {counts} | "
          f"{plies / len(results):.0f} | 0 | {lost_on_time[0]}, {lost_on_time[1]} | {least[0]:.2f}, {least[1]:.2f} | "
          f"{longest[0]:.2f}, {longest[1]:.2f} |")
    return lost_on_time[0] > 0


if __name__ == "__main__":
    sys.exit(main())
