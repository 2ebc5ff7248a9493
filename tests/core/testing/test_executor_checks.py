"""Every installed executor keeps every promise, and each broken promise is found by its check."""

import faulty_executors
import pytest

from coc_core.errors import UsageError
from coc_core.hookspecs import ExecutorSpec
from coc_core.plugins import Plugin, installed, load
from coc_core.registry import Registry
from coc_core.testing.check import Nonconforming
from coc_core.testing.executor import CHECKS, executor_checks

REGISTRY = Registry.installed()
PROMISES = [
    pytest.param(check, id=f"{spec.name}-{check.name}")
    for spec in REGISTRY.specs(ExecutorSpec)
    for check in executor_checks(REGISTRY, spec.name)
]


@pytest.mark.parametrize("check", PROMISES)
def test_every_executor_keeps_every_promise(check):
    check.run()


def checks_of(executor):
    spec = ExecutorSpec("faulty", f"faulty_executors:{executor.__name__}", "breaks a promise")
    plugin = Plugin("faulty", "faulty_executors", "stranger", "1.0", (spec,))
    return list(executor_checks(Registry.of([*load(installed()), plugin]), "faulty"))


@pytest.mark.parametrize("check", CHECKS)
def test_a_sound_executor_keeps_every_promise(check):
    (found,) = (bound for bound in checks_of(faulty_executors.Sound) if bound.name == check.__name__)
    found.run()


@pytest.mark.parametrize(
    ("executor", "check", "complaint"),
    [(executor, check, complaint) for executor, (check, complaint) in faulty_executors.FAULTS.items()],
    ids=[executor.__name__ for executor in faulty_executors.FAULTS],
)
def test_a_broken_promise_is_found(executor, check, complaint):
    (meant,) = (bound for bound in checks_of(executor) if bound.name == check)
    with pytest.raises(Nonconforming) as found:
        meant.run()
    assert complaint in str(found.value)


def test_every_check_finds_something():
    assert {check for check, _ in faulty_executors.FAULTS.values()} == {check.__name__ for check in CHECKS}


def test_a_check_says_what_it_is_about():
    for check in checks_of(faulty_executors.Sound):
        assert check.promise.endswith(".")
        assert check.hint.endswith(".")
        assert check.kind == "executor"


def test_an_executor_that_nobody_offers_is_refused():
    with pytest.raises(UsageError, match="unknown executor 'whip'"):
        list(executor_checks(REGISTRY, "whip"))


def test_where_no_domain_is_installed_an_executor_cannot_be_checked():
    alone = Registry.of(plugin for plugin in load(installed()) if plugin.module == "coc_core.parts")
    with pytest.raises(Nonconforming, match="no domain is installed that sequential could run"):
        next(executor_checks(alone, "sequential")).run()
