"""Models that respond by a script, or as the policy does but for scripted prompts, and the ways to respond wrongly."""

import random
import sys
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from coc_check import hostile
from coc_core.errors import NumericFault, StepFault
from coc_core.memories import Convention
from coc_core.models import DraftVerifier, Model, Response, Sampler
from coc_core.types import Step


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
    time, an interruption once. Where drafts are verified, it stops after the first that is wrong, or before a fault.

    Attributes:
        faulty_calls: How many calls of several prompts are faults, from now on.
        failed: Whether it has raised its failure.
        pairs: Each prompt with each of its responses so far.
    """

    name = "scripted-policy"
    faulty_calls = 0
    failed = False

    def __init__(
        self,
        convention: Convention[Any, Any],
        responses: Mapping[str, tuple[str | None, ...]],
        most: int = sys.maxsize,
        failure: tuple[BaseException, int] = (KeyboardInterrupt(), sys.maxsize),
    ) -> None:
        super().__init__()
        self.responses, self.pairs, self._seen = responses, set[tuple[str, str]](), Counter[str]()
        self._convention, self._most, self._failure = convention, most, failure

    def _complete(self, prompts: Sequence[str], drafts: Sequence[str] | None) -> list[str]:
        self._break_down(prompts)
        return super()._complete(prompts, drafts)

    def _verify(self, prompts: Sequence[str], drafts: Sequence[str]) -> list[str]:
        self._break_down(prompts)
        return self._counted(until_wrong(before_a_fault(map(self._respond, prompts)), drafts))

    def _break_down(self, prompts: Sequence[str]) -> None:
        if len(prompts) > 1 and self.faulty_calls:
            self.faulty_calls -= 1
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


class VotingPolicy(ScriptedPolicy, Sampler):
    """A scripted policy that can be sampled. The fourth of eight responses to a prompt that has no script is wrong."""

    name = "voting-policy"

    def _sample(self, prompts: Sequence[str], seeds: Sequence[int]) -> list[Response]:
        self.written += len(prompts)
        return [self._draw(prompt) for prompt in prompts]

    def _draw(self, prompt: str) -> Response:
        try:
            response = self._respond(prompt)
        except NumericFault as fault:
            return fault
        if self._seen[prompt] % 8 == 4 and prompt not in self.responses:
            response = response[:-1]
            self.pairs.add((prompt, response))
        return response


NO_TARGET = "I can't say."
"""The response where the policy knows no target, because a wrong one led there."""


def right_target(convention: Convention[Any, Any], prompt: str) -> str:
    """Return the policy's target, or a text that is not one."""
    try:
        return convention.target_for(prompt)
    except Exception:  # whatever a policy raises about an instruction that it would never write
        return NO_TARGET


def left_undone(convention: Convention[Any, Any], prompt: str, times: int) -> str:
    """Return a target that does nothing and leaves the same instruction to be done that many times, or once.

    ValueError if `prompt` is not a prompt of this convention.
    """
    instruction, registers = convention.parse_prompt(prompt)
    try:
        return convention.format(convention.compose(Step(then=times * (instruction,)), registers))
    except TypeError:  # a step of this convention can't leave that many
        return convention.format(convention.compose(Step(then=(instruction,)), registers))


MISTAKES: Mapping[str, Callable[[random.Random, str, str, Convention[Any, Any]], str | None]] = {
    "undone": lambda rng, right, prompt, convention: left_undone(convention, prompt, rng.randint(1, 2)),
    "nothing": lambda rng, right, prompt, convention: left_undone(convention, prompt, 0),
    "shortened": lambda rng, right, prompt, convention: right.rpartition("\n")[0] or right.rpartition(" ")[0],
    "mutated": lambda rng, right, prompt, convention: hostile.mutated(right, rng),
    "hostile": lambda rng, right, prompt, convention: rng.choice((*hostile.TEXTS, "x" * 601)),
    "numeric": lambda rng, right, prompt, convention: None,
}
"""The ways to be wrong: what takes the place of a right target, given that, its prompt and the convention.

    undone, nothing  nothing is done, and the same instruction comes again or twice, or nothing comes
    shortened        the last line or word is missing: often a wrong action, or a plan that ends early
    mutated          it is damaged in any way
    hostile          there is a text that no policy writes, none, or one that is too long
    numeric          None: the model's arithmetic breaks down
"""
