#!/usr/bin/env python3
"""Plays matches between a player of Zug and another program, and tells the score with a 95% interval.

    tests/strength/duel.py chess auto:time=0.5 "uci nodes 1000: stockfish" --games 20 --jobs 2
    tests/strength/duel.py chess auto:time=0.5 "cecp level 40 0:20 0: fairymax" --opening 4
    tests/strength/duel.py backgammon auto:time=1 "gnubg 0: /usr/games/gnubg -t -q" --opening 0
    tests/strength/duel.py "go -D size=9" auto:time=5 "gtp: gnugo --mode gtp --level 1 --boardsize 9 --komi 7.5"

From the top of the clone; ZUG=FILE is the program (default: ./zug). The opponent is PROTOCOL SETTINGS: COMMAND. The
protocols: gnubg (the settings are its plies; without an opening), uci (the settings follow `go`), cecp (xboard's; the
settings are a command sent before the first move), gtp, zug (the settings are its player; PROGRAM and the rule file
follow, as in "zug auto:time=0.5: ./zug chess").
Zug is the referee: it takes the opponent's moves as those of a person. Each opening, some random plies, is played from
every seat; where there are more than two, the opponent (another Zug) plays all the others. With --log the games are
added to a file, a line of JSON each.
"""

import argparse
import concurrent.futures
import json
import math
import os
import random
import re
import shlex
import subprocess
import sys
import time

from backgammon import gnubg_class

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "protocols"))
from lines import Lines  # noqa: E402

ZUG = os.environ.get("ZUG", "./zug")


class Rival:
    """What an opponent need not do."""

    def see(self, line):
        """What Zug shows."""

    def instead(self):
        """Another text of the last answer's move."""
        return None


class Program(Rival, Lines):
    """A program that is spoken to in lines."""

    def wait_for(self, pattern, see=None):
        return self.lines_until(pattern, see)[1]


class Uci(Program):
    """The universal chess interface. Moves are written as Zug's chess writes them."""

    def __init__(self, command, settings):
        super().__init__(command)
        self.settings, self.moves = settings, []
        self.say("uci")
        self.wait_for("^uciok")
        self.say("isready")
        self.wait_for("^readyok")

    def take(self, moves):
        self.moves += moves

    def answer(self):
        self.say("position startpos" + (" moves " + " ".join(self.moves) if self.moves else ""))
        self.say("go " + self.settings)
        self.moves.append(self.wait_for(r"^bestmove (\S+)")[1])
        return self.moves[-1]


class Cecp(Program):
    """The chess engine communication protocol, as xboard speaks it."""

    def __init__(self, command, settings):
        super().__init__(command)
        self.pending = []
        self.say("xboard")
        self.say("protover 2")
        self.say("new")
        self.say(settings)
        self.say("force")

    def take(self, moves):
        self.pending += moves

    def answer(self):
        self.say("force")
        for move in self.pending:
            self.say(move)
        self.pending = []
        self.say("go")
        return self.wait_for(r"^(?:move|My move is ?:) *(\S+)")[1].lower()


class Gtp(Program):
    """The Go text protocol. Its boards have no column I."""

    def __init__(self, command, settings):
        super().__init__(command)
        self.black = True
        self.ask("clear_board")

    def ask(self, command):
        self.say(command)
        return self.wait_for(r"^[=?] *(.*)$")[1].strip()

    def colour(self):
        self.black = not self.black
        return "white" if self.black else "black"

    def take(self, moves):
        for move in moves:
            text = move if move[0] < "i" or move == "pass" else chr(ord(move[0]) + 1) + move[1:]
            self.ask(f"play {self.colour()} {text}")

    def answer(self):
        text = self.ask(f"genmove {self.colour()}").lower()
        return text if text[0] < "i" or text in ("pass", "resign") else chr(ord(text[0]) - 1) + text[1:]


class Zug(Rival):
    """Another Zug, or another rule file of the same game; the settings are its player."""

    def __init__(self, command, settings):
        self.command, self.settings = shlex.split(command), settings
        self.lines, self.moves = None, []

    def take(self, moves):
        if not self.lines:
            self.moves += moves
        else:
            for move in moves:
                self.lines.say(move)

    def answer(self):
        if not self.lines:
            line = [self.command[0], "play", *self.command[1:], "--as", self.other, "--against", self.settings]
            self.lines = Program(line + (["--moves", " ".join(self.moves)] if self.moves else []))
        return self.lines.wait_for(r"^(?!" + re.escape(self.other) + r" ).+ plays (.+)$")[1]

    def close(self):
        if self.lines:
            self.lines.close()


