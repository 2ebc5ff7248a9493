"""A model behind an endpoint."""

from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from coc_core.errors import LimitFault, ProtocolFault, ServiceError, StepFault, UsageError
from coc_core.models import Response, Sampler
from coc_core.setting import Setting
from coc_core.text import counted, quoted
from coc_llm.choice import Choice
from coc_llm.endpoint import Endpoint, Refused
from coc_llm.framing import Framing

_WHOLE = (None, "stop", "eos")
"""The reasons for which a response ends where the model meant it to."""


class EndpointModel(Sampler):
    """Sends each prompt to the endpoint, several at a time.

    A response is taken whole or is a fault: one that was cut off never passes for a target. A response that came
    together with a fault of another prompt is kept until its prompt comes again, so that it is not paid for twice.

    Args:
        framing: What is sent for a prompt.
        endpoint: Where it is sent.
    """

    name = "openai"

    def __init__(self, framing: Framing, endpoint: Endpoint) -> None:
        super().__init__()
        choice = framing.choice
        self.deterministic = choice.deterministic
        self.record = {
            "endpoint": endpoint.url,
            "model": choice.name,
            "api": choice.api,
            "shots": str(choice.shots),
            "temperature": "default" if choice.temperature is None else f"{choice.temperature:g}",
        }
        self._framing = framing
        self._endpoint = endpoint
        self._kept: defaultdict[str, list[Response]] = defaultdict(list)

    def _complete(self, prompts: Sequence[str], drafts: Sequence[str] | None) -> list[str]:
        kept = [self._kept[prompt].pop() if self._kept.get(prompt) else None for prompt in prompts]
        missing = [prompt for prompt, response in zip(prompts, kept, strict=True) if response is None]
        fresh = iter(self._responses(missing, 0))
        responses = [next(fresh) if response is None else response for response in kept]
        fault = next((response for response in responses if isinstance(response, StepFault)), None)
        if fault is None:
            return [str(response) for response in responses]
        if len(prompts) > 1:
            for prompt, response in zip(prompts, responses, strict=True):
                self._kept[prompt].append(response)
        raise fault

    def _sample(self, prompts: Sequence[str], seeds: Sequence[int]) -> list[Response]:
        if self._framing.choice.temperature == 0:
            raise UsageError("at temperature 0 there is nothing to vote on", remedy="leave out the option temperature")
        return self._responses(prompts, 1)

    def _responses(self, prompts: Sequence[str], temperature: float) -> list[Response]:
        """The response to each prompt, or its fault; several requests are under way at a time."""
        if len(prompts) < 2:
            return [self._response(prompt, temperature) for prompt in prompts]
        pool = ThreadPoolExecutor(min(len(prompts), self._framing.choice.concurrency), thread_name_prefix="endpoint")
        try:
            return list(pool.map(lambda prompt: self._response(prompt, temperature), prompts))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    def _response(self, prompt: str, temperature: float) -> Response:
        body = self._framing.body(prompt, temperature)
        try:
            document = self._endpoint.post(body)
        except Refused as error:
            if error.param == "prompt" or "context_length" in error.code:
                return LimitFault(f"the endpoint can't read the prompt: {error.message}", text=prompt)
            if error.status == 404:
                raise UsageError(
                    f"{self._endpoint.url} has no model {quoted(body['model'], 80)} for {self._framing.choice.api}:"
                    f" {error.message}",
                    remedy="check the name, base_url and api",
                ) from None
            raise UsageError(f"{self._endpoint.url} refuses the request: {error.message}") from None
        return self._taken(document)

    def _taken(self, document: dict[str, Any]) -> Response:
        """The response in a document, if it is whole."""
        match document:
            case {"choices": [{"message": {"content": str() | None as text}} as choice]}:
                pass
            case {"choices": [{"text": str() as text} as choice]}:
                pass
            case _:
                raise ServiceError(f"{self._endpoint.url} sent a document without one response")
        reason, most = choice.get("finish_reason"), self._framing.choice.max_tokens
        if reason == "length":
            limit = f"after {counted(most, 'token')} (max_tokens)" if most else "by the server"
            return LimitFault(f"the response was cut off {limit}", text=text or "")
        if reason not in _WHOLE:
            return ProtocolFault(f"the response ended with the reason {quoted(str(reason), 40)}", text=text or "")
        return text or ""

    def describe(self) -> str:
        choice = self._framing.choice
        shown = f", {counted(choice.shots, 'example')}" if choice.shots else ""
        return f"{self.name} {choice.name} at {self._endpoint.url} ({choice.api}{shown})"


def open_model(setting: Setting, text: str) -> EndpointModel:
    """Make the model that `openai:TEXT` chooses. Nothing is sent yet.

    Raises:
        UsageError: The choice is malformed, there is no key, or there are too few examples.
    """
    choice = Choice.parse(text)
    return EndpointModel(Framing.of(setting, choice), Endpoint(choice))
