"""Every installed arithmetic keeps every promise, and each broken promise is found by its check."""

import faulty_arithmetics
import pytest

from coc_core.errors import UsageError
from coc_core.hookspecs import ArithmeticSpec
from coc_core.plugins import Plugin, installed, load
from coc_core.registry import Registry
from coc_core.testing.arithmetic import CHECKS, arithmetic_checks
from coc_core.testing.check import Nonconforming

REGISTRY = Registry.installed()
PROMISES = [
    pytest.param(check, id=f"{spec.name}-{check.name}")
    for spec in REGISTRY.specs(ArithmeticSpec)
    for check in arithmetic_checks(REGISTRY, spec.name)
]


@pytest.mark.parametrize("check", PROMISES)
def test_every_arithmetic_keeps_every_promise(check):
    check.run()


def checks_of(arithmetic, dialect=None, reference=None):
    factory = f"faulty_arithmetics:{arithmetic.__name__}"
    spec = ArithmeticSpec("faulty", factory, "breaks a promise", dialect, reference)
    plugin = Plugin("faulty", "faulty_arithmetics", "stranger", "1.0", (spec,))
    return list(arithmetic_checks(Registry.of([*load(installed()), plugin]), "faulty"))


def failing(checks):
    found = {}
    for check in checks:
        try:
            check.run()
        except Nonconforming as complaint:
            found[check.name] = str(complaint)
    return found


def test_a_sound_arithmetic_keeps_every_promise():
    assert failing(checks_of(faulty_arithmetics.Sound)) == {}


def test_a_sound_arithmetic_that_asks_a_model_is_checked_with_its_reference():
    asking = checks_of(faulty_arithmetics.SoundAsking, "sums of my own", "coc_core.sums:Teacher")
    assert failing(asking) == {}


def test_an_arithmetic_whose_model_nobody_ships_cannot_be_checked():
    with pytest.raises(UsageError, match="neither a reference nor a checkpoint ships"):
        checks_of(faulty_arithmetics.SoundAsking, "sums of my own")


@pytest.mark.parametrize(
    ("arithmetic", "check", "complaint"),
    [(arithmetic, check, complaint) for arithmetic, (check, complaint) in faulty_arithmetics.FAULTS.items()],
    ids=[arithmetic.__name__ for arithmetic in faulty_arithmetics.FAULTS],
)
def test_a_broken_promise_is_found(arithmetic, check, complaint):
    (meant,) = (bound for bound in checks_of(arithmetic) if bound.name == check)
    with pytest.raises(Nonconforming) as found:
        meant.run()
    assert complaint in str(found.value)


def test_every_check_finds_something():
    assert {check for check, _ in faulty_arithmetics.FAULTS.values()} == {check.__name__ for check in CHECKS}


def test_a_check_says_what_it_is_about():
    for check in checks_of(faulty_arithmetics.Sound):
        assert check.promise.endswith(".")
        assert check.hint.endswith(".")
        assert check.kind == "arithmetic"


def test_an_arithmetic_that_nobody_offers_is_refused():
    with pytest.raises(UsageError, match="unknown arithmetic 'abacus'"):
        list(arithmetic_checks(REGISTRY, "abacus"))


def test_where_no_domain_is_installed_an_arithmetic_cannot_be_checked():
    alone = Registry.of(plugin for plugin in load(installed()) if plugin.module == "coc_core.parts")
    with pytest.raises(Nonconforming, match="no installed domain can be run with symbolic arithmetic"):
        next(arithmetic_checks(alone, "symbolic")).run()
