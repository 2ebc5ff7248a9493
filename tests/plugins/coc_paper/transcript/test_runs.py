"""Both memories from the command line to the run file: recordings, datasets and training."""

import json

import pytest

from coc_core.execution import Sequential
from coc_core.setting import Setting
from tests.support.installed_plugins import REGISTRY


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
