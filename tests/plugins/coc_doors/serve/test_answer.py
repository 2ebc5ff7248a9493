"""Where completions end, and what is said of their tokens."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

from coc_core.models import TokenModel, TokenScore
from coc_doors.serve.requests import CompletionRequest, Refusal
from coc_doors.serve.served import Served, answer
from tests.support.for_each import for_each
from tests.support.sleepy_backend import Sleepy


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


def test_copies_stand_beside_each_other():
    document = answered(prompt=["a", "b"], n=2)
    assert [(choice["index"], choice["text"]) for choice in document["choices"]] == list(enumerate("aabb"))
    assert document["usage"] == {"prompt_tokens": 2, "completion_tokens": 4, "total_tokens": 6}


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
