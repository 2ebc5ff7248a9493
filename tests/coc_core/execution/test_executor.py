import re

import pytest

from coc_core.errors import NumericFault, PluginError, UsageError
from coc_core.execution import Cached, Executor, Lockstep, Sequential, Speculative, Summary, executor as executor_module
from coc_core.memories import Reference
from coc_problems import closure
from coc_puzzles.hanoi.instructions import Tower
from tests.support.for_each import for_each
from tests.support.machines import EXECUTORS, SETTINGS, convention, machine, recorded, solve
from tests.support.toy_parts import Nondeterministic, Scripted


@for_each(("memory", "arith"), SETTINGS)
@for_each("n", [1, 2, 5])
def test_all_executors_give_the_same_trace(n, memory, arith):
    traces = [recorded(memory, arith, Tower(n), executor)[:2] for executor in EXECUTORS]
    assert all(trace == traces[0] for trace in traces)


@for_each(("memory", "arith"), SETTINGS)
def test_sequential_calls_the_model_at_each_step_and_cached_once_for_each_distinct_prompt(memory, arith):
    pairs, _, outcome = recorded(memory, arith, Tower(5), Sequential)
    assert outcome.model_calls == outcome.steps == len(pairs)
    subject = machine(memory, arith, Tower(5))
    model = Scripted(then=subject.convention.target_for)
    outcome = solve(subject, Cached, model)
    assert len(set(model.prompts)) == len(model.prompts) == outcome.model_calls
    assert set(model.prompts) == {prompt for prompt, _ in pairs}


def test_twelve_disks_need_63_questions():
    _, plan, outcome = recorded("pda", problem=Tower(12), executor=Cached)
    assert (outcome.status, outcome.steps, len(plan)) == ("solved", 6142, 4095)
    assert outcome.model_calls == len(list(closure(convention(), [Tower(12)]))) == 63


def test_cached_runs_are_the_same_with_a_full_cache(monkeypatch):
    monkeypatch.setattr(Cached, "cache_bytes", 700)  # two or three responses
    pairs, _, outcome = recorded("pda", problem=Tower(4), executor=Cached)
    assert pairs == recorded("pda", problem=Tower(4), executor=Sequential)[0]
    assert outcome.status == "solved"
    assert outcome.model_calls > len(dict(pairs))


class Batches(Reference):
    """Keeps the sizes of the batches that it is asked, and breaks down on those larger than `largest`."""

    def __init__(self, convention, largest):
        super().__init__(convention)
        self.largest, self.sizes = largest, []

    def _complete(self, prompts, drafts):
        self.sizes.append(len(prompts))
        if len(prompts) > self.largest:
            raise NumericFault("no finite logits")
        return super()._complete(prompts, drafts)


def test_cached_batches_certain_next_prompts():
    subject = machine(problem=Tower(6))
    model = Batches(subject.convention, largest=1000)
    outcome = solve(subject, Cached, model)
    assert outcome.model_calls == sum(model.sizes) == len(set(recorded("pda", problem=Tower(6))[0]))
    assert max(model.sizes) > 1
    assert model.sizes[0] == 1


@pytest.mark.parametrize(("executor", "largest"), [(Cached, 1), (Speculative, 1), (Speculative, 5)])
def test_a_fault_of_a_later_prompt_is_not_a_fault_of_this_step(executor, largest):
    subject = machine(problem=Tower(6))
    model = Batches(subject.convention, largest)
    outcome = solve(subject, executor, model)
    assert (outcome.status, outcome.fault) == ("solved", None)
    assert max(model.sizes) > largest


def test_a_fault_among_certain_prompts_comes_at_its_own_step():
    pairs, subject = recorded("pda", problem=Tower(4))[0], machine(problem=Tower(4))
    right = Reference(subject.convention)

    def answer(prompt):
        if prompt == pairs[5][0]:
            raise NumericFault("no finite logits")
        return right.complete([prompt])[0]

    outcome = solve(subject, Cached, Scripted(then=answer))
    assert (outcome.status, outcome.steps) == ("fault", 5)


@pytest.mark.parametrize("executor", EXECUTORS)
def test_each_machine_has_its_own_outcome(executor):
    machines = [machine(problem=Tower(n)) for n in (2, 1, 3)]
    outcomes = executor().run(machines, Reference(machines[0].convention))
    assert [outcome.status for outcome in outcomes] == ["solved"] * 3
    assert [outcome.steps for outcome in outcomes] == [4, 1, 10]
    assert len({outcome.model_calls for outcome in outcomes}) == 1
    assert executor().run([], Scripted()) == ()


