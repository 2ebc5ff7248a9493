"""The functions in examples/functions: each gives what Python gives, on the machine, and all its prompts are listed."""

import importlib
from pathlib import Path

import pytest

from coc_problems import every_prompt
from coc_programs import Function
from tests.support.heap_runs import HeapRuns

FOLDER = Path(__file__).parents[2] / "examples" / "functions"
SIZES = {
    "multiply": 12,
    "gcd": 6,
    "trees": 20,
    "quicksort": 20,
    "dijkstra": 8,
    "dpll": 3,
    "kruskal": 8,
    "kosaraju": 8,
    "lcs": 5,
    "turing": 6,
    "kmp": 6,
    "queens": 5,
    "brainfuck": 3,
    "sokoban": 3,
}
"""The size of the problems that are tried at once; ten times that later."""


@pytest.fixture
def function(name, monkeypatch):
    monkeypatch.syspath_prepend(FOLDER.parent)
    there = vars(importlib.import_module(f"functions.{name}")).values()
    (found,) = (each for each in there if isinstance(each, type) and Function in each.__bases__)
    return found()


def right(function, n, seeds):
    runs = HeapRuns(function)
    for seed in range(seeds):
        problem = function.problem(n, seed)
        machine = runs(problem)
        assert not function.doubt(problem, machine.state), problem.text
    return runs


@pytest.mark.parametrize("name", SIZES)
def test_it_gives_what_python_gives(function, name):
    runs = right(function, SIZES[name], 3)
    listed = every_prompt(runs.convention)
    assert runs.targets.items() <= dict(listed.pairs).items()
    print(name, len(listed.pairs), len(listed.wrong), [*listed.wrong.values()][:3], len(runs.targets))


@pytest.mark.slow
@pytest.mark.parametrize("name", SIZES)
def test_it_does_at_ten_times_the_size(function, name):
    right(function, 10 * SIZES[name], 1)
