"""Our plans, judged by somebody else's code: reasoning-gym scores 1.0 a plan that is legal, complete and shortest."""

import json

import pytest

import coc_core as coc


@pytest.mark.parametrize("size", [20, pytest.param(500, marks=pytest.mark.slow)])
def test_the_tasks_of_reasoning_gym_get_full_marks(size, tmp_path):
    """Its default configuration: three to seven disks on three and four pegs, from any peg to any other."""
    from reasoning_gym.games import tower_of_hanoi

    dataset = tower_of_hanoi.HanoiDataset(tower_of_hanoi.HanoiConfig(size=size, seed=1))
    items = tmp_path / "items.jsonl"
    items.write_text("".join(f"{json.dumps(item)}\n" for item in dataset))
    answers = {}
    for domain in ("hanoi", "hanoi-4"):
        plans = {"plans": tmp_path / domain, "plan_format": "reasoning-gym", "model": "reference"}
        with pytest.warns(UserWarning, match="problems left out"):
            report = coc.evaluate(domain, problems=items, skip_unsupported=True, **plans)
        assert report.total.successes == report.total.instances > size / 5
        answers |= {each.name: each.read_text() for each in (tmp_path / domain).glob("*.plan")}
    scored = [(answers[f"items.jsonl-{number}.plan"], item) for number, item in enumerate(dataset, 1)]
    assert [dataset.score_answer(*each) for each in scored] == size * [1.0]
    assert all(dataset.score_answer(plan.partition("\n")[2], item) == 0 for plan, item in scored)  # they find mistakes
