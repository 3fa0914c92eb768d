"""A program that is spoken to in lines."""

import re
import shlex
import subprocess


class Lines:
    """Its process, from the command, a text or a list of words, to the end of close()."""

    def __init__(self, command, errors=subprocess.DEVNULL):
        self.command = shlex.split(command) if isinstance(command, str) else command
        self.process = subprocess.Popen(self.command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=errors)

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def lines_until(self, pattern, see=None):
        """The lines up to the first one that has the pattern, and the match in it. `see` is shown each when it comes."""
        lines = []
        for line in self.process.stdout:
            lines.append(line.rstrip("\n"))
            if see:
                see(line)
            found = re.search(pattern, line)
            if found:
                return lines, found
        raise RuntimeError("the program has ended: " + " ".join(self.command))

    def close(self):
        self.process.kill()
        self.process.wait()
