"""Many machines at once: each does what it does alone, whatever the model says and whatever befalls the others."""

from hypothesis import given, strategies as st

from coc_check import strategies
from coc_core.errors import NumericFault
from coc_core.execution import Lockstep, Sequential
from coc_core.execution.executor import PolicyDrafts, Waiting
from coc_core.execution.lockstep import configured
from coc_core.memories import Reference
from coc_puzzles.hanoi.instructions import Tower
from tests.support.flawed_models import DOMAIN_SETTINGS, LARGEST, Flawed, small_setting, traces
from tests.support.for_each import for_each
from tests.support.machines import convention, machine, solve
from tests.support.toy_parts import Nondeterministic, Scripted


def lockstep(max_machines=Lockstep.max_machines, cache_bytes=Lockstep.cache_bytes):
    executor = Lockstep()
    executor.max_machines, executor.cache_bytes = max_machines, cache_bytes
    return executor


@given(data=st.data())
def test_each_machine_does_what_it_does_alone(data):
    names = data.draw(st.sampled_from(DOMAIN_SETTINGS))
    setting = small_setting(*names)
    sizes = range(1, LARGEST.get(names[0], 5) + 1)
    problems = data.draw(st.lists(strategies.problems(setting.domain, sizes), max_size=9))
    share, seed = data.draw(st.sampled_from([0, 0.02, 0.1, 1])), data.draw(st.integers(0, 10**6))
    executor = lockstep(data.draw(st.integers(1, 10)), data.draw(st.sampled_from([0, 1_000, 10_000, 1 << 20])))
    alone = traces(setting, problems, Flawed(setting.convention, share, seed), Sequential())
    model = Flawed(setting.convention, share, seed)
    assert traces(setting, problems, model, executor) == alone
    assert all(len(set(prompts)) == len(prompts) <= executor.max_machines for prompts in model.batches)


def test_no_model_call_is_repeated():
    setting = small_setting("pancake", "pda", "symbolic")
    problems = list(setting.domain.every_problem(5))
    model = Flawed(setting.convention, 0, 0)
    outcomes = lockstep(10).run([setting.machine(problem) for problem in problems], model)
    assert {outcome.status for outcome in outcomes} == {"solved"}
    asked = [prompt for prompts in model.batches for prompt in prompts]
    assert len(set(asked)) == len(asked) == outcomes[0].model_calls < sum(outcome.steps for outcome in outcomes) / 2
    assert len(model.batches) < len(asked) / 5


def test_the_model_is_called_again_if_the_cache_is_full():
    setting = small_setting("hanoi", "pda", "symbolic")
    model = Flawed(setting.convention, 0, 0)
    (outcome,) = lockstep(cache_bytes=0).run([setting.machine(Tower(4))], model)
    assert (outcome.status, outcome.model_calls) == ("solved", outcome.steps)


def test_responses_of_a_nondeterministic_model_are_never_shared():
    stay, leave = "PUSH MOVE d=1 src=1 dst=3", "OUTPUT Move disk 1 from 1 to 3"
    machines = [machine(problem=Tower(1)) for _ in range(3)]
    outcomes = Lockstep().run(machines, Nondeterministic(leave, stay, "What?", leave))
    assert [outcome.status for outcome in outcomes] == ["solved", "solved", "fault"]
    assert [outcome.steps for outcome in outcomes] == [1, 2, 0]
    assert outcomes[0].model_calls == 4


class Drafted(Flawed):
    """Keeps the drafts beside the prompts."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.drafts = {}

    def _complete(self, prompts, drafts):
        self.drafts.update(zip(prompts, drafts, strict=True))
        return super()._complete(prompts, drafts)


@for_each("names", DOMAIN_SETTINGS)
def test_a_draft_is_what_the_policy_says_and_changes_nothing(names):
    setting = small_setting(*names)
    problems = [setting.domain.problem(3, seed) for seed in range(5)]
    model = Drafted(setting.convention, 0.3, 5)
    drafted = traces(setting, problems, model, lockstep())
    assert drafted == traces(setting, problems, Flawed(setting.convention, 0.3, 5), Sequential())
    teacher = Reference(setting.convention)
    assert model.drafts
    for prompt, draft in model.drafts.items():
        assert not draft or [draft] == teacher.complete([prompt])


def test_drafts_are_a_sequence():
    subject = machine(problem=Tower(3))
    answer = subject.convention.target_for(subject.peek())
    drafts = PolicyDrafts([Waiting(subject, "What?"), Waiting(subject, subject.peek()), Waiting(subject, "")])
    assert list(drafts) == ["", answer, ""]
    assert (len(drafts), list(drafts[1:]), drafts[-2]) == (3, [answer, ""], answer)


def test_a_model_that_does_not_look_costs_no_drafts(monkeypatch):
    subject = machine(problem=Tower(3))
    teacher = Reference(convention())
    asked = []
    monkeypatch.setattr(subject.convention, "target_for", asked.append, raising=True)
    assert solve(subject, Lockstep, teacher).status == "solved"
    assert asked == []


def test_equal_prompts_share_a_fault_and_each_machine_has_its_own_step():
    bad = "INSTR CALL n=1 src=1 dst=3 aux=2"
    teacher = Reference(convention())

    def answer(prompt):
        return NumericFault("no finite logits") if prompt == bad else teacher.complete([prompt])[0]

    outcomes = Lockstep().run([machine(problem=Tower(n)) for n in (1, 3, 1, 2)], Scripted(then=answer))
    assert [(outcome.status, outcome.fault and outcome.fault.step) for outcome in outcomes] == [
        ("fault", 1),
        ("fault", 3),
        ("fault", 1),
        ("solved", None),
    ]
    assert {outcome.fault.text for outcome in outcomes if outcome.fault} == {bad}


def test_how_many_run_at_once_can_be_chosen(coc, refused):
    assert configured("machines=3").max_machines == 3
    assert configured("").max_machines == Lockstep.max_machines
    run = ("run", "-d", "hanoi", "-n", 2, "--model", "reference", "-x")
    assert coc(*run, "lockstep:machines=2").code == 0
    assert "it must be from 1 to 65,536, not 0" in refused(2, *run, "lockstep:machines=0")
    assert "the executor lockstep has no option" in refused(2, *run, "lockstep:size=3")
