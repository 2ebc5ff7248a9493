"""Models that are wrong about a share of all prompts, each in its own way; and one that changes its mind."""

import random
from typing import Any

from coc_check.scripted import PromptByPrompt, StopsEarly
from coc_check.texts.responses import WAYS, left_undone, right_target
from coc_core.errors import NumericFault
from coc_core.memories import Convention


class Erring(PromptByPrompt):
    """The policy, but wrong about a share of all prompts: always about the same ones and in the same way."""

    name = "erring"

    def __init__(self, convention: Convention[Any, Any], way: str = "mutated", share: float = 0, seed: int = 0) -> None:
        super().__init__()
        self._convention, self._way, self._share, self._seed = convention, WAYS[way], share, seed

    def _respond(self, prompt: str) -> str:
        rng = random.Random(f"{self._seed} {prompt}")
        right = right_target(self._convention, prompt)
        target = right if rng.random() >= self._share else self._way(rng, right, prompt, self._convention)
        if target is None:
            raise NumericFault("no finite logits", text=prompt[:5])
        return target


class ErringVerifier(Erring, StopsEarly):
    """The same, and when drafts are verified it stops after the first wrong one, or before a fault."""

    name = "erring-verifier"


class Nondeterministic(PromptByPrompt):
    """Leaves an instruction undone when its prompt comes first, and responds rightly the second time."""

    name = "nondeterministic"
    deterministic = False

    def __init__(self, convention: Convention[Any, Any]) -> None:
        super().__init__()
        self._convention = convention
        self._seen = set[str]()

    def _respond(self, prompt: str) -> str:
        if prompt in self._seen:
            return self._convention.target_for(prompt)
        self._seen.add(prompt)
        return left_undone(self._convention, prompt, 1)
