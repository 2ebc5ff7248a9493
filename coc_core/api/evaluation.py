"""`coc.evaluate`: how many problems a model solves; and what comes of it."""

import json
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

from coc_core.api import html
from coc_core.api.parts import open_registry, open_workers
from coc_core.api.plans.kept import check_plans, kept_plans
from coc_core.api.problem_files import GivenProblems, chosen_problems
from coc_core.api.problems import Problems
from coc_core.api.values import Files, PathLike, Sizes, paths, warn, whole
from coc_core.errors import UsageError
from coc_core.evaluation import (
    Choices,
    Evaluation,
    Failure,
    Paired,
    Score,
    paired,
    percent_range,
    score_document,
    success_document,
)
from coc_core.models import on_device, outside
from coc_core.plugin import DEFAULT_FORMAT, ExecutorSpec
from coc_core.storage import write_table
from coc_core.types import Limits


class EvaluationReport:
    """How many problems were solved, by size. Make one with `coc.evaluate`.

    Attributes:
        setting: Where they were run.
        rows: A dictionary for each size: `n`, `instances`, `successes`, `rate` with its 95% Wilson interval from `low`
            to `high`, `steps`, `actions`, `model_calls`, `seconds`, if the plans were compared with the shortest ones
            the mean `optimal_ratio` of their lengths, and `requested`, the number of problems that were to be run.
        failures: The problems that were not solved, each with where and why.
    """

    def __init__(self, evaluation: Evaluation, problems: Problems | GivenProblems) -> None:
        self.setting = evaluation.setting
        self.rows: list[dict[str, Any]] = [_row(evaluation, score) for score in evaluation.scores.values()]
        self.failures: list[Failure] = evaluation.failures
        self.total = evaluation.total
        """The score of all sizes together, with n = 0."""

        self._evaluation = evaluation
        self._problems = problems

    def heading(self) -> dict[str, Any]:
        """What was evaluated, as plain data."""
        setting, problems = self.setting, self._problems
        return {
            "domain": setting.domain.name,
            "memory": setting.memory.name,
            "arith": setting.arithmetic.name,
            "executor": self._evaluation.executor.name,
            "executor_used": self._evaluation.used,
            "model": self._evaluation.model.describe(),
            "arith_model": setting.arith_model.describe() if setting.arith_model else None,
            "arith_mistakes": self._evaluation.mistakes,
            **problems.document(),
        }

    def to_json(self) -> str:
        """The report as one JSON document, as `coc eval --json` prints it."""
        return json.dumps(self.heading() | success_document(self._evaluation))

    def to_csv(self, path: PathLike) -> None:
        """Write the rows to a file, under a line with their names; what is there is replaced.

        Raises:
            StorageError: The file can't be written.
        """
        write_table(Path(path), list(_row(self._evaluation, Score(0))), self.rows)

    def to_pandas(self) -> Any:
        """The rows as a `pandas.DataFrame`.

        Raises:
            UsageError: pandas is not installed; coc does not depend on it.
        """
        try:
            pandas = import_module("pandas")
        except ModuleNotFoundError:
            raise UsageError("a data frame needs pandas", remedy="pip install pandas") from None
        return pandas.DataFrame(self.rows, columns=list(_row(self._evaluation, Score(0))))

    def compare(self, other: "EvaluationReport") -> list[Paired]:
        """Compare with another report on the same problems, size by size: how many were solved by both, one or neither.

        What differs may be the model, the memory, the arithmetic or the executor.

        Raises:
            UsageError: The other report is on other problems, or one of them lists too few of its failures.
        """
        if self._problems != other._problems:
            raise UsageError("two reports can only be compared if both are on the same problems")
        return paired(self._evaluation, other._evaluation)

    def __repr__(self) -> str:
        return f"<EvaluationReport: {self._title:.60}: {self.total.successes:,} of {self.total.instances:,} solved>"

    def _repr_html_(self) -> str:
        solved = f"{self.total.successes:,} of {self.total.instances:,} solved"
        heading = ["n", "solved", "of", "95% interval", "steps", "model calls"]
        rows = [
            [
                str(row["n"]),
                f"{row['successes']:,}",
                f"{row['instances']:,}",
                percent_range(row["low"], row["high"]) if self._problems.sampled([row["n"]]) else "–",
                f"{row['steps']:,}",
                f"{row['model_calls']:,}",
            ]
            for row in self.rows
        ]
        return html.paragraph(solved, self._title) + html.table(heading, rows)

    @property
    def _title(self) -> str:
        setting = self.setting
        return f"{setting.domain.name} on {setting.memory.name} with {setting.arithmetic.name} arithmetic"


