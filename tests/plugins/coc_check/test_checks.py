"""Every installed part keeps every promise, so do sound ones, and each broken promise is found by its check."""

import random

import pytest

from coc_check.fuzz import trial
from coc_check.parts import CHECKS, SUBJECTS, part_checks, registry_of
from coc_check.stage import stages
from coc_core.errors import PluginError, UsageError
from coc_core.plugin import KINDS, DomainSpec
from coc_core.types import Expectation
from coc_learn.addresses.learned import Learned
from tests.broken import faulty_arithmetics, faulty_domains, faulty_executors, faulty_memories, faulty_models
from tests.broken.faulty_domains import Row
from tests.broken.faulty_records import Linked
from tests.support.conformance import QUICKEST, checks_of, complaint_of, complaints_of, failures_of, named, offering
from tests.support.installed_plugins import REGISTRY

QUICK = {"hanoi", "pancake", "sort", "transcript", "symbolic"}
"""The parts whose checks take seconds at most, some of most kinds."""
INSTALLED = [(KINDS[kind], spec.name) for kind in KINDS if KINDS[kind] in SUBJECTS for spec in REGISTRY.specs(kind)]
INSTALLED = [part for part in INSTALLED if part[0] != "model"]
INSTALLED += [("model", name) for name in ("reference", "arithmetic", "hanoi-tape-symbolic")]
INSTALLED = [pytest.param(*part, marks=[pytest.mark.slow] if part[1] not in QUICK else []) for part in INSTALLED]
CHECKED_WHERE_IT_SHIPS = ("files_are_whole", "dialects_are_known", "tokens_stand_for_the_texts")
CHECKED_WHERE_IT_SHIPS += ("targets_are_the_policys", "margins_are_positive")
MODULES = {
    "domain": faulty_domains,
    "memory": faulty_memories,
    "arithmetic": faulty_arithmetics,
    "model": faulty_models,
}
FAULTS = [
    pytest.param(kind, part, *found, id=f"{kind}-{part.__name__}-{found[0]}")
    for kind, module in MODULES.items()
    for part, *found in module.FAULTS
]
SOUND = [("domain", getattr(faulty_domains, name)) for name in ("Sound", "OnABoard", "Vast", "Switched", "NamedLamps")]
SOUND += [("memory", faulty_memories.Shelf), ("arithmetic", faulty_arithmetics.Sound)]
SOUND += [("model", faulty_models.Sound), ("model", faulty_models.Nondeterministic)]
ELSEWHERE = [("domain", faulty_domains.Sound, {"memories": (name,)}) for name in ("transcript", "whole-plan", "pda")]
ELSEWHERE += [("domain", type("OnAHeap", (Linked,), {"policies": ()}), {"memories": ("heap",)})]
"""Domains on memories with few steps, long prompts or records."""


@pytest.fixture(autouse=True)
def same_draws():
    faulty_domains.RNG.seed(0)
    faulty_memories.RNG.seed(0)


@pytest.mark.parametrize(("kind", "name"), INSTALLED)
def test_every_part_keeps_every_promise(kind, name):
    registry = registry_of(*QUICKEST, "llm", "pancake") if kind == "executor" else REGISTRY
    assert complaints_of(part_checks(registry, kind, name)) == {}


@pytest.mark.parametrize(("kind", "part", "fields"), [*((*each, {}) for each in SOUND), *ELSEWHERE])
def test_a_sound_part_keeps_every_promise(kind, part, fields):
    assert complaints_of(checks_of(kind, part, **fields)) == {}


@pytest.mark.parametrize(("kind", "part", "check", "complaint"), FAULTS)
def test_a_broken_promise_is_found(kind, part, check, complaint):
    assert complaint in complaint_of(named(checks_of(kind, part), check))


WRONG = {"_problem": Row("0"), "size": 1, "expect": Expectation(1, 1), "is_goal": False}
WRONG |= {"render": " ", "effect": None, "apply": "0"}