PROTOCOLS = {"uci": Uci, "cecp": Cecp, "gtp": Gtp, "zug": Zug, "gnubg": gnubg_class(Program)}


def opponent(text, name, other):
    words, command = text.rsplit(": ", 1)
    protocol, _, settings = words.strip().partition(" ")
    rival = PROTOCOLS[protocol](command.strip(), settings)
    rival.name, rival.other = name, other  # the name of who plays against it
    return rival


def players_of(game):
    shown = subprocess.run([ZUG, "info", *game, "--json"], capture_output=True, text=True, check=True)
    return json.loads(shown.stdout)["players"]


def opening_of(game, plies, seed):
    """The first moves of a random game."""
    randoms = ",".join(["random"] * len(players_of(game)))
    played = subprocess.run([ZUG, "play", *game, "--players", randoms, "--seed", str(seed)],
                            capture_output=True, text=True, check=True)
    shown = re.findall(r"^moves: (.*)$", played.stdout, re.M)  # a game may have a state of that name
    return shown[-1].split(", ")[:plies]


def play(setting, opening, seat):
    """One game; the player of Zug has that seat. Its utility, and the moves."""
    game, names, player, other, limit = setting
    persons = [name for name in names if name != names[seat]]
    zug = Program([ZUG, "play", *game, *(word for name in persons for word in ("--as", name)), "--against", player] +
                (["--moves", " ".join(opening)] if opening else []), subprocess.STDOUT)
    rival = opponent(other, persons[0], names[seat])
    moves = list(opening)
    told = 0  # how many of the moves the rival knows
    used, longest = 0.0, 0.0
    begin = time.monotonic()
    try:
        while len(moves) < limit:
            found = zug.wait_for(r"^(?:(.+) plays (.+)|(.+) to move|game over: (.*)|zug: (.*))$", rival.see)
            other_text = rival.instead() if found[5] and "is not a legal move" in found[5] else None
            if other_text:
                zug.say(other_text)
            elif found[5]:
                raise RuntimeError(found[5])
            if found[4]:
                utility = float(re.search(re.escape(names[seat]) + r" (-?[\d.]+)", found[4])[1])
                return utility, moves, (used, longest)
            if found[2]:
                moves.append(found[2].strip())
                if found[1] == names[seat]:
                    used, longest = used + time.monotonic() - begin, max(longest, time.monotonic() - begin)
            elif found[3] in persons:
                rival.take(moves[told:])
                answer = rival.answer()
                if answer in ("resign", "(none)"):
                    return 1.0, moves + [answer], (used, longest)
                told = len(moves) + 1
                zug.say(answer)
                begin = time.monotonic()
            else:
                begin = time.monotonic()
        return 0.0, moves, (used, longest)
    finally:
        zug.close()
        rival.close()


def interval(points):
    """A mean and half of its 95% interval."""
    mean = sum(points) / len(points)
    variance = sum((p - mean) ** 2 for p in points) / max(len(points) - 1, 1)
    return mean, 1.96 * math.sqrt(variance / len(points))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("game")
    options.add_argument("player")
    options.add_argument("opponent")
    options.add_argument("--games", type=int, default=20)
    options.add_argument("--jobs", type=int, default=1)
    options.add_argument("--opening", type=int, default=4)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--plies", type=int, default=600, help="a longer game is a draw")
    options.add_argument("--log")
    given = options.parse_args()
    game = shlex.split(given.game)
    setting = game, players_of(game), given.player, given.opponent, given.plies
    seats = len(setting[1])
    starts = [(opening_of(game, given.opening, given.seed + i // seats) if given.opening else [], i % seats)
              for i in range(given.games)]
    points, utilities = [], []
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        for (opening, seat), (utility, moves, used) in zip(starts, pool.map(lambda s: play(setting, *s), starts)):
            points.append((utility > 0) + (utility == 0) / 2)
            utilities.append(utility)
            mean, half = interval(points)
            print(f"{len(points)}: seat {seat}, utility {utility:g}, {len(moves)} plies, longest {used[1]:.2f} s; "
                  f"score {mean:.3f} +- {half:.3f}", flush=True)
            if given.log:
                with open(given.log, "a", encoding="utf-8") as log:
                    print(json.dumps({"game": given.game, "player": given.player, "opponent": given.opponent,
                                      "seat": seat, "utility": utility, "moves": moves}), file=log)
    wins, draws = points.count(1), points.count(0.5)
    print(f"{wins} wins, {draws} draws, {len(points) - wins - draws} losses: {interval(points)[0]:.3f} "
          f"+- {interval(points)[1]:.3f}; mean utility {interval(utilities)[0]:.3f} +- {interval(utilities)[1]:.3f}")


if __name__ == "__main__":
    sys.exit(main())