def evaluate(
    domain: str,
    sizes: Sizes | None = None,
    instances: int | None = None,
    *,
    problems: PathLike | Iterable[str] | None = None,
    plans: PathLike | None = None,
    plan_format: str = DEFAULT_FORMAT,
    memory: str | None = None,
    arith: str = "symbolic",
    arith_model: str | None = None,
    near_goal: int | None = None,
    split: str | None = None,
    exhaustive: bool = False,
    optimal: bool = False,
    seed: int = 0,
    model: str | None = None,
    device: str | None = None,
    executor: str = "auto",
    max_steps: int = Limits().steps,
    jobs: int | None = None,
    engine: str | None = None,
    engine_address: str | None = None,
    plugins: Files = (),
) -> EvaluationReport:
    """Measure how many problems a model solves, as `coc eval` does.

    Args:
        domain: The puzzle, such as `pancake`; `coc.domains()` lists them.
        sizes: The problem sizes: one, several such as `range(5, 41)`, or a text such as `"1-3,5"`; 8 by default.
        instances: How many problems of each size are drawn, 50 by default, where there are several.
        problems: Your own problems, of which none are drawn then: a file with one on each line, a folder, a pattern
            such as `"mine/*.txt"`, or the texts of the problems.
        plans: Keep the plan of each of these problems in this folder. If it has some already, these are not made again.
        plan_format: The format of these plans, such as `physical` or `json`.
        memory: The memory that keeps the windows; by default the domain's own.
        arith: What computes addresses.
        arith_model: For learned arithmetic, the model that computes addresses, named as for `model`.
        near_goal: Instead of `instances`, how many near-goal problems of each size are drawn.
        split: Which problems are drawn from: `test` (the default), `train` or `all`.
        exhaustive: Whether to run every problem of each size instead.
        optimal: Whether to compare the plans' lengths with the shortest ones, which takes a search for each problem.
        seed: Draws the problems.
        model: A model or a shipped checkpoint by its name, or a checkpoint by its folder.
        device: The device that the model runs on, such as `cpu` or `cuda:1`; the backend chooses by default.
        executor: How the loop is run; `auto` chooses.
        max_steps: How many steps each run may take.
        jobs: How many workers run problems at a time; None and 1 run them in this process. A script that has workers
            needs `if __name__ == "__main__":`, as for every use of `multiprocessing`.
        engine: Where the workers are: `processes` on this machine, by default, or an engine of a plugin.
        engine_address: Where the engine finds them, if it needs to be told.
        plugins: Python files that are plugins, too.

    Raises:
        UsageError: The choices make no sense.
        WorkerError: Some problems could not be run, since every worker that tried was lost.
        ArtefactError: A checkpoint is broken.
        PluginError: A plugin failed to load, or raised during a run.
    """
    registry = open_registry(plugins)
    limits = Limits(steps=whole("--max-steps", max_steps, 1))
    files = tuple(paths(plugins))
    packed = None if plans is None else plan_format
    choices = Choices(domain, memory, arith, limits, arith_model, model, executor, optimal, files, packed)
    with on_device(device):
        setting = choices.setting(registry)
        chosen = chosen_problems(
            setting,
            problems,
            sizes,
            instances=instances,
            near_goal=near_goal,
            split=split,
            exhaustive=exhaustive,
            seed=seed,
        )
        chosen.check(setting, optimal=optimal)
        runner = registry.create(ExecutorSpec, executor)
        evaluation = Evaluation(setting, setting.model(model), runner, optimal, choices.plan_format)
        folder = None if plans is None else Path(plans)
        check_plans(chosen, folder, evaluation)
        warn([outside(evaluation.model, chosen.sizes)])
        with (
            open_workers(registry, choices, jobs, engine, engine_address) as workers,
            kept_plans(evaluation, chosen, folder) as left,
        ):
            evaluation.run(left, workers)
    evaluation.check_lost()
    return EvaluationReport(evaluation, chosen)


def _row(evaluation: Evaluation, score: Score) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for name, value in score_document(evaluation, score).items():
        row |= dict(zip(("low", "high"), value, strict=True)) if name == "interval" else {name: value}
    return row
