import json

import pytest

from tests.support.for_each import for_each

BROKEN = [f"tests.broken.{name}" for name in ("raises_at_import", "exits_at_import", "names_a_number", "unknown_hook")]


@pytest.fixture
def listed(coc, monkeypatch):
    """What `coc plugins` prints, as words on one line, so that no table gets in the way; and the plugins by name."""

    def run(conflicts=()):
        monkeypatch.setenv("COLUMNS", "300")
        text, document = coc("plugins"), json.loads(coc("plugins", "--json").out)
        assert document["conflicts"] == [*conflicts]
        return " ".join((text.out + text.err).split()), {plugin["name"]: plugin for plugin in document["plugins"]}

    return run


def test_the_parts_of_coc_are_listed(listed, with_plugins):
    with_plugins(
        ("late", "tests.broken.factories_fail"),  # its checkpoint is in no package
        ("forgetful", "tests.broken.forgets_the_marker"),
    )
    text, plugins = listed()
    parts = {part["name"]: part for plugin in plugins.values() for part in plugin["parts"]}
    assert parts["pda"] == {"kind": "memory", "name": "pda", "summary": "pushdown stack"}
    assert {"hanoi", "hanoi-4"} <= {part["name"] for part in plugins["hanoi"]["parts"] if part["kind"] == "domain"}
    assert (plugins["core"]["distribution"], plugins["core"]["error"]) == ("chain-of-computation", None)
    assert "hanoi domain hanoi Tower of Hanoi on three pegs" in text
    assert parts["hanoi-pda"]["trained_sizes"] == {"hanoi/stack": [1, 20]}
    assert "trained_sizes" not in parts["no-package"]
    assert "forgetful offers nothing stranger 1.0" in text
    assert (plugins["forgetful"]["error"], plugins["forgetful"]["parts"]) == (None, [])


@for_each("module", BROKEN)
def test_a_broken_plugin_is_listed_with_its_reason(listed, with_plugins, module):
    with_plugins(("cracked", module))
    text, plugins = listed()
    plugin = plugins["cracked"]
    assert (plugin["module"], plugin["distribution"], plugin["version"]) == (module, "stranger", "1.0")
    assert (bool(plugin["error"]), plugin["parts"]) == (True, [])
    assert f"cracked broken {plugin['error'][:40]}" in text
    assert "stranger 1.0" in text
    assert "Tower of Hanoi on three pegs" in text


def test_broken_plugins_stop_nobody_else(coc, with_plugins):
    with_plugins(*((module, module) for module in BROKEN))
    done = coc("run", "-d", "hanoi", "-n", 3, "--model", "reference")
    assert (done.code, "solved" in done.out) == (0, True)
    lines = done.err.splitlines()
    assert len(lines) == len(BROKEN)
    assert all(line.startswith("coc: note: the plugin '") for line in lines)


def test_a_name_that_two_want_is_listed_and_refused(coc, listed, with_plugins):
    with_plugins(("one", "tests.broken.twin_one", "first"), ("two", "tests.broken.twin_two", "second"))
    told = "the domain 'twin' is offered by 'one' of first and 'two' of second; neither gets it"
    assert told in listed([told])[0]
    done = coc("run", "-d", "twin")
    assert (done.code, done.err) == (4, f"coc: note: {told}\ncoc: error: {told}; uninstall one of them\n")
