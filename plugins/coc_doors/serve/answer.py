"""The answer to a request: completions, cut off where the request says, in the form of the OpenAI interface."""

import time
import uuid
from collections.abc import Sequence
from typing import Any

from attrs import frozen

from coc_core.models import TokenModel, TokenScore
from coc_doors.serve.requests import CompletionRequest, Refusal
from coc_doors.serve.served import Completed, Outcome, Served, Unreadable

_CUT_OFF = "\ufffd"
"""What a target ends in that the end of the context cut off."""


@frozen
class _Completion:
    """A completion, and why it ended: `stop` or `length`."""

    text: str
    finish_reason: str


async def answer(served: Served, request: CompletionRequest) -> dict[str, Any]:
    """Return what answers a request; Refusal if a prompt can't be read, or the model can't do it or failed."""
    _check_tokens(served, request)
    outcomes = await served.completions(request.prompts)
    completed = [_completed(outcome, index, request) for index, outcome in enumerate(outcomes)]
    completions = [_cut(served, each, request) for each in completed]
    logprobs: Sequence[Any] = [None] * len(completions)
    if request.logprobs is not None:
        scores = await served.scores(request.prompts, [each.text for each in completed], request.logprobs)
        logprobs = [
            _logprobs(served, each, completion.text, score)
            for each, completion, score in zip(completed, completions, scores, strict=True)
        ]
    choices = [
        {"text": each.text, "logprobs": scored, "finish_reason": each.finish_reason}
        for each, scored in zip(completions, logprobs, strict=True)
        for _ in range(request.n)
    ]
    document = {
        "id": f"cmpl-{uuid.uuid4().hex}",
        "object": "text_completion",
        "created": int(time.time()),
        "model": request.model,
        "choices": [{"index": index, **choice} for index, choice in enumerate(choices)],
    }
    return document | ({"usage": _usage(completed, request)} if isinstance(served.model, TokenModel) else {})


def in_chat(document: dict[str, Any], stream: bool) -> dict[str, Any]:
    """Return the document of completions as that of messages in a chat, or as the one event of a stream."""
    kind, key = ("chat.completion.chunk", "delta") if stream else ("chat.completion", "message")
    choices = [
        {
            "index": choice["index"],
            key: {"role": "assistant", "content": choice["text"]},
            "finish_reason": choice["finish_reason"],
        }
        for choice in document["choices"]
    ]
    return document | {"id": f"chat{document['id']}", "object": kind, "choices": choices}


def _check_tokens(served: Served, request: CompletionRequest) -> None:
    if isinstance(served.model, TokenModel):
        return
    for key in ("max_tokens", "logprobs"):
        if getattr(request, key) is not None:
            raise Refusal(400, f"{key!r} must be left out: this model has no tokens to count", param=key)


def _completed(outcome: Outcome, index: int, request: CompletionRequest) -> Completed:
    where = f"prompt {index + 1} of {len(request.prompts)}: " if len(request.prompts) > 1 else ""
    match outcome:
        case Completed():
            return outcome
        case Unreadable(reason):
            raise Refusal(400, where + reason, param="prompt", code="prompt_not_readable")
        case fault:
            raise Refusal(500, f"{where}the model could not write a completion: {fault.message}", code=fault.kind)


def _cut(served: Served, completed: Completed, request: CompletionRequest) -> _Completion:
    text, most = completed.text, request.max_tokens
    finish_reason = "length" if text.endswith(_CUT_OFF) else "stop"
    if most is not None and len(completed.ids) > most:
        assert isinstance(served.model, TokenModel)
        text, finish_reason = served.model.decode(completed.ids[:most]), "length"
    ends = [text.index(stop) for stop in request.stop if stop and stop in text]
    return _Completion(text[: min(ends)], "stop") if ends else _Completion(text, finish_reason)


def _logprobs(served: Served, completed: Completed, text: str, scores: Sequence[TokenScore]) -> dict[str, Any]:
    """Return the log-probabilities of the tokens that a completion begins with, up to the end of its text."""
    assert isinstance(served.model, TokenModel)
    offsets = [len(served.model.decode(completed.ids[:index])) for index in range(len(scores))]
    kept = [(score, offset) for score, offset in zip(scores, offsets, strict=True) if offset < len(text)]
    return {
        "tokens": [score.token for score, _ in kept],
        "token_logprobs": [score.logprob for score, _ in kept],
        "top_logprobs": [dict(score.top) for score, _ in kept],
        "text_offset": [offset for _, offset in kept],
    }


def _usage(completed: Sequence[Completed], request: CompletionRequest) -> dict[str, int]:
    most = request.max_tokens
    prompt = sum(each.prompt_tokens for each in completed)
    written = sum(len(each.ids) if most is None else min(most, len(each.ids)) for each in completed) * request.n
    return {"prompt_tokens": prompt, "completion_tokens": written, "total_tokens": prompt + written}
