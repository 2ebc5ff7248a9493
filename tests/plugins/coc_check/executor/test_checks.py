"""Every installed executor keeps every promise, and each broken promise is found by its check."""

import pytest

from coc_check import parts, stage
from coc_check.check import Nonconforming
from coc_check.parts import part_checks, registry_of
from coc_core.errors import UsageError
from coc_core.plugin import ExecutorSpec
from tests.broken import faulty_executors
from tests.support.conformance import (
    QUICKEST,
    REGISTRY,
    broken_promises,
    complaint_of,
    every_fault,
    failures_of,
    named,
    names_of,
    offering,
)

CHECKS = parts.CHECKS["executor"]


def test_the_default_executor_keeps_every_promise(monkeypatch):
    monkeypatch.setattr(stage, "SIZES", 3)
    assert broken_promises("executor", "cached", registry_of(*QUICKEST)) == {}


@pytest.mark.slow
@pytest.mark.parametrize("name", names_of(ExecutorSpec))
def test_every_executor_keeps_every_promise(name):
    """Those that look ahead ask the domains how; to the others they are all the same."""
    registry = REGISTRY if name in ("speculative", "summary") else registry_of(*QUICKEST, "llm", "pancake")
    assert broken_promises("executor", name, registry) == {}


def checks_of(executor, beside=None):
    spec = ExecutorSpec("faulty", f"tests.broken.faulty_executors:{executor.__name__}", "breaks a promise")
    return list(part_checks(offering(spec, beside=beside), "executor", "faulty"))


@every_fault(faulty_executors.FAULTS)
def test_a_broken_promise_is_found(faulty, check, complaint):
    assert complaint in complaint_of(named(checks_of(faulty, QUICKEST), check))


@pytest.mark.slow
@pytest.mark.exhaustive
@pytest.mark.parametrize("faulty", faulty_executors.FAULTS)
def test_one_fault_is_one_failure(faulty, monkeypatch):
    monkeypatch.setattr(stage, "SIZES", 3)
    monkeypatch.setattr(stage, "SEEDS", 1)
    assert len(failures_of(checks_of(faulty, QUICKEST))) == 1


def test_every_check_finds_something():
    assert {check for check, _ in faulty_executors.FAULTS.values()} == {check.__name__ for check in CHECKS}


def test_a_check_says_what_it_is_about():
    for check in checks_of(faulty_executors.Sound):
        assert check.promise.endswith(".")
        assert check.hint.endswith(".")
        assert check.kind == "executor"


def test_an_executor_that_nobody_offers_is_refused():
    with pytest.raises(UsageError, match="unknown executor 'whip'"):
        list(part_checks(REGISTRY, "executor", "whip"))


def test_where_no_domain_is_installed_an_executor_cannot_be_checked():
    alone = registry_of("core")
    with pytest.raises(Nonconforming, match="no domain is installed that sequential could run"):
        next(part_checks(alone, "executor", "sequential")).run()
