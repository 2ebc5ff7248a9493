"""A request for completions, as such or in a chat: read strictly, so that no key of it is silently ignored."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import frozen

from coc_core.text import quoted
from coc_doors.serve.limits import Limits
from coc_doors.serve.refusal import Refusal


def _is_number(value: object) -> bool:
    return type(value) in (int, float)


_NEUTRAL: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "temperature": (lambda value: _is_number(value) and value == 0, "0, since completions are greedy"),
    "top_p": (lambda value: _is_number(value) and value == 1, "1, since completions are greedy"),
    "presence_penalty": (lambda value: _is_number(value) and value == 0, "0, since completions are greedy"),
    "frequency_penalty": (lambda value: _is_number(value) and value == 0, "0, since completions are greedy"),
    "logit_bias": (lambda value: value == {}, "empty, since completions are greedy"),
    "seed": (lambda value: type(value) is int, "a whole number, which changes nothing"),
    "user": (lambda value: isinstance(value, str), "a text, which changes nothing"),
    "stream": (lambda value: value is False, "false: a completion comes whole"),
    "stream_options": (lambda value: False, "left out: a completion comes whole"),
    "echo": (lambda value: value is False, "false: the prompt is not repeated"),
    "suffix": (lambda value: value == "", "left out: nothing is inserted"),
}
"""The other keys of the interface: which values change nothing about a greedy completion, and what to say else."""

_OURS = ("model", "prompt", "max_tokens", "stop", "logprobs", "n", "best_of")

_NOT_IN_CHATS = ("prompt", "logprobs", "best_of", "echo", "suffix")


@frozen
class CompletionRequest:
    """What a client asks for.

    Attributes:
        model: The id of the model.
        prompts: One or more prompts.
        max_tokens: The largest number of tokens of a completion; None for as many as there are.
        stop: Texts before which a completion ends.
        logprobs: How many of the likeliest tokens are given at each place; None for no log-probabilities at all.
        n: How many copies of each completion are given.
    """

    model: str
    prompts: Sequence[str]
    max_tokens: int | None
    stop: Sequence[str]
    logprobs: int | None
    n: int

    @classmethod
    def parse(cls, document: Mapping[str, Any], limits: Limits) -> "CompletionRequest":
        """Read a request.

        Args:
            document: The JSON object. A key whose value is null is the same as one that is left out.
            limits: What it may ask for.

        Raises:
            Refusal: It is not a request for completions, or asks for what the server can't do.
        """
        given = {key: value for key, value in document.items() if value is not None}
        for key, value in given.items():
            if key in _OURS:
                continue
            if key not in _NEUTRAL:
                raise Refusal(400, f"the key {quoted(key, 40)} is unknown", param=key[:40], code="unknown_parameter")
            is_neutral, words = _NEUTRAL[key]
            if not is_neutral(value):
                raise Refusal(400, f"{key!r} must be {words}", param=key, code="unsupported_value")
        model = given.get("model")
        if not isinstance(model, str):
            raise Refusal(400, "'model' must be the id of a model; GET /v1/models lists them", param="model")
        n = _whole(given, "n", 1, limits.copies)
        if _whole(given, "best_of", 1, limits.copies) not in (None, n or 1):
            raise Refusal(400, "'best_of' must equal 'n', since all copies are equal", param="best_of")
        return cls(
            model,
            _prompts(given.get("prompt"), limits),
            _whole(given, "max_tokens", 1, 1 << 31),
            _stops(given.get("stop", []), limits),
            _whole(given, "logprobs", 0, limits.logprobs),
            n or 1,
        )


@frozen
class ChatRequest:
    """What a client asks for in a chat.

    Attributes:
        completions: The same as a request for completions. Its prompt is the last message, since a model sees one
            window; the messages before are not read.
        stream: Whether the response is a stream. It has one event, with the whole message and the usage.
    """

    completions: CompletionRequest
    stream: bool

    @classmethod
    def parse(cls, document: Mapping[str, Any], limits: Limits) -> "ChatRequest":
        """Read a request, as `CompletionRequest.parse` does."""
        given = {key: value for key, value in document.items() if value is not None}
        for key in _NOT_IN_CHATS:
            if key in given:
                raise Refusal(400, f"{key!r} is for POST /v1/completions", param=key, code="unsupported_value")
        match given.pop("messages", None):
            case [*_, {"role": "user", "content": str(prompt)}]:
                given["prompt"] = prompt
            case _:
                raise Refusal(400, "'messages' must end with a user's, whose 'content' is a text", param="messages")
        stream = given.pop("stream", False)
        if type(stream) is not bool:
            raise Refusal(400, "'stream' must be true or false", param="stream")
        if stream and given.get("stream_options") == {"include_usage": True}:
            del given["stream_options"]  # it always is
        if "max_tokens" not in given and "max_completion_tokens" in given:
            given["max_tokens"] = given.pop("max_completion_tokens")
        return cls(CompletionRequest.parse(given, limits), stream)


def _whole(given: Mapping[str, Any], key: str, least: int, most: int) -> int | None:
    value = given.get(key)
    if value is None or (type(value) is int and least <= value <= most):
        return value
    raise Refusal(400, f"{key!r} must be a whole number from {least} to {most:,}", param=key)


def _prompts(value: object, limits: Limits) -> Sequence[str]:
    prompts = [value] if isinstance(value, str) else value
    if not isinstance(prompts, list) or not prompts or not all(isinstance(prompt, str) for prompt in prompts):
        raise Refusal(
            400, "'prompt' must be a text or a list of texts; prompts as numbers of tokens are not read", param="prompt"
        )
    if len(prompts) > limits.prompts:
        raise Refusal(400, f"a request has at most {limits.prompts:,} prompts, not {len(prompts):,}", param="prompt")
    longest = max(map(len, prompts))
    if longest > limits.prompt_characters:
        raise Refusal(
            400,
            f"a prompt has at most {limits.prompt_characters:,} characters, not {longest:,}",
            param="prompt",
            code="context_length_exceeded",
        )
    return prompts


def _stops(value: object, limits: Limits) -> Sequence[str]:
    stops = [value] if isinstance(value, str) else value
    if (
        not isinstance(stops, list)
        or len(stops) > limits.stops
        or not all(isinstance(stop, str) and 0 < len(stop) <= limits.stop_characters for stop in stops)
    ):
        raise Refusal(
            400,
            f"'stop' must be a text or a list of at most {limits.stops} texts, each of 1 to {limits.stop_characters:,}"
            " characters",
            param="stop",
        )
    return stops
