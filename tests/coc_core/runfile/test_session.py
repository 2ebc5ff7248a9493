"""A session: what it checks before, what it takes over from the recorded steps, and what it writes at the end."""

import json
from contextlib import ExitStack
from functools import cache
from types import SimpleNamespace

import pytest
from attrs import evolve

from coc_core.errors import ArtefactError, UsageError
from coc_core.plugin import Registry
from coc_core.runfile import Manifest, RunFile, Session, prepare_resume
from coc_core.types import Limits, Outcome
from tests.support.recorded_runs import digest, go_on, stage, tape, tape_with_an_error
from tests.support.toy_parts import Scripted

stage = cache(stage)


def session(path=None, source=None, arith="symbolic"):
    setting, problem = stage("tape", arith)
    chosen = "reference" if arith == "learned" else None
    subject = setting.model("reference")
    manifest = Manifest.of(setting, problem, subject, executor="cached", model="reference", arith_model=chosen)
    return Session(path, manifest, setting, source)


def test_a_file_is_checked_to_be_new_or_to_be_continued(tmp_path):
    session(tmp_path / "run").check()
    (tmp_path / "run").touch()
    session(tmp_path / "run", SimpleNamespace(steps=0)).check()
    with pytest.raises(UsageError, match="run already exists"):
        session(tmp_path / "run").check()


@pytest.mark.parametrize(("deterministic", "kind"), [(True, "loop"), (False, "limit")])
def test_a_repetition_proves_a_loop_if_the_model_is_deterministic(deterministic, kind):
    setting, problem = stage(limits=Limits(steps=9))
    subject = Scripted(then=lambda prompt: prompt.replace("INSTR", "PUSH"))
    subject.deterministic = deterministic
    machine = setting.machine(problem)
    session().replay(machine, subject)
    while (prompt := machine.peek()) is not None:
        machine.step(*subject.complete([prompt]))
    assert machine.fault.kind == kind


@pytest.mark.parametrize("arith", ["symbolic", "learned"])
def test_the_end_has_the_margin_of_each_model(arith):
    ended = session(arith=arith)
    model = SimpleNamespace(margin=0.5)
    learned = arith == "learned"
    if learned:
        ended._setting.arith_model.margin = 0.25
    with ExitStack() as stack:
        ended.open(stack)
        ended.finish(Outcome("interrupted", 0, 0), model)
        (text,) = ended.recorder.connection.execute("SELECT outcome FROM run").fetchone()
    assert json.loads(text)["margins"] == {"model": 0.5} | ({"arith_model": 0.25} if learned else {})


def prepare(path, **changes):
    with RunFile.open(path) as runfile:
        return prepare_resume(Registry.installed(), runfile, evolve(runfile.manifest, **changes))


def test_a_limit_of_as_many_steps_as_are_recorded_is_enough(tmp_path):
    tape(tmp_path / "run", n=3, stop=5)
    prepare(tmp_path / "run", limits=Limits(steps=5))
    with pytest.raises(UsageError, match="5 steps are recorded, but the limit would be 4; raise --max-steps"):
        prepare(tmp_path / "run", limits=Limits(steps=4))


def test_a_file_that_does_not_say_which_arithmetic_model_it_had_is_not_continued(tmp_path):
    tape(tmp_path / "run", "tape", "learned", n=3, stop=5)
    with RunFile.open(tmp_path / "run") as runfile:
        records = {"model": runfile.manifest.records["model"]}
    with pytest.raises(ArtefactError, match=r"recorded with another arith model: '' \(name 'none'\)"):
        prepare(tmp_path / "run", records=records)


def test_wrong_numbers_of_a_model_are_taken_again_as_they_were(tmp_path):
    """The model would be right now, and the steps that follow belong to what it wrote then."""
    tape_with_an_error(tmp_path / "whole")
    tape_with_an_error(tmp_path / "run", stop=10, ends=False)
    go_on(tmp_path / "run")
    assert digest(tmp_path / "run") == digest(tmp_path / "whole")
