"""Programs drawn from the whole language: the machine prints what the reference evaluator prints, and guile."""

import random
import subprocess

import pytest

from coc_scheme.domain import COMPARED
from coc_scheme.host.evaluator import evaluated
from tests.plugins.coc_scheme.drawn import drawn_program
from tests.plugins.coc_scheme.test_programs import GUILE
from tests.plugins.coc_scheme.test_scheme import printed


@pytest.mark.parametrize("seed", range(60))
def test_the_machine_prints_what_the_evaluator_prints(seed):
    _, doubt = printed(drawn_program(random.Random(seed), forms=2, depth=3))
    assert doubt == ""


@pytest.mark.slow
@pytest.mark.skipif(GUILE is None, reason="guile is not installed")
@pytest.mark.parametrize("seed", range(1000, 2000))
def test_the_evaluator_prints_what_guile_prints(seed, tmp_path, monkeypatch):
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    file = tmp_path / "drawn.scm"
    file.write_text(drawn_program(random.Random(seed)), "utf-8")
    done = subprocess.run([GUILE, "--r7rs", "--no-auto-compile", file], capture_output=True, text=True, check=False)
    answer = evaluated(file.read_text("utf-8"), COMPARED)
    if answer is not None or done.returncode == 0:  # otherwise it calls itself without end
        assert answer == done.stdout if done.returncode == 0 else answer.startswith(done.stdout)  # and the error's text
