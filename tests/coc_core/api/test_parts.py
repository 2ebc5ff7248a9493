"""`coc.domains`, `coc.load_model`, and what the import of coc_core itself brings."""

import runpy
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import coc_core as coc
from coc_core.plugin import DomainSpec, Registry


def test_the_domains_are_those_that_are_installed():
    found = coc.domains()
    assert found == {spec.name: spec.summary for spec in Registry.installed().specs(DomainSpec)}
    assert found["hanoi"] == "Tower of Hanoi on three pegs"


def test_a_plugin_may_be_a_file(tmp_path):
    plugin = tmp_path / "my_line.py"
    plugin.write_text(
        "from coc_core.plugin import DomainSpec, hookimpl\n\n\n"
        "@hookimpl\ndef coc_domains():\n    return [DomainSpec('my-line', 'tests.support.toy_parts:Queue', 'a line of numbers')]\n"
    )
    assert coc.domains(plugins=str(plugin))["my-line"] == "a line of numbers"
    assert coc.run("my-line", 3, model="reference", plugins=[plugin]).solved


def test_a_model_is_ready_to_complete_prompts():
    model = coc.load_model("hanoi", memory="tape", arith="inline", device="cpu")
    assert model.complete(["INSTR CALL n=1 src=1 dst=2 aux=3 NEXT_ID=0 PTR=0"] * 2) is not None
    assert model.calls == 2


def test_a_plugin_that_is_no_file_is_refused(as_refused_by):
    as_refused_by(lambda: coc.domains(plugins="no.py"), "plugins", "--plugin", "no.py")
    as_refused_by(lambda: coc.load_model("hanoi", plugins=["no.py"]), "run", "-d", "hanoi", "--plugin", "no.py")
    as_refused_by(lambda: coc.load_model("hanoi", device="abacus"), "run", "-d", "hanoi", "--device", "abacus")


def test_a_warning_names_the_line_that_called(with_plugins):
    with_plugins(("bad", "tests.broken.raises_at_import"))
    with pytest.warns(UserWarning, match="the plugin 'bad' of stranger failed to load") as caught:
        coc.domains()
    assert Path(caught[0].filename) == Path(__file__)


def test_the_import_brings_nothing_that_is_not_used():
    code = "import sys; before = set(sys.modules); import coc_core; print(*set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert {name.partition(".")[0] for name in done.stdout.split()} == {"coc_core"}


def test_everything_is_named_and_nothing_else():
    assert set(coc.__all__) <= set(dir(coc))
    for name in set(coc.__all__) - {"__version__"}:
        assert getattr(coc, name).__doc__
    assert coc.__version__ == version("chain-of-computation")
    with pytest.raises(AttributeError, match="module 'coc_core' has no attribute 'solve'"):
        coc.solve  # noqa: B018


def test_the_front_door_is_what_it_lists():
    door = runpy.run_path(coc.__file__)  # a fresh one, as if nothing had been used yet
    assert [door["__getattr__"](name) for name in door["__all__"]] == [getattr(coc, name) for name in coc.__all__]
    assert set(door["__all__"]) <= set(door["__dir__"]())
    with pytest.raises(AttributeError, match="has no attribute 'walk'"):
        door["__getattr__"]("walk")
