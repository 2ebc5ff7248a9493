"""A request is read strictly."""

import pytest

from coc_doors.serve.limits import Limits
from coc_doors.serve.refusal import Refusal
from coc_doors.serve.requests import ChatRequest, CompletionRequest
from tests.support.for_each import for_each

LIMITS = Limits(prompts=3, prompt_characters=10)
LEAST = {"model": "m", "prompt": "p"}


def parsed(**keys):
    return CompletionRequest.parse(LEAST | keys, LIMITS)


def test_the_least():
    assert parsed() == CompletionRequest("m", ["p"], None, [], None, 1)


def test_null_is_as_good_as_nothing():
    keys = ("max_tokens", "stop", "logprobs", "n", "best_of", "temperature", "stream", "user", "suffix", "unheard_of")
    assert parsed(**dict.fromkeys(keys)) == parsed()


def test_everything():
    request = parsed(prompt=["a", ""], max_tokens=7, stop=["x", "y"], logprobs=5, n=2, best_of=2)
    assert request == CompletionRequest("m", ["a", ""], 7, ["x", "y"], 5, 2)
    assert parsed(stop="x").stop == ["x"]


def test_what_changes_nothing_about_a_greedy_completion():
    neutral = {"temperature": 0, "top_p": 1.0, "presence_penalty": 0.0, "frequency_penalty": 0, "logit_bias": {}}
    assert parsed(**neutral, seed=-3, user="me", stream=False, echo=False, suffix="", best_of=1) == parsed()


@for_each(
    ("keys", "param"),
    [
        ({"model": 3}, "model"),
        ({"model": ["m"]}, "model"),
        ({"prompt": None}, "prompt"),
        ({"prompt": []}, "prompt"),
        ({"prompt": 1}, "prompt"),
        ({"prompt": [1, 2]}, "prompt"),
        ({"prompt": [["a"]]}, "prompt"),
        ({"prompt": {"a": "b"}}, "prompt"),
        ({"prompt": ["a", None]}, "prompt"),
        ({"prompt": ["a"] * 4}, "prompt"),
        ({"prompt": "a" * 11}, "prompt"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"max_tokens": -1}, "max_tokens"),
        ({"max_tokens": 1.0}, "max_tokens"),
        ({"max_tokens": True}, "max_tokens"),
        ({"max_tokens": "5"}, "max_tokens"),
        ({"max_tokens": 10**300}, "max_tokens"),
        ({"n": 0}, "n"),
        ({"n": 17}, "n"),
        ({"best_of": 2}, "best_of"),
        ({"best_of": True}, "best_of"),
        ({"n": 2, "best_of": 1}, "best_of"),
        ({"logprobs": 6}, "logprobs"),
        ({"logprobs": True}, "logprobs"),
        ({"stop": ""}, "stop"),
        ({"stop": [1]}, "stop"),
        ({"stop": ["x"] * 17}, "stop"),
        ({"stop": "x" * 1001}, "stop"),
        ({"stop": {}}, "stop"),
        ({"temperature": 0.7}, "temperature"),
        ({"temperature": "0"}, "temperature"),
        ({"temperature": False}, "temperature"),
        ({"top_p": 0.9}, "top_p"),
        ({"presence_penalty": 1}, "presence_penalty"),
        ({"frequency_penalty": -1}, "frequency_penalty"),
        ({"logit_bias": {"5": 1}}, "logit_bias"),
        ({"seed": "x"}, "seed"),
        ({"user": 5}, "user"),
        ({"stream": True}, "stream"),
        ({"stream_options": {}}, "stream_options"),
        ({"echo": True}, "echo"),
        ({"suffix": "x"}, "suffix"),
        ({"messages": []}, "messages"),
        ({"x" * 1000: 1}, "x" * 40),
    ],
)
def test_what_it_may_not_say(keys, param):
    with pytest.raises(Refusal) as caught:
        parsed(**keys)
    error = caught.value.document()["error"]
    assert (caught.value.status, error["param"], error["type"]) == (400, param, "invalid_request_error")
    assert len(error["message"]) < 200


def test_it_names_its_model():
    with pytest.raises(Refusal, match="GET /v1/models"):
        CompletionRequest.parse({"prompt": "p"}, LIMITS)


USER = {"role": "user", "content": "p"}


def chat(**keys):
    return ChatRequest.parse({"model": "m", "messages": [USER]} | keys, LIMITS)


def test_the_last_message_of_a_chat_is_the_prompt():
    assert chat() == ChatRequest(parsed(), stream=False)
    before = [{"role": "system", "content": "s"}, {"role": "user"}, {"role": "assistant", "content": ["x"]}, 5]
    assert chat(messages=[*before, USER | {"name": "me"}], logprobs=None, temperature=0, n=2) == ChatRequest(
        parsed(n=2), stream=False
    )
    assert chat(stream=True, stream_options={"include_usage": True}) == ChatRequest(parsed(), stream=True)
    assert chat(max_completion_tokens=5, stop="x") == ChatRequest(parsed(max_tokens=5, stop="x"), stream=False)


@for_each(
    ("keys", "param"),
    [
        *(({"messages": value}, "messages") for value in (None, "p", {}, [], ["p"], [None], [{}], [{"role": "user"}])),
        ({"messages": [USER, {"role": "assistant", "content": "p"}]}, "messages"),
        ({"messages": [{"role": "user", "content": [{"type": "text", "text": "p"}]}]}, "messages"),
        ({"messages": [{"role": "user", "content": "p" * 11}]}, "prompt"),
        ({"prompt": "p"}, "prompt"),
        ({"logprobs": True}, "logprobs"),
        ({"best_of": 1}, "best_of"),
        ({"echo": False}, "echo"),
        ({"suffix": ""}, "suffix"),
        ({"stream": "yes"}, "stream"),
        ({"stream": 1}, "stream"),
        ({"stream": True, "stream_options": {"include_obfuscation": True}}, "stream_options"),
        ({"stream_options": {"include_usage": True}}, "stream_options"),
        ({"max_completion_tokens": 0}, "max_tokens"),
        ({"max_completion_tokens": 5, "max_tokens": 5}, "max_completion_tokens"),
        ({"tools": []}, "tools"),
        ({"model": None}, "model"),
    ],
)
def test_what_a_chat_may_not_say(keys, param):
    with pytest.raises(Refusal) as caught:
        chat(**keys)
    assert (caught.value.status, caught.value.param) == (400, param)
    assert len(caught.value.message) < 200
