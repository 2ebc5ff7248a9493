"""Programs as people write them print what the comments at their ends say, one line of output after each `;=> `."""

import shutil
import subprocess
from pathlib import Path

import pytest

PROGRAMS = Path(__file__).with_name("programs")
GUILE = shutil.which("guile")


def expected(path):
    return "".join(f"{line[4:]}\n" for line in path.read_text("utf-8").splitlines() if line.startswith(";=>"))


@pytest.mark.slow
@pytest.mark.skipif(GUILE is None, reason="guile is not installed")
@pytest.mark.parametrize("path", sorted(PROGRAMS.rglob("*.scm")), ids=lambda path: path.stem)
def test_guile_prints_what_is_expected(path):
    done = subprocess.run([GUILE, "--r7rs", "--no-auto-compile", path], capture_output=True, text=True, check=False)
    assert done.stdout == expected(path)
    assert (done.returncode == 0) == (path.parent == PROGRAMS), done.stderr  # those in `errors` end in one
