import pytest

from coc_core.errors import PluginError, UsageError
from coc_core.plugin import (
    DISTRIBUTION,
    CheckpointSpec,
    DomainSpec,
    ExecutorSpec,
    MemorySpec,
    Plugin,
    Registry,
    load,
    open_format,
    suggest,
    suitable_formats,
)
from coc_puzzles.hanoi.domain import Hanoi, ReasoningGymPlan
from tests.support.for_each import for_each
from tests.support.installed_plugins import REGISTRY


@pytest.fixture
def registry(entry_point):
    def of(*plugins):
        return Registry.of(load([entry_point(*plugin) for plugin in plugins]))

    return of


HANOI = ("hanoi", "coc_puzzles.hanoi", DISTRIBUTION)


def test_what_is_installed_is_found_by_kind_and_name():
    registry = Registry.installed()
    spec = registry.find(DomainSpec, "hanoi")
    assert isinstance(registry.make(spec, spec.factory), Hanoi)
    assert [spec.name for spec in registry.specs(MemorySpec)] == ["heap", "pda", "tape", "transcript", "whole-plan"]
    assert registry.conflicts == ()


@pytest.mark.parametrize(("kind", "name", "similar"), [(DomainSpec, "hanio", "hanoi"), (MemorySpec, "Tape", "tape")])
def test_an_unknown_name_gets_a_suggestion(kind, name, similar):
    with pytest.raises(UsageError, match=f"unknown .* '{name}'; did you mean '{similar}'. choose from "):
        Registry.installed().find(kind, name)


def test_a_choice_may_have_a_text_for_a_part_that_takes_one():
    registry = Registry.installed()
    assert registry.find(ExecutorSpec, "vote:k=3") is registry.find(ExecutorSpec, "vote")
    assert registry.create(ExecutorSpec, "vote:k=3")._options.k == 3
    assert registry.create(ExecutorSpec, "vote")._options.k is None
    for kind, name in ((ExecutorSpec, "cached:k=3"), (DomainSpec, "hanoi:3"), (ExecutorSpec, "nobody:k=3")):
        with pytest.raises(UsageError, match=f"unknown .* '{name}'"):
            registry.find(kind, name)


def test_a_third_party_plugin_does_not_replace_a_built_in_part(registry):
    found = registry(("thief", "tests.broken.takes_hanoi"), HANOI)
    assert found.find(DomainSpec, "hanoi").factory == "coc_puzzles.hanoi.domain:Hanoi"
    (conflict,) = found.conflicts
    assert str(conflict) == (
        "the domain 'hanoi' is offered by 'thief' of stranger and 'hanoi' of chain-of-computation;"
        " 'hanoi' of chain-of-computation keeps it"
    )


CRACKED = ("cracked", "tests.broken.raises_at_import")


def test_of_two_third_party_plugins_with_one_name_neither_gets_it(registry):
    twins = ("one", "tests.broken.twin_one", "first"), ("two", "tests.broken.twin_two", "second")
    found = registry(CRACKED, *twins, HANOI)
    assert [spec.name for spec in found.specs(DomainSpec)] == ["hanoi", "hanoi-4", "hanoi-any"]
    message = "the domain 'twin' is offered by 'one' of first and 'two' of second; neither gets it"
    first, *others = found.failures()  # each is a line
    assert first.startswith("the plugin 'cracked' of stranger failed to load: RuntimeError: the sky is falling")
    assert others == [str(conflict) for conflict in found.conflicts] == [message]
    with pytest.raises(PluginError, match=f"{message}; uninstall one of them"):
        found.find(DomainSpec, "twin")
    with pytest.raises(UsageError, match="unknown memory 'twin'"):
        found.find(MemorySpec, "twin")


def test_a_broken_plugin_is_reported_when_it_is_needed(registry):
    found = registry(CRACKED, HANOI)
    with pytest.raises(PluginError, match="the plugin 'cracked' of stranger failed to load: RuntimeError: the sky is"):
        found.find(DomainSpec, "cracked")
    assert found.find(DomainSpec, "hanoi")


