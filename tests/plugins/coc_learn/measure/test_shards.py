"""Evaluations by workers: what comes out is what comes out without them."""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import coc_core as coc
from coc_core.errors import PluginError, WorkerError
from coc_core.execution import Lockstep
from coc_core.models import Pair
from coc_core.plugin import Registry
from coc_learn.datasets import teacher_pairs
from coc_learn.measure.addresses import parts_of
from coc_learn.measure.exactness import Exactness
from coc_learn.measure.shards import EvalOptions, Workers, open_workers
from coc_learn.measure.success import Evaluation
from coc_problems import ManyProblems, Problems
from coc_workers import pool
from coc_workers.pool import Pool

WRONG = ("state=[P1, P2", "state=[P2, P3", "state=[P3, P1", "state=[P4, P2")


def timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: timeless(each) for name, each in value.items() if name != "seconds"}
    return [timeless(each) for each in value] if isinstance(value, list) else value


def evaluated(**choices: Any) -> Any:
    report = coc.evaluate(
        "pancake", **{"sizes": "4-5", "instances": 40, "split": "all", "model": "reference"} | choices
    )
    return timeless(json.loads(report.to_json()))


def test_failures_and_wrong_targets_keep_their_order(flawed: Any) -> None:
    file = flawed(*WRONG)
    registry = Registry.installed([file])
    setting_of = {"domain": "pancake", "memory": "tape", "arith": "learned", "arith_model": "reference"}
    choices = EvalOptions(**setting_of, model="flawed", executor="lockstep", optimal=True, plugins=file, jobs=3)
    setting = choices.setting(registry)
    problems = Problems.of(setting.domain, ManyProblems(sizes="3-4", instances=70, split="all"))
    pairs = list(teacher_pairs(setting, (each.problem for each in problems)))
    found = []
    with open_workers(choices) as opened:
        for workers in (None, opened):
            evaluation = Evaluation(setting, setting.model("flawed"), Lockstep(), optimal=True)
            exactness = Exactness(evaluation.model)
            exactness.run(pairs, "all", workers.checks if workers else None)
            evaluation.run(problems, workers.runs if workers else None)
            found.append(timeless([evaluation.document(), exactness.document()]))
    assert found[0] == found[1]
    assert len({failure["step"] for failure in found[0][0]["failures"]}) > 1


def test_workers_that_are_forked_do_not_open_the_model_again(flawed: Any, tmp_path: Path) -> None:
    """A process of its own, which has a single thread."""
    opened, plugin = tmp_path / "opened.txt", flawed()
    note = f"    def __init__(self, *given):\n        super().__init__(*given)\n        open({str(opened)!r}, 'a').write('!')\n"
    plugin.write_text(plugin.read_text().replace("    def _complete", f"{note}\n    def _complete"))
    words = ["eval", "-d", "hanoi", "-n", "2-5", "--model", "flawed", "--plugin", plugin, "--jobs", "2", "--exactness"]
    done = subprocess.run([sys.executable, "-m", "coc_core", *map(str, words)], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert opened.read_text() == "!"


@pytest.mark.slow
def test_a_trained_model_and_learned_arithmetic() -> None:
    choices = {"memory": "tape", "arith": "learned", "sizes": "4-6", "instances": 3, "model": None}
    assert evaluated(**choices, jobs=2) == evaluated(**choices)


def test_an_exception_in_a_worker_is_the_plugins(flawed: Any) -> None:
    with pytest.raises(PluginError, match="raised ZeroDivisionError in complete"):
        evaluated(model="flawed", plugins=flawed(action="1 / 0"), sizes="4-6", jobs=2)


@pytest.mark.slow
def test_what_loses_its_workers_is_given_up_and_the_rest_is_counted(flawed: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(pool, "_LOST_TOGETHER", 0)
    monkeypatch.setattr(pool, "_LOST_ALONE", 1)
    file = flawed(*WRONG, action="os.kill(os.getpid(), signal.SIGKILL)")
    registry = Registry.installed([file])
    choices = EvalOptions(domain="pancake", model="flawed", executor="lockstep", plugins=file, jobs=2)
    setting = choices.setting(registry)
    evaluation = Evaluation(setting, setting.model("flawed"), Lockstep())
    problems = Problems.of(setting.domain, ManyProblems(sizes="4-7", instances=3, split="all"))
    prompts = [
        f"CALL instruction state=[P2, P1, P3, P4{more}] & goal=[P1, P2, P3, P4{more}]" for more in (", P5, P6", "")
    ]
    exactness = Exactness(evaluation.model)

    def measure() -> None:
        with open_workers(choices) as workers:
            evaluation.run(problems, workers.runs)
            exactness.run((Pair(prompts[1], "x") for _ in range(3_000)), "all", workers.checks)
            exactness.run([Pair(prompts[0], "x")], "deadly", workers.checks)

    with pytest.raises(WorkerError, match=r"4 of the problems and prompts not tried.* the first of them 'start=.*P6"):
        measure()
    assert {n: score.instances for n, score in evaluation.scores.items()} == {4: 3, 5: 3, 7: 3}
    assert (exactness.pairs, exactness.wrong) == (3_000, 3_000)


MISTAKEN = """
from coc_learn.addresses.dialect import AddressReference
from coc_core.plugin import ArithmeticSpec, hookimpl


class Mistaken(AddressReference):
    def _complete(self, prompts, drafts):
        if any(prompt.startswith("PTR=9000 ") for prompt in prompts):
            ACTION
        self._note_margin(min(len(prompt) for prompt in prompts))
        targets = super()._complete(prompts, drafts)
        return ["12" if "77" in prompt else target for prompt, target in zip(prompts, targets)]


@hookimpl
def coc_arithmetics():
    made = f"{__name__}:Mistaken"
    return [ArithmeticSpec("mistaken", "coc_learn.addresses.learned:Learned", "", dialect="arithmetic", reference=made)]
"""


def test_workers_check_the_model_of_the_arithmetic(plugin_file: Any) -> None:
    """A worker that was there before has the margin of another command."""
    file = plugin_file(MISTAKEN)
    choices = EvalOptions(domain="pancake", memory="tape", arith="mistaken", arith_model="reference", plugins=file)
    setting = choices.setting(Registry.installed([file]))
    assert setting.arith_model is not None
    for values in (range(10), range(10_000, 10_010)):
        found = Exactness(setting.arith_model)
        for name, pairs in parts_of(["PTR+1"], values):
            found.run(pairs, name, Workers(Pool(ThreadPoolExecutor, 1), choices, True).checks)
        assert (found.pairs, found.margin) == (10, len(f"PTR={values[0]} PTR+1"))
