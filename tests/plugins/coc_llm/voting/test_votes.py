from attrs import evolve

from coc_core.types import Votes
from coc_llm.voting import describe_votes

VOTES = Votes(2, 1_000, 2_500, 100, 30, 256, 0.0625, 2_300.5, 0.75, 0.5)


def test_what_was_drawn_measured_and_predicted():
    assert describe_votes(VOTES) == (
        "first to lead by 2: 2,500 responses for 1,000 decisions, 100 dropped, 30 outvoted; error rate measured by 256"
        " more, at most 0.0625; probability that all are right: 0.7500 predicted, 0.5000 from the votes"
    )


def test_an_error_rate_that_was_given():
    assert "error rate 0.0625;" in describe_votes(evolve(VOTES, pilot=0))


def test_without_an_error_rate_nothing_is_predicted():
    assert describe_votes(evolve(VOTES, pilot=0, error=None, expected=None, predicted=None)) == (
        "first to lead by 2: 2,500 responses for 1,000 decisions, 100 dropped, 30 outvoted; probability that all are"
        " right: 0.5000 from the votes"
    )
