"""Our plans, judged by somebody else's code: reasoning-gym scores 1.0 a plan that is legal, complete and shortest."""

import json

import pytest

import coc_core as coc
from coc_core.execution import Cached
from coc_core.memories import Reference
from coc_puzzles.hanoi.instructions import Tower
from tests.support.machines import machine


@pytest.fixture(scope="module")
def gym():
    from reasoning_gym.games import tower_of_hanoi

    return tower_of_hanoi


@pytest.fixture(scope="module")
def score(gym):
    """What reasoning-gym gives for the lines of a plan."""
    dataset = gym.HanoiDataset(gym.HanoiConfig())

    def of(plan, problem):
        told = {"num_disks": problem.n, "num_pegs": 3, "start_peg": problem.src, "target_peg": problem.dst}
        told["solution_length"] = 2**problem.n - 1
        return dataset.score_answer("\n".join(plan), {"metadata": told})

    return of


def in_their_words(lines):
    words = {line: line.replace("from ", "from Peg ").replace("to ", "to Peg ") for line in set(lines)}
    return list(map(words.__getitem__, lines))


def plan_of(problem):
    actions = []
    subject = machine(problem=problem, listeners=[lambda record: actions.extend(record.actions)])
    Cached().run([subject], Reference(subject.convention))
    assert subject.status == "solved"
    return in_their_words([subject.domain.actions.format(action) for action in actions])


def test_our_plan_gets_full_marks(score):
    assert [n for n in range(3, 10) if score(plan_of(Tower(n)), Tower(n)) != 1.0] == []


def test_they_do_find_mistakes(score):
    plan = plan_of(Tower(4))
    assert score(plan[:-1], Tower(4)) < 1.0
    assert score(plan[1:], Tower(4)) == 0.0


@pytest.mark.slow
def test_the_tasks_of_reasoning_gym_get_full_marks(gym, tmp_path):
    """Its default configuration: three to seven disks on three and four pegs, from any peg to any other."""
    dataset = gym.HanoiDataset(gym.HanoiConfig(size=500, seed=1))
    items = tmp_path / "items.jsonl"
    items.write_text("".join(f"{json.dumps(item)}\n" for item in dataset))
    answers = {}
    for domain in ("hanoi", "hanoi-4"):
        plans = {"plans": tmp_path / domain, "plan_format": "reasoning-gym", "model": "reference"}
        with pytest.warns(UserWarning, match="problems left out"):
            report = coc.evaluate(domain, problems=items, skip_unsupported=True, **plans)
        assert report.total.successes == report.total.instances > 100
        answers |= {each.name: each.read_text() for each in (tmp_path / domain).glob("*.plan")}
    scores = [
        dataset.score_answer(answers[f"items.jsonl-{number}.plan"], item) for number, item in enumerate(dataset, 1)
    ]
    assert scores == 500 * [1.0]
