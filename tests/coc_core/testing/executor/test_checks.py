"""Every installed executor keeps every promise, and each broken promise is found by its check."""

import pytest

from coc_core.errors import UsageError
from coc_core.plugin import ExecutorSpec
from coc_core.testing import parts
from coc_core.testing.check import Nonconforming
from coc_core.testing.parts import part_checks, registry_of
from tests.broken import faulty_executors
from tests.support.conformance import (
    QUICKEST,
    REGISTRY,
    complaint_of,
    complaints_of,
    every_fault,
    failures_of,
    named,
    names_of,
    offering,
)

CHECKS = parts.CHECKS["executor"]


@pytest.mark.slow
@pytest.mark.parametrize("name", names_of(ExecutorSpec))
def test_every_executor_keeps_every_promise(name):
    assert complaints_of(part_checks(REGISTRY, "executor", name)) == {}


def checks_of(executor, beside=None):
    spec = ExecutorSpec("faulty", f"tests.broken.faulty_executors:{executor.__name__}", "breaks a promise")
    return list(part_checks(offering(spec, beside=beside), "executor", "faulty"))


@pytest.mark.slow
@pytest.mark.exhaustive
@pytest.mark.parametrize("check", CHECKS)
def test_a_sound_executor_keeps_every_promise(check):
    named(checks_of(faulty_executors.Sound), check.__name__).run()


@pytest.mark.slow
@every_fault(faulty_executors.FAULTS)
def test_a_broken_promise_is_found(faulty, check, complaint):
    assert complaint in complaint_of(named(checks_of(faulty), check))


@pytest.mark.slow
@pytest.mark.exhaustive
@pytest.mark.parametrize("faulty", faulty_executors.FAULTS)
def test_one_fault_is_one_failure(faulty):
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
