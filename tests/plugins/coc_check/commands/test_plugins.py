import json
import re

import pytest

from tests.support.for_each import for_each

BROKEN = ["raises_at_import", "exits_at_import", "misses_import", "returns_strings", "returns_one", "names_a_number"]
BROKEN += ["unknown_hook", "wrong_signature", "raises_in_hook"]
BROKEN = [f"tests.broken.{name}" for name in BROKEN]


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


def test_a_broken_plugin_that_is_chosen_is_an_error(coc, with_plugins):
    with_plugins(("cracked", "tests.broken.raises_at_import"))
    done = coc("run", "-d", "cracked")
    assert done.code == 4
    told = "coc: error: the plugin 'cracked' of stranger failed to load: RuntimeError: the sky is falling"
    line = done.err.splitlines()[-1]
    assert re.fullmatch(re.escape(told) + r"; raised at /.*/raises_at_import\.py:3 in <module>", line)


@pytest.mark.parametrize("domain", ["no-module", "no-attribute", "raises-late", "exits-late", "wants-more"])
def test_a_part_that_cannot_be_made_is_an_error(refused, with_plugins, domain):
    with_plugins(("late", "tests.broken.factories_fail"))
    assert "the plugin 'late' of stranger can't provide" in refused(4, "run", "-d", domain)


def test_a_checkpoint_that_cannot_be_found_is_an_error(refused, with_plugins):
    with_plugins(("late", "tests.broken.factories_fail"))
    assert "can't provide a_module_that_nobody_has:weights" in refused(4, "run", "-d", "hanoi", "--model", "no-package")


def test_a_name_that_two_want_is_listed_and_refused(coc, listed, with_plugins):
    with_plugins(("one", "tests.broken.twin_one", "first"), ("two", "tests.broken.twin_two", "second"))
    told = "the domain 'twin' is offered by 'one' of first and 'two' of second; neither gets it"
    text, document = listed()
    assert told in text
    assert document["conflicts"] == [told]
    done = coc("run", "-d", "twin")
    assert done.code == 4
    assert done.err == f"coc: note: {told}\ncoc: error: {told}; uninstall one of them\n"


def test_a_built_in_name_is_not_given_away(coc, with_plugins):
    with_plugins(("thief", "tests.broken.takes_hanoi"))
    done = coc("run", "-d", "hanoi", "-n", 1, "--model", "reference")
    assert done.code == 0
    assert "'hanoi' of chain-of-computation keeps it" in done.err
    assert "solved  hanoi" in done.out


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
