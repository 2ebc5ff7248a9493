"""Items of reasoning-gym: its own scorers judge the answers that come out of the command line."""

import json

import pytest
from reasoning_gym import create_dataset

from coc_algorithms.oranges import RottenOranges
from coc_algorithms.sort import MergeSort
from coc_core.domain import parse_problem
from coc_core.errors import UsageError
from tests.support.heap_runs import HeapRuns

DATASETS = {
    name: {} for name in ("sudoku", "mini_sudoku", "n_queens", "maze", "shortest_path", "number_sorting", "rotten_oranges")
} | {"tower_of_hanoi": {"max_pegs": 4, "max_disks": 5}}  # fmt: skip


def answers(coc, folder, items):
    """The answers to items of any datasets, in one file."""
    (folder / "items.jsonl").write_text("".join(f"{json.dumps(item)}\n" for item in items))
    words = f"eval --problems {folder}/items.jsonl --plans {folder}/plans --plan-format reasoning-gym --model reference"
    assert coc(*words.split()).code == 0
    found = {each.name: each.read_text() for each in (folder / "plans").glob("*/*.plan")}
    return [found[f"items.jsonl-{number}.plan"].removesuffix("\n") for number in range(1, len(items) + 1)]


@pytest.mark.parametrize("size", [3, pytest.param(60, marks=pytest.mark.slow)])
def test_answers_get_full_marks(coc, tmp_path, size):
    sets = {name: create_dataset(name, size=size, seed=7, **more) for name, more in DATASETS.items()}
    items = [item for each in sets.values() for item in each]
    scored = [
        (sets[item["metadata"]["source_dataset"]], item, answer)
        for item, answer in zip(items, answers(coc, tmp_path, items), strict=True)
    ]
    for each, item, answer in scored:
        assert each.score_answer(answer, item) == 1, (item, answer)
        assert each.score_answer(answer[:-1], item) < 1  # they find mistakes


def test_items_that_no_domain_has_are_refused_or_left_out(coc, tmp_path):
    good = create_dataset("number_sorting", size=1, seed=1)[0]
    bad = {"metadata": {"source_dataset": "rubiks_cube"}}
    file = tmp_path / "items.jsonl"
    file.write_text(f"{json.dumps(good)}\n{json.dumps(bad)}\n")
    words = f"eval --model reference --problems {file}".split()
    refused = coc(*words)
    assert refused.code == 2
    assert "line 2: coc has no problems of 'rubiks_cube'" in refused.err
    assert coc(*words, "--skip-unsupported").code == 0
    for text, message in (
        ("8", "does not tell its domain"),
        (json.dumps({"metadata": {"source_dataset": "number_sorting", "original_numbers": ["x"]}}), "line 1: its meta"),
        (
            json.dumps({"metadata": {"source_dataset": "number_sorting", "original_numbers": ["1e20000", 1]}}),
            "state no",
        ),
    ):
        file.write_text(text)
        refused = coc(*words)
        assert refused.code == 2
        assert message in refused.err


@pytest.mark.parametrize("digits", [40, 3000])
def test_long_numbers_are_sorted_exactly(digits):
    told = {
        "source_dataset": "number_sorting",
        "original_numbers": [f"-1e{digits}", f"1{'0' * digits}.5", f"1e{digits}"],
    }
    assert MergeSort().item(told) == f"[0, 2{'0' * digits}5, 2{'0' * digits}0]"


def test_answers_are_for_items(coc, tmp_path):
    words = ["run", "-d", "maze", "-n", "3", "--model", "reference", "--plan-format", "reasoning-gym", "--plan"]
    refused = coc(*words, str(tmp_path / "plan"))
    assert refused.code == 2
    assert "answers of maze are for items of maze, shortest_path" in refused.err


def test_oranges_rot_as_in_python():
    domain = RottenOranges()
    runs = HeapRuns(domain)
    for n in range(1, 6):
        for seed in range(3):
            problem = domain.problem(n, seed)
            assert domain.is_goal(problem, runs(problem).state)
    for text in ("[]", "[[]]", "[[1], [2, 0]]", "[[3]]", '[["x"]]'):
        with pytest.raises(UsageError, match="not a problem of rotten-oranges"):
            parse_problem(domain, text)
