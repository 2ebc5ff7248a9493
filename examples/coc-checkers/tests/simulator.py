"""The puzzle once more, as four rules that rewrite a text. Nothing here comes from coc or from the plugin."""

import re

REWRITTEN = {"R_": "_R", "RB_": "_BR", "_B": "B_", "_RB": "BR_"}
LINE = re.compile(r"Move (red|blue) from ([1-9][0-9]*) to ([1-9][0-9]*)")


def start(n):
    return "R" * n + "_" + "B" * n


def goal(n):
    return "B" * n + "_" + "R" * n


def successors(row):
    """The lines of all legal moves, each with the row after it."""
    found = {}
    for old, new in REWRITTEN.items():
        for at in range(len(row) - len(old) + 1):
            if row.startswith(old, at):
                first, last = at + 1, at + len(old)
                line = f"Move red from {first} to {last}" if old[0] == "R" else f"Move blue from {last} to {first}"
                found[line] = row[:at] + new + row[at + len(old) :]
    return found


def play(n, lines):
    """The row that a plan leads to; KeyError at a line that is no legal move there."""
    row = start(n)
    for line in lines:
        assert LINE.fullmatch(line), line
        row = successors(row)[line]
    return row


def reachable(n):
    """Every row that can come to be, with the fewest moves that lead to it: a search in breadth."""
    found, fringe = {start(n): 0}, [start(n)]
    while fringe:
        following = []
        for row in fringe:
            for after in successors(row).values():
                if after not in found:
                    found[after] = found[row] + 1
                    following.append(after)
        fringe = following
    return found
