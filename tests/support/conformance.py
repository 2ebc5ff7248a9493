"""What the tests of the conformance kit share: the checks of a part that a test has made, and what comes of them."""

from functools import cache

import pytest

from coc_check import Nonconforming, examine
from coc_check.parts import part_checks
from coc_core.plugin import (
    ArithmeticSpec,
    DomainSpec,
    ExecutorSpec,
    MemorySpec,
    ModelSpec,
    Plugin,
    Registry,
    installed,
    load,
)
from tests.support.installed_plugins import REGISTRY

QUICKEST = ("core", "hanoi")
"""The plugins that suffice to find nearly each fault."""

MADE = {}
"""What factories in this module give, by name."""


def __getattr__(name):
    try:
        return MADE[name]
    except KeyError:
        raise AttributeError(name) from None


def names_of(spec):
    """The names of all installed parts of a kind."""
    return [each.name for each in REGISTRY.specs(spec)]


@cache
def _installed(names):
    """The installed plugins of these names, or all of them."""
    return load(point for point in installed() if names is None or point.name in names)


def offering(*specs, beside=None):
    """A plugin that offers these parts, and the installed ones, or those of them with a name in `beside`."""
    return Registry.of([*_installed(beside), Plugin("faulty", "faulty", "stranger", "1.0", specs)])


def checks_of(kind, part, convention=None, **fields):
    """The checks of a part called `faulty`, of a class, or of another factory; `fields` are those of its spec."""
    MADE.update({"part": part, "convention": convention or getattr(part, "spoken", None)})
    factory, beside = f"{__name__}:part", QUICKEST
    match kind:
        case "domain":
            spec = DomainSpec("faulty", factory, "about", policies=getattr(part, "policies", ()), **fields)
            beside = (*QUICKEST, "heap", "transcript")
        case "memory":
            spec = MemorySpec("faulty", factory, f"{__name__}:convention", "about")
        case "arithmetic":
            spec = ArithmeticSpec("faulty", factory, "about", **fields)
        case "model":
            spec = ModelSpec("faulty", "about", factory)
        case "executor":
            spec = ExecutorSpec("faulty", factory, "about")
    return list(part_checks(offering(spec, beside=beside), kind, "faulty"))


def named(checks, name):
    """The one check of this name."""
    (found,) = (check for check in checks if check.name == name)
    return found


def failure_of(check):
    """How a check fails that must."""
    with pytest.raises(Nonconforming) as found:
        check.run()
    return found.value


def complaint_of(check):
    """What a check that must fail says."""
    return str(failure_of(check))


def complaints_of(checks):
    """What those checks say that fail, by their names."""
    results = [examine(check) for check in checks]
    return {found.check.name: f"{found.complaint} {found.example}" for found in results if found.outcome == "failed"}


def failures_of(checks):
    """The names of those checks that fail when each is run unless it needs one that failed."""
    results = []
    for check in checks:
        results.append(examine(check, results))
    return [result.check.name for result in results if result.outcome == "failed"]
