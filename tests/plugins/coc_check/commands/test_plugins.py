import json

import pytest

from tests.support.for_each import for_each

BROKEN = [f"tests.broken.{name}" for name in ("raises_at_import", "exits_at_import", "names_a_number", "unknown_hook")]


@pytest.fixture
def listed(coc, monkeypatch):
    """What `coc plugins` prints, as words on one line, so that no table gets in the way; and its document."""

    def run():
        monkeypatch.setenv("COLUMNS", "300")
        text, document = coc("plugins"), coc("plugins", "--json")
        assert (text.code, document.code) == (0, 0)
        return " ".join((text.out + text.err).split()), json.loads(document.out)

    return run


def test_the_parts_of_coc_are_listed(listed):
    text, document = listed()
    plugins = {plugin["name"]: plugin for plugin in document["plugins"]}
    assert document["conflicts"] == []
    assert [part["name"] for part in plugins["hanoi"]["parts"] if part["kind"] == "domain"] == [
        "hanoi",
        "hanoi-4",
        "hanoi-any",
    ]
    assert {"kind": "memory", "name": "pda", "summary": "pushdown stack"} in plugins["core"]["parts"]
    assert plugins["core"]["distribution"] == "chain-of-computation"
    assert plugins["core"]["error"] is None
    assert "hanoi domain hanoi Tower of Hanoi on three pegs" in text


@for_each("module", BROKEN)
def test_a_broken_plugin_is_listed_with_its_reason(listed, with_plugins, module):
    with_plugins(("cracked", module))
    text, document = listed()
    (plugin,) = [plugin for plugin in document["plugins"] if plugin["name"] == "cracked"]
    assert plugin["error"]
    assert plugin["parts"] == []
    assert (plugin["module"], plugin["distribution"], plugin["version"]) == (module, "stranger", "1.0")
    assert f"cracked broken {plugin['error'][:40]}" in text
    assert "stranger 1.0" in text
    assert "Tower of Hanoi on three pegs" in text


def test_broken_plugins_stop_nobody_else(coc, with_plugins):
    with_plugins(*((module, module) for module in BROKEN))
    done = coc("run", "-d", "hanoi", "-n", 3, "--model", "reference")
    assert done.code == 0
    assert "solved" in done.out
    lines = done.err.splitlines()
    assert len(lines) == len(BROKEN)
    assert all(line.startswith("coc: note: the plugin '") for line in lines)


def test_a_name_that_two_want_is_listed_and_refused(coc, listed, with_plugins):
    with_plugins(("one", "tests.broken.twin_one", "first"), ("two", "tests.broken.twin_two", "second"))
    told = "the domain 'twin' is offered by 'one' of first and 'two' of second; neither gets it"
    text, document = listed()
    assert told in text
    assert document["conflicts"] == [told]
    done = coc("run", "-d", "twin")
    assert done.code == 4
    assert done.err == f"coc: note: {told}\ncoc: error: {told}; uninstall one of them\n"


def test_a_checkpoint_is_listed_with_the_sizes_it_was_trained_on(listed, with_plugins):
    with_plugins(("late", "tests.broken.factories_fail"))  # its checkpoint is in no package
    text, document = listed()
    parts = {part["name"]: part for plugin in document["plugins"] for part in plugin["parts"]}
    first, last = parts["hanoi-pda"]["trained_sizes"]["hanoi/stack"]
    assert f"trained on n={first}-{last}" in text
    assert "trained_sizes" not in parts["no-package"]
    assert "trained_sizes" not in parts["pda"]


def test_a_plugin_that_offers_nothing_is_listed_all_the_same(listed, with_plugins):
    with_plugins(("forgetful", "tests.broken.forgets_the_marker"))
    text, document = listed()
    assert "forgetful offers nothing stranger 1.0" in text
    assert {"name": "forgetful", "error": None, "parts": []}.items() <= document["plugins"][-1].items()
