"""The convention without a loop: the whole plan in one target."""

from collections.abc import Sequence
from typing import Any

from coc_core.arithmetic import Notation
from coc_core.domain import Domain
from coc_core.errors import LimitFault
from coc_core.memories import Convention, ParsedTarget, StackConvention, Target
from coc_core.types import Limits, Registers, Step


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
