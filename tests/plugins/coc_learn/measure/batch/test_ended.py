"""Scores of several runs add up."""

from coc_learn.measure.batch.ended import Score


def test_scores_add_up():
    total = Score(3)
    for steps in (2, 5):
        total.add(Score(3, instances=1, successes=steps % 2, steps=steps, actions=steps, model_calls=1, seconds=0.5))
    assert (total.instances, total.successes, total.steps, total.seconds) == (2, 1, 7, 1.0)
    assert total.rate == 0.5
    assert Score(3).rate is None
