"""Every installed part keeps every promise, so do sound ones, and each broken promise is found by its check."""

import random
from itertools import chain

import pytest

from coc_check import stage
from coc_check.domain.subject import length
from coc_check.fuzz import executor
from coc_check.memory import loops
from coc_check.memory.drill import Drill
from coc_check.parts import CHECKS, SUBJECTS, part_checks, registry_of
from coc_check.stage import plain_stages
from coc_core.errors import PluginError, UsageError
from coc_core.plugin import KINDS, ArithmeticSpec, DomainSpec, MemorySpec, ModelSpec
from coc_problems import policy_steps, validate
from tests.broken import faulty_arithmetics, faulty_domains, faulty_executors, faulty_memories, faulty_models
from tests.support.conformance import QUICKEST, complaint_of, complaints_of, failures_of, named, offering
from tests.support.installed_plugins import REGISTRY

QUICK = {
    "hanoi",
    "blocksworld",
    "pancake",
    "river-crossing",
    "sort",
    "pda",
    "transcript",
    "symbolic",
    "inline",
    "reference",
}
"""The parts whose checks take seconds at most, some of each kind."""
INSTALLED = [
    (kind, spec.name) for spec_kind, kind in KINDS.items() if kind in SUBJECTS for spec in REGISTRY.specs(spec_kind)
]
INSTALLED = [part for part in INSTALLED if part[0] != "model"]
INSTALLED += [("model", name) for name in ("reference", "arithmetic", "hanoi-tape-symbolic")]
MODULES = {
    "domain": faulty_domains,
    "memory": faulty_memories,
    "arithmetic": faulty_arithmetics,
    "model": faulty_models,
}
FAULTS = [(kind, part, *found) for kind, module in MODULES.items() for part, found in module.FAULTS.items()]
EVERY_FAULT = pytest.mark.parametrize(
    ("kind", "part", "check", "complaint"), FAULTS, ids=[f"{kind}-{part.__name__}" for kind, part, *_ in FAULTS]
)


def marked(kind, name):
    return pytest.param(kind, name, marks=[pytest.mark.slow] if name not in QUICK else [])


@pytest.mark.parametrize(("kind", "name"), [marked(*part) for part in INSTALLED])
def test_every_part_keeps_every_promise(kind, name):
    registry = registry_of(*QUICKEST, "llm", "pancake") if kind == "executor" else REGISTRY
    assert complaints_of(part_checks(registry, kind, name)) == {}


def checks_of(kind, part, **named):
    """The checks of a part of `tests.broken`."""
    factory, about = f"{part.__module__}:{part.__name__}", "breaks a promise"
    match kind:
        case "domain":
            spec = DomainSpec("faulty", factory, about, policies=getattr(part, "policies", ()), **named)
        case "memory":
            spec = MemorySpec("faulty", factory, f"{part.__module__}:{part.spoken.__name__}", about)
        case "arithmetic":
            spec = ArithmeticSpec("faulty", factory, about, **named)
        case "model":
            spec = ModelSpec("faulty", about, factory)
    faulty_domains.RNG.seed(0)
    faulty_memories.RNG.seed(0)
    return list(
        part_checks(
            offering(spec, beside=(*QUICKEST, "heap", "transcript") if kind == "domain" else QUICKEST), kind, "faulty"
        )
    )


@pytest.mark.parametrize(
    ("kind", "part"),
    [
        ("domain", faulty_domains.Sound),
        ("domain", faulty_domains.OnABoard),
        ("domain", faulty_domains.Vast),
        ("domain", faulty_domains.Switched),
        ("domain", faulty_domains.NamedLamps),
        ("memory", faulty_memories.Shelf),
        ("arithmetic", faulty_arithmetics.Sound),
        ("model", faulty_models.Sound),
        ("model", faulty_models.Nondeterministic),
    ],
)
def test_a_sound_part_keeps_every_promise(kind, part):
    assert complaints_of(checks_of(kind, part)) == {}


@EVERY_FAULT
def test_a_broken_promise_is_found(kind, part, check, complaint):
    assert complaint in complaint_of(named(checks_of(kind, part), check))


@pytest.mark.slow
@pytest.mark.exhaustive
@EVERY_FAULT
def test_one_fault_is_one_failure(kind, part, check, complaint, monkeypatch):
    monkeypatch.setattr(stage, "SIZES", 4)
    assert len(failures_of(checks_of(kind, part))) == 1