@pytest.mark.parametrize("method", WRONG)
def test_what_is_wrong_at_one_size_alone_is_found(method):
    n, right = 7, getattr(faulty_domains.Sound, method)

    def gives(self, first, *others):
        lamps = getattr(first, "lamps", first)
        return WRONG[method] if n in (lamps, len(str(lamps))) else right(self, first, *others)

    wrong = type("Sound", (faulty_domains.Sound,), {method: gives})
    assert failures_of(checks_of("domain", wrong)) != []


@pytest.mark.parametrize("kind", MODULES)
def test_every_check_finds_something_and_says_what_it_is_about(kind):
    found = {check for _, check, _ in MODULES[kind].FAULTS}
    found |= {*CHECKED_WHERE_IT_SHIPS} if kind == "model" else set()
    assert found == {check.__name__ for check in CHECKS[kind]}
    for check in checks_of(kind, MODULES[kind].FAULTS[0][0]):
        assert (check.kind, check.promise[-1], check.hint[-1]) == (kind, ".", ".")


# ── executors ─────────────────────────────────────────────────────────────────────────────────────────────────────────

EXECUTORS = offering(*faulty_executors.coc_executors(), beside=(*QUICKEST, "blocksworld"))


@pytest.mark.slow
@pytest.mark.no_cover
@pytest.mark.parametrize("part", faulty_executors.FAULTY, ids=lambda part: part.name)
def test_every_faulty_executor_is_found(part):
    (check,) = part_checks(EXECUTORS, "executor", part.name)
    assert f"{part.name} is not Algorithm 1 at step " in complaint_of(check)


def test_an_executor_is_fuzzed(monkeypatch):
    monkeypatch.setattr(trial, "EXAMPLES", 50)
    (check,) = part_checks(EXECUTORS, "executor", "needs-one")
    told = complaint_of(check)
    assert "needs-one is not Algorithm 1 at step " in told
    assert "what the executor raised should be nothing but is Runtime" in told
    assert "Case( executor='needs-one'" in " ".join(told.split())
    (check,) = part_checks(EXECUTORS, "executor", "sound")
    check.run()
    assert check.tried["settings"].endswith(" of 20")


# ── what can't be checked ─────────────────────────────────────────────────────────────────────────────────────────────


def test_where_no_domain_can_be_run_nothing_else_can_be_checked():
    for kind, name, complaint in (
        ("memory", "tape", "no installed domain runs on tape"),
        ("arithmetic", "symbolic", "no installed domain can be run with symbolic arithmetic"),
        ("executor", "sequential", "no executor can be tried there"),
    ):
        assert complaint in " ".join(complaints_of(part_checks(registry_of("core"), kind, name)).values())
    check = named(checks_of("domain", faulty_domains.Endless), "goal_is_reached")
    assert "short enough to test" in complaint_of(check)
    with pytest.raises(UsageError, match="calls a model, and names no `reference` to be checked with"):
        checks_of("arithmetic", Learned, dialect="arithmetic of my own")
    with pytest.raises(PluginError, match="faulty runs on none of tape, pda, so it can't be checked"):
        checks_of("domain", faulty_domains.Sound, memories=("drum",))


# ── domains and memories ──────────────────────────────────────────────────────────────────────────────────────────────


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


def test_no_memory_is_blamed_for_a_broken_domain():
    """One can't be made, one has no small problem, one has a policy that solves little, one runs on another memory."""
    parts = "nobody:Domain", "faulty_domains:Endless", "faulty_domains:OnlyLooks"
    broken = [DomainSpec(f"broken-{at}", f"tests.broken.{part}", "broken") for at, part in enumerate(parts)]
    elsewhere = DomainSpec("elsewhere", "tests.broken.faulty_domains:Sound", "runs on a stack", ("pda",))
    found = [str(stage) for stage in stages(offering(*broken, elsewhere, beside=QUICKEST), ["tape"])]
    sound = [str(stage) for stage in stages(offering(beside=QUICKEST), ["tape"])]
    assert [each for each in found if not each.startswith("faulty")] == sound


def test_of_long_problems_other_parts_are_tried_on_the_first():
    long = DomainSpec("long", "tests.broken.faulty_domains:Long", "long runs")
    found = stages(offering(long, beside=("core",)), ["pda"])
    assert [[len(task.plan) for task in each.tasks] for each in found] == [[100]]
