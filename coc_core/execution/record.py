"""What a listener receives: the record of a step that was taken, and the summary of steps that were skipped.

A procedure summary says what a window of a stack leads to, until it and all that was written for it are gone. If
prompts depend on the instruction alone, this depends on the instruction alone, too. So it is computed once for each
prompt, from the summaries of the prompts that its target writes.
"""

import reprlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple

from attrs import field, frozen

from coc_core.domain import HasOperators, Operator, compose
from coc_core.memories import Memory


class StepRecord(NamedTuple):
    """One committed step.

    Attributes:
        step: Its number, counted from 1.
        prompt: What the model read.
        target: What it wrote.
        actions: The domain's actions in the target. In a record read from a run file without a replay, their texts.
        pointer: The pointer of the memory after the step, -1 once it has halted.
        numbers: The results of the arithmetic, if it knows that one of them is wrong.
        window: What the step read. This field and the following are None in a record read without a replay.
        before: The state of the domain before the step.
        after: The state of the domain after the step.
        memory: The memory.
        contents: What the memory holds after the step.
    """

    step: int
    prompt: str
    target: str
    actions: tuple[Any, ...]
    pointer: int
    numbers: tuple[int, ...] | None = None
    window: Any = None
    before: Any = None
    after: Any = None
    memory: Memory[Any, Any, Any] | None = None
    contents: Any = None

    def __repr__(self) -> str:
        prompt, target = map(reprlib.repr, (self.prompt, self.target))
        return f"StepRecord(step={self.step}, prompt={prompt}, target={target}, {len(self.actions)} actions)"

    @property
    def windows(self) -> Sequence[str]:
        """The windows of the memory after the step, oldest first; empty without a memory."""
        return () if self.memory is None else self.memory.windows(self.contents)


@frozen(eq=False)
class ProcedureSummary:
    """The steps that a window leads to, all of them without a fault in every state where `operator` is applicable.

    Attributes:
        body: The actions of the first step, then the summaries of the windows that it writes, as they run.
        operator: What the actions need and set.
        actions: The number of actions.
        steps: The number of steps.
        depth: The largest number of windows on the way, from this one up.
        width: The largest number of windows that one of the steps writes.
    """

    body: tuple[Any, ...] = field(repr=False)
    operator: Operator = field(repr=False)
    actions: int
    steps: int
    depth: int
    width: int

    @classmethod
    def of(
        cls, domain: HasOperators[Any, Any, Any, Any], actions: Sequence[Any], following: Sequence["ProcedureSummary"]
    ) -> "ProcedureSummary | None":
        """Summarise a step that takes `actions` and then leads to `following`; None if no state lets it succeed."""
        operators = [domain.operator(action) for action in actions]
        known = [operator for operator in operators if operator is not None]
        if len(known) < len(operators):
            return None
        operator = compose([*known, *(part.operator for part in following)])
        if operator is None:
            return None
        waiting = range(len(following) - 1, -1, -1)  # windows below each of those that follow
        return cls(
            (*actions, *following),
            operator,
            len(actions) + sum(part.actions for part in following),
            1 + sum(part.steps for part in following),
            max([1, *(below + part.depth for below, part in zip(waiting, following, strict=True))]),
            max([len(following), *(part.width for part in following)]),
        )


class SummaryListener(ABC):
    """A listener that does not need to know of every step: it accepts the summary of those that were skipped."""

    @abstractmethod
    def __call__(self, record: StepRecord) -> None:
        """Receive the record of a step that was taken."""

    @abstractmethod
    def skip(self, summary: ProcedureSummary) -> None:
        """Receive what the steps do that were skipped, after those before them."""
