"""Evaluations by workers: what comes out is what comes out without them."""

import json
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import coc_core as coc
from coc_core.api import open_workers
from coc_core.datasets import teacher_pairs
from coc_core.engines import Pool
from coc_core.errors import PluginError, WorkerError
from coc_core.evaluation import Choices, Evaluation, Exactness, Workers, exactness_document, success_document
from coc_core.execution import Cached, Lockstep
from coc_core.models import Pair
from coc_core.plugin import Registry
from coc_core.types import Limits

pytestmark = pytest.mark.slow

_numbers = count()

FLAWED = """
import os, signal
from coc_core.memories import Reference
from coc_core.plugin import ModelSpec, hookimpl


class Flawed(Reference):
    def _complete(self, prompts, drafts):
        if any("goal=[P1, P2, P3, P4, P5, P6]" in prompt for prompt in prompts):
            ACTION
        wrong = [prompt.endswith("P3, P4]") and "state=[P2" in prompt for prompt in prompts]
        targets = super()._complete(prompts, drafts)
        return ["nonsense" if each else target for each, target in zip(wrong, targets)]


@hookimpl
def coc_models():
    return [ModelSpec("flawed", "wrong at times", factory=f"{__name__}:Flawed")]
"""


@pytest.fixture
def flawed(tmp_path: Path) -> Any:
    """Makes a plugin with a model that is wrong at times, and does something at problems of size 6."""

    def make(action: str) -> Path:
        file = tmp_path / f"flawed_{next(_numbers)}.py"  # a module's name is taken for as long as a process lasts
        file.write_text(FLAWED.replace("ACTION", action))
        return file

    return make


def timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: timeless(each) for name, each in value.items() if name != "seconds"}
    return [timeless(each) for each in value] if isinstance(value, list) else value


def evaluated(**choices: Any) -> Any:
    report = coc.evaluate(
        "pancake", **{"sizes": "4-5", "instances": 40, "split": "all", "model": "reference"} | choices
    )
    return timeless(json.loads(report.to_json()))


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_the_number_of_workers_changes_nothing(flawed: Any, jobs: int) -> None:
    choices = {"model": "flawed", "plugins": flawed("pass"), "optimal": True, "seed": 3}
    alone = evaluated(**choices)
    assert 0 < len(alone["failures"]) < alone["instances"]
    assert evaluated(**choices, jobs=jobs, engine="processes") == alone


def test_threads_are_workers_too(flawed: Any) -> None:
    """They open the model once for all of them, and one of them works at a time."""
    file = flawed("pass")
    registry = Registry.installed([file])
    choices = Choices("pancake", "tape", "learned", Limits(), "reference", "flawed", "cached", True, (file,))
    setting = choices.setting(registry)
    problems = coc.api.Problems.of(setting.domain, "3-4", instances=70, split="all")
    pairs = list(teacher_pairs(setting, (each.problem for each in problems)))
    found = []
    for jobs in (None, 3):
        evaluation = Evaluation(setting, setting.model("flawed"), Cached(), optimal=True)
        exactness = Exactness(evaluation.model)
        workers = jobs and Workers(Pool(ThreadPoolExecutor, jobs), choices)
        exactness.run(pairs, "all", workers or None)
        evaluation.run(problems, workers or None)
        found.append(timeless([success_document(evaluation), exactness_document(exactness)]))
    assert found[0] == found[1]
    assert found[0][0]["failures"]
    assert workers
    assert workers.with_model("reference").choices.model == "reference"


def test_a_trained_model_and_learned_arithmetic() -> None:
    choices = {"memory": "tape", "arith": "learned", "sizes": "4-6", "instances": 3, "model": None}
    assert evaluated(**choices, jobs=2) == evaluated(**choices)


def test_an_exception_in_a_worker_is_the_plugins(flawed: Any) -> None:
    with pytest.raises(PluginError, match="raised ZeroDivisionError in complete"):
        evaluated(model="flawed", plugins=flawed("1 / 0"), sizes="4-6", jobs=2)


def test_problems_that_kill_their_workers_are_named(flawed: Any) -> None:
    file = flawed("os.kill(os.getpid(), signal.SIGKILL)")
    with pytest.raises(WorkerError, match=r"40 problems not run, since every worker that tried was lost, .*P6\]"):
        evaluated(model="flawed", plugins=file, sizes="4-6", jobs=2)


def test_the_rest_is_counted_and_single_prompts_too(flawed: Any) -> None:
    file = flawed("os.kill(os.getpid(), signal.SIGKILL)")
    registry = Registry.installed([file])
    choices = Choices("pancake", "pda", "symbolic", Limits(), None, "flawed", "lockstep", False, (file,))
    setting = choices.setting(registry)
    evaluation = Evaluation(setting, setting.model("flawed"), Lockstep())
    problems = coc.api.Problems.of(setting.domain, "4-7", instances=3, split="all")
    prompts = [
        f"CALL instruction state=[P2, P1, P3, P4{more}] & goal=[P1, P2, P3, P4{more}]" for more in (", P5, P6", "")
    ]
    exactness = Exactness(evaluation.model)
    with open_workers(registry, choices, 2, None, None) as workers:
        evaluation.run(problems, workers)
        exactness.run((Pair(prompts[1], "x") for _ in range(3_000)), "all", workers)
        exactness.run([Pair(prompts[0], "x")], "deadly", workers)
    assert [score.n for score in evaluation.scores.values()] == [4, 5, 7]
    assert success_document(evaluation)["lost"] == evaluation.lost == 3
    assert (exactness.pairs, exactness.wrong, exactness.lost) == (3_000, 3_000, 1)
    with pytest.raises(WorkerError, match="1 pair not checked"):
        exactness.check_lost()
