"""Which checks there are for a name, what comes of one, what checks are made of, and which results they find wrong."""

import inspect

import pytest
from attrs import evolve

from coc_check import Check, Nonconforming, Scripted, checks, examine
from coc_check.check import RESULTS, definition, select
from coc_check.domain.subject import DomainSubject
from coc_check.parts import SUBJECTS, registry_of
from coc_core.errors import NumericFault, PluginError, UsageError
from coc_core.plugin import DomainSpec, Plugin, Registry
from coc_core.types import Step
from tests.broken import faulty_arithmetics, faulty_domains, faulty_memories, faulty_models
from tests.support.conformance import checks_of
from tests.support.for_each import for_each
from tests.support.installed_plugins import REGISTRY


def registry(*plugins):
    return Registry.of([*REGISTRY.plugins, *plugins])


def plugin(name, *parts, error="", distribution="stranger"):
    """A plugin that offers the sound domain under these names."""
    specs = tuple(DomainSpec(part, "tests.broken.faulty_domains:Sound", "keeps its promises") for part in parts)
    return Plugin(name, "tests.broken.faulty_domains", distribution, "1.0", specs, error)


def parts(found):
    return list(dict.fromkeys((check.kind, check.part) for check in found))


def passing():
    """Passes."""


def failing():
    """Fails."""
    raise Nonconforming("it is wrong", "this")


def interrupted():
    """Is interrupted."""
    raise KeyboardInterrupt


def check(run, name="works"):
    return Check("domain", "hanoi", name, "It works.", "Look.", run)


def test_a_name_is_a_part_in_every_kind_or_a_plugin_or_a_checkpoint():
    both = registry(plugin("mine", "pda"))
    assert parts(checks(both, "pda")) == [("domain", "pda"), ("memory", "pda")]
    assert parts(checks(both, "pda", "memory")) == [("memory", "pda")]
    assert parts(checks(REGISTRY, "hanoi-pda")) == [("model", "hanoi-pda")]
    found = parts(checks(REGISTRY, "core"))
    assert {kind for kind, _ in found} == {"memory", "arithmetic", "model", "executor"}
    assert [kind for kind, _ in found] == sorted((kind for kind, _ in found), key=list(SUBJECTS).index)
    assert {("memory", "pda"), ("memory", "tape"), ("executor", "lockstep"), ("arithmetic", "inline")} <= set(found)


def test_what_can_not_be_checked_says_why():
    with pytest.raises(UsageError, match="the plugin 'core' offers no domain"):
        checks(REGISTRY, "core", "domain")
    with pytest.raises(UsageError, match="the plugin 'nothing' offers no domain or memory"):
        checks(registry(plugin("nothing")), "nothing")
    with pytest.raises(PluginError, match="the plugin 'cracked' of stranger failed to load: KeyError: 1"):
        checks(registry(plugin("cracked", error="KeyError: 1")), "cracked")
    with pytest.raises(PluginError, match="neither gets it"):
        list(checks(registry(plugin("one", "faulty"), plugin("two", "faulty", distribution="another")), "faulty"))


def test_a_registry_of_some_plugins_alone():
    few = registry_of("core", "hanoi")
    assert [each.name for each in few.plugins] == ["core", "hanoi"]
    assert [spec.name for spec in few.specs(DomainSpec)] == ["hanoi", "hanoi-4", "hanoi-any"]
    with pytest.raises(UsageError, match="no plugin 'hanio' is installed; did you mean 'hanoi'"):
        registry_of("core", "hanio")


def test_a_check_that_comes_after_one_that_failed_is_skipped():
    assert examine(check(passing)).outcome == "passed"
    later, failed = check(failing, "later"), [examine(check(failing, "cause"))]
    assert (failed[0].outcome, failed[0].complaint, failed[0].example) == ("failed", "it is wrong", "this")
    skipped = examine(later, failed)
    assert (skipped.outcome, skipped.reason, skipped.complaint) == ("skipped", "because cause failed", "")
    assert examine(evolve(later, part="pancake"), failed).outcome == "failed"
    with pytest.raises(KeyboardInterrupt):
        examine(check(interrupted))


def test_checks_are_selected_by_name_and_know_what_runs_them_again():
    first, second = check(passing, "first"), evolve(check(passing, "second"), part="it's odd")
    assert select([first, second], ["second", "domain-hanoi-first"]) == [first, second]
    assert select([first, second], ["second", "second"]) == [second]
    with pytest.raises(UsageError, match="there is no check 'second-one'; did you mean 'second'"):
        select([first, second], ["first", "second-one"])
    assert first.command == "coc check hanoi --kind domain --only first"
    assert second.command == """coc check 'it'"'"'s odd' --kind domain --only second"""


