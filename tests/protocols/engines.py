"""Programs that play, each spoken to in its own protocol, for series.py.

A side plays one game after the other. Every move that it is told of, it also checks: what it does not take is an error.
"""

import re

from lines import Lines


class IllegalMove(Exception):
    """A program does not take a move of the other one."""


class Side(Lines):
    """One of two programs, and the moves of its game."""

    def __init__(self, command):
        super().__init__(command)
        self.moves = []


class Uci(Side):
    """The universal chess interface: Zug's own, or Stockfish's, which lists the legal moves on `go perft 1`."""

    def __init__(self, command, variant):
        super().__init__(command)
        self.say("uci")
        options, _ = self.lines_until("^uciok")
        self.is_zug = any(line.startswith("id name Zug") for line in options)
        self.say("setoption name Threads value 1")
        if variant and not self.is_zug:
            self.say(f"setoption name UCI_Variant value {variant}")

    def new_game(self, first):
        self.moves = []
        self.say("ucinewgame")
        self.ready()

    def ready(self):
        self.say("isready")
        return self.lines_until("^readyok")[0]

    def position(self):
        self.say("position startpos" + (" moves " + " ".join(self.moves) if self.moves else ""))

    def take(self, move):
        if self.is_zug:
            self.moves.append(move)
            self.position()
            errors = [line for line in self.ready() if line.startswith("info string")]
            if errors:
                raise IllegalMove(f"{' '.join(self.command)}: {errors[0]}")
            return
        self.position()
        self.say("go perft 1")
        lines, _ = self.lines_until("^Nodes searched")
        if not any(line.startswith(move + ":") for line in lines):
            raise IllegalMove(f"{' '.join(self.command)} has no {move} after {' '.join(self.moves)}")
        self.moves.append(move)

    def answer(self, clocks, increment):
        self.position()
        white, black = (max(1, round(1000 * left)) for left in clocks)
        step = round(1000 * increment)
        self.say(f"go wtime {white} btime {black} winc {step} binc {step}")
        move = self.lines_until(r"^bestmove (\S+)")[1][1]
        self.moves.append(move)
        return move


class Cecp(Side):
    """The chess engine communication protocol, version 2, as xboard speaks it."""

    def __init__(self, command, variant):
        super().__init__(command)
        self.variant, self.first = variant, False
        self.say("xboard")
        self.say("protover 2")

    def new_game(self, first):
        self.moves, self.first = [], first
        self.say("new")
        if self.variant:
            self.say(f"variant {self.variant}")
        self.say("level 0 0:10 0")
        self.say("easy")
        self.say("force")
        self.ready()

    def ready(self):
        self.say("ping 1")
        return self.lines_until("^pong 1")[0]

    def take(self, move):
        self.say("force")
        self.say(move)
        errors = [line for line in self.ready() if re.match("Illegal move|Error", line)]
        if errors:
            raise IllegalMove(f"{' '.join(self.command)}: {errors[0]}")
        self.moves.append(move)

    def answer(self, clocks, increment):
        own, other = clocks if self.first else clocks[::-1]
        self.say(f"time {round(100 * own)}")
        self.say(f"otim {round(100 * other)}")
        self.say("go")
        found = self.lines_until(r"^(?:move (\S+)|(?:1-0|0-1|1/2-1/2|resign).*)$")[1]
        move = found[1].lower() if found[1] else "resign"
        self.moves.append(move)
        return move


class Gtp(Side):
    """The Go text protocol, version 2. Its boards have no column I."""

    def __init__(self, command, variant):
        super().__init__(command)
        self.colour, self.other = "black", "white"

    def ask(self, command):
        self.say(command)
        lines, found = self.lines_until(r"^[=?] *(.*)$")
        if found[0].startswith("?"):
            raise IllegalMove(f"{' '.join(self.command)}: {command}: {found[1]}")
        return found[1].strip()

    def new_game(self, first):
        self.colour, self.other = ("black", "white") if first else ("white", "black")
        self.ask("clear_board")
        self.ask("time_settings 10 1 1")

    def take(self, move):
        column = chr(ord(move[0]) + 1) if "i" <= move[0] and move != "pass" else move[0]
        self.ask(f"play {self.other} {column}{move[1:]}")

    def answer(self, clocks, increment):
        """The clock is what is left of the first ten seconds, then a second for each move."""
        own = clocks[0 if self.colour == "black" else 1]
        self.ask(f"time_left {self.colour} {max(1, int(own))} {0 if own > increment else 1}")
        move = self.ask(f"genmove {self.colour}").lower()
        if move in ("pass", "resign") or move[0] < "i":
            return move
        return chr(ord(move[0]) - 1) + move[1:]


PROTOCOLS = {"uci": Uci, "cecp": Cecp, "gtp": Gtp}


def side(text):
    """`uci: stockfish`, `cecp capablanca: fairymax`."""
    words, command = text.split(": ", 1)
    protocol, _, variant = words.strip().partition(" ")
    return PROTOCOLS[protocol](command.strip(), variant)
