import signal

import pytest

from coc_core.plugin import DISTRIBUTION, DomainSpec, Plugin, installed, load, loading
from coc_core.plugin.loading import loaded
from tests.support.for_each import for_each

BROKEN = {
    "tests.broken.raises_at_import": "RuntimeError: the sky is falling",
    "tests.broken.exits_at_import": "SystemExit: I quit",
    "tests.broken.exits_silently": "SystemExit",
    "tests.broken.misses_import": "ModuleNotFoundError: No module named 'a_module_that_nobody_has'",
    "a_module_that_nobody_has": "ModuleNotFoundError: No module named 'a_module_that_nobody_has'",
    "tests.support.toy_parts:nothing": "AttributeError: module 'tests.support.toy_parts' has no attribute 'nothing'",
    "tests.broken.returns_strings": "coc_domains must return DomainSpec records, not 'hanoi'",
    "tests.broken.returns_other_specs": "coc_domains must return DomainSpec records, not ModelSpec",
    "tests.broken.returns_one": "coc_domains must return a list of DomainSpec records, not DomainSpec(name='lonely'",
    "tests.broken.names_a_number": "the name of a DomainSpec must be text, not 7",
    "tests.broken.names_a_class": "the factory of a DomainSpec must be text, not the class dict; write 'package.module:NAME'",
    "tests.broken.forgets_a_comma": "the memories of a DomainSpec must be a tuple, not 'pda'; a tuple of one is written",
    "tests.broken.forgets_a_pair": "the policies of a DomainSpec must be a tuple, not (('heap',),)",
    "tests.broken.unknown_hook": "PluginValidationError: unknown hook 'coc_domainz'",
    "tests.broken.wrong_signature": "PluginValidationError: Plugin 'tests.broken.wrong_signature' for hook 'coc_domains'",
    "tests.broken.raises_in_hook": "ZeroDivisionError: division by zero",
}


@for_each("module", BROKEN)
def test_a_broken_plugin_is_listed_with_its_error(module, entry_point):
    (plugin,) = load([entry_point("broken", module)])
    assert plugin.error.startswith(BROKEN[module])
    assert "\n" not in plugin.error
    assert plugin.specs == ()


def test_a_broken_plugin_does_not_affect_others(entry_point):
    points = [entry_point(module, module) for module in BROKEN] + [entry_point("fine", "tests.broken.twin_one")]
    *broken, fine = load(points)
    assert all(plugin.error for plugin in broken)
    assert (fine.error, fine.specs) == ("", (DomainSpec("twin", "tests.support.toy_parts:Queue", "the first twin"),))


def test_an_interrupt_while_loading_is_not_caught(entry_point, monkeypatch):
    def interrupted(module):
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(loading, "_specs", interrupted)
    with pytest.raises(KeyboardInterrupt):
        load([entry_point("fine", "tests.broken.twin_one")])


def test_a_plugin_has_its_module_distribution_and_version(entry_point):
    (plugin,) = load([entry_point("fine", "tests.broken.twin_one", "nice-people", "2.1")])
    found = (plugin.name, plugin.module, plugin.distribution, plugin.version)
    assert found == ("fine", "tests.broken.twin_one", "nice-people", "2.1")
    assert str(plugin) == "'fine' of nice-people"
    assert not plugin.built_in


def test_a_plugin_whose_distribution_has_no_name_is_loaded(entry_point):
    without = loading.EntryPoint("fine", "tests.broken.twin_one", "coc")
    for point in (*(entry_point("fine", "tests.broken.twin_one", name, None) for name in (None, "")), without):
        (plugin,) = load([point])
        assert (plugin.distribution, plugin.version, plugin.error) == ("an unnamed distribution", "", "")


def test_installed_plugins_are_found_by_their_metadata(tmp_path, monkeypatch):
    for distribution in ("aardvark", "zebra"):
        folder = tmp_path / f"{distribution}-1.0.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n")
        (folder / "entry_points.txt").write_text("[coc]\ntwin = twin_one\nanother = twin_two\n")
    monkeypatch.syspath_prepend(tmp_path)
    points = installed()
    names = [(point.dist.name, point.name) for point in points]
    third_party = [name for name in names if name[0] != DISTRIBUTION]
    assert third_party == sorted(third_party)
    assert {("aardvark", "another"), ("aardvark", "twin"), ("zebra", "another"), ("zebra", "twin")} <= set(third_party)
    assert [name[0] for name in names[: len(names) - len(third_party)]] == [DISTRIBUTION] * (
        len(names) - len(third_party)
    )


def test_an_entry_point_that_is_found_twice_counts_once(entry_point, monkeypatch):
    twice = [
        entry_point("fine", "tests.broken.twin_one"),
        entry_point("fine", "tests.broken.twin_one"),
        entry_point("core", "m", DISTRIBUTION),
    ]
    monkeypatch.setattr(loading, "entry_points", lambda group: twice)
    assert [point.name for point in installed()] == ["core", "fine"]


STRANGER = Plugin("late", "pack.mod:hooks", "stranger", "1.0")


def running(name, text="1 / 0"):
    """Code that runs in a module of this name."""
    return lambda: exec(compile(text, "somewhere.py", "exec"), {"__name__": name})


def test_the_place_is_the_innermost_in_the_plugins_package():
    broken = loaded(STRANGER, running("pack.other.deep"))
    assert (broken.specs, broken.error) == ((), "ZeroDivisionError: division by zero")
    assert broken.where == "somewhere.py:1 in <module>"
    whole = Plugin("late", "pack:hooks", "stranger", "1.0")
    assert loaded(whole, running("pack.other")).where == broken.where
    for name in ("packs.mod", "mod", "pack:mod"):
        assert loaded(STRANGER, running(name)).where == ""

    def wrapped():
        try:
            running("pack.other")()
        except ZeroDivisionError as error:
            raise ValueError("so") from error

    assert loaded(STRANGER, wrapped).where == broken.where


def test_a_failure_says_where_it_arose_if_that_is_known():
    broken = Plugin("late", "late", "stranger", "1.0", error="it broke")
    assert broken.failure == "the plugin 'late' of stranger failed to load: it broke"
    placed = Plugin("late", "late", "stranger", "1.0", error="it broke", where="x.py:3 in f")
    assert placed.failure == "the plugin 'late' of stranger failed to load: it broke; raised at x.py:3 in f"
    assert Plugin("late", "late", "stranger", "1.0").failure == ""


def test_a_plugin_of_ours_that_breaks_is_reported_too_and_one_that_works_has_no_place(entry_point):
    broken, works, stranger = load(
        [
            entry_point("cracked", "tests.broken.raises_at_import", DISTRIBUTION),
            entry_point("hanoi", "coc_puzzles.hanoi", DISTRIBUTION),
            entry_point("thief", "tests.broken.takes_hanoi"),
        ]
    )
    assert broken.error.startswith("RuntimeError: the sky is falling")
    assert "raises_at_import.py:" in broken.where
    assert (works.error, works.where, stranger.error, stranger.where) == ("", "", "", "")
