"""Mazes: runs on the heap beside the program as it stands, and beside a breadth-first search written here."""

import random
import re
from itertools import pairwise

import pytest
from hypothesis import given, settings, strategies as st

from coc_algorithms.maze import Maze, MazeDepthFirst
from coc_core.domain import parse_problem
from coc_core.errors import ActionFault, UsageError
from tests.support.heap_runs import HeapRuns

MAZE, DEPTH_FIRST = Maze(), MazeDepthFirst()
RUNS = {domain: HeapRuns(domain) for domain in (MAZE, DEPTH_FIRST)}


def joined(text):
    """The start, the goal and the neighbours of each cell, read from the text of a problem."""
    if text.startswith("graph"):
        edges, start, goal = re.fullmatch(r"graph \[(.*)\] from (\d+) to (\d+)", text).groups()
        pairs = [tuple(map(int, edge.split("-"))) for edge in edges.split(", ")]
        cells = {cell for pair in pairs for cell in pair} | {int(start), int(goal)}
        return (
            int(start),
            int(goal),
            {c: {b for a, b in pairs if a == c} | {a for a, b in pairs if b == c} for c in cells},
        )
    rows = text.removeprefix("grid [").removesuffix("]").split(", ")
    free = {(y, x): cell for y, row in enumerate(rows) for x, cell in enumerate(row) if cell != "#"}
    number = {place: place[0] * len(rows[0]) + place[1] + 1 for place in free}
    (start,), (goal,) = ([number[place] for place, cell in free.items() if cell == end] for end in "SG")
    near = {
        number[y, x]: {number[other] for other in ((y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)) if other in free}
        for y, x in free
    }
    return start, goal, near


def check(domain, problem):
    """Run a problem; the way has to be one, and a shortest one if the search is breadth-first."""
    lines = [domain.actions.format(action) for action in RUNS[domain].actions(problem)]
    start, goal, near = joined(domain.problems.format(problem))
    distance, level = {start: 0}, [start]
    for cell in level:
        for other in near[cell]:
            if other not in distance:
                distance[other] = distance[cell] + 1
                level.append(other)
    if goal not in distance:
        assert lines == ["Report that there is no way."]
        return
    way = [start, *(int(re.fullmatch(r"Go to C(\d+)\.", line)[1]) for line in lines)]
    assert way[-1] == goal
    assert all(there in near[here] for here, there in pairwise(way))
    assert len({*way}) == len(way)
    if domain is MAZE:
        assert len(lines) == distance[goal]


def random_graph(rng, cells):
    edges = {tuple(rng.sample(range(1, cells + 1), 2)) for _ in range(rng.randrange(1, 2 * cells))}
    start, goal = rng.sample(range(1, cells + 1), 2)
    listed = ", ".join(f"{a}-{b}" for a, b in sorted(edges))
    return parse_problem(MAZE, f"graph [{listed}] from {start} to {goal}")


@pytest.mark.parametrize("domain", [MAZE, DEPTH_FIRST])
@settings(max_examples=30)
@given(st.integers(2, 12), st.integers(0, 10**6), st.booleans())
def test_runs_equal_the_program_and_find_ways(domain, n, seed, grid):
    check(domain, domain.problem(n, seed) if grid else random_graph(random.Random(seed), n))


@pytest.mark.slow
@pytest.mark.parametrize(("domain", "grids", "graphs"), [(MAZE, 1000, 200), (DEPTH_FIRST, 250, 50)])
def test_many_grids_and_graphs(domain, grids, graphs):
    rng = random.Random(1)
    for seed in range(grids):
        check(domain, domain.problem(rng.randint(5, 100), seed))
    for _ in range(graphs):
        check(domain, random_graph(rng, rng.randint(2, 300)))
    assert len(RUNS[domain].targets) <= 24


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("grid [S., .]", "a grid has rows as long as each other"),
        ("grid [SG, .x]", "a grid has rows as long as each other, of . and #"),
        ("grid [S., ..]", "one S, the start, and one G, the goal"),
        ("grid []", "one S, the start, and one G, the goal"),
        ("graph [1-2, 2] from 1 to 2", "a graph has edges such as 1-2"),
        ("graph [1-2-3] from 1 to 2", "a graph has edges such as 1-2"),
        ("graph [1-2, 0-2] from 1 to 2", "between cells from 1"),
        ("graph [1-2] from 2 to 2", "a start that is not the goal"),
        ("graph [1-02] from 1 to 2", "'02' is not a plain decimal number"),
        ("graph [1-999999999] from 1 to 2", "n is 2 to 600"),
    ],
)
def test_bad_problems(text, message):
    with pytest.raises(UsageError, match=re.escape(message)):
        parse_problem(MAZE, text)


def test_rules():
    problem = parse_problem(MAZE, "grid [S., #G]")
    state = MAZE.initial(problem)
    assert MAZE.render(state, 80) == "@ .\n# G"
    go, report = MAZE.actions.parse("Go to C2."), MAZE.actions.parse("Report that there is no way.")
    with pytest.raises(ActionFault, match="no way leads there from C1"):
        MAZE.apply(state, MAZE.actions.parse("Go to C4."))
    reported = MAZE.apply(state, report)
    assert not MAZE.is_goal(problem, reported)  # for there is a way
    with pytest.raises(ActionFault, match="it was reported that there is none"):
        MAZE.apply(reported, go)
    assert MAZE.render(reported, 80) == "@ .\n# G\nThere is no way."
    graph = parse_problem(MAZE, "graph [1-2, 2-3] from 2 to 4")
    assert MAZE.render(MAZE.initial(graph), 80).split("\n")[1:3] == ["C2 start : @ → C1 C3", "C3       :  → C2 start"]
    assert MAZE.is_goal(graph, MAZE.apply(MAZE.initial(graph), report))
