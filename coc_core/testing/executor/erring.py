"""Models that are wrong now and then, each in its own way; and one that changes its mind."""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from coc_core.errors import NumericFault
from coc_core.memories import Convention
from coc_core.models import DraftVerifier, Model
from coc_core.testing.drafts import before_a_fault, until_wrong
from coc_core.testing.spoilt import HOSTILE, spoilt
from coc_core.testing.taught import left_undone, left_undone_or_once, right_answer

Spoken = Convention[Any, Any]
Way = Callable[[random.Random, str, str, Spoken], str]
"""What is said instead of a right answer, to a prompt."""


class Erring(Model):
    """The policy, but wrong about a share of all prompts: always about the same ones and in the same way."""

    name = "erring"

    def __init__(self, convention: Spoken, way: str = "spoilt", share: float = 0, seed: int = 0) -> None:
        super().__init__()
        self._convention, self._way, self._share, self._seed = convention, WAYS[way], share, seed

    def _complete(self, prompts: Sequence[str], drafts: Sequence[str] | None) -> list[str]:
        return [self._answer(prompt) for prompt in prompts]

    def _answer(self, prompt: str) -> str:
        rng = random.Random(f"{self._seed} {prompt}")
        right = right_answer(self._convention, prompt)
        return right if rng.random() >= self._share else self._way(rng, right, prompt, self._convention)


class Stopping(Erring, DraftVerifier):
    """The same, and when drafts are verified it stops after the first wrong one, or before a fault."""

    name = "stopping"

    def _verify(self, prompts: Sequence[str], drafts: Sequence[str]) -> list[str]:
        return until_wrong(before_a_fault(map(self._answer, prompts)), drafts, may_stop=True)


class Moody(Model):
    """Leaves an instruction undone when it is first asked about a prompt, and answers rightly the second time."""

    name = "moody"
    deterministic = False

    def __init__(self, convention: Spoken) -> None:
        super().__init__()
        self._convention = convention
        self._asked = set[str]()

    def _complete(self, prompts: Sequence[str], drafts: Sequence[str] | None) -> list[str]:
        return [self._answer(prompt) for prompt in prompts]

    def _answer(self, prompt: str) -> str:
        if prompt in self._asked:
            return self._convention.target_for(prompt)
        self._asked.add(prompt)
        return left_undone(self._convention, prompt, 1)


class Failing(Model):
    """The policy, until it is asked for the answer number `last`: then it raises, and `raised` says so."""

    name = "failing"

    def __init__(self, convention: Spoken, last: int, error: BaseException) -> None:
        super().__init__()
        self._convention, self._left, self._error = convention, last, error
        self.raised = False

    def _complete(self, prompts: Sequence[str], drafts: Sequence[str] | None) -> list[str]:
        self._left -= len(prompts)
        if self._left <= 0:
            self.raised = True
            raise self._error
        return [right_answer(self._convention, prompt) for prompt in prompts]


def _spoilt(rng: random.Random, right: str, prompt: str, convention: Spoken) -> str:
    return spoilt(right, rng)


def _cut(rng: random.Random, right: str, prompt: str, convention: Spoken) -> str:
    return right[: rng.randrange(len(right))]


def _silent(rng: random.Random, right: str, prompt: str, convention: Spoken) -> str:
    return ""


def _hostile(rng: random.Random, right: str, prompt: str, convention: Spoken) -> str:
    return rng.choice(HOSTILE)


def _turning(rng: random.Random, right: str, prompt: str, convention: Spoken) -> str:
    """The same instruction once more, or twice, where a step can leave two."""
    return left_undone_or_once(convention, prompt, rng.randint(1, 2))


def _forgetful(rng: random.Random, right: str, prompt: str, convention: Spoken) -> str:
    """Well written, but one line short: often an action that can't be done, or a plan that ends early."""
    lines = right.split("\n")
    return "\n".join(lines[:-1] or lines)


def _breaking(rng: random.Random, right: str, prompt: str, convention: Spoken) -> str:
    raise NumericFault("no finite logits", text=prompt[:5])


WAYS: Mapping[str, Way] = {
    "spoilt": _spoilt,
    "cut": _cut,
    "silent": _silent,
    "hostile": _hostile,
    "turning": _turning,
    "forgetful": _forgetful,
    "breaking": _breaking,
}
