import shlex
import sys
from importlib import metadata

import pytest
from packaging.requirements import Requirement

from coc_core import extras
from coc_core.errors import UsageError
from coc_core.extras import install_command, needs_extra
from tests.support.for_each import for_each

PLOTS = ["matplotlib>=3.9"]


def test_what_is_missing_is_named_with_the_command_that_installs_it():
    said = r"a picture needs paint \(No module named 'paint'\)"
    with pytest.raises(UsageError, match=said) as caught, needs_extra("plots", "a picture needs paint"):
        import paint  # noqa: F401
    assert caught.value.remedy == install_command("plots")


@pytest.mark.parametrize("error", [ModuleNotFoundError("gone", name="coc_core.gone"), ValueError("other")])
def test_a_mistake_of_our_own_stays_one(error):
    with pytest.raises(type(error)) as caught, needs_extra("plots", "a picture needs paint"):
        raise error
    assert caught.value is error


def test_every_extra_is_installed_by_its_libraries():
    lines = metadata.requires("chain-of-computation")
    for extra in metadata.metadata("chain-of-computation").get_all("Provides-Extra"):
        named = {Requirement(word).name for word in shlex.split(install_command(extra)) if word[0].isalpha()}
        wanted = {Requirement(line).name for line in lines if f"extra == '{extra}'" in line}
        assert named - {"pip", "install"} == wanted


@for_each("has_pip", [True, False])
def test_the_command_is_for_the_environment_that_runs(has_pip, monkeypatch):
    monkeypatch.setattr(extras, "find_spec", lambda _: has_pip or None)
    pip = [sys.executable, "-m", "pip", "install"] if has_pip else ["uv", "pip", "install", "--python", sys.executable]
    assert shlex.split(install_command("plots")) == [*pip, "matplotlib>=3.9"]
