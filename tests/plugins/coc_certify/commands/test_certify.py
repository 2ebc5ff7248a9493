"""`coc certify`."""

import json

import pytest

from coc_core.setting import Setting
from tests.support.known_margins import Stated


@pytest.fixture
def certify(coc, tmp_path, monkeypatch):
    """Runs `coc certify` with a model of known margins instead of a checkpoint."""

    def run(*arguments, **model):
        monkeypatch.setattr(Setting, "model", lambda setting, choice: Stated(setting.convention, **model))
        return coc("certify", "-d", "hanoi", "-o", tmp_path / "out", *arguments)

    return run


def test_a_certificate_is_written(certify, tmp_path):
    done = certify("-n", "1-3")
    assert done.code == 0
    assert done.out == (
        "certified  3 problems of hanoi, 13 prompts; smallest logit margin 2.00; every margin at least 2.0 times its bound\n"
    )
    assert json.loads((tmp_path / "out").read_text())["verdict"] == "certified"


def test_without_bounds_it_is_exact_here(certify, tmp_path):
    done = certify("-n", "2", "--no-bounds")
    assert done.out == "exact on this machine  1 problem of hanoi, 4 prompts; smallest logit margin 2.00\n"
    found = {"problems": 1, "prompts": 4, "composed": True, "margin": 2.0, "ratio": 0.0}
    found |= {"certificate": str(tmp_path / "out"), "verdict": "exact on this machine"}
    assert json.loads(certify("-n", "2", "--no-bounds", "--json").out) == found


def test_a_problem_that_is_not_solved_is_named(certify, tmp_path):
    wrong = {"INSTR CALL n=1 src=1 dst=3 aux=2": "OUTPUT Move disk 1 from 2 to 3"}
    done = certify("-n", "1", wrong=wrong)
    reason = "step 1, action: disk 1 can't be taken from peg 2, which is empty"
    assert (done.code, done.out) == (1, f"not certified  n=1 src=1 dst=3: {reason}\n")
    done = certify("-n", "1", "--json", wrong=wrong)
    assert json.loads(done.out) == {"verdict": "refuted", "about": "n=1 src=1 dst=3", "reason": reason}
    assert not (tmp_path / "out").exists()
