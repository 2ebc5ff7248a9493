"""The models that are served, each a checkpoint in one of its dialects, and what they answer to a request."""

import time
import uuid
from asyncio import Future, Lock, get_running_loop
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from itertools import islice
from pathlib import Path
from typing import Any

from attrs import define, evolve, field, frozen

from coc_core.errors import StepFault, UsageError
from coc_core.models import Model, TokenModel, TokenScore, call_each, read_config
from coc_core.plugin import CheckpointSpec, Registry
from coc_core.setting import checkpoint_folder, open_checkpoint, unknown_model
from coc_core.text import escaped
from coc_doors.serve.requests import CompletionRequest, Refusal


@frozen
class Completed:
    """A prompt's target, the number of the prompt's tokens and the target's token ids if the model has tokens, and why
    it ended: `stop` or `length`.
    """

    text: str
    prompt_tokens: int = 0
    ids: Sequence[int] = ()
    finish_reason: str = "stop"


Outcome = Completed | Refusal
"""A refusal is for the prompt, which can't be read, or for the model, which could not write a target."""


@define
class Served:
    """A model that is served: its checkpoint's name, its dialect, and the one thread in which it is called."""

    checkpoint: str
    dialect: str
    model: Model
    executor: Executor
    _waiting: list[tuple[Sequence[str], Future[list[Outcome]]]] = field(factory=list, init=False)
    _turn: Lock = field(factory=Lock, init=False)

    async def completions(self, prompts: Sequence[str]) -> list[Outcome]:
        """Complete prompts, in one call with those of all requests that came while another call was under way."""
        loop = get_running_loop()
        mine: Future[list[Outcome]] = loop.create_future()
        self._waiting.append((prompts, mine))
        async with self._turn:
            if not mine.done():
                batch, self._waiting = self._waiting, []
                every = [prompt for some, _ in batch for prompt in some]
                try:
                    found = iter(await loop.run_in_executor(self.executor, self._complete, every))
                    for some, waiting in batch:
                        waiting.set_result(list(islice(found, len(some))))
                except Exception as error:
                    for _, waiting in batch:
                        waiting.set_exception(error)
        return await mine

    async def scores(self, prompts: Sequence[str], targets: Sequence[str], top: int) -> Sequence[Sequence[TokenScore]]:
        """Score the tokens of completions, with so many of the likeliest tokens at each place."""
        assert isinstance(self.model, TokenModel)
        return await get_running_loop().run_in_executor(self.executor, self.model.score, prompts, targets, top)

    def _complete(self, prompts: Sequence[str]) -> list[Outcome]:
        distinct = list(dict.fromkeys(prompts)) if self.model.deterministic else list(prompts)
        outcomes = list(map(self._outcome, distinct, call_each(self.model, distinct)))
        if len(distinct) == len(prompts):
            return outcomes
        by_prompt = dict(zip(distinct, outcomes, strict=True))
        return [by_prompt[prompt] for prompt in prompts]

    def _outcome(self, prompt: str, response: str | StepFault) -> Outcome:
        if isinstance(response, StepFault):
            if response.kind == "limit":
                return _unreadable(response.message)
            return Refusal(500, f"the model could not write a completion: {response.message}", code=response.kind)
        if not isinstance(self.model, TokenModel):
            return Completed(response)
        unknown = self.model.unknown_character(prompt)
        if unknown is not None:
            return _unreadable(f"the prompt has the character {unknown!a}, which {self.checkpoint} has no token for")
        return Completed(response, len(self.model.encode(prompt)), self.model.encode(response))


def _unreadable(reason: str) -> Refusal:
    return Refusal(400, reason, param="prompt", code="prompt_not_readable")


def open_served(registry: Registry, choices: Iterable[str], executor: Executor) -> dict[str, Served]:
    """Open the models of checkpoints, shipped ones or folders, by their ids: `NAME:DIALECT`, and also `NAME` for one
    with one dialect. UsageError if there is no such checkpoint or two have a name, ArtefactError if one is broken.
    """
    served: dict[str, Served] = {}
    for choice in choices:
        folder = checkpoint_folder(registry, choice)
        if folder is None:
            raise unknown_model(choice, [spec.name for spec in registry.specs(CheckpointSpec)])
        shipped = any(spec.name == choice for spec in registry.specs(CheckpointSpec))
        name = choice if shipped else escaped(Path(choice).resolve().name)
        dialects = read_config(folder)[0].dialects
        models = {
            dialect: Served(name, dialect, open_checkpoint(registry, folder, dialect), executor) for dialect in dialects
        }
        found = {f"{name}:{dialect}": model for dialect, model in models.items()}
        if len(dialects) == 1:
            found = {name: models[dialects[0]]} | found
        if found.keys() & served.keys():
            raise UsageError(
                f"two checkpoints are called {name!r:.80}", remedy="give each of them once, by its own name"
            )
        served |= found
    return served


_CUT_OFF = "\ufffd"
"""What a target ends in that the end of the context cut off."""


async def answer(served: Served, request: CompletionRequest) -> dict[str, Any]:
    """Return what answers a request; Refusal if a prompt can't be read, or the model can't do it or failed."""
    for key in () if isinstance(served.model, TokenModel) else ("max_tokens", "logprobs"):
        if getattr(request, key) is not None:
            raise Refusal(400, f"{key!r} must be left out: this model has no tokens to count", param=key)
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
        {"index": index, "text": each.text, "logprobs": scored, "finish_reason": each.finish_reason}
        for index, (each, scored) in enumerate(zip(completions, logprobs, strict=True))
    ]
    document = {
        "id": f"cmpl-{uuid.uuid4().hex}",
        "object": "text_completion",
        "created": int(time.time()),
        "model": request.model,
        "choices": choices,
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


def _completed(outcome: Outcome, index: int, request: CompletionRequest) -> Completed:
    if isinstance(outcome, Completed):
        return outcome
    where = f"prompt {index + 1} of {len(request.prompts)}: " if len(request.prompts) > 1 else ""
    raise Refusal(outcome.status_code, where + outcome.detail, param=outcome.param, code=outcome.code)


def _cut(served: Served, completed: Completed, request: CompletionRequest) -> Completed:
    text, most = completed.text, request.max_tokens
    finish_reason = "length" if text.endswith(_CUT_OFF) else "stop"
    if most is not None and len(completed.ids) > most:
        assert isinstance(served.model, TokenModel)
        text, finish_reason = served.model.decode(completed.ids[:most]), "length"
    if ends := [text.index(stop) for stop in request.stop if stop and stop in text]:
        text, finish_reason = text[: min(ends)], "stop"
    return evolve(completed, text=text, finish_reason=finish_reason)


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
    written = sum(len(each.ids) if most is None else min(most, len(each.ids)) for each in completed)
    return {"prompt_tokens": prompt, "completion_tokens": written, "total_tokens": prompt + written}
