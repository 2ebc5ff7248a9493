"""Whatever an abstract method gives of a wrong type is found by the first check, and blamed on that method."""

import inspect
from types import SimpleNamespace

import pytest

from coc_check.check import Nonconforming
from coc_check.parts import part_checks
from coc_check.results import RESULTS, definition
from coc_core.errors import PluginError
from coc_core.execution import Executor, take_step
from coc_core.plugin import ArithmeticSpec, DomainSpec, ExecutorSpec, MemorySpec, ModelSpec
from coc_core.types import Step
from tests.broken import faulty_arithmetics, faulty_domains, faulty_memories, faulty_models
from tests.support.conformance import QUICKEST, offering
from tests.support.for_each import for_each


class Plain(Executor):
    name = "faulty"

    def _run(self, machines, model):
        for machine in machines:
            while take_step(machine, model):
                pass
            yield machine


made = SimpleNamespace()
"""What the factories below give."""


def domain():
    return made.Domain()


def memory(*arguments):
    return made.Memory(*arguments)


def convention(*arguments):
    return made.Convention(*arguments)


def arithmetic():
    return made.ArithmeticOracle()


def model(*arguments):
    return made.Model(*arguments)


def executor():
    return made.Executor()


SOUND = {
    "Domain": faulty_domains.Sound,
    "Memory": faulty_memories.Shelf,
    "Convention": faulty_memories.Shelves,
    "ArithmeticOracle": faulty_arithmetics.Sound,
    "Model": faulty_models.Sound,
    "Executor": Plain,
}
SPECS = {
    "Domain": ("domain", DomainSpec("faulty", f"{__name__}:domain", "")),
    "Memory": ("memory", MemorySpec("faulty", f"{__name__}:memory", f"{__name__}:convention", "")),
    "ArithmeticOracle": ("arithmetic", ArithmeticSpec("faulty", f"{__name__}:arithmetic", "")),
    "Model": ("model", ModelSpec("faulty", "", f"{__name__}:model")),
    "Executor": ("executor", ExecutorSpec("faulty", f"{__name__}:executor", "")),
}
SPECS["Convention"] = SPECS["Memory"]


def checks_with(interface, kind):
    """The checks of a part of one interface, where `kind` has the place of its sound class."""
    vars(made).update(SOUND | {interface: kind})
    name, spec = SPECS[interface]
    return part_checks(offering(spec, beside=QUICKEST), name, "faulty")


def giving(interface, method, value):
    """A sound class, but for a method that gives something else."""
    sound = SOUND[interface]
    is_property = isinstance(inspect.getattr_static(sound, method), property)

    def gives(self, *arguments):
        return value

    wrong = property(gives) if is_property else gives
    return type(sound.__name__, (sound,), {method: wrong})


MAY_BE_NONE = {"_every_problem", "effect", "every_action", "expect", "neighbours"}
METHODS = [
    (interface.__name__, name)
    for interface, rules in RESULTS.items()
    for name in rules
    if name not in MAY_BE_NONE | {"_verify"}
]


@for_each(("interface", "method"), METHODS)
def test_a_method_without_return_is_named_with_its_line(interface, method):
    checks = {check.name: check for check in checks_with(interface, giving(interface, method, None))}
    check = checks["records_are_texts"] if method == "describe" else next(iter(checks.values()))
    with pytest.raises(Nonconforming) as found:
        check.run()
    assert f"`{method}` returned None" in found.value.complaint
    assert found.value.where.startswith(f"{__file__}:")


@for_each(
    ("interface", "method", "value", "complaint"),
    [
        ("Domain", "expand", Step(("Toggle lamp 1",)), "`expand` emits a value of type str, which is a record neither"),
        ("Domain", "expand", Step(then=(faulty_domains.Row("0"),)), "`expand` goes on with a value of type Row"),
        ("Domain", "expand", Step(last=3), "`expand` goes on with a value of type int"),
        ("Domain", "expand", Step, "`expand` returned the class Step, not a Step"),
        ("Domain", "size", True, "`size` returned a value of type bool, not a whole number"),
        ("Domain", "size", 7, "of size 1 has the size 7"),
        ("Domain", "neighbours", "01", "`neighbours` returned a value of type str, not several states or None"),
        ("Domain", "neighbours", [None], "`neighbours` has None in it"),
        ("Domain", "_every_problem", ["0"], "`_every_problem` has a value of type str in it"),
        ("ArithmeticOracle", "_resolve", (1.0,), "`_resolve` has a value of type float among its numbers, not an int"),
        ("Memory", "windows", "one", "`windows` returned a value of type str, not a sequence of texts"),
    ],
)
def test_a_wrong_value_is_named_with_its_method(interface, method, value, complaint):
    with pytest.raises(Nonconforming) as found:
        next(iter(checks_with(interface, giving(interface, method, value)))).run()
    assert complaint in found.value.complaint
    assert found.value.where.startswith(f"{__file__}:")


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
    with pytest.raises(Nonconforming) as found:
        next(iter(checks_with("Domain", Odd))).run()
    assert found.value.complaint == complaint
    assert found.value.where.startswith(f"{__file__}:")
    assert found.value.where.endswith(" in Odd")


def test_an_attribute_that_is_missing_is_named():
    attributes = {name: value for name, value in vars(faulty_domains.Sound).items() if name not in ("name", "__dict__")}
    with pytest.raises(Nonconforming, match="the domain has no attribute `name`"):
        next(iter(checks_with("Domain", type("Odd", faulty_domains.Sound.__bases__, attributes)))).run()


@for_each("interface", ["Domain", "ArithmeticOracle", "Convention"])
def test_a_factory_that_gives_a_class_is_refused(interface):
    sound = SOUND[interface]
    with pytest.raises((PluginError, Nonconforming), match=f"returned the class {sound.__name__}, not an? {interface}"):
        next(iter(checks_with(interface, lambda *_: sound))).run()


def test_a_memory_s_factory_that_gives_a_class_is_refused():
    with pytest.raises(Nonconforming, match="returned the class Shelf, not a Memory"):
        next(iter(checks_with("Memory", lambda *_: faulty_memories.Shelf))).run()


def test_what_has_no_source_has_no_definition():
    assert definition(int) == definition(int, "__add__") == ""
    assert definition(Plain).endswith(" in Plain")
