"""How runs ended: of one problem, and of all problems of a size."""

from enum import StrEnum, auto

from attrs import asdict, define, frozen

from coc_core.types import Amount, Count, Status
from coc_learn.measure.batch.packed import PackedPlan
from coc_learn.measure.interval import wilson


class Expected(StrEnum):
    """How a run should end."""

    solved = auto()
    unsolvable = auto()


@frozen
class Failure:
    """A problem that was not solved: its text, and where and why the run ended.

    `step` is the step that failed or, if the run halted without reaching the goal, the last step. `seed` is None for a
    problem that was not drawn by a seed. `kind` is the kind of fault, None if there was no fault. `source` says where a
    problem of the user's comes from; it is empty for all others.
    """

    n: int
    seed: int | None
    problem: str
    status: Status
    step: int
    kind: str | None
    message: str
    source: str = ""


@define
class Score:
    """The totals of the runs of one size: model calls in prompts, `seconds` in wall time.

    `successes` are the runs that ended as they should: solved, or, where that is expected, found `unsolvable`. `ratios`
    is the sum of the plans' physical lengths divided by the optimum, over the `compared` problems: those that
    were solved and did not start at the goal.
    """

    n: Count
    instances: Count = 0
    successes: Count = 0
    steps: Count = 0
    actions: Count = 0
    model_calls: Count = 0
    seconds: Amount = 0.0
    ratios: Amount = 0.0
    compared: Count = 0
    unsolvable: Count = 0

    @property
    def rate(self) -> float | None:
        """The fraction of problems that were solved; None if none has ended."""
        return self.successes / self.instances if self.instances else None

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% Wilson interval of the rate."""
        return wilson(self.successes, self.instances)

    @property
    def ratio(self) -> float | None:
        """The mean of a plan's length divided by the optimum; None if no plan was compared."""
        return self.ratios / self.compared if self.compared else None

    def add(self, other: "Score") -> None:
        """Add the totals of other runs."""
        for name, value in asdict(other).items():
            if name != "n":
                setattr(self, name, getattr(self, name) + value)


@frozen
class Ended:
    """How the run of one problem of the user's ended: the score of it alone, and the failure or the packed plan."""

    source: str
    problem: str
    score: Score
    failure: Failure | None = None
    plan: PackedPlan | None = None
