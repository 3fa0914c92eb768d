#!/usr/bin/env python3
"""Sends random and malformed messages to every face of the program, and looks whether it goes on.

    tests/fuzz/faces.py [--minutes N] [--seed N] [--program FILE] [FACE ...]

Faces: uci, gtp, engine, lsp, web; all by default, which share the minutes (60). Messages are parts of proper ones, put
together, repeated, cut and damaged at random. After every few of them a proper question must get its answer; the
program must not end, but where a face's protocol has no other way out, and its memory must not grow: from a quarter of
the time on by no more than a tenth and 64 MB. Best with a build with sanitizers. Exit code 1: something went wrong; the
last messages are then in faces-FACE.log.
"""

import argparse
import collections
import http.client
import json
import os
import random
import re
import select
import signal
import socket
import subprocess
import sys
import time
import zlib

PATIENCE = 120  # seconds for an answer, of a build with sanitizers on a busy machine

UCI = """uci|isready|ucinewgame|setoption name|Hash|value|16|MultiPV|3|Threads|2|UCI_Variant|gardner|Player|random|Ponder|
position|startpos|fen|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR|w KQkq - 0 1|8/8/8/8/8/8/8/K1k5 w|moves|e2e4|e7e5|e1g1|
go|depth|2|nodes|500|movetime|20|wtime|1|btime|-5|winc|movestogo|infinite|searchmoves|mate|ponder|stop|ponderhit|
debug on|99999999999999999999""".replace("\n", "").split("|")
GTP = """play|genmove|b|white|A1|t19|C3|pass|resign|undo|boardsize|3|4|19|komi|-2.5|nan|1e99|final_score|showboard|
time_settings|time_left|7|clear_board|#|known_command|list_commands|name|version|99999999999999999999|
loadsgf /etc/passwd|fixed_handicap|reg_genmove""".replace("\n", "").split("|")
RULES = """game "G"\nplayers A, B\nboard cell = grid(3, 3)\nstate at: cell -> player?\nmove mark(c: cell)\n  when c in empty
  then at[c] := me\nend\n  me wins when line(3, at.me)\n  draw when no empty\n"""
ENGINE = [{"command": "state"}, {"command": "load", "text": RULES}, {"command": "load", "file": "pig"},
          {"command": "play", "moves": ["b2", "a1"]}, {"command": "play", "moves": "c3"}, {"command": "undo"},
          {"command": "search", "depth": 3, "lines": 2}, {"command": "search", "time": 0.02}, {"command": "stop"},
          {"command": "hello"}, {"command": "new"}, {"command": "position", "text": "at=3/3/3"}]
WEB = [{"command": "games"}, {"command": "check", "text": RULES}, {"command": "open", "text": RULES},
       {"command": "open", "file": "tic-tac-toe"}, {"command": "open", "file": "chess", "parameters": {"x": 1}},
       {"command": "show", "room": "1", "moves": ["b2"], "width": 300}, {"command": "picture", "room": "2", "dark": True},
       {"command": "search", "room": "1", "moves": [], "player": "alphabeta:depth=3", "time": 0.1, "lines": 3},
       {"command": "search", "room": "2", "moves": [], "player": "uct:nodes=200"}, {"command": "progress", "room": "1"},
       {"command": "stop", "room": "1"}, {"command": "values", "room": "1", "moves": []}]
URI = {"uri": "file:///tmp/g.zug"}
PLACE = {"textDocument": URI, "position": {"line": 4, "character": 8}}
LSP = [{"method": "textDocument/didOpen", "params": {"textDocument": {**URI, "languageId": "zug", "version": 1, "text": RULES}}},
       {"method": "textDocument/didChange", "params": {"textDocument": {**URI, "version": 2}, "contentChanges": [
           {"range": {"start": {"line": 3, "character": 2}, "end": {"line": 3, "character": 5}}, "text": "x"}]}},
       {"method": "textDocument/didChange", "params": {"textDocument": URI, "contentChanges": [{"text": RULES}]}},
       {"method": "textDocument/didClose", "params": {"textDocument": URI}},
       *({"id": 1, "method": f"textDocument/{name}", "params": PLACE} for name in
         ("hover", "definition", "references", "completion", "documentSymbol", "formatting", "codeLens",
          "semanticTokens/full", "documentHighlight")),
       {"id": 2, "method": "textDocument/rename", "params": {**PLACE, "newName": "spot"}},
       {"id": 3, "method": "workspace/executeCommand", "params": {"command": "zug.perft", "arguments": [URI["uri"], 2]}},
       {"method": "$/cancelRequest", "params": {"id": 3}}, {"id": 4, "method": "initialize", "params": {}}]


