"""Every installed memory keeps every promise, so does one that is neither tape nor stack, and each fault is found."""

import faulty_memories
import pytest

from coc_core.errors import UsageError
from coc_core.hookspecs import DomainSpec, MemorySpec
from coc_core.plugins import Plugin, installed, load
from coc_core.registry import Registry
from coc_core.testing.check import Nonconforming
from coc_core.testing.memory import CHECKS, loops, memory_checks, windows
from coc_core.testing.stage import plain_stages

REGISTRY = Registry.installed()
PROMISES = [
    pytest.param(check, id=f"{spec.name}-{check.name}")
    for spec in REGISTRY.specs(MemorySpec)
    for check in memory_checks(REGISTRY, spec.name)
]


@pytest.mark.parametrize("check", PROMISES)
def test_every_memory_keeps_every_promise(check):
    check.run()


def checks_of(memory):
    factory, convention = (f"faulty_memories:{kind.__name__}" for kind in (memory, memory.spoken))
    plugin = Plugin("faulty", "faulty_memories", "stranger", "1.0", (MemorySpec("faulty", factory, convention, ""),))
    return list(memory_checks(Registry.of([*load(installed()), plugin]), "faulty"))


@pytest.mark.parametrize("check", CHECKS)
def test_a_sound_memory_keeps_every_promise(check):
    (found,) = (bound for bound in checks_of(faulty_memories.Shelf) if bound.name == check.__name__)
    found.run()


@pytest.mark.parametrize(
    ("memory", "check", "complaint"),
    [(memory, check, complaint) for memory, (check, complaint) in faulty_memories.FAULTS.items()],
    ids=[memory.__name__ for memory in faulty_memories.FAULTS],
)
def test_a_broken_promise_is_found(memory, check, complaint):
    faulty_memories.RNG.seed(0)
    (meant,) = (bound for bound in checks_of(memory) if bound.name == check)
    with pytest.raises(Nonconforming) as found:
        meant.run()
    assert complaint in str(found.value)


def test_every_check_finds_something():
    assert {check for check, _ in faulty_memories.FAULTS.values()} == {check.__name__ for check in CHECKS}


def test_a_check_says_what_it_is_about():
    for check in checks_of(faulty_memories.Shelf):
        assert check.promise.endswith(".")
        assert check.hint.endswith(".")
        assert check.kind == "memory"


def test_a_memory_that_nobody_offers_is_refused():
    with pytest.raises(UsageError, match="unknown memory 'drum'"):
        list(memory_checks(REGISTRY, "drum"))


def test_a_memory_that_nothing_runs_on_cannot_be_checked():
    alone = Registry.of(plugin for plugin in load(installed()) if plugin.module == "coc_core.parts")
    with pytest.raises(Nonconforming, match="no installed domain runs on tape"):
        next(memory_checks(alone, "tape")).run()


BROKEN = (
    DomainSpec("missing", "a_module_that_nobody_has:Domain", "can't be made"),
    DomainSpec("endless", "faulty_domains:Endless", "has no small problem"),
    DomainSpec("unsolved", "faulty_domains:OnlyLooks", "has a policy that solves little"),
    DomainSpec("elsewhere", "faulty_domains:Sound", "runs on another memory", ("pda",)),
)


def test_no_memory_is_blamed_for_a_broken_domain():
    registry = Registry.of([*load(installed()), Plugin("faulty", "faulty", "stranger", "1.0", BROKEN)])
    found = list(plain_stages(registry, "tape"))
    sound = [str(stage) for stage in plain_stages(REGISTRY, "tape")]
    assert [str(stage) for stage in found if not str(stage).startswith("faulty")] == sound


def test_a_run_that_is_neither_stopped_nor_found_out_soon_is_no_complaint(monkeypatch):
    monkeypatch.setattr(loops, "MOST", 2)
    monkeypatch.setattr(windows, "GROWTH", 2)
    for check in memory_checks(REGISTRY, "tape"):
        if check.name in ("growth_is_capped", "endless_runs_are_found", "rollback_restores_the_verdict"):
            check.run()