@pytest.mark.parametrize("kind", MODULES)
def test_every_check_finds_something_and_says_what_it_is_about(kind):
    found = {check for check, _ in MODULES[kind].FAULTS.values()}
    assert found == {check.__name__ for check in CHECKS[kind]}
    for check in checks_of(kind, next(iter(MODULES[kind].FAULTS))):
        assert check.kind == kind
        assert check.promise.endswith(".")
        assert check.hint.endswith(".")


# ── executors ─────────────────────────────────────────────────────────────────────────────────────────────────────────

EXECUTORS = offering(*faulty_executors.coc_executors(), beside=(*QUICKEST, "blocksworld"))


@pytest.mark.slow
@pytest.mark.no_cover
@pytest.mark.parametrize("part", faulty_executors.FAULTY, ids=lambda part: part.name)
def test_every_faulty_executor_is_found(part):
    (check,) = part_checks(EXECUTORS, "executor", part.name)
    assert f"{part.name} is not Algorithm 1 at step " in complaint_of(check)


def test_an_executor_is_fuzzed(monkeypatch):
    monkeypatch.setattr(executor, "EXAMPLES", 50)
    (check,) = part_checks(EXECUTORS, "executor", "needs-one")
    told = complaint_of(check)
    assert "needs-one is not Algorithm 1 at step 0: what the executor raised should be nothing but is Runtime" in told
    assert 'Case( executor="needs-one"' in " ".join(told.split())
    (check,) = part_checks(EXECUTORS, "executor", "sound")
    check.run()
    assert check.tried["settings"].endswith(" runs at once")


# ── what can't be checked ─────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("kind", SUBJECTS)
def test_a_part_that_nobody_offers_is_refused(kind):
    with pytest.raises(UsageError, match=f"unknown {kind} 'nobody'"):
        list(part_checks(REGISTRY, kind, "nobody"))


@pytest.mark.parametrize(
    ("kind", "name", "check", "complaint"),
    [
        ("memory", "tape", "problems_are_solved", "no installed domain runs on tape"),
        ("arithmetic", "symbolic", "inputs_are_unchanged", "no installed domain can be run with symbolic arithmetic"),
        ("executor", "sequential", "runs_are_those_of_algorithm_1", "no executor can be tried there"),
    ],
)
def test_where_no_domain_is_installed_nothing_else_can_be_checked(kind, name, check, complaint):
    assert complaint in complaint_of(named(part_checks(registry_of("core"), kind, name), check))


def test_a_domain_whose_runs_are_all_too_long_cannot_be_tested():
    check = named(checks_of("domain", faulty_domains.Endless), "goal_is_reached")
    assert "short enough to test" in complaint_of(check)


def test_an_arithmetic_that_calls_a_model_is_checked_with_its_reference():
    asking, dialect = faulty_arithmetics.SoundAsking, "arithmetic of my own"
    reference = "coc_learn.addresses.dialect:AddressReference"
    assert complaints_of(checks_of("arithmetic", asking, dialect=dialect, reference=reference)) == {}
    with pytest.raises(UsageError, match="neither a reference nor a checkpoint ships"):
        checks_of("arithmetic", asking, dialect=dialect)


# ── domains and memories ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("memory", ["transcript", "whole-plan", "pda"])
def test_a_domain_is_not_blamed_for_a_memory_with_few_steps_or_long_prompts(memory):
    assert complaints_of(checks_of("domain", faulty_domains.Sound, memories=(memory,))) == {}


def test_a_domain_that_runs_nowhere_is_refused():
    with pytest.raises(PluginError, match="faulty runs on none of tape, pda, so it can't be checked"):
        checks_of("domain", faulty_domains.Sound, memories=("drum",))


def test_a_policy_for_the_heap_alone_keeps_every_promise():
    spec = DomainSpec("faulty", "tests.broken.faulty_records:Linked", "lamps by records", memories=("heap",))
    assert complaints_of(part_checks(offering(spec), "domain", "faulty")) == {}


def test_what_a_domain_does_not_state_is_told():
    checks = checks_of("domain", faulty_domains.Least)
    assert complaints_of(checks) == {}
    assert checks[0].tried["not stated"] == (
        "problems of a size (`_every_problem`), moves (`every_action`), lengths of runs (`expect`)"
    )


def test_the_checks_draw_the_same_every_time():
    state = random.getstate()
    assert complaints_of(part_checks(REGISTRY, "domain", "pancake")) == {}
    assert random.getstate() == state


def test_the_drill_is_as_long_as_it_says():
    drill = Drill()
    for problem in chain(*map(drill.every_problem, range(5)), (drill.problem(7, seed) for seed in range(9))):
        assert length(drill, problem) == (drill.expect(problem).actions, drill.expect(problem).steps)
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
    named(part_checks(REGISTRY, "memory", "tape"), "endless_runs_are_found").run()
