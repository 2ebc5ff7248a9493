"""What the tests of the conformance kit share: the checks of what is installed, and of a plugin whose part is faulty."""

from functools import cache

import pytest

from coc_check.check import Nonconforming
from coc_check.result import examine
from coc_core.plugin import Plugin, Registry, installed, load
from tests.support.installed_plugins import REGISTRY

QUICKEST = ("core", "hanoi")
"""The plugins that suffice to find nearly each fault."""


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


def named(checks, name):
    """The one check of this name."""
    (found,) = (check for check in checks if check.name == name)
    return found


def complaint_of(check):
    """What a check that must fail says."""
    with pytest.raises(Nonconforming) as found:
        check.run()
    return str(found.value)


def complaints_of(checks):
    """What those checks say that fail, by their names."""
    found = {}
    for check in checks:
        try:
            check.run()
        except Nonconforming as complaint:
            found[check.name] = str(complaint)
    return found


def failures_of(checks):
    """The names of those checks that fail when each is run unless it needs one that failed."""
    results = []
    for check in checks:
        results.append(examine(check, results))
    return [result.check.name for result in results if result.outcome == "failed"]
