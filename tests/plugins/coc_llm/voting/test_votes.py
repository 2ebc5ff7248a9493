import pytest

from coc_core.errors import ArtefactError
from coc_llm.voting.votes import Votes, describe
from tests.support.for_each import for_each

VOTES = Votes(2, 1_000, 2_500, 100, 30, 256, 0.0625, 2_300.5, 0.75, 0.5)


def test_what_was_drawn_measured_and_predicted():
    assert describe(VOTES.report()) == (
        "first to lead by 2: 2,500 responses for 1,000 decisions, 100 dropped, 30 outvoted; error rate measured by 256"
        " more, at most 0.0625; probability that all are right: 0.7500 predicted, 0.5000 from the votes"
    )


@for_each(
    "changes",
    [
        {"more": 1},
        {"k": 1.5},
        {"k": None},
        {"achieved": None},
        {"error": None},
        {"predicted": 1.01},
        {"achieved": 1.01},
        {"error": 1.01},
        {"dropped": 2_471},
    ],
)
def test_votes_of_a_file_are_read_strictly(changes):
    with pytest.raises(ArtefactError, match="the votes of the run"):
        describe({"votes": VOTES.report()["votes"] | changes})