@pytest.mark.parametrize("executor", EXECUTORS)
def test_a_fault_of_one_machine_hurts_no_other(executor):
    machines = [machine(problem=Tower(1)), machine(problem=Tower(1, src=2))]

    def answer(prompt):
        return NumericFault("no finite logits") if "src=1" in prompt else "OUTPUT Move disk 1 from 2 to 3"

    outcomes = executor().run(machines, Scripted(then=answer))
    assert [outcome.status for outcome in outcomes] == ["fault", "solved"]
    assert outcomes[0].fault.kind == "numeric"


@pytest.mark.parametrize("executor", EXECUTORS)
def test_a_stream_takes_machines_when_there_is_room_for_them(executor, monkeypatch):
    monkeypatch.setattr(Lockstep, "max_machines", 3)
    monkeypatch.setattr(Summary, "max_machines", 3)
    taken, ended = [], []

    def machines():
        for n in (3, 1, 2, 1, 4, 2, 3, 1):
            taken.append(machine(problem=Tower(n)))
            yield taken[-1]

    for done in executor().stream(machines(), Reference(convention())):
        ended.append(done)
        assert done.status == "solved"
        assert len(taken) - len(ended) < 3
    assert len(ended) == 8
    assert set(ended) == set(taken)


@pytest.mark.parametrize("executor", [Cached, Speculative, Summary])
def test_an_executor_may_need_a_deterministic_model(executor):
    told = f"{executor.name!r} needs a deterministic model, and 'nondeterministic' is not; use --executor sequential"
    with pytest.raises(UsageError, match=told):
        solve(machine(), executor, Nondeterministic())


def test_an_outcome_counts_the_seconds_and_model_calls_of_its_own_run(monkeypatch):
    clock = iter([100.0, 102.5, 200.0, 201.0])
    monkeypatch.setattr(executor_module.time, "perf_counter", lambda: next(clock))
    model = Reference(convention())
    outcomes = [solve(machine(problem=Tower(n)), Sequential, model) for n in (3, 1)]
    assert [outcome.seconds for outcome in outcomes] == [2.5, 1.0]
    assert [outcome.model_calls for outcome in outcomes] == [10, 1]


class By(Executor):
    """Yields what a function makes of its machines and of an iterator of those that have ended."""

    name = "by"

    def __init__(self, made):
        self._made = made

    def _run(self, machines, model):
        return self._made(machines, lambda some: Sequential()._run(some, model))


NOT_ITS_OWN = "yielded what is not a machine, was not given to it, or was yielded before"
WRONG = [
    (
        lambda machines, run: (each for each in run(machines) if each.status == "solved"),
        "did not yield machine 2, 'n=1 src=2 dst=3' and 1 more",
    ),
    (lambda machines, run: list(run(machines)) and None, "did not yield machine 1, 'n=1 src=1 dst=3' and 3 more"),
    (lambda machines, run: (each for ended in run(machines) for each in (ended, ended)), NOT_ITS_OWN),
    (lambda machines, run: [*(ended := list(run(machines))), ended[0]], NOT_ITS_OWN),
    (lambda machines, run: [*run(machines), *run([machine()])], NOT_ITS_OWN),
    (lambda machines, run: ["solved" for _ in run(machines)], NOT_ITS_OWN),
    (lambda machines, run: (each for each in machines), "yielded machine 1 after 0 steps, before the run had ended"),
]


def given():
    """Four machines, and a model that can't move the smallest disk from the second peg."""
    machines = [machine(problem=tower) for tower in (Tower(1), Tower(1, 2), Tower(1, 2), Tower(1))]
    return machines, Refusing(machines[0].convention)


class Refusing(Reference):
    def _complete(self, prompts, drafts):
        return [
            "no" if "src=2 dst=3" in prompt else super(Refusing, self)._complete([prompt], None)[0]
            for prompt in prompts
        ]


def test_every_run_is_accounted_for():
    for made, reason in WRONG:
        for use in ("run", "stream"):
            machines, model = given()
            with pytest.raises(PluginError, match=f"^the executor 'by' {reason}; yield each machine once") as error:
                list(getattr(By(made), use)(machines, model))
            assert error.value.exit_code == 4
    machines, model = given()
    assert list(By(lambda machines, run: run(machines)).stream(machines, model)) == machines


def test_only_machines_that_were_asked_to_stop_may_be_left():
    def leaves(machines, run):
        for each in list(machines)[1:]:
            each.interrupt()
        return run([first])

    machines, model = given()
    first = machines[0]
    assert list(By(leaves).stream(machines, model)) == [first]
    nothing = By(lambda machines, run: list(machines)[:0])
    with pytest.raises(PluginError, match=re.escape("did not yield machine 3, 'n=1 src=1 dst=3'")):
        list(nothing.stream([*machines[1:3], given()[0][-1]], model))


def test_an_executor_can_not_do_its_own_accounts():
    for name in ("run", "stream"):
        with pytest.raises(
            TypeError, match=f"the executor Own overrides {name}, which accounts for every run; define _run"
        ):
            type("Own", (Sequential,), {name: lambda *_: ()})
