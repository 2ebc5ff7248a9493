"""A memory that drops nothing, with its convention, and the convention without a loop."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from attrs import frozen

from coc_core.arithmetic import Notation
from coc_core.domain import Domain
from coc_core.errors import LimitFault, ProtocolFault
from coc_core.memories import Convention, Memory, ParsedTarget, StackConvention, Target
from coc_core.text import quoted
from coc_core.types import Limits, Registers, Step

BREAK = "\n\n"
"""Ends the first prompt and each target but the last. No target holds an empty line."""


@frozen
class Entry:
    """What a step adds to a transcript: its whole target, which leaves so many instructions to be run."""

    text: str
    instructions: int


class Contents(NamedTuple):
    """What a transcript holds: its text, and how many of its instructions are still to be run."""

    text: str
    pending: int


class Transcript(Memory[Contents, str, Entry]):
    """One window: the first prompt and, after it, every target in order. It halts when no instruction is pending.

    `Limits.tape_bytes` limits the text, and `Limits.stack_depth` the number of pending instructions.
    """

    name = "transcript"

    def start(self, first: str) -> Contents:
        return Contents(first, 1)

    def read(self, contents: Contents) -> tuple[int, str] | None:
        return (0, contents.text) if contents.pending else None

    def write(self, contents: Contents, write: Entry) -> Contents:
        limits, text = self.limits, contents.text + BREAK + write.text
        size, pending = len(text.encode()), contents.pending - 1 + write.instructions
        if write.instructions > limits.windows_per_step:
            raise LimitFault(f"a step pushed {write.instructions} windows, the limit is {limits.windows_per_step}")
        if pending > limits.stack_depth:
            raise LimitFault(f"{pending:,} instructions would be pending, the limit is {limits.stack_depth:,}")
        if size > limits.tape_bytes:
            raise LimitFault(f"the transcript would hold {size:,} bytes, the limit is {limits.tape_bytes:,}")
        return Contents(text, pending)

    def windows(self, contents: Contents) -> Sequence[str]:
        return (contents.text,)

    def key(self, contents: Contents) -> tuple[int, None]:
        return -len(contents.text), None  # a transcript grows with each step, so no prompt comes again


class TranscriptConvention(Convention[str, Entry]):
    """The model reads the first prompt and every target so far, and writes the next target, as on a stack.

    Which instruction comes next follows from the transcript, and the model has to find it there: each target runs the
    instruction that was pushed last, and pushes those that follow.
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
        """Return the instruction that is next after all targets; ValueError for a text that is not a transcript."""
        first, *targets = prompt.split(BREAK)
        if (found := self.surface.prompt.match(first)) is None:
            return None
        self.domain.instructions.parse(found["instruction"])
        pending = [found["instruction"]]
        for text in targets:
            if not pending:
                raise ValueError(f"the transcript goes on after its last step, with {quoted(text)}")
            try:
                pending[-1:] = self.parse(text).windows
            except ProtocolFault as fault:
                raise ValueError(f"{quoted(text)} is not a target: {fault.message}") from None
        if not pending:
            raise ValueError("the transcript has no instruction that is still to be run")
        return {"instruction": pending[-1]}


class WholePlanConvention(Convention[str, tuple[str, ...]]):
    """The model reads the problem, and writes all actions and notes of the run, in order.

    A target writes no window, so a run on a stack ends with its first step.
    """

    name = "whole-plan"
    wording = StackConvention.name
    defaults = StackConvention.defaults
    max_writes = 0

    def __init__(self, domain: Domain[Any, Any, Any, Any], notation: Notation, limits: Limits = Limits()) -> None:
        super().__init__(domain, notation, limits)
        self.memoryless = False  # a run has one prompt; those of the instructions that follow are not among its pairs
        self.dialect = f"{domain.name}/{self.name}"  # there are no addresses, so no notation

    def prompt(self, window: str) -> str:
        return self._instruction_prompt(window)

    def write(self, target: ParsedTarget, window: str, numbers: Sequence[int]) -> tuple[str, ...]:
        return target.windows

    def compose(self, step: Step[Any, Any], registers: Registers) -> Target:
        """Return the target for a step and for all that follow from it; LimitFault if that is longer than a target."""
        emits, pending, steps, most = list[Any](), [step], 0, self.limits.target_chars
        while pending and steps <= most:
            step = pending.pop()
            steps += 1
            emits += step.emits
            pending += map(self.domain.expand, reversed(step.then))
        target = Target(tuple(emits))
        if pending or len(self.format(target)) > most:
            raise LimitFault(f"the whole plan does not fit into a target of {most:,} characters")
        return target
