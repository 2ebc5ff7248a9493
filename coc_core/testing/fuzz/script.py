"""A model that follows a script: right but where it is told what to say."""

import sys
from collections import Counter
from collections.abc import Sequence
from itertools import chain, takewhile
from typing import Any

from coc_core.errors import NumericFault
from coc_core.memories import Convention
from coc_core.models import DraftVerifier
from coc_core.testing.drafts import until_wrong
from coc_core.testing.fuzz.case import Answers
from coc_core.testing.taught import right_answer


class Script(DraftVerifier):
    """The reference model, but for the prompts that `answers` has.

    It may be asked `most` prompts, and then raises RuntimeError: an executor that asks for ever comes to an end. A
    guess that is wrong stops it early (`Model.verify`). If `calls_left` is set it raises `Cutoff`, one time, once
    that many prompts were asked, and sets `cut_off`.
    """

    name = "script"

    def __init__(self, convention: Convention[Any, Any], answers: Answers, most: int = sys.maxsize) -> None:
        super().__init__()
        self.calls_left: int | None = None
        self.cut_off = False
        self._convention = convention
        self._answers = answers
        self._asked: Counter[str] = Counter()
        self._most = most

    def _complete(self, prompts: Sequence[str], drafts: Sequence[str] | None) -> list[str]:
        return [self._answer(prompt) for prompt in prompts]

    def _verify(self, prompts: Sequence[str], drafts: Sequence[str]) -> list[str]:
        rest = takewhile(lambda prompt: self._answers.get(prompt, ("",))[0] is not None, prompts[1:])
        return until_wrong(map(self._answer, chain(prompts[:1], rest)), drafts, may_stop=True)

    def _answer(self, prompt: str) -> str:
        if self._asked.total() == self.calls_left and not self.cut_off:
            self.cut_off = True
            raise Cutoff
        if self._asked.total() >= self._most:
            raise RuntimeError(f"asked for more than {self._most} answers")
        texts = self._answers.get(prompt)
        nth = self._asked[prompt]
        self._asked[prompt] += 1
        if texts is None:
            return right_answer(self._convention, prompt)
        text = texts[min(nth, len(texts) - 1)]
        if text is None:
            raise NumericFault("no finite logits")
        return text


class FickleScript(Script):
    """The same, which owns up to answering a prompt in more than one way."""

    name = "fickle-script"
    deterministic = False


class Cutoff(KeyboardInterrupt):
    """A Ctrl-C that nobody pressed."""
