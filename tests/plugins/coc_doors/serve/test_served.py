"""Which models are served, and what they give for prompts."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from coc_core.errors import ArtefactError, StepFault, UsageError
from coc_core.plugin import Registry
from coc_doors.serve.served import Completed, Served, Unreadable, open_served
from tests.support.sleepy_backend import Sleepy, write_checkpoint

PLUGIN = Path(__file__).parents[3] / "support" / "sleepy_backend.py"
PROMPT = "INSTR CALL n=3 src=1 dst=3 aux=2"


@pytest.fixture
def executor():
    with ThreadPoolExecutor(1) as pool:
        yield pool


@pytest.fixture
def opened(executor):
    registry = Registry.installed([PLUGIN])
    return lambda *choices: open_served(registry, map(str, choices), executor)


def test_a_checkpoint_with_one_dialect_has_two_ids(opened, tmp_path):
    served = opened(write_checkpoint(tmp_path / "mine"))
    assert list(served) == ["mine", "mine:toy/stack"]
    assert served["mine"] is served["mine:toy/stack"]
    assert repr(served["mine"]) == "Served(mine, toy/stack)"


def test_a_checkpoint_with_several_dialects_has_an_id_for_each(opened, tmp_path):
    served = opened(write_checkpoint(tmp_path / "mine", '["toy/stack", "toy/chain/symbolic"]'))
    assert list(served) == ["mine:toy/stack", "mine:toy/chain/symbolic"]


def test_shipped_checkpoints_go_by_their_names(opened):
    served = opened("hanoi-pda", "arithmetic")
    assert list(served) == ["hanoi-pda", "hanoi-pda:hanoi/stack", "arithmetic", "arithmetic:arithmetic"]
    assert served["hanoi-pda"].model.trained_sizes == range(1, 21)


def test_what_can_not_be_served(opened, tmp_path):
    mine = write_checkpoint(tmp_path / "mine")
    (tmp_path / "other").mkdir()
    other = write_checkpoint(tmp_path / "other" / "mine")
    with pytest.raises(UsageError, match="two checkpoints are called 'mine'"):
        opened(mine, other)
    with pytest.raises(UsageError, match=r"unknown model 'hanoi-pdx'.*did you mean 'hanoi-pda'"):
        opened("hanoi-pdx")
    with pytest.raises(ArtefactError, match="is not a checkpoint"):
        opened(tmp_path / "nothing")


@pytest.fixture
def sleepy(executor):
    return Served("mine", "toy/stack", Sleepy(), executor)


def test_each_prompt_is_completed_once(sleepy):
    assert sleepy._complete(["a", "b", "a"]) == [Completed("A"), Completed("B"), Completed("A")]
    assert sleepy.model.calls == 2


def test_a_model_that_is_not_deterministic_completes_each_copy(sleepy):
    sleepy.model.deterministic = False
    assert sleepy._complete(["a", "a"]) == [Completed("A"), Completed("A")]
    assert sleepy.model.calls == 2


def test_requests_that_wait_at_the_same_time_share_a_call(sleepy):
    calls, complete = [], sleepy.model._complete
    sleepy.model._complete = lambda prompts, drafts: calls.append(prompts) or complete(prompts, drafts)

    async def clients():
        return await asyncio.gather(*(sleepy.completions(prompts) for prompts in (["a"], ["b", "c"], [], ["d"])))

    assert [[each.text for each in found] for found in asyncio.run(clients())] == [["A"], ["B", "C"], [], ["D"]]
    assert calls == [["a"], ["b", "c", "d"]]


def test_a_fault_is_that_of_its_prompt(sleepy):
    good, fault, long = sleepy._complete(["a", "fault", "long"])
    assert good == Completed("A")
    assert isinstance(fault, StepFault)
    assert long == Unreadable("the prompt is too long")


def test_characters_without_tokens_and_prompts_that_are_too_long_are_unreadable(opened):
    served = opened("hanoi-pda")["hanoi-pda"]
    known, unknown, long, lone = served._complete([PROMPT, "INSTR é", "x" * 60_000, "INSTR \ud800"])
    assert known.text == served.model.complete([PROMPT])[0]
    assert known.prompt_tokens == len(served.model.encode(PROMPT))
    assert served.model.decode(known.ids) == known.text
    assert unknown == Unreadable("the prompt has the character '\\xe9', which hanoi-pda has no token for")
    assert "context ends at" in long.reason
    assert isinstance(lone, Unreadable)
