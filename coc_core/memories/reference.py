"""The reference model: the domain's policy behind the model interface.

It reads a prompt and writes the policy's target. It is the teacher of every dataset, the stand-in in tests, and the
standard that a trained model is compared with.
"""

from collections.abc import Sequence
from typing import Any

from coc_core.memories.convention import Convention
from coc_core.models import Model


class Reference(Model):
    """Writes the target of the domain's policy for each prompt."""

    name = "reference"

    def __init__(self, convention: Convention[Any, Any]) -> None:
        super().__init__()
        self._convention = convention

    def _complete(self, prompts: Sequence[str], drafts: Sequence[str] | None) -> list[str]:
        return [self._convention.target_for(prompt) for prompt in prompts]
