"""Procedure summaries: what a window of a stack leads to, until it and all that was written for it are gone.

If prompts depend on the instruction alone, this depends on the instruction alone, too. So it is computed once for each
prompt, from the summaries of the prompts that its target writes.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from attrs import field, frozen

from coc_core.domain import HasOperators, Operator, compose


@frozen(eq=False)
class ProcedureSummary:
    """The steps that a window leads to, all of them without a fault in every state where `operator` is applicable.

    Attributes:
        body: The actions of the first step, then the summaries of the windows that it writes, in the order in which
            they run.
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
        cls, domain: HasOperators[Any, Any], actions: Sequence[Any], following: Sequence["ProcedureSummary"]
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
    def __call__(self, record: Any) -> None:
        """Receive the record of a step that was taken (`coc_core.execution.StepRecord`)."""

    @abstractmethod
    def skip(self, summary: ProcedureSummary) -> None:
        """Receive what the steps do that were skipped, after those before them."""
