"""The convention of the transcript: the targets of a stack, and prompts that hold everything written so far."""

from collections.abc import Sequence
from typing import Any

from coc_core.arithmetic import Notation
from coc_core.domain import Domain
from coc_core.errors import ProtocolFault
from coc_core.memories import Convention, ParsedTarget, StackConvention, Target
from coc_core.text import quoted
from coc_core.types import Limits, Registers, Step
from coc_paper.transcript.memory import BREAK, Entry


class TranscriptConvention(Convention[str, Entry]):
    """The model reads the first prompt and every target so far, and writes the next target.

    Which instruction comes next follows from the transcript, and the model has to find it there: each target runs the
    instruction that was pushed last, and pushes those that follow, as on a stack.
    """

    name = "transcript"
    wording = StackConvention.name
    defaults = StackConvention.defaults
    growing_prompts = True

    def __init__(self, domain: Domain[Any, Any, Any, Any], notation: Notation, limits: Limits = Limits()) -> None:
        super().__init__(domain, notation, limits)
        self.memoryless = False
        self.dialect = f"{domain.name}/{self.name}"  # without addresses both notations are the same
        self.match_prompt = self._match_transcript
        self._stack = StackConvention(domain, notation, limits)

    def _window(self, instruction: str) -> str:
        return self._instruction_prompt(instruction)

    def prompt(self, window: str) -> str:
        return window

    def write(self, target: ParsedTarget, window: str, numbers: Sequence[int]) -> Entry:
        if BREAK in target.text:
            raise ProtocolFault("the target holds an empty line", text=target.text, offset=target.text.index(BREAK))
        return Entry(target.text, len(target.windows))

    def compose(self, step: Step[Any, Any], registers: Registers) -> Target:
        return self._stack.compose(step, registers)

    def _match_transcript(self, prompt: str) -> dict[str, str] | None:
        """Return the instruction that is next after all targets of a transcript; ValueError for a text that is not
        one.
        """
        first, *targets = prompt.split(BREAK)
        found = self.surface.prompt.match(first)
        if found is None:
            return None
        pending = [found["instruction"]]
        self.domain.instructions.parse(pending[0])
        for text in targets:
            if not pending:
                raise ValueError(f"the transcript goes on after its last step, with {quoted(text)}")
            pending.pop()
            try:
                pending += self.parse(text).windows
            except ProtocolFault as fault:
                raise ValueError(f"{quoted(text)} is not a target: {fault.message}") from None
        if not pending:
            raise ValueError("the transcript has no instruction that is still to be run")
        return {"instruction": pending[-1]}
