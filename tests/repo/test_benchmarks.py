"""Every script in `benchmarks` runs. The arguments are so small that it takes about a second, beside its start."""

import os
import random
import shlex
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from coc_learn.addresses.dialect import address_pairs
from tests.support.ipc_problems import GENERATORS
from tests.support.random_checkpoints import untrained

ROOT = Path(__file__).parents[2]

ARGUMENTS = {
    "backends": "--n 3 --pairs 4 --rounds 1",
    "certificates": "--only pancake --size 2 --out {folder}",
    "composing": "--times 1 --model reference",
    "constrained": "--out {folder}/chat --steps 1 --pairs 1 --noise 0 --tokens 2",
    "deep_steps": "--n 4-5 --steps 5 --model reference",
    "exams": "{exam} --reference",
    "executors": "--domain hanoi --memory pda --arith symbolic --n 3 --rounds 1",
    "kills": "--kills 1 --processes 1",
    "long_sums": "{binary} --digits 3 --sums 2",
    "mutation": "coc_core/memories/layout.py --sample 2 --jobs 1",
    "new_problems": "--budget quick",
    "noisy_endpoint": "--runs 1 --n 3",
    "plan_lengths": "--sizes 4 10 --pancakes 4 10",
    "planners": "--planners coc --problems 1 --sizes 4 --model reference",
    "planning": "--only accepted --part 200 --model reference",
    "rates": "--n 3 --seconds 0.01",
    "record_prompts": "blocks --problems 5 --larger 40 --model reference",
    "recording": "--repeat 1 --n 3 3 3",
    "rounding": "--passes 4",
    "scheme_steps": "1",
    "scale": "--disks 3 --tape 3 --tenths",
    "validators": "--plans 10",
}
NEEDS = {"mutation": "mutmut"}
"""By script, a package that is not in `test`."""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The files that scripts are given, by name."""
    folder = tmp_path_factory.mktemp("benchmarks")
    binary = untrained(folder / "binary", ["arithmetic"], list(address_pairs(0, 100, 999)), "binary", "arithmetic")
    (tests := folder / "exam" / "ferry" / "testing" / "easy").mkdir(parents=True)
    texts = GENERATORS["ferry"](random.Random(0), 2)
    for file, text in zip((folder / "exam/ferry/domain.pddl", tests / "p01.pddl"), texts, strict=True):
        file.write_text(text)
    return {"folder": folder, "binary": binary, "exam": folder / "exam"}


def test_each_script_has_arguments_here():
    assert {path.stem for path in (ROOT / "benchmarks").glob("*.py")} == ARGUMENTS.keys()


@pytest.mark.slow
@pytest.mark.parametrize("name", ARGUMENTS)
def test_a_script_runs(name, made):
    if name in NEEDS and find_spec(NEEDS[name]) is None:
        pytest.skip(f"needs {NEEDS[name]}")
    command = [sys.executable, f"benchmarks/{name}.py", *shlex.split(ARGUMENTS[name].format(**made))]
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout
