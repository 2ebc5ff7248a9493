import pytest

from coc_core.memories import Reference
from tests.support.machines import convention


def test_it_writes_the_targets_of_the_policy():
    model = Reference(convention())
    prompts = ["INSTR CALL n=1 src=1 dst=3 aux=2", "INSTR MOVE d=2 src=1 dst=2"]
    assert model.complete(prompts) == ["OUTPUT Move disk 1 from 1 to 3", "OUTPUT Move disk 2 from 1 to 2"]
    assert (model.calls, model.describe(), model.deterministic) == (2, "reference", True)


def test_it_computes_addresses_where_the_prompt_shows_them():
    answer = Reference(convention("tape", "inline")).complete(
        ["PTR=7 NEXT_ID=10 INSTR[7] CALL n=2 src=1 dst=3 aux=2 prev=4"]
    )
    assert answer == [
        "APPEND[10] CALL n=1 src=2 dst=3 aux=1 prev=4\n"
        "APPEND[11] MOVE d=2 src=1 dst=3 prev=10\n"
        "APPEND[12] CALL n=1 src=1 dst=2 aux=3 prev=11\n"
        "PTR=12 NEXT_ID=13"
    ]


def test_it_reads_prompts_alone():
    with pytest.raises(ValueError, match="is not of the form"):
        Reference(convention()).complete(["What is the capital of France?"])
