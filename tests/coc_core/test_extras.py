import shlex
import shutil
import sys
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace

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


@for_each(
    "folder, url, constraints",
    [
        ("check out", "file://{}/check%20out", True),
        ("other", "file://{}/check%20out", False),  # the checkout is gone
        ("check out", "https://example.org/coc", False),
        ("check out", None, False),  # from an index
    ],
)
def test_the_command_works_from_any_folder(folder, url, constraints, tmp_path, monkeypatch):
    (tmp_path / folder).mkdir(exist_ok=True)
    tested = tmp_path / folder / "constraints.txt"
    tested.touch()
    record = None if url is None else f'{{"url": "{url.format(tmp_path)}"}}'
    ours = SimpleNamespace(requires=metadata.requires("chain-of-computation"), read_text=lambda _: record)
    monkeypatch.setattr(metadata, "distribution", lambda _: ours)
    words = shlex.split(install_command("plots"))
    assert words[words.index("install") + 1 :] == [*(["-c", str(tested)] if constraints else []), *PLOTS]
    shutil.rmtree(tmp_path / folder)


@for_each(
    "active, has_pip, words",
    [
        (True, True, ["pip", "install"]),
        (False, True, [sys.executable, "-m", "pip", "install"]),
        (True, False, ["uv", "pip", "install", "--python", sys.executable]),
    ],
)
def test_the_command_is_for_the_environment_that_runs(active, has_pip, words, monkeypatch):
    place = Path(sys.executable).parent if active else Path("/elsewhere")
    monkeypatch.setattr(shutil, "which", lambda name: str(place / name))
    monkeypatch.setattr(extras, "find_spec", lambda _: has_pip or None)
    assert shlex.split(install_command("plots"))[: len(words)] == words
