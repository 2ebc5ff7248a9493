"""The functions in examples/functions: they give what Python gives, and all their prompts are listed."""

import importlib
from pathlib import Path

import pytest

from coc_problems import every_prompt
from coc_programs import Function
from tests.support.heap_runs import HeapRuns
from tests.support.program_checker import imported_checker, listed_alike

FOLDER = Path(__file__).parents[2] / "examples"
SIZES = {
    "multiply": 12, "gcd": 6, "trees": 20, "quicksort": 20, "dijkstra": 8, "dpll": 3, "turing": 6, "kruskal": 8,
    "kosaraju": 8, "lcs": 5, "kmp": 6, "queens": 5, "brainfuck": 3, "sokoban": 3,
}  # fmt: skip
"""The size of the problems that are tried at once; ten times that later."""


@pytest.fixture
def function(name, monkeypatch):
    monkeypatch.syspath_prepend(FOLDER)
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


def test_there_are_no_others():
    assert {path.stem for path in (FOLDER / "functions").glob("*.py")} == {*SIZES}


@pytest.mark.parametrize("name", SIZES)
def test_it_gives_what_python_gives(function, name):
    runs = right(function, SIZES[name], 3)
    assert runs.targets.items() <= dict(every_prompt(runs.convention).pairs).items()


@pytest.mark.slow
@pytest.mark.parametrize("name", SIZES)
def test_it_does_at_ten_times_the_size(function, name):
    right(function, min(10 * SIZES[name], function.sizes[-1]), 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", SIZES)
def test_the_checker_of_certificates_lists_the_same_prompts(function, name):
    with imported_checker() as checker:
        assert listed_alike(checker, function)