class Failed(Exception):
    pass


def damaged(data: bytes, some: random.Random) -> bytes:
    """The same with some bytes changed, left out, repeated or put in."""
    data = bytearray(data)
    for _ in range(some.choice((0, 0, 0, 1, 1, 2, 8))):
        at = some.randrange(len(data) + 1)
        kind = some.randrange(5)
        if kind == 0:
            data[at:at + 1] = bytes([some.randrange(256)])
        elif kind == 1:
            del data[at:at + some.randrange(1, 30)]
        elif kind == 2:
            data[at:at] = data[at:at + some.randrange(1, 60)] * some.randrange(1, 40)
        elif kind == 3:
            data[at:at] = some.choice((b"\0", b"\xff\xfe", b"[" * 5000, b"{" * 5000, b'"', b"9" * 400, b"\r\n\r\n", b"\xf0\x9f\x8e\xb2"))
        else:
            del data[at:]
    return bytes(data)


def mutant(value, some: random.Random):
    """A JSON value with parts of other types, sizes and names."""
    odd = (None, True, -1, 2**63, 1e308, "", "x" * 3000, [], {}, [[[]]], "\ud83c\udfb2", 0.5, URI, RULES)
    if some.random() < 0.06:
        return some.choice(odd)
    if isinstance(value, dict):
        return {(some.choice(list(value)) if some.random() < 0.03 else k): mutant(v, some)
                for k, v in value.items() if some.random() > 0.04}
    if isinstance(value, list):
        return [mutant(v, some) for v in value] * some.choice((1, 1, 1, 1, 2))
    return value


class Process:
    """The program, and what it said last."""

    def __init__(self, words):
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            os.set_blocking(stream.fileno(), False)
        self.said, self.errors = b"", b""

    def pump(self, data: bytes, until=None):
        """Writes, reads meanwhile, and, where asked to, reads on until the pattern has come."""
        process, end = self.process, time.time() + PATIENCE
        while data or (until and not re.search(until, self.said)):
            reads, writes, _ = select.select([process.stdout, process.stderr], [process.stdin] if data else [], [], 1)
            if writes:
                try:
                    data = data[os.write(process.stdin.fileno(), data[:65536]):]
                except BrokenPipeError:
                    pass
            for stream in reads:
                got = stream.read() or b""
                if stream is process.stdout:
                    self.said = (self.said + got)[-200_000:]
                else:
                    self.errors = (self.errors + got)[-20_000:]
            if process.poll() is not None:
                return False
            if time.time() > end:
                raise Failed("no answer")
        return True

    def memory(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) * 1024

    def end(self):
        self.process.kill()
        self.process.wait()


class Lines:
    """A face that reads lines. `probe` and `answer` make of a number the proper question and the pattern of its answer."""

    first = ()  # messages

    def __init__(self, words, message, probe, answer):
        self.message, self.probe, self.answer = message, probe, answer
        self.process = Process(words)
        for message in self.first:
            self.send(message)

    def framed(self, data):
        return data + b"\n"

    def send(self, data):
        return self.process.pump(self.framed(data))

    def ask(self, number):
        return self.process.pump(self.framed(b"") + self.framed(self.probe(number)), self.answer(number))

    def last(self, some):
        """Whatever is wrong with a message, at the end of the input the program ends by itself."""
        self.process.pump(damaged(self.framed(self.message(some)), some))
        self.process.process.stdin.close()
        self.process.process.stdin = None
        self.process.process.communicate(timeout=PATIENCE)


class Frames(Lines):
    """Messages with headers that tell their lengths."""

    first = [json.dumps(message).encode() for message in (
        {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"capabilities": {}}},
        {"jsonrpc": "2.0", "method": "initialized", "params": {}})]

    def framed(self, data):
        return b"Content-Length: %d\r\n\r\n%s" % (len(data), data)


