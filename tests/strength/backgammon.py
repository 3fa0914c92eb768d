"""GNU Backgammon as an opponent: it is asked for its best move, without the cube, in each position."""

import re

BAR, OFF = 25, 0


class Position:
    """Men by side, 0 for who is to move, and by point, each side's own way towards home; what dice are left; and the
    other side's men when the turn began, which tell what is written as a hit."""

    def __init__(self, men, dice, before):
        self.men, self.dice, self.before = men, dice, before

    def step(self, point, die):
        """The position after one man's move by one die, and its text; None: no such move."""
        to, dice = max(0, point - die), list(self.dice)
        dice.remove(die)
        own, foe = list(self.men[0]), list(self.men[1])
        hit = to > 0 and foe[25 - to] == 1
        home = max((p for p in range(26) if own[p]), default=0) <= 6
        rear = max(p for p in range(26) if own[p])
        if to > 0 and foe[25 - to] > 1 or to == 0 and not (home and (point == die or point == rear)):
            return None
        own[point] -= 1
        own[to] += 1
        if hit:
            foe[25 - to], foe[BAR] = 0, foe[BAR] + 1
        text = f"{'bar' if point == BAR else point}/{'off' if to == 0 else to}"
        text += "*" if to > 0 and self.before[25 - to] == 1 else ""
        return Position((own, foe), dice, self.before), text

    def ways_to(self, goal):
        """The texts of all moves that lead to these men: only one of them is a move to Zug."""
        if self.men == goal:
            yield []
            return
        points = [BAR] if self.men[0][BAR] else [p for p in range(1, 25) if self.men[0][p]]
        for die in sorted(set(self.dice), reverse=True):
            for point in points:
                stepped = self.step(point, die)
                if stepped:
                    yield from ([stepped[1]] + rest for rest in stepped[0].ways_to(goal))

    def after(self, move):
        """The men after a move as gnubg writes it: 24/18*/16 8/7(2)."""
        own, foe = list(self.men[0]), list(self.men[1])
        for part in move.split():
            path, _, times = part.partition("(")
            points = [BAR if p == "bar" else OFF if p == "off" else int(p) for p in path.replace("*", "").split("/")]
            for _ in range(int(times.rstrip(")")) if times else 1):
                own[points[0]] -= 1
                own[points[-1]] += 1
            for p in re.findall(r"(\d+)\*", path):
                if foe[25 - int(p)]:
                    foe[25 - int(p)], foe[BAR] = 0, foe[BAR] + 1
        return own, foe


def read_position(lines, mover):
    """From the lines of variables with which Zug shows a position."""
    men = {}
    for name, point, count in re.findall(r"\((\w+),(\d+)\) (\d+)", lines["men"]):
        men.setdefault(name, [0] * 26)[int(point)] = int(count)
    foe = next(name for name in men if name != mover)
    dice = [int(d) for d, times in re.findall(r"(\d) (\d)", lines["dice"]) for _ in range(int(times))]
    return Position((men[mover], men[foe]), dice, men[foe])


def gnubg_class(lines_class):
    """The class of the opponent; the settings are the number of plies that it looks ahead."""

    class Gnubg(lines_class):
        def __init__(self, command, settings):
            super().__init__(command)
            self.seen, self.ways = {}, []
            for line in ("set player 0 human", "set player 1 human", "set automatic game off", "set automatic roll off",
                         "set automatic move off", "set automatic bearoff off", "set cube use off", "new session",
                         "set evaluation chequerplay evaluation plies " + (settings or "0"),
                         "set evaluation chequerplay evaluation cubeful off"):
                self.say(line)

        def see(self, line):
            name, _, rest = line.strip().partition(": ")
            if name in ("men", "dice"):
                self.seen[name] = rest

        def take(self, moves):
            pass

        def answer(self):
            position = read_position(self.seen, self.name)
            own, foe = position.men
            board = [own[BAR]] + [own[p] - foe[25 - p] for p in range(1, 25)] + [-foe[BAR]]
            dice = (position.dice * 2)[:2]
            self.say("set turn root")
            self.say("set board simple " + " ".join(map(str, board)))
            self.say(f"set dice {dice[0]} {dice[1]}")
            self.say("hint 1")
            found = self.wait_for(r"^ +1\. Cubeless \S+ +(.+?) +Eq\.:|no legal move|^(Illegal|You )")
            if found[1] is None:
                return "pass"
            self.ways = [" ".join(way) for way in position.ways_to(position.after(found[1]))]
            if not self.ways:
                raise RuntimeError(f"gnubg's move {found[1]} on {board} with {position.dice}")
            return self.ways.pop()

        def instead(self):
            return self.ways.pop() if self.ways else None

    return Gnubg