@for_each("error", [KeyError(1), SystemExit(0)])
def test_whatever_a_part_raises_is_a_broken_promise(error):
    def leaves(subject):
        """Works."""
        subject.at = "this"
        raise error

    with pytest.raises(Nonconforming, match=f"hanoi raised {type(error).__name__}: [01]\n  with this"):
        DomainSubject(REGISTRY, "hanoi").check(leaves).run()


def test_a_script_responds_by_prompt_or_in_order_and_stops_at_a_wrong_draft():
    model = Scripted({"a": "1", "b": NumericFault("no finite logits")})
    assert model.complete(["a", "a"]) == ["1", "1"]
    with pytest.raises(NumericFault):
        model.complete(["b"])
    with pytest.raises(AssertionError, match="the script has no response to 'c', the prompt number 4"):
        model.complete(["c"])
    assert model.prompts == ["a", "a", "b", "c"]
    model = Scripted(["1", "2", "3"])
    assert model.verify(["a", "b", "c"], ["1", "4", "3"]) == ["1", "2"]
    assert (model.verify(["c"], ["3"]), model.calls) == (["3"], 3)
    with pytest.raises(AssertionError, match="no response to 'd'"):
        model.complete(["d"])


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


MAY_BE_NONE = {"_every_problem", "effect", "every_action", "expect", "neighbours", "_verify"}
RETURNED = [
    (kind.__name__, name, None, f"`{name}` returned None")
    for kind, names in RESULTS.items()
    for name in names.split()
    if name not in MAY_BE_NONE
]
RETURNED += [
    ("Domain", "expand", Step, "`expand` returned the class Step, not a Step"),
    ("Domain", "size", True, "`size` returned a value of type bool, not an int"),
    ("Domain", "neighbours", "01", "`neighbours` returned a value of type str, not an Iterable or None"),
    ("Memory", "windows", "one", "`windows` returned a value of type str, not a Sequence"),
]


@for_each(("interface", "method", "value", "complaint"), RETURNED)
def test_a_wrong_result_is_named_with_its_method_and_line(interface, method, value, complaint):
    results = [examine(check) for check in giving(interface, method, value)]
    first = next(found for found in results if found.outcome == "failed")
    assert complaint in first.complaint
    assert first.where.startswith(f"{__file__}:")


@for_each(
    ("name", "value", "complaint"),
    [
        ("name", None, "the attribute `name` is None, not a text"),
        ("name", "Faulty Lamps", "the name 'Faulty Lamps' is not of lower-case letters, digits and dashes"),
        ("sizes", 30, "the attribute `sizes` is a value of type int, not a range"),
        ("sizes", range(0), "the attribute `sizes` is empty"),
        ("problems", faulty_domains.LOOK, "the attribute `problems` is a value of type Form, not Forms"),
        ("surfaces", (), "the attribute `surfaces` is a value of type tuple, not a mapping"),
        ("continuation", "loop", "the attribute `continuation` is 'loop', not 'linked' or 'chain'"),
        ("summary", "one\ntwo", r"the summary 'one\ntwo' is not one line of printable ASCII"),
    ],
)
def test_a_wrong_attribute_of_a_domain_is_named_with_the_class(name, value, complaint):
    class Odd(faulty_domains.Sound):
        summary = "lamps"

    setattr(Odd, name, value)
    globals()["Odd"] = Odd
    offered, summary = Odd.name or "faulty", Odd.summary
    spec = DomainSpec(offered, f"{__name__}:Odd", summary)
    mine = registry(Plugin("mine", __name__, "stranger", "1.0", (spec,)))
    found = examine(next(checks(mine, offered)))
    assert found.complaint == complaint
    assert found.where.endswith(" in Odd") == ("attribute" in complaint)


@for_each("interface", ["Domain", "Memory", "ArithmeticOracle", "Convention"])
def test_a_factory_that_gives_a_class_is_refused(interface):
    _, sound = SOUND[interface]
    with pytest.raises((PluginError, Nonconforming), match=f"returned the class {sound.__name__}, not an? {interface}"):
        checks_with(interface, lambda *_: sound)[0].run()


def test_what_has_no_source_has_no_definition():
    assert definition(int) == definition(int, "__add__") == ""
    assert definition(faulty_domains.Sound).endswith(" in Sound")
