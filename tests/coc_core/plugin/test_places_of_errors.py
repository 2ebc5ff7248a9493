"""Where in a plugin an exception arose, and which packages are a plugin's."""

import sys
from contextlib import nullcontext
from types import SimpleNamespace

import pytest

from coc_core.plugin import (
    DISTRIBUTION,
    DomainSpec,
    Plugin,
    Registry,
    attribution,
    load,
    loading as module,
    registry,
)
from coc_core.plugin.loading import specs_or_error, unmet_requirement

STRANGER = Plugin("late", "pack.mod:hooks", "stranger", "1.0")


@pytest.fixture
def noted(monkeypatch):
    """The packages that are noted as a plugin's."""
    found = {}
    monkeypatch.setattr(attribution, "_imported", found)
    return found


def running(name, text="1 / 0"):
    """Code that runs in a module of this name."""
    return lambda: exec(compile(text, "somewhere.py", "exec"), {"__name__": name})


def failure_of(code):
    with pytest.raises(ZeroDivisionError) as caught:
        code()
    return caught.value


def test_a_package_of_ours_or_of_an_installed_plugin_is_not_noted(noted, entry_point, monkeypatch):
    monkeypatch.setattr(attribution, "installed", lambda: (entry_point("rogue", "pack.mod.hooks:it"),))
    for name in ("coc_core.execution", "pack", "pack.other.deep"):
        attribution.note_package(name, STRANGER)
    assert noted == {}
    attribution.note_package("other_pack.inner.deep", STRANGER)
    assert noted == {"other_pack": "'late' of stranger"}
    monkeypatch.setattr(attribution, "installed", lambda: ())
    attribution.note_package("coc_core", STRANGER)
    assert set(noted) == {"other_pack"}
    for name in ("other_pack", "other_pack.inner", "other_pack.elsewhere.deep"):
        assert attribution.plugin_at_fault(failure_of(running(name))) == "'late' of stranger"


def test_the_place_is_the_innermost_in_the_plugins_package():
    specs, error, where = specs_or_error(running("pack.other.deep"), STRANGER, nullcontext())
    assert (specs, error) == ((), "ZeroDivisionError: division by zero")
    assert where == "somewhere.py:1 in <module>"
    whole = Plugin("late", "pack:hooks", "stranger", "1.0")
    assert specs_or_error(running("pack.other"), whole, nullcontext())[2] == where
    for name in ("packs.mod", "mod", "pack:mod"):
        assert specs_or_error(running(name), STRANGER, nullcontext())[1:] == (error, "")


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


def requiring(*texts):
    return SimpleNamespace(requires=list(texts))


def test_a_requirement_counts_only_where_it_applies(monkeypatch):
    monkeypatch.setattr(module, "version", lambda name: "2.0rc1")
    assert unmet_requirement(requiring(f"{DISTRIBUTION}>=1.0")) == ""
    assert unmet_requirement(requiring(f"{DISTRIBUTION}>=99; extra == 'test'", f"{DISTRIBUTION} ", "numpy>=99")) == ""
    reason = f"it requires {DISTRIBUTION}>=99, and 2.0rc1 is installed"
    assert unmet_requirement(requiring(f"{DISTRIBUTION}>=99")) == reason
    assert unmet_requirement(requiring("numpy", "Chain_of.Computation>=99; extra == ''")) == reason


def test_a_plugin_that_requires_another_version_has_no_place(entry_point, monkeypatch):
    monkeypatch.setattr("coc_core.plugin.loading.unmet_requirement", lambda distribution: "it requires more")
    (plugin,) = load([entry_point("thief", "tests.broken.takes_hanoi")])
    assert (plugin.specs, plugin.error, plugin.where) == ((), "it requires more", "")


def test_only_a_strangers_module_is_imported_under_guard_and_noted(noted, entry_point, monkeypatch):
    guarded = []
    monkeypatch.setattr(registry, "guarded", lambda plugin: guarded.append(plugin) or nullcontext())
    monkeypatch.setattr(attribution, "installed", lambda: ())
    found = Registry.of(
        load(
            [
                entry_point("late", "tests.broken.factories_fail"),
                entry_point("hanoi", "coc_puzzles.hanoi", DISTRIBUTION),
            ]
        )
    )
    ours, theirs = found.find(DomainSpec, "hanoi"), found.find(DomainSpec, "no-attribute")
    monkeypatch.delitem(sys.modules, "wave", raising=False)
    assert found.make(ours, "wave:Error")
    assert (guarded, noted) == ([], {})
    monkeypatch.delitem(sys.modules, "wave")
    assert found.make(theirs, "wave:Error")
    assert (guarded, noted) == (["'late' of stranger"], {"wave": "'late' of stranger"})
