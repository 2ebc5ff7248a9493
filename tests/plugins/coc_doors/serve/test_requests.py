"""A request is read strictly."""

import pytest

from coc_doors.serve.requests import CompletionRequest, Refusal, parse_chat
from tests.support.for_each import for_each

LEAST = {"model": "m", "prompt": "p"}


def parsed(**keys):
    return CompletionRequest.parse(LEAST | keys)


def test_what_changes_nothing():
    least = CompletionRequest("m", ["p"], None, [], None)
    nulls = ("max_tokens", "stop", "logprobs", "n", "best_of", "temperature", "stream", "user", "suffix", "unheard_of")
    neutral = {"temperature": 0, "top_p": 1.0, "presence_penalty": 0.0, "frequency_penalty": 0, "logit_bias": {}}
    assert parsed() == parsed(**dict.fromkeys(nulls)) == least
    assert parsed(**neutral, seed=-3, user="me", stream=False, echo=False, suffix="", best_of=1, stop=[]) == least


def test_everything():
    request = parsed(prompt=["a", ""], max_tokens=7, stop=["x", "y"], logprobs=5, n=1)
    assert request == CompletionRequest("m", ["a", ""], 7, ["x", "y"], 5)
    assert parsed(stop="x").stop == ["x"]


@for_each(
    ("keys", "param"),
    [
        ({"model": 3}, "model"),
        ({"prompt": None}, "prompt"),
        ({"prompt": []}, "prompt"),
        ({"prompt": [1, 2]}, "prompt"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"max_tokens": 1.0}, "max_tokens"),
        ({"max_tokens": 10**300}, "max_tokens"),
        ({"n": 2}, "n"),
        ({"best_of": 2}, "best_of"),
        ({"logprobs": 6}, "logprobs"),
        ({"logprobs": -1}, "logprobs"),
        ({"stop": [1]}, "stop"),
        ({"stop": {"x": 1}}, "stop"),
        ({"temperature": 0.7}, "temperature"),
        ({"logit_bias": {"5": 1}}, "logit_bias"),
        ({"stream": True}, "stream"),
        ({"messages": []}, "messages"),
        ({"x" * 1000: 1}, "x" * 40),
    ],
)
def test_what_it_may_not_say(keys, param):
    with pytest.raises(Refusal) as caught:
        parsed(**keys)
    assert (caught.value.status_code, caught.value.param) == (400, param)
    assert len(caught.value.detail) < 200


USER = {"role": "user", "content": "p"}


def chat(**keys):
    return parse_chat({"model": "m", "messages": [USER]} | keys)


def test_the_last_message_of_a_chat_is_the_prompt():
    before = [{"role": "system", "content": "s"}, {"role": "user"}, {"role": "assistant", "content": ["x"]}, 5]
    named = USER | {"name": "me"}
    assert chat(messages=[*before, named], logprobs=None, temperature=0) == (parsed(), False)
    assert chat(stream=True, stream_options={"include_usage": True}) == (parsed(), True)
    assert chat(max_completion_tokens=5, stop="x") == (parsed(max_tokens=5, stop="x"), False)


@for_each(
    ("keys", "param"),
    [
        *(({"messages": value}, "messages") for value in (None, "p", [], ["p"], [{"role": "user"}])),
        ({"messages": [USER, {"role": "assistant", "content": "p"}]}, "messages"),
        ({"messages": [{"role": "user", "content": [{"type": "text", "text": "p"}]}]}, "messages"),
        ({"logprobs": True}, "logprobs"),
        ({"echo": False}, "echo"),
        ({"stream": 1}, "stream"),
        ({"stream": True, "stream_options": {"include_obfuscation": True}}, "stream_options"),
        ({"max_completion_tokens": 5, "max_tokens": 5}, "max_completion_tokens"),
    ],
)
def test_what_a_chat_may_not_say(keys, param):
    with pytest.raises(Refusal) as caught:
        chat(**keys)
    assert (caught.value.status_code, caught.value.param) == (400, param)
