"""A second implementation of the puzzle, as four rules that rewrite a text. It uses neither coc nor the plugin."""

import re

RULES = {"R_": "_R", "RB_": "_BR", "_B": "B_", "_RB": "BR_"}
LINE = re.compile(r"Move (red|blue) from ([1-9][0-9]*) to ([1-9][0-9]*)")


def start(n):
    return "R" * n + "_" + "B" * n


def goal(n):
    return "B" * n + "_" + "R" * n


def successors(row):
    """Return the row after each legal move, by the line of the move."""
    found = {}
    for old, new in RULES.items():
        for at in range(len(row) - len(old) + 1):
            if row.startswith(old, at):
                first, last = at + 1, at + len(old)
                line = f"Move red from {first} to {last}" if old[0] == "R" else f"Move blue from {last} to {first}"
                found[line] = row[:at] + new + row[at + len(old) :]
    return found


def play(n, lines):
    """Return the row after a plan; KeyError at the first illegal move."""
    row = start(n)
    for line in lines:
        assert LINE.fullmatch(line), line
        row = successors(row)[line]
    return row


def reachable(n):
    """Return every reachable row with the smallest number of moves to it, by breadth-first search."""
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
