"""How runs ended: of one problem, and of all problems of a size."""

import json
from enum import StrEnum, auto
from gzip import GzipFile
from io import BytesIO
from typing import Any

from attrs import asdict, define, frozen

from coc_core.domain import PlanFormat, PlanWriter
from coc_core.errors import ArtefactError
from coc_core.execution import StepRecord
from coc_core.storage import parse_json_object, read_document
from coc_core.types import Amount, Count, Status
from coc_learn.measure.interval import wilson


class Expected(StrEnum):
    """How a run should end."""

    solved = auto()
    unsolvable = auto()


@frozen
class Failure:
    """A problem that was not solved: its text, and where and why the run ended, at the step that failed or else the
    last one. `seed` is None for a problem that was not drawn by one, `kind` without a fault; `source` says where a
    problem of the user's comes from.
    """

    n: int
    seed: int | None
    problem: str
    status: Status
    step: int
    kind: str | None
    message: str
    source: str = ""


def split(right: int, wrong: int, malformed: int) -> dict[str, int]:
    """Return how many of some responses, or runs, were right, and of the others, in how many the form was wrong."""
    return {"right": right, "wrong_form": malformed, "wrong_content": wrong - malformed}


@define
class Score:
    """The totals of the runs of one size. `successes` ended as they should: solved, or, where that is expected, found
    `unsolvable`. `ratios` is the sum of the plans' physical lengths divided by the optimum, over the `compared`
    problems: those that were solved and did not start at the goal.
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

    def document(self) -> dict[str, Any]:
        """Return the totals as plain data."""
        return {
            **asdict(self, filter=lambda field, _: field.name not in ("ratios", "compared")),
            "rate": self.rate,
            "interval": list(self.interval),
            "seconds": round(self.seconds, 6),
            "optimal_ratio": self.ratio,
        }


@frozen
class Result:
    """How the run of one problem of the user's ended: the score of it alone, and the failure if it failed."""

    source: str
    problem: str
    score: Score
    failure: Failure | None = None

    @property
    def line(self) -> bytes:
        """The line of a folder of plans that `parse` reads."""
        document = asdict(self, filter=lambda field, _: field.name not in ("plan", "malformed"))
        return json.dumps(document).encode() + b"\n"

    @classmethod
    def parse(cls, line: bytes, where: str) -> "Result":
        """Return the result in a line; ArtefactError, which says where the line is, unless coc writes such ones."""
        found = read_document(Result, parse_json_object(line, where), where)
        score, failure = found.score, found.failure
        if (score.instances, score.successes) != (1, failure is None) or (failure and failure.seed is not None):
            raise ArtefactError(f"{where} is not a result as coc writes it")
        return found


@frozen
class Ended(Result):
    """A result with the plan, packed by `PlanPacker`, if there is one; and whether the run ended with a response that
    is not of the dialect's grammar.
    """

    plan: bytes | None = None
    malformed: bool = False


class PlanPacker:
    """Packs the plan of a run, in a format, while it goes on: `listen` is its listener."""

    def __init__(self, form: PlanFormat[Any, Any, Any]) -> None:
        self._packed = BytesIO()
        self._file = GzipFile(mode="wb", fileobj=self._packed, compresslevel=1)  # plans repeat themselves
        self._writer = PlanWriter(form, self._file.write)

    def listen(self, record: StepRecord) -> None:
        """Add the actions of a step."""
        self._writer.add(record.before, record.actions)

    def packed(self) -> bytes:
        """Return the plan, as `gzip` packs it, after the last step."""
        self._writer.close()
        self._file.close()
        return self._packed.getvalue()
