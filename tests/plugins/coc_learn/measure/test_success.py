"""Scores, failures as data, and interruptions."""

import itertools
from types import SimpleNamespace

import pytest

from coc_core.errors import PluginError, UsageError
from coc_core.execution import Cached, Lockstep, Sequential
from coc_learn.measure import success
from coc_learn.measure.interval import wilson
from coc_learn.measure.success import MOST_FAILURES, Evaluation
from coc_problems import Instance, enumerate_all, sample_problems
from tests.support.for_each import for_each
from tests.support.plan_runs import setting_of
from tests.support.toy_parts import Scripted


@pytest.fixture(scope="module")
def setting():
    return setting_of("pancake", "tape", "inline")


def evaluate(setting, instances, model="reference", executor=None, **options):
    subject = setting.model(model) if isinstance(model, str) else model
    evaluation = Evaluation(setting, subject, executor or Cached(), **options)
    evaluation.run(instances)
    return evaluation


def always(response):
    """A model that always writes the same response."""
    return Scripted(then=lambda prompt: response)


def lazy(prompt):
    """Halts at once, since nothing is unsorted."""
    state = prompt.partition("state=")[2]
    return f"No pancake is unsorted.\nAPPEND[-1] CALL instruction state={state} pointer=-1."


def test_failures_are_in_the_order_of_the_problems(setting):
    instances = list(enumerate_all(setting.domain, 4))
    reference = setting.model("reference")

    def flawed(prompt):
        """Fails early or late, depending on the state."""
        bad = any(f"state={start}" in prompt for start in ("[P1, P2", "[P2, P3", "[P3, P1", "[P4, P2"))
        return "What?" if bad else reference.complete([prompt])[0]

    evaluations = [
        evaluate(setting, instances, Scripted(then=flawed), executor) for executor in (Sequential(), Lockstep())
    ]
    first, second = ([found.document()[key] for key in ("failures", "instances", "steps")] for found in evaluations)
    assert first == second
    assert 4 < len(first[0]) < 24
    assert len({failure["step"] for failure in first[0]}) > 1


def test_a_run_that_halts_before_the_goal_is_unsolved(setting):
    evaluation = evaluate(setting, enumerate_all(setting.domain, 3), Scripted(then=lazy))
    assert evaluation.total.successes == 1  # the sorted start
    assert {(f.seed, f.status, f.kind, f.step, f.message) for f in evaluation.failures} == {
        (None, "unsolved", None, 1, "the run halted without reaching the goal")
    }


def test_a_plugin_that_raises_is_an_error_and_not_a_failure(setting):
    with pytest.raises(PluginError, match=r"scripted.*no idea"):
        evaluate(setting, sample_problems(setting.domain, 6, 5), Scripted(ValueError("no idea")))


def test_plans_are_compared_with_the_optimum():
    setting = setting_of("pancake")
    evaluation = evaluate(setting, enumerate_all(setting.domain, 3), optimal=True)
    score = evaluation.scores[3]
    # Of the six starts one is sorted and not compared. By hand, plan and optimum of the others, bottom first:
    # 132 3/3, 213 3/3, 231 2/2, 312 2/2, 321 1/1.
    assert (score.compared, score.ratio) == (5, 1.0)
    blocks = setting_of("blocksworld")
    evaluation = evaluate(blocks, enumerate_all(blocks.domain, 3), optimal=True)
    # Every plan takes 4 moves, and only 321 needs just 3: the 2 goes straight onto the 1.
    assert evaluation.scores[3].compared == 5
    assert evaluation.scores[3].ratio == pytest.approx((4 * 1 + 4 / 3) / 5)


def interrupted(setting, call, count=1, executor=None, response=""):
    """An evaluation that is interrupted in a call of the model, before the first one if it is 0."""
    evaluation, reference = Evaluation(setting, None, executor or Cached()), setting.model("reference")

    def respond(prompt):
        if len(evaluation.model.prompts) > call - 1:
            evaluation.interrupt()
        return response or reference.complete([prompt])[0]

    evaluation.model = Scripted(then=respond)
    if call == 0:
        evaluation.interrupt()
    evaluation.run(sample_problems(setting.domain, 8, count))
    assert evaluation.interrupted
    assert evaluation._running == {}
    return evaluation


