"""Requests for completions, as such or in a chat: read strictly, and refused in the form that clients expect."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen
from starlette.exceptions import HTTPException
from starlette.responses import Response

from coc_core.text import escaped, quoted


class Refusal(HTTPException):
    """A request answered with an error: status, message, the key of the request at fault, and a word for programs."""

    def __init__(self, status: int, message: str, *, param: str | None = None, code: str | None = None) -> None:
        super().__init__(status, escaped(message))
        self.param = param
        self.code = code

    def response(self) -> Response:
        """Return the response."""
        kind = "server_error" if self.status_code >= 500 else "invalid_request_error"
        error = {"message": self.detail, "type": kind, "param": self.param, "code": self.code}
        return json_response({"error": error}, self.status_code)


def json_response(document: Any, status: int = 200) -> Response:
    """Return a response in ASCII, so that no text of a model or of a client can't be sent."""
    return Response(json.dumps(document), status, media_type="application/json")


_NEUTRAL: Mapping[str, Any] = {
    "temperature": 0,
    "top_p": 1,
    "presence_penalty": 0,
    "frequency_penalty": 0,
    "logit_bias": {},
    "n": 1,
    "best_of": 1,
    "stream": False,
    "echo": False,
    "suffix": "",
}
"""The other keys of the interface, with the one value that changes nothing about a greedy completion."""

_IGNORED = ("seed", "user")

_OURS = ("model", "prompt", "max_tokens", "stop", "logprobs")

_NOT_IN_CHATS = ("prompt", "logprobs", "best_of", "echo", "suffix")

_MOST_LOGPROBS = 5


@frozen
class CompletionRequest:
    """What a client asks for.

    Attributes:
        model: The id of the model.
        prompts: One or more prompts.
        max_tokens: The largest number of tokens of a completion; None for as many as there are.
        stop: Texts before which a completion ends.
        logprobs: How many of the likeliest tokens are given at each place; None for no log-probabilities at all.
    """

    model: str
    prompts: Sequence[str]
    max_tokens: int | None
    stop: Sequence[str]
    logprobs: int | None

    @classmethod
    def parse(cls, document: Mapping[str, Any]) -> "CompletionRequest":
        """Read a request, in which a null is no value; Refusal if it is none or asks for what the server can't do."""
        given = {key: value for key, value in document.items() if value is not None}
        for key, value in given.items():
            if key in _NEUTRAL and value != _NEUTRAL[key]:
                message = f"{key!r} must be {json.dumps(_NEUTRAL[key])}: completions are greedy and whole"
                raise Refusal(400, message, param=key, code="unsupported_value")
            if key not in (*_OURS, *_NEUTRAL, *_IGNORED):
                raise Refusal(400, f"the key {quoted(key, 40)} is unknown", param=key[:40], code="unknown_parameter")
        model = given.get("model")
        if not isinstance(model, str):
            raise Refusal(400, "'model' must be the id of a model; GET /v1/models lists them", param="model")
        return cls(
            model,
            _texts(given.get("prompt"), "prompt"),
            _whole(given, "max_tokens", 1, 1 << 31),
            _texts(given["stop"], "stop") if given.get("stop") else [],
            _whole(given, "logprobs", 0, _MOST_LOGPROBS),
        )


def parse_chat(document: Mapping[str, Any]) -> tuple[CompletionRequest, bool]:
    """Read a request in a chat, as `CompletionRequest.parse` does: for completions of the last message only, since a
    model sees one window; and whether the response is a stream, of one event with the whole message and the usage.
    """
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
    return CompletionRequest.parse(given), stream


def _whole(given: Mapping[str, Any], key: str, least: int, most: int) -> int | None:
    value = given.get(key)
    if value is None or (type(value) is int and least <= value <= most):
        return value
    raise Refusal(400, f"{key!r} must be a whole number from {least} to {most:,}", param=key)


def _texts(value: object, key: str) -> Sequence[str]:
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not texts or not all(isinstance(text, str) for text in texts):
        raise Refusal(400, f"{key!r} must be a text or a list of texts", param=key)
    return texts
