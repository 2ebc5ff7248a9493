"""A plan on a disk that fills up while it is written: the old one stays."""

import resource
import subprocess
import sys

import pytest

WHOLE = [sys.executable, "-m", "coc_core", "run", "-d", "hanoi", "-n", "12", "--model", "reference", "--plan"]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The whole plan, as it is written where there is room."""
    plan = tmp_path_factory.mktemp("whole") / "plan"
    subprocess.run([*WHOLE, str(plan)], check=True, capture_output=True)
    return plan.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize(("room", "old"), [(0, "old"), (8_192, None), (50_001, "old")])
def test_a_plan_is_written_whole_or_not_at_all(whole, tmp_path, room, old):
    plan = tmp_path / "plan"
    if old is not None:
        plan.write_text(old)

    def little_room():
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    done = subprocess.run([*WHOLE, str(plan)], capture_output=True, text=True, preexec_fn=little_room)
    assert done.returncode == 5
    assert done.stdout == ""
    assert done.stderr == f"coc: error: can't write the plan {plan}: File too large\n"
    assert [path.read_text() for path in tmp_path.iterdir()] == ([] if old is None else [old])
    assert room < len(whole)