@for_each(("executor", "call", "count"), [(Sequential, 20, 50), (Lockstep, 300, 500)])
def test_an_interrupted_problem_counts_for_nothing(setting, executor, call, count):
    found = interrupted(setting, call, count, executor())
    assert 0 < found.total.instances == found.done < count
    assert found.failed == 0


def test_an_interruption_before_the_start_or_in_the_first_step_leaves_no_score(setting):
    for found in (interrupted(setting, 0), interrupted(setting, 1)):
        assert found.scores == {}
        assert (found.total.rate, found.total.interval) == (None, (0.0, 1.0))


def test_a_fault_in_the_step_of_an_interruption_counts(setting):
    found = interrupted(setting, 1, response="What?")
    assert (found.scores[8].instances, found.failed) == (1, 1)


class Stopping(Sequential):
    """Stops runs of its own accord, so that the others alone would count."""

    def __init__(self, *, yields):
        self._yields = yields

    def _run(self, machines, model):
        yield from super()._run([next(machines)], model)
        for machine in machines:
            machine.interrupt()
            if self._yields:
                yield machine


def test_a_run_that_nobody_interrupted_can_not_be_left_out(setting):
    for yields in (False, True):
        evaluation = Evaluation(setting, setting.model("reference"), Stopping(yields=yields))
        with pytest.raises(PluginError, match=r"'sequential' stopped the run of 'start=.*, and nobody interrupted it"):
            evaluation.run(sample_problems(setting.domain, 4, 30))


@pytest.fixture
def slow_clock(monkeypatch):
    """A clock that shows one and a bit seconds more each time that an evaluation looks at it."""
    times = itertools.count(100.0, 1.23456789)
    monkeypatch.setattr(success, "time", SimpleNamespace(perf_counter=lambda: next(times)))


def test_the_document_says_all_that_was_counted(slow_clock):
    setting = setting_of("hanoi")
    problems = [setting.domain.problem(n) for n in (1, 2, 2, 1)]
    evaluation = Evaluation(setting, setting.model("reference"), Sequential(), optimal=True)
    evaluation.run(Instance(n, None, problem) for n, problem in zip((1, 2, 2, 1), problems, strict=True))

    def counted(count, steps, actions, calls, **more):
        counts = {"instances": count, "successes": count, "unsolvable": 0, "rate": 1.0}
        counts |= {
            "interval": list(wilson(count, count)),
            "optimal_ratio": 1.0,
            "seconds": {2: 2.469136, 4: 4.938272}[count],
        }
        return counts | {"steps": steps, "actions": actions, "model_calls": calls, **more}

    sizes = [counted(2, 2, 2, 2, n=1), counted(2, 8, 6, 8, n=2)]
    ends = {"interrupted": False, "restored": 0, "failures": [], "failures_left_out": 0}
    assert evaluation.document() == counted(4, 10, 8, 10, sizes=sizes, **ends)
    assert (evaluation.total.n, evaluation.total.compared) == (0, 4)
    assert evaluation._running == {}


def test_a_failure_is_written_out_up_to_a_number(setting, monkeypatch):
    assert MOST_FAILURES >= 40_320
    monkeypatch.setattr(success, "MOST_FAILURES", 2)
    first, second, _ = instances = list(sample_problems(setting.domain, 6, 3, seed=3))
    evaluation = evaluate(setting, instances, always("What?"))
    evaluation.interrupt()
    shown = evaluation.document()
    assert (shown["interrupted"], shown["rate"], shown["optimal_ratio"]) == (True, 0.0, None)
    assert (evaluation.failed, shown["failures_left_out"]) == (3, 1)
    assert shown["failures"] == [
        {
            "n": 6,
            "seed": instance.seed,
            "problem": setting.domain.problems.format(instance.problem),
            "status": "fault",
            "step": 1,
            "kind": "protocol",
            "message": recorded.message,
            "source": "",
        }
        for recorded, instance in zip(evaluation.failures, (first, second), strict=True)
    ]


def test_an_evaluation_of_nothing_is_no_success(setting):
    evaluation = Evaluation(setting, setting.model("reference"), Sequential())
    with pytest.raises(UsageError, match=r"^no problem was run; choose other sizes$"):
        evaluation.run([])
