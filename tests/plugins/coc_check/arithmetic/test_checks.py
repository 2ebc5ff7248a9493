"""Every installed arithmetic keeps every promise, and each broken promise is found by its check."""

import pytest

from coc_check import parts
from coc_check.check import Nonconforming
from coc_check.parts import part_checks, registry_of
from coc_core.errors import UsageError
from coc_core.plugin import ArithmeticSpec
from tests.broken import faulty_arithmetics
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

CHECKS = parts.CHECKS["arithmetic"]


@pytest.mark.parametrize("name", names_of(ArithmeticSpec))
def test_every_arithmetic_keeps_every_promise(name):
    assert broken_promises("arithmetic", name) == {}


def checks_of(arithmetic, dialect=None, reference=None):
    factory = f"tests.broken.faulty_arithmetics:{arithmetic.__name__}"
    spec = ArithmeticSpec("faulty", factory, "breaks a promise", dialect, reference)
    return list(part_checks(offering(spec), "arithmetic", "faulty"))


def test_a_sound_arithmetic_keeps_every_promise():
    assert complaints_of(checks_of(faulty_arithmetics.Sound)) == {}


def test_a_sound_arithmetic_that_calls_a_model_is_checked_with_its_reference():
    calling = checks_of(
        faulty_arithmetics.SoundAsking, "arithmetic of my own", "coc_learn.addresses.dialect:AddressReference"
    )
    assert complaints_of(calling) == {}


def test_an_arithmetic_whose_model_nobody_ships_cannot_be_checked():
    with pytest.raises(UsageError, match="neither a reference nor a checkpoint ships"):
        checks_of(faulty_arithmetics.SoundAsking, "arithmetic of my own")


@every_fault(faulty_arithmetics.FAULTS)
def test_a_broken_promise_is_found(faulty, check, complaint):
    assert complaint in complaint_of(named(checks_of(faulty), check))


@pytest.mark.slow
@pytest.mark.exhaustive
@pytest.mark.parametrize("faulty", faulty_arithmetics.FAULTS)
def test_one_fault_is_one_failure(faulty):
    assert len(failures_of(checks_of(faulty))) == 1


def test_every_check_finds_something():
    assert {check for check, _ in faulty_arithmetics.FAULTS.values()} == {check.__name__ for check in CHECKS}


def test_a_check_says_what_it_is_about():
    for check in checks_of(faulty_arithmetics.Sound):
        assert check.promise.endswith(".")
        assert check.hint.endswith(".")
        assert check.kind == "arithmetic"


def test_an_arithmetic_that_nobody_offers_is_refused():
    with pytest.raises(UsageError, match="unknown arithmetic 'abacus'"):
        list(part_checks(REGISTRY, "arithmetic", "abacus"))


def test_where_no_domain_is_installed_an_arithmetic_cannot_be_checked():
    alone = registry_of("core")
    with pytest.raises(Nonconforming, match="no installed domain can be run with symbolic arithmetic"):
        next(part_checks(alone, "arithmetic", "symbolic")).run()
