"""Our plans, judged by somebody else's code: reasoning-gym scores 1.0 a plan that is legal, complete and shortest."""

import pytest
from build import machine
from coc_core.executor import Cached
from coc_core.reference import Reference
from coc_hanoi.instructions import Tower

pytestmark = []


@pytest.fixture(scope="module")
def hanoi():
    from reasoning_gym.games.tower_of_hanoi import HanoiConfig, HanoiDataset

    return HanoiDataset(HanoiConfig())


def answer(problem):
    """The plan in the words that reasoning-gym expects."""
    lines = []

    def listen(commit):
        lines.extend(f"Move disk {move.disk} from Peg {move.src} to Peg {move.dst}" for move in commit.actions)

    subject = machine(problem=problem, listeners=[listen])
    Cached().run([subject], Reference(subject.convention))
    assert subject.status == "solved"
    return "\n".join(lines)


def entry(problem):
    return {
        "metadata": {
            "num_disks": problem.n,
            "num_pegs": 3,
            "start_peg": problem.src,
            "target_peg": problem.dst,
            "solution_length": 2**problem.n - 1,
        }
    }


@pytest.mark.parametrize("n", range(3, 21))
def test_our_plan_gets_full_marks(hanoi, n):
    problem = Tower(n)
    assert hanoi.score_answer(answer(problem), entry(problem)) == 1.0


def test_their_problems_are_ours(hanoi):
    from reasoning_gym.games.tower_of_hanoi import HanoiConfig, HanoiDataset

    for item in HanoiDataset(HanoiConfig(min_disks=1, max_disks=7, max_pegs=3, size=20, seed=1)):
        told = item["metadata"]
        ours = answer(Tower(told["num_disks"], told["start_peg"], told["target_peg"]))
        assert hanoi.score_answer(ours, item) == 1.0
        assert len(ours.splitlines()) == told["solution_length"]


def test_they_do_find_mistakes(hanoi):
    problem = Tower(4)
    lines = answer(problem).splitlines()
    assert hanoi.score_answer("\n".join(lines[:-1]), entry(problem)) < 1.0
    assert hanoi.score_answer("\n".join(lines[1:]), entry(problem)) == 0.0