@for_each(
    ("name", "reason"),
    [
        ("no-module", "a_module_that_nobody_has:Domain: ModuleNotFoundError: No module named"),
        ("no-attribute", "json:Domain: AttributeError: module 'json' has no attribute 'Domain'"),
        ("no-colon", "json: AttributeError"),
        ("no-name", ": ValueError: Empty module name"),
        ("raises-late", "tests.broken.raises_at_import:Domain: RuntimeError: the sky is falling"),
        ("exits-late", "tests.broken.exits_at_import:Domain: SystemExit: I quit"),
        ("wants-more", "json:loads: TypeError: loads.. missing 1 required positional argument"),
    ],
)
def test_a_part_that_cannot_be_created_is_an_error_of_its_plugin(registry, name, reason):
    found = registry(("late", "tests.broken.factories_fail"))
    spec = found.find(DomainSpec, name)
    with pytest.raises(PluginError, match=f"the plugin 'late' of stranger can't provide {reason}"):
        found.make(spec, spec.factory)


def test_an_error_that_a_factory_raises_on_purpose_passes_unchanged(registry):
    found = registry(HANOI)
    spec = found.find(DomainSpec, "hanoi")
    with pytest.raises(UsageError, match=r"^not today$"):
        found.make(spec, "tests.support.toy_parts:refuse")


@pytest.mark.parametrize("name", ["no-package", "no-folder"])
def test_a_checkpoint_whose_package_is_missing_is_an_error_of_its_plugin(registry, name):
    found = registry(("late", "tests.broken.factories_fail"))
    with pytest.raises(PluginError, match=r"the plugin 'late' of stranger can't provide .*:weights: "):
        found.folder(found.find(CheckpointSpec, name))


def test_a_shipped_checkpoint_is_in_its_package_whose_name_ends_at_the_first_colon(registry):
    found = registry(("late", "tests.broken.factories_fail"))
    spec = CheckpointSpec("any", "coc_puzzles.hanoi:checkpoints/a:b", (), "")
    assert found.folder(spec).parts[-3:] == ("hanoi", "checkpoints", "a:b")


def test_a_name_that_is_nearly_right_is_suggested():
    assert suggest("abcd", ["zzzz", "abcy"]) == "did you mean 'abcy'? choose from abcy, zzzz"
    assert suggest("xyzzy", ["b", "a"]) == "choose from a, b"
    assert suggest("xyzzy", []) == "none is installed"
    assert suggest("tapes", ["tape", "taper", "tapes-2"]).startswith("did you mean 'tape")


def test_a_broken_plugin_is_shown_as_broken():
    good, bad = Plugin("p", "m", "dist", "1.0"), Plugin("p", "m", "dist", "1.0", error="no")
    assert repr(good) == "Plugin(p, dist 1.0)"
    assert repr(bad) == "Plugin(p, dist 1.0, broken)"


HANOI_DOMAIN, PANCAKE = (REGISTRY.create(DomainSpec, name) for name in ("hanoi", "pancake"))


def test_a_format_knows_its_domain_and_problem():
    found = [[spec.name for spec in suitable_formats(REGISTRY, domain)] for domain in (PANCAKE, HANOI_DOMAIN)]
    assert found == [["text", "json"], ["text", "json", "pddl", "reasoning-gym"]]
    form = open_format(REGISTRY, "reasoning-gym", HANOI_DOMAIN, HANOI_DOMAIN.problem(2))
    assert isinstance(form, ReasoningGymPlan)
    assert (form.domain, form.problem, form.files()) == (HANOI_DOMAIN, HANOI_DOMAIN.problem(2), {})
    with pytest.raises(UsageError, match="unknown plan format 'jsno'; did you mean 'json'"):
        open_format(REGISTRY, "jsno", HANOI_DOMAIN, HANOI_DOMAIN.problem(2))
    with pytest.raises(UsageError, match="has no plans of pancake; choose from text, json"):
        open_format(REGISTRY, "reasoning-gym", PANCAKE, PANCAKE.problem(2))
