"""Models that respond to one prompt after the other, by a script, or as the policy does but for scripted prompts."""

import sys
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from coc_check.responses import right_target
from coc_core.errors import NumericFault, StepFault
from coc_core.memories import Convention
from coc_core.models import DraftVerifier, Model

Response = str | StepFault
"""A target, or the fault that is raised in its place."""


def until_wrong(responses: Iterable[str], drafts: Sequence[str]) -> list[str]:
    """Return the responses up to the first that is not its draft. Those after it are not computed."""
    found: list[str] = []
    for draft, response in zip(drafts, responses, strict=False):
        found.append(response)
        if response != draft:
            break
    return found


def before_a_fault(responses: Iterable[str]) -> Iterator[str]:
    """Yield the responses until one is a NumericFault, which is raised if it is the first."""
    left = iter(responses)
    yield from islice(left, 1)
    try:
        yield from left
    except NumericFault:
        return


class PromptByPrompt(Model):
    """A model that responds to each prompt alone. `written` has the number of targets returned, as `calls` should."""

    written = 0

    def _complete(self, prompts: Sequence[str], drafts: Sequence[str] | None) -> list[str]:
        return self._counted([self._respond(prompt) for prompt in prompts])

    def _counted(self, targets: list[str]) -> list[str]:
        self.written += len(targets)
        return targets

    @abstractmethod
    def _respond(self, prompt: str) -> str: ...


class Scripted(PromptByPrompt, DraftVerifier):
    """Responds to each prompt with its text in a mapping, or to one after the other with the texts of a sequence.

    `prompts` has the prompts so far. A prompt that the script has no response to is an AssertionError. A wrong draft
    stops it early (`Model.verify`), so an executor that looks ahead takes no more of a sequence than it uses.
    """

    name = "scripted"

    def __init__(self, script: Mapping[str, Response] | Sequence[Response]) -> None:
        super().__init__()
        self.prompts: list[str] = []
        self._script = script if isinstance(script, Mapping) else iter(script)

    def _verify(self, prompts: Sequence[str], drafts: Sequence[str]) -> list[str]:
        return self._counted(until_wrong(map(self._respond, prompts), drafts))

    def _respond(self, prompt: str) -> str:
        self.prompts.append(prompt)
        try:
            response = self._script[prompt] if isinstance(self._script, Mapping) else next(self._script)
        except (KeyError, StopIteration):
            number = len(self.prompts)
            raise AssertionError(f"the script has no response to {prompt!r}, the prompt number {number}") from None
        if isinstance(response, StepFault):
            raise response
        return response


class ScriptedPolicy(PromptByPrompt, DraftVerifier):
    """The policy, but for the prompts in `responses`, which has its texts for when a prompt comes first, again, ...

    None is a NumericFault, and the last text is for ever. After `most` prompts it raises RuntimeError, so that an
    executor that calls it for ever comes to an end. `failure` is what it raises after so many prompts: an error each
    time, an interruption once. `failed` says whether it has. The first `faulty_calls` of several prompts are faults.
    `pairs` has each prompt with each of its responses so far. Where drafts are verified, it stops after the first that
    is wrong, or before a fault.
    """

    name = "scripted-policy"

    def __init__(
        self,
        convention: Convention[Any, Any],
        responses: Mapping[str, tuple[str | None, ...]],
        most: int = sys.maxsize,
        failure: tuple[BaseException, int] = (KeyboardInterrupt(), sys.maxsize),
        faulty_calls: int = 0,
    ) -> None:
        super().__init__()
        self.failed, self.responses, self.pairs = False, responses, set[tuple[str, str]]()
        self._convention, self._most, self._failure, self._faulty_calls = convention, most, failure, faulty_calls
        self._seen = Counter[str]()

    def _complete(self, prompts: Sequence[str], drafts: Sequence[str] | None) -> list[str]:
        self._break_down(prompts)
        return super()._complete(prompts, drafts)

    def _verify(self, prompts: Sequence[str], drafts: Sequence[str]) -> list[str]:
        self._break_down(prompts)
        return self._counted(until_wrong(before_a_fault(map(self._respond, prompts)), drafts))

    def _break_down(self, prompts: Sequence[str]) -> None:
        if len(prompts) > 1 and self._faulty_calls:
            self._faulty_calls -= 1
            raise NumericFault("no finite logits")

    def _respond(self, prompt: str) -> str:
        total, (error, place) = self._seen.total(), self._failure
        if total >= place and (isinstance(error, Exception) or not self.failed):
            self.failed = True
            raise error
        if total >= self._most:
            raise RuntimeError(f"called for more than {self._most} targets")
        texts, nth = self.responses.get(prompt), self._seen[prompt]
        self._seen[prompt] += 1
        text = right_target(self._convention, prompt) if texts is None else texts[min(nth, len(texts) - 1)]
        if text is None:
            raise NumericFault("no finite logits")
        self.pairs.add((prompt, text))
        return text

    def __repr__(self) -> str:
        return f"ScriptedPolicy({dict(self.responses)!r})"
