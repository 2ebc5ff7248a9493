"""Whatever a method of an interface gives of a wrong type is found, and blamed on that method."""

import inspect

import pytest

from coc_check import Nonconforming
from coc_check.check import RESULTS, definition
from coc_core.errors import PluginError
from coc_core.types import Step
from tests.broken import faulty_arithmetics, faulty_domains, faulty_memories, faulty_models
from tests.support.conformance import checks_of, failure_of
from tests.support.for_each import for_each

SOUND = {
    "Domain": ("domain", faulty_domains.Sound),
    "Memory": ("memory", faulty_memories.Shelf),
    "Convention": ("memory", faulty_memories.Shelves),
    "ArithmeticOracle": ("arithmetic", faulty_arithmetics.Sound),
    "Model": ("model", faulty_models.Sound),
}


def checks_with(interface, part):
    """The checks of a part of one interface; those of a convention are its memory's."""
    if interface == "Convention":
        return checks_of("memory", faulty_memories.Shelf, part)
    return checks_of(SOUND[interface][0], part, faulty_memories.Shelves)


def giving(interface, method, value):
    """The checks of a sound class, but for a method that gives something else."""
    _, sound = SOUND[interface]

    def gives(self, *arguments):
        return value

    wrong = property(gives) if isinstance(inspect.getattr_static(sound, method), property) else gives
    return checks_with(interface, type(sound.__name__, (sound,), {method: wrong}))


def first_failure(checks):
    """How the first of these checks fails that does."""
    for check in checks:
        try:
            check.run()
        except Nonconforming as failure:
            return failure
    raise AssertionError("nothing fails")


MAY_BE_NONE = {"_every_problem", "effect", "every_action", "expect", "neighbours", "_verify"}
METHODS = [
    (kind.__name__, name) for kind, names in RESULTS.items() for name in names.split() if name not in MAY_BE_NONE
]


@for_each(("interface", "method"), METHODS)
def test_a_method_without_return_is_named_with_its_line(interface, method):
    found = first_failure(giving(interface, method, None))
    assert f"`{method}` returned None" in found.complaint
    assert found.where.startswith(f"{__file__}:")


@for_each(
    ("interface", "method", "value", "complaint"),
    [
        ("Domain", "expand", Step, "`expand` returned the class Step, not a Step"),
        ("Domain", "size", True, "`size` returned a value of type bool, not an int"),
        ("Domain", "neighbours", "01", "`neighbours` returned a value of type str, not an Iterable or None"),
        ("Memory", "windows", "one", "`windows` returned a value of type str, not a Sequence"),
    ],
)
def test_a_wrong_value_is_named_with_its_method(interface, method, value, complaint):
    found = first_failure(giving(interface, method, value))
    assert complaint in found.complaint
    assert found.where.startswith(f"{__file__}:")


@for_each(
    ("name", "value", "complaint"),
    [
        ("name", None, "the attribute `name` is None, not a text"),
        ("sizes", 30, "the attribute `sizes` is a value of type int, not a range"),
        ("sizes", range(0), "the attribute `sizes` is empty"),
        ("problems", faulty_domains.LOOK, "the attribute `problems` is a value of type Form, not Forms"),
        ("surfaces", (), "the attribute `surfaces` is a value of type tuple, not a mapping"),
        ("continuation", "loop", "the attribute `continuation` is 'loop', not 'linked' or 'chain'"),
    ],
)
def test_a_wrong_attribute_of_a_domain_is_named_with_the_class(name, value, complaint):
    class Odd(faulty_domains.Sound):
        pass

    setattr(Odd, name, value)
    found = failure_of(checks_of("domain", Odd)[0])
    assert found.complaint == complaint
    assert found.where.startswith(f"{__file__}:")
    assert found.where.endswith(" in Odd")


def test_an_attribute_that_is_missing_is_named():
    attributes = {name: value for name, value in vars(faulty_domains.Least).items() if name not in ("name", "__dict__")}
    odd = type("Odd", faulty_domains.Least.__bases__, attributes)
    assert failure_of(checks_of("domain", odd)[0]).complaint == "the attribute `name` is None, not a text"


@for_each("interface", ["Domain", "Memory", "ArithmeticOracle", "Convention"])
def test_a_factory_that_gives_a_class_is_refused(interface):
    _, sound = SOUND[interface]
    with pytest.raises((PluginError, Nonconforming), match=f"returned the class {sound.__name__}, not an? {interface}"):
        checks_with(interface, lambda *_: sound)[0].run()


def test_what_has_no_source_has_no_definition():
    assert definition(int) == definition(int, "__add__") == ""
    assert definition(faulty_domains.Sound).endswith(" in Sound")
