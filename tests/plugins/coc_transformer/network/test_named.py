"""The class that a text names: in a file, in an installed module, or in one of the folder that one is in."""

import sys
from hashlib import sha256

import pytest

from coc_core.errors import CocError, PluginError, UsageError
from coc_transformer.network import own_network
from tests.support import networks

SOURCE = """
import attrs
from torch import nn


class Outer:
    class Net(nn.Module):
        @attrs.frozen
        class Config:
            width: "int" = 8

        def forward(self, input_ids):
            return input_ids
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """The folder that one is in; what is imported from it is forgotten."""
    before = set(sys.modules)
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(tmp_path)):
            del sys.modules[name]


def test_a_file(folder):
    (folder / "mine").mkdir()
    (folder / "mine/a_net.py").write_text(SOURCE)
    for choice in ("mine/a_net.py:Outer.Net", f"{folder}/mine/a_net.py:Outer.Net"):
        found = own_network(choice)
        assert (found.name, found.sha256) == ("a_net:Outer.Net", sha256(SOURCE.encode()).hexdigest())
        assert found.fields() == {"width": int}


def test_a_module_of_this_folder(folder):
    (folder / "our_nets").mkdir()
    (folder / "our_nets/one.py").write_text(SOURCE)
    path = list(sys.path)
    assert own_network("our_nets.one:Outer.Net").name == "one:Outer.Net"
    assert sys.path == path


def test_an_installed_module_and_a_class():
    for choice in ("tests.support.networks:Sums", networks.Sums):
        assert own_network(choice).name == "networks:Sums"


@pytest.mark.parametrize(
    ("choice", "reason"),
    [
        ("Sums", "names no network; write MODULE:CLASS or FILE.py:CLASS"),
        (":Sums", "names no network"),
        ("networks:Sums\n", "names no network"),
        ("a/b:Sums", "is neither a module nor a file in Python"),
        ("no_such.thing:Sums", "there is no module 'no_such.thing' for --network"),
        ("tests.support.no_such:Sums", "there is no module"),
        ("tests.support.networks.deeper:Sums", "there is no module"),
        ("tests.support.networks:Sum", "has no class 'Sum'; did you mean 'Sums'"),
        ("no_such.py:Sums", "can't read the network no_such.py: No such file"),
    ],
)
def test_what_names_no_network(choice, reason):
    with pytest.raises(UsageError, match=reason):
        own_network(choice)


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("import no_such_library", "ModuleNotFoundError: No module named 'no_such_library'"),
        ("raise SystemExit(0)", "SystemExit: 0"),
        ("class Net:", "IndentationError"),
        ("print('hello')\n1 / 0", "ZeroDivisionError"),
    ],
)
@pytest.mark.parametrize("choice", ["bad_net.py:Net", "bad_net:Net"])
def test_a_module_that_cannot_be_imported(folder, choice, source, reason):
    (folder / "bad_net.py").write_text(source)
    with pytest.raises(PluginError, match=reason) as error:
        own_network(choice)
    assert str(error.value).startswith("the network's module bad_net")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("thing", [3, None, networks, networks.Sums(networks.Config(), 8, 8)])
def test_what_is_no_class(thing):
    with pytest.raises(CocError, match="is not a network"):
        own_network(thing)