class Requests:
    """The page's server: proper and damaged requests of HTTP, on connections that may be cut."""

    def __init__(self, words, message):
        self.message = message
        self.process = Process(words)
        self.process.pump(b"", rb"http://[^ ]+/")
        self.port = int(re.search(rb":(\d+)/", self.process.said)[1])
        self.cookie = f"zug-visitor={'0' * 32}"

    def request(self, data):
        head = (f"POST /api HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nContent-Type: application/json\r\n"
                f"Cookie: {self.cookie}\r\nContent-Length: {len(data)}\r\nConnection: close\r\n\r\n")
        return head.encode() + data

    def send(self, data):
        data = self.request(data)
        if zlib.crc32(data) % 4 == 0:
            data = damaged(data, random.Random(data))
        try:
            with socket.create_connection(("127.0.0.1", self.port), PATIENCE) as connection:
                connection.sendall(data)
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(65536):
                    pass
        except OSError as error:  # the server may hang up on nonsense
            if isinstance(error, TimeoutError):
                raise Failed("no answer") from error
        return self.process.pump(b"")

    def ask(self, number):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        body = json.dumps({"id": number, "command": "games"})
        connection.request("POST", "/api", body, {"Content-Type": "application/json", "Cookie": self.cookie})
        if json.load(connection.getresponse())["id"] != number:
            raise Failed("the answer to something else")
        return self.process.pump(b"")

    def last(self, some):
        self.process.process.send_signal(signal.SIGINT)
        self.process.process.communicate(timeout=PATIENCE)


def words_of(parts):
    return lambda some: damaged(" ".join(some.choices(parts, k=some.randrange(1, 9))).encode(), some).replace(b"\n", b"")


def objects_of(kinds):
    def message(some):
        text = json.dumps(mutant(some.choice(kinds), some), ensure_ascii=some.random() < 0.5)
        return damaged(text.encode("utf-8", "surrogatepass"), some).replace(b"\n", b"")
    return message


def numbered(**members):
    return lambda number: json.dumps({"id": number, **members}).encode()


def has_id(number):
    return rb'"id": ?%d\b' % number


FACES = {
    "uci": lambda program: Lines([program, "uci", "chess"], words_of(UCI), lambda _: b"stop\nisready", lambda _: rb"readyok"),
    "gtp": lambda program: Lines([program, "gtp", "go"], words_of(GTP), lambda number: b"%d name" % number,
                                 lambda number: rb"=%d " % number),
    "engine": lambda program: Lines([program, "engine", "tic-tac-toe"], objects_of(ENGINE), numbered(command="hello"), has_id),
    "lsp": lambda program: Frames([program, "lsp"], objects_of(LSP), numbered(jsonrpc="2.0", method="shutdow"), has_id),
    "web": lambda program: Requests([program, "web", "--port", "0"], objects_of(WEB)),
}


def torment(face, until, some, sent):
    """Returns how many messages were sent, and the memory at a quarter of the time and at its end."""
    begin, quarter, number = time.time(), None, 0
    while time.time() < until:
        for _ in range(20):
            sent.append(face.message(some))
            if not face.send(sent[-1]):
                raise Failed("the program has ended")
        number += 1
        face.process.said = b""
        if not face.ask(1_000_000 + number):
            raise Failed("the program has ended")
        if quarter is None and time.time() > begin + (until - begin) / 4:
            quarter = face.process.memory()
    end = face.process.memory()
    face.last(some)
    if face.process.process.returncode < 0 or b"Sanitizer" in face.process.errors:
        raise Failed(f"at the end of its input the program ended with {face.process.process.returncode}")
    if quarter and end > 1.1 * quarter + (64 << 20):
        raise Failed(f"memory grew from {quarter >> 20} to {end >> 20} MB")
    return 21 * number, quarter or end, end


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program", default="build/zug")
    parser.add_argument("faces", nargs="*", metavar="FACE", choices=[[], *FACES], default=[])
    options = parser.parse_args()
    names, failed = options.faces or list(FACES), False
    for name in names:
        some, sent = random.Random(f"{options.seed} {name}"), collections.deque(maxlen=60)
        face = FACES[name](options.program)
        try:
            count, before, after = torment(face, time.time() + 60 * options.minutes / len(names), some, sent)
            print(f"{name}: {count} messages, {before >> 20} MB after a quarter of the time, {after >> 20} MB at its end", flush=True)
        except (Failed, OSError, subprocess.TimeoutExpired) as error:
            failed = True
            print(f"{name}: {error}\n{face.process.errors.decode(errors='replace')[-3000:]}", flush=True)
            with open(f"faces-{name}.log", "wb") as log:
                log.write(b"\n".join(sent))
        finally:
            face.process.end()
    sys.exit(failed)


main()
