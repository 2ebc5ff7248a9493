"""The Pythons that coc says it runs on, and what an installation brings there."""

import runpy
import sys
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest

import coc_core
from tests.support.plain_install import OURS, brought_by

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
COMPILED = {"hypothesis", "markupsafe", "numpy"}  # each has wheels for the Pythons below, on Linux and on macOS


def test_each_python_from_the_first_is_listed():
    listed = [each.rpartition(" ")[2] for each in PROJECT["classifiers"] if ":: Python ::" in each]
    assert listed == ["3.11", "3.12", "3.13", "3.14"]
    assert PROJECT["requires-python"] == f">={listed[0]}"
    series = PROJECT["version"].rpartition(".")[0]
    assert f"| {series} | {', '.join(listed)} | yes |" in (ROOT / "SECURITY.md").read_text("utf-8")


def test_a_plain_installation_compiles_nothing():
    """A dependency without a wheel for a new Python brings a compiler's error there."""
    found = {name for name in brought_by([OURS]) - {OURS} if not is_pure(name)}
    assert found <= COMPILED


def is_pure(name):
    return "Root-Is-Purelib: true" in (distribution(name).read_text("WHEEL") or "")


def test_an_older_python_gets_one_line(monkeypatch, capfd):
    monkeypatch.setattr(sys, "version_info", (3, 10, 13))
    monkeypatch.setattr(sys, "version", "3.10.13 (main)")
    with pytest.raises(SystemExit, match=r"^2$"):
        runpy.run_path(coc_core.__file__)
    assert capfd.readouterr().err == "coc: error: coc needs Python 3.11 or newer, and this is 3.10.13\n"
