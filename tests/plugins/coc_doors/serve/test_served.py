"""Which models are served, what they give for prompts, where completions end, and what is said of their tokens."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from coc_core.errors import ArtefactError, UsageError
from coc_core.models import TokenModel, TokenScore
from coc_core.plugin import Registry
from coc_doors.serve.requests import CompletionRequest, Refusal
from coc_doors.serve.served import Completed, Served, answer, open_served
from tests.support.for_each import for_each
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


def test_characters_without_tokens_and_prompts_that_are_too_long_are_unreadable(opened):
    served = opened("hanoi-pda")["hanoi-pda"]
    known, unknown, long, lone = served._complete([PROMPT, "INSTR é", "x" * 60_000, "INSTR \ud800"])
    assert known.text == served.model.complete([PROMPT])[0]
    assert known.prompt_tokens == len(served.model.encode(PROMPT))
    assert served.model.decode(known.ids) == known.text
    assert unknown.detail == "the prompt has the character '\\xe9', which hanoi-pda has no token for"
    assert "context ends at" in long.detail
    assert lone.status_code == 400


class Letters(TokenModel):
    """Repeats the prompt; each character is a token, and `?` is unknown."""

    name = "letters"

    def _complete(self, prompts, drafts):
        return list(prompts)

    def encode(self, text):
        return list(map(ord, text))

    def decode(self, ids):
        return "".join(map(chr, ids))

    def unknown_character(self, text):
        return "?" if "?" in text else None

    def score(self, prompts, targets, top):
        return [[TokenScore(each, -1.0, dict([(each, -1.0), ("x", -2.0)][:top])) for each in row] for row in targets]


def answered(backend=None, **keys):
    request = CompletionRequest.parse({"model": "m", "prompt": "abcabc"} | keys)
    with ThreadPoolExecutor(1) as executor:
        return asyncio.run(answer(Served("mine", "toy/stack", backend or Letters(), executor), request))


def texts(document):
    return [(choice["text"], choice["finish_reason"]) for choice in document["choices"]]


def test_a_whole_completion():
    document = answered()
    assert document["object"] == "text_completion"
    assert document["model"] == "m"
    assert document["id"].startswith("cmpl-")
    assert document["choices"] == [{"index": 0, "text": "abcabc", "logprobs": None, "finish_reason": "stop"}]
    assert document["usage"] == {"prompt_tokens": 6, "completion_tokens": 6, "total_tokens": 12}


@for_each(
    ("keys", "text", "reason"),
    [
        ({"max_tokens": 6}, "abcabc", "stop"),
        ({"max_tokens": 4}, "abca", "length"),
        ({"stop": "c"}, "ab", "stop"),
        ({"stop": ["ca", "b"]}, "a", "stop"),
        ({"stop": ["", "x"]}, "abcabc", "stop"),
        ({"max_tokens": 4, "stop": "c"}, "ab", "stop"),
        ({"max_tokens": 2, "stop": "c"}, "ab", "length"),
        ({"prompt": "ab\ufffd"}, "ab\ufffd", "length"),
        ({"prompt": ""}, "", "stop"),
    ],
)
def test_where_a_completion_ends(keys, text, reason):
    assert texts(answered(**keys)) == [(text, reason)]


def test_several_prompts_have_completions_in_their_order():
    document = answered(prompt=["a", "bc"])
    assert [(choice["index"], choice["text"]) for choice in document["choices"]] == [(0, "a"), (1, "bc")]
    assert document["usage"] == {"prompt_tokens": 3, "completion_tokens": 3, "total_tokens": 6}


def test_log_probabilities_end_with_the_text():
    (choice,) = answered(logprobs=1, stop="ca")["choices"]
    assert choice["logprobs"] == {
        "tokens": ["a", "b"],
        "token_logprobs": [-1.0, -1.0],
        "top_logprobs": [{"a": -1.0}, {"b": -1.0}],
        "text_offset": [0, 1],
    }
    (choice,) = answered(logprobs=0, max_tokens=1)["choices"]
    assert choice["logprobs"]["tokens"] == ["a"]
    assert choice["logprobs"]["top_logprobs"] == [{}]


def refused(**keys):
    with pytest.raises(Refusal) as caught:
        answered(**keys)
    return caught.value


def test_a_prompt_that_can_not_be_read_is_named():
    refusal = refused(prompt=["a", "b?"])
    assert (refusal.status_code, refusal.code) == (400, "prompt_not_readable")
    assert refusal.detail == "prompt 2 of 2: the prompt has the character '?', which mine has no token for"


def test_a_model_without_tokens():
    assert "usage" not in answered(Sleepy())
    for keys in ({"max_tokens": 5}, {"logprobs": 0}):
        refusal = refused(backend=Sleepy(), **keys)
        assert (refusal.status_code, refusal.param) == (400, *keys)


def test_a_fault_of_the_model_is_no_fault_of_the_client():
    refusal = refused(backend=Sleepy(), prompt="fault")
    assert (refusal.status_code, refusal.code) == (500, "numeric")
