"""A model behind an endpoint."""

import time
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from coc_core.errors import LimitFault, ProtocolFault, StepFault, UsageError
from coc_core.models import Response, Sampler
from coc_core.setting import Setting
from coc_core.text import counted, quoted
from coc_llm.choice import Choice
from coc_llm.constraint import TRIAL_PROMPT, Constraint
from coc_llm.endpoint import Endpoint
from coc_llm.framing import Framing
from coc_llm.ledger import Entry, Ledger, key_of
from coc_llm.reading import only_choice, only_reasons, without_reasoning, words_of

_WHOLE = (None, "stop", "eos")
"""The reasons for which a response ends where the model meant it to."""

_TRIAL_TOKENS = 64


class EndpointModel(Sampler):
    """Sends each prompt, framed, to the endpoint, several at a time.

    A response is taken whole or is a fault: one that was cut off never passes for a target. A response that came
    together with a fault of another prompt is kept until its prompt comes again, so that it is not paid for twice.
    """

    name = "openai"

    def __init__(self, framing: Framing, endpoint: Endpoint, ledger: Ledger) -> None:
        super().__init__()
        self.deterministic = framing.choice.deterministic
        self._endpoint = endpoint
        self._framing = framing
        self._ledger = ledger
        self._kept: defaultdict[str, list[Response]] = defaultdict(list)
        choice = framing.choice
        self._constraint = Constraint.tried(framing.grammar, choice.constrain, self._trial)
        self.record = {
            "endpoint": endpoint.url,
            "model": choice.name,
            "api": choice.api,
            "shots": str(choice.shots),
            "temperature": "default" if choice.temperature is None else f"{choice.temperature:g}",
            "grammar": self._constraint.record(),
        }

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
        """Return the response to each prompt, or its fault; several requests are under way at a time."""
        if len(prompts) < 2:
            return [self._response(prompt, temperature) for prompt in prompts]
        pool = ThreadPoolExecutor(min(len(prompts), self._framing.choice.concurrency), thread_name_prefix="endpoint")
        try:
            return list(pool.map(lambda prompt: self._response(prompt, temperature), prompts))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    def _response(self, prompt: str, temperature: float) -> Response:
        try:
            return self._taken(self._entry(prompt, self._framing.body(prompt, temperature) | self._constraint.added))
        except LimitFault as fault:
            return LimitFault(fault.message, text=prompt)

    def _trial(self, added: dict[str, Any]) -> str:
        """Return the response to a request whose body has something added, to find out what the server takes."""
        body = {"model": self._framing.choice.name, "temperature": 0, "max_tokens": _TRIAL_TOKENS}
        if self._framing.choice.api == "chat":
            body["messages"] = [{"role": "user", "content": TRIAL_PROMPT}]
        else:
            body["prompt"] = TRIAL_PROMPT
        return self._entry(TRIAL_PROMPT, body | added).text

    def _entry(self, prompt: str, body: dict[str, Any]) -> Entry:
        """Return the response to a prompt, from the ledger or from the endpoint."""
        key = key_of(self._endpoint.url, body)
        entry = self._ledger.reuse(key)
        if entry is not None:
            return entry
        self._ledger.reserve()
        began = time.monotonic()
        try:
            document = self._endpoint.post(body)
            found = only_choice(document)
            if found is None:
                raise self._endpoint.failure("sent a document without one response", words_of(document))
        except BaseException:
            self._ledger.release()
            raise
        seconds = time.monotonic() - began
        return self._ledger.record(key, prompt, *found, document.get("usage"), seconds)

    def _taken(self, entry: Entry) -> Response:
        """Return a response, if it is whole."""
        most = self._framing.choice.max_tokens
        if entry.reason == "length":
            limit = f"after {counted(most, 'token')} (max_tokens)" if most else "by the server"
            where = ", while the model was reasoning" if only_reasons(entry.text) else ""
            return LimitFault(f"the response was cut off {limit}{where}", text=entry.text)
        if entry.reason not in _WHOLE:
            return ProtocolFault(f"the response ended with the reason {quoted(entry.reason, 40)}", text=entry.text)
        text = without_reasoning(entry.text)
        return self._constraint.target(text) if isinstance(text, str) else text

    def describe(self) -> str:
        choice = self._framing.choice
        shown = f", {counted(choice.shots, 'example')}" if choice.shots else ""
        spent = self._ledger.summary()
        shown += self._constraint.describe()
        found = f"{super().describe()} ({choice.api} at {self._endpoint.url}{shown})"
        return f"{found}; {spent}" if spent else found


def open_model(setting: Setting, text: str) -> EndpointModel:
    """Make the model that `openai:TEXT` chooses; nothing is sent yet, but to find out whether the server takes a
    grammar. UsageError if the choice is malformed, there is
    no key or too few examples; ArtefactError if the ledger is broken, StorageError if it can't be written.
    """
    choice = Choice.parse(text)
    return EndpointModel(Framing.of(setting, choice), Endpoint(choice), Ledger(choice))
