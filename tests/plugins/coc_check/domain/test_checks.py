"""Every installed domain keeps every promise, and each broken promise is found by its check."""

import random

import pytest

from coc_check import parts
from coc_check.parts import part_checks
from coc_core.errors import PluginError
from coc_core.plugin import DomainSpec
from tests.broken import faulty_domains
from tests.support.conformance import (
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

CHECKS = parts.CHECKS["domain"]


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.slow) if n == "exact-cover" else n for n in names_of(DomainSpec)]
)
def test_every_domain_keeps_every_promise(name):
    assert broken_promises("domain", name) == {}


def test_a_check_says_what_it_is_about():
    checks = list(part_checks(REGISTRY, "domain", "hanoi"))
    assert len({check.name for check in checks}) == len(checks) == len(CHECKS)
    assert all(check.promise.endswith(".") for check in checks)
    assert all(check.hint.endswith(".") for check in checks)


def checks_of(domain, memories=None):
    factory, policies = f"tests.broken.faulty_domains:{domain.__name__}", getattr(domain, "policies", ())
    spec = DomainSpec("faulty", factory, "breaks a promise", memories, policies=policies)
    return part_checks(offering(spec), "domain", "faulty")


@pytest.mark.parametrize(
    "domain",
    [
        faulty_domains.Sound,
        faulty_domains.OnABoard,
        faulty_domains.Vast,
        faulty_domains.Switched,
        faulty_domains.NamedLamps,
    ],
)
def test_a_sound_domain_keeps_every_promise(domain):
    assert complaints_of(checks_of(domain)) == {}


@pytest.mark.parametrize("memory", ["transcript", "whole-plan"])
def test_a_domain_is_not_blamed_for_a_memory_with_few_steps_or_long_prompts(memory):
    assert complaints_of(checks_of(faulty_domains.Sound, (memory,))) == {}


def test_a_domain_whose_runs_are_all_too_long_cannot_be_tested():
    assert "short enough to test" in complaints_of(checks_of(faulty_domains.Endless))["goal_is_reached"]


@every_fault(faulty_domains.FAULTS)
def test_a_broken_promise_is_found(faulty, check, complaint):
    faulty_domains.RNG.seed(0)
    assert complaint in complaint_of(named(checks_of(faulty), check))


@pytest.mark.slow
@pytest.mark.exhaustive
@pytest.mark.parametrize("faulty", faulty_domains.FAULTS)
def test_one_fault_is_one_failure(faulty):
    faulty_domains.RNG.seed(0)
    assert len(failures_of(checks_of(faulty))) == 1


def test_every_check_finds_something():
    assert {check for check, _ in faulty_domains.FAULTS.values()} == {check.__name__ for check in CHECKS}


def test_a_domain_that_runs_nowhere_is_refused():
    with pytest.raises(PluginError, match="faulty runs on none of tape, pda, so it can't be checked"):
        list(checks_of(faulty_domains.Sound, ("drum",)))


def test_a_domain_for_one_memory_is_checked_on_that():
    for check in checks_of(faulty_domains.Sound, ("pda",)):
        check.run()


def test_a_policy_for_the_heap_alone_keeps_every_promise():
    spec = DomainSpec("faulty", "tests.broken.faulty_records:Linked", "lamps by records", memories=("heap",))
    assert spec.memory == "heap"
    assert complaints_of(part_checks(offering(spec), "domain", "faulty")) == {}


def test_what_a_domain_does_not_state_is_told():
    least = faulty_domains.Least
    spec = DomainSpec("faulty", f"tests.broken.faulty_domains:{least.__name__}", "states the least")
    checks = list(part_checks(offering(spec), "domain", "faulty"))
    assert complaints_of(checks) == {}
    assert checks[0].tried["not stated"] == (
        "problems of a size (`_every_problem`), moves (`every_action`), lengths of runs (`expect`)"
    )


def test_the_checks_draw_the_same_every_time():
    state = random.getstate()
    for check in part_checks(REGISTRY, "domain", "pancake"):
        check.run()
    assert random.getstate() == state
