"""Both memories from the command line to the run file: executors, recordings, datasets, training and evaluation."""

import json
import re

import pytest

from coc_check.plain import run_plainly
from coc_core.execution import Cached, Lockstep, Sequential, Speculative
from coc_core.setting import Setting
from tests.support.for_each import for_each
from tests.support.installed_plugins import REGISTRY

MEMORIES = ("transcript", "whole-plan")


@for_each("executor", [Sequential, Cached, Lockstep, Speculative])
@for_each("domain", ["hanoi", "blocksworld", "blocksworld-extended", "blocks", "pancake"])
@for_each("memory", MEMORIES)
def test_every_executor_runs_them_as_algorithm_1_does(memory, domain, executor):
    setting = Setting.of(REGISTRY, domain, memory, "symbolic")
    problems = [setting.domain.problem(n) for n in (1, 4, 5)]
    records = [[] for _ in problems]
    machines = [setting.machine(problem, [found.append]) for problem, found in zip(problems, records, strict=True)]
    outcomes = executor().run(machines, setting.model("reference"))
    for problem, outcome, found in zip(problems, outcomes, records, strict=True):
        wanted = run_plainly(setting, problem, setting.model("reference"))
        assert (outcome.status, outcome.steps) == ("solved", wanted.outcome.steps)
        assert [(step.prompt, step.target) for step in found] == [(step.prompt, step.target) for step in wanted.steps]


@pytest.mark.parametrize(("memory", "steps"), [("transcript", 22), ("whole-plan", 1)])
def test_a_run_is_recorded_replayed_and_shown(coc, tmp_path, memory, steps):
    run, page = tmp_path / "four.run", tmp_path / "four.html"
    options = ("-d", "hanoi", "--memory", memory, "-n", 4, "--model", "reference")
    done = json.loads(coc("run", *options, "--save", run, "--json").out)
    assert (done["outcome"], done["steps"], done["actions"]) == ("solved", steps, 15)
    replayed = coc("replay", run, "--end")
    assert replayed.code == 0
    assert f"step {steps} of {steps}, solved" in replayed.out
    again = coc("run", *options, "--save", tmp_path / "again.run")
    assert again.code == 0
    assert coc("diff", run, tmp_path / "again.run").code == 0
    assert coc("view", run, "-o", page).code == 0
    assert "Move disk 1 from 1 to 2" in page.read_text("utf-8")


def test_a_trace_shows_what_the_model_reads(coc):
    shown = coc("trace", "-d", "hanoi", "--memory", "transcript", "-n", 2, "--model", "reference").out
    prompts = re.findall(r"Prompt\n(.*?)\n\nTarget\n", shown, re.DOTALL)
    targets = re.findall(r"\n\nTarget\n(.*?)\n\n(?:Step|\Z)", shown + "\n", re.DOTALL)
    assert len(prompts) == len(targets) == 4
    for step in range(1, 4):
        assert prompts[step] == f"{prompts[step - 1]}\n\n{targets[step - 1]}"


@pytest.mark.parametrize(("memory", "pairs"), [("transcript", 83), ("whole-plan", 5)])
def test_a_dataset_is_built_and_verified(coc, tmp_path, memory, pairs):
    folder = tmp_path / "pairs"
    assert coc("data", "build", "-d", "hanoi", "--memory", memory, "-n", "1-5", "-o", folder, "--holdout", 0).code == 0
    verified = coc("data", "verify", folder)
    assert verified.code == 0
    assert f"{pairs} training pairs" in verified.out


def test_plans_that_do_not_fit_are_refused(refused, tmp_path):
    said = refused(2, "data", "build", "-d", "hanoi", "--memory", "whole-plan", "-n", "1-12", "-o", tmp_path / "pairs")
    assert "there are no pairs of n=12 src=1 dst=3: the whole plan does not fit into a target of 65,536" in said
    assert not (tmp_path / "pairs").exists()


TINY = [f"--set={each}" for each in ("steps=2", "d_model=16", "layers=1", "heads=2", "warmup=1")]


@pytest.mark.slow
@pytest.mark.parametrize("memory", MEMORIES)
def test_a_checkpoint_is_trained_and_evaluated(coc, tmp_path, memory):
    options = ("-d", "blocksworld", "--memory", memory)
    trained = coc("train", *options, "-n", "2-3", "--instances", 5, "--preset", "exact", *TINY, "-o", tmp_path / "mine")
    assert trained.code == 0, trained.err
    report = json.loads(coc("eval", *options, "-n", 4, "--instances", 2, "--model", tmp_path / "mine", "--json").out)
    assert (report["memory"], report["instances"]) == (memory, 2)
    assert report["model"].startswith(f"{tmp_path / 'mine'} (transformer, ")
    assert coc("run", "-d", "blocksworld", "-n", 4, "--model", tmp_path / "mine").code == 3  # of another dialect


@pytest.mark.slow
def test_a_transcript_that_is_too_long_for_a_model_is_a_fault(coc, refused, tmp_path):
    options = ("-d", "hanoi", "--memory", "transcript")
    said = refused(2, "train", *options, "-n", "1-4", *TINY, "--set", "max_len=200", "-o", tmp_path / "mine")
    assert "more tokens than 'max_len', which is 200; the longest has 430; train with max_len=430" in said
    assert coc("train", *options, "-n", "1-2", *TINY, "--set", "max_len=200", "-o", tmp_path / "mine").code == 0
    setting = Setting.of(REGISTRY, "hanoi", "transcript", "symbolic")
    model, machine = setting.model(str(tmp_path / "mine")), setting.machine(setting.domain.problem(4))
    for _ in range(12):  # the policy's steps
        machine.step(setting.convention.target_for(str(machine.peek())))
    Sequential().run([machine], model)
    assert machine.fault is not None
    assert machine.fault.kind == "limit"
    assert "and the model's context ends at 200" in machine.fault.message
