"""Every installed memory keeps every promise, so does one that is neither tape nor stack, and each fault is found."""

from itertools import chain

import pytest

from coc_check import parts, stage
from coc_check.check import Nonconforming
from coc_check.domain.length import length
from coc_check.memory import loops, windows
from coc_check.memory.drill import Drill
from coc_check.parts import part_checks, registry_of
from coc_check.stage import plain_stages
from coc_core.errors import UsageError
from coc_core.plugin import DomainSpec, MemorySpec
from coc_problems import policy_steps, validate
from tests.broken import faulty_memories
from tests.support.conformance import (
    QUICKEST,
    REGISTRY,
    broken_promises,
    complaint_of,
    complaints_of,
    every_fault,
    failures_of,
    named,
    names_of,
    offering,
)

CHECKS = parts.CHECKS["memory"]


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.slow) if n == "tape" else n for n in names_of(MemorySpec)]
)
def test_every_memory_keeps_every_promise(name):
    assert broken_promises("memory", name) == {}


def checks_of(memory, beside=None):
    factory, convention = (f"tests.broken.faulty_memories:{kind.__name__}" for kind in (memory, memory.spoken))
    registry = offering(MemorySpec("faulty", factory, convention, ""), beside=beside)
    return list(part_checks(registry, "memory", "faulty"))


def test_a_sound_memory_keeps_every_promise():
    assert complaints_of(checks_of(faulty_memories.Shelf, QUICKEST)) == {}


@every_fault(faulty_memories.FAULTS)
def test_a_broken_promise_is_found(faulty, check, complaint):
    faulty_memories.RNG.seed(0)
    assert complaint in complaint_of(named(checks_of(faulty, QUICKEST), check))


@pytest.mark.slow
@pytest.mark.exhaustive
@pytest.mark.parametrize("faulty", faulty_memories.FAULTS)
def test_one_fault_is_one_failure(faulty, monkeypatch):
    monkeypatch.setattr(stage, "SIZES", 4)
    monkeypatch.setattr(stage, "SEEDS", 1)
    faulty_memories.RNG.seed(0)
    assert len(failures_of(checks_of(faulty, QUICKEST))) == 1


def test_every_check_finds_something():
    assert {check for check, _ in faulty_memories.FAULTS.values()} == {check.__name__ for check in CHECKS}


def test_a_check_says_what_it_is_about():
    for check in checks_of(faulty_memories.Shelf):
        assert check.promise.endswith(".")
        assert check.hint.endswith(".")
        assert check.kind == "memory"


def test_a_memory_that_nobody_offers_is_refused():
    with pytest.raises(UsageError, match="unknown memory 'drum'"):
        list(part_checks(REGISTRY, "memory", "drum"))


def test_a_memory_that_nothing_runs_on_cannot_be_checked():
    found = {check.name: check for check in part_checks(registry_of("core"), "memory", "tape")}
    with pytest.raises(Nonconforming, match="no installed domain runs on tape"):
        found["problems_are_solved"].run()


def test_the_drill_is_as_long_as_it_says():
    drill = Drill()
    for problem in chain(*map(drill.every_problem, range(5)), (drill.problem(7, seed) for seed in range(9))):
        found = length(drill, problem)
        assert (found.actions, found.steps) == (drill.expect(problem).actions, drill.expect(problem).steps)
        plan = [action for _, step in policy_steps(drill, problem) for action in step.emits]
        assert validate(drill, problem, plan).verdict == "complete"
        assert drill.render(drill.initial(problem), 80) == "0"
        assert drill.size(problem) == problem.n


BROKEN = (
    DomainSpec("missing", "a_module_that_nobody_has:Domain", "can't be made"),
    DomainSpec("endless", "tests.broken.faulty_domains:Endless", "has no small problem"),
    DomainSpec("unsolved", "tests.broken.faulty_domains:OnlyLooks", "has a policy that solves little"),
    DomainSpec("elsewhere", "tests.broken.faulty_domains:Sound", "runs on another memory", ("pda",)),
)


def test_no_memory_is_blamed_for_a_broken_domain():
    found = list(plain_stages(offering(*BROKEN), "tape"))
    sound = [str(stage) for stage in plain_stages(REGISTRY, "tape")]
    assert [str(stage) for stage in found if not str(stage).startswith("faulty")] == sound


def test_a_run_that_is_neither_stopped_nor_found_out_soon_is_no_complaint(monkeypatch):
    monkeypatch.setattr(loops, "MOST", 2)
    monkeypatch.setattr(windows, "GROWTH", 2)
    for check in part_checks(REGISTRY, "memory", "tape"):
        if check.name in ("growth_is_capped", "endless_runs_are_found"):
            check.run()
