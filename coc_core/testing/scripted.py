"""A model that answers by a script."""

from collections.abc import Mapping, Sequence

from coc_core.errors import StepFault
from coc_core.models import DraftVerifier
from coc_core.testing.drafts import until_wrong

Answer = str | StepFault
"""What a model says, or the fault that it raises instead."""


class Scripted(DraftVerifier):
    """Answers each prompt with its text in a mapping, or one prompt after the other with the texts of a sequence.

    `asked` has the prompts so far. A prompt that the script has no answer to is an AssertionError. A guess that is
    wrong stops it early (`Model.verify`), so an executor that looks ahead takes no more of a sequence than it uses.
    """

    name = "scripted"

    def __init__(self, script: Mapping[str, Answer] | Sequence[Answer]) -> None:
        super().__init__()
        self.asked: list[str] = []
        self._by_prompt = script if isinstance(script, Mapping) else None
        self._in_order = iter(() if isinstance(script, Mapping) else script)

    def _complete(self, prompts: Sequence[str], drafts: Sequence[str] | None) -> list[str]:
        return [self._answer(prompt) for prompt in prompts]

    def _verify(self, prompts: Sequence[str], drafts: Sequence[str]) -> list[str]:
        return until_wrong(map(self._answer, prompts), drafts)

    def _answer(self, prompt: str) -> str:
        self.asked.append(prompt)
        answer = next(self._in_order, None) if self._by_prompt is None else self._by_prompt.get(prompt)
        if answer is None:
            raise AssertionError(f"the script has no answer to {prompt!r}, the prompt number {len(self.asked)}")
        if isinstance(answer, StepFault):
            raise answer
        return answer
