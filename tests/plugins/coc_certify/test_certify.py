"""`coc.certify`: the same as the command, from Python."""

import inspect

import pytest
from typer.main import get_command

import coc_core as coc
from coc_certify.certify import Refutation
from coc_core.cli.app import app
from coc_core.setting import Setting
from tests.support.known_margins import Stated


@pytest.fixture
def stated(monkeypatch):
    """Puts a model of known margins in the place of every checkpoint."""

    def put(**model):
        monkeypatch.setattr(Setting, "model", lambda setting, choice: Stated(setting.convention, **model))

    return put


def test_a_certificate_is_what_the_command_writes(stated, request, tmp_path):
    stated()
    found = coc.certify("hanoi", "1-3", out=tmp_path / "python")
    assert repr(found) == "<Certificate: certified, 3 problems, 13 prompts>"
    run = request.getfixturevalue("coc")
    assert run("certify", "-d", "hanoi", "-n", "1-3", "-o", tmp_path / "command").code == 0
    assert (tmp_path / "python").read_bytes() == (tmp_path / "command").read_bytes()
    assert found.format() == (tmp_path / "python").read_text("utf-8")


def test_no_file_is_written_unless_one_is_named_and_there_is_a_certificate(stated, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    stated()
    assert coc.certify("hanoi", problems=["n=2 src=3 dst=1"], no_bounds=True).verdict == "exact on this machine"
    stated(margin=-1.0)
    found = coc.certify("hanoi", 1, out=tmp_path / "out")
    assert found == Refutation("INSTR CALL n=1 src=1 dst=3 aux=2", "in float64 the model writes another target")
    assert not list(tmp_path.iterdir())


def test_its_arguments_are_those_of_the_command():
    names = {option.name for option in get_command(app).get_command(None, "certify").params}
    here = set(inspect.signature(coc.certify).parameters)
    assert names - {"as_json", "quiet", "verbose"} == here - {"count"}
