"""`coc.evaluate`: how many problems a model solves; and what comes of it."""

import json
from pathlib import Path
from typing import Any

from attrs import evolve

from coc_core.api import html, open_registry, warn
from coc_core.models import outside
from coc_core.options import PathLike, takes
from coc_core.plugin import ExecutorSpec, Registry
from coc_learn.measure.ended import Failure, Score
from coc_learn.measure.interval import percent
from coc_learn.measure.plans import check_plans, kept_plans
from coc_learn.measure.shards import EvalOptions, open_workers
from coc_learn.measure.success import Evaluation
from coc_problems import GivenProblems, Problems, chosen_problems, write_table


class EvaluationReport:
    """How many problems were solved, by size. Make one with `coc.evaluate`.

    Attributes:
        rows: A dictionary for each size: `n`, `instances`, `successes`, `rate` with its 95% Wilson interval from `low`
            to `high`, `steps`, `actions`, `model_calls`, `seconds`, the `unsolvable` ones and, if the plans were
            compared with the shortest ones, the mean `optimal_ratio` of their lengths.
        failures: The problems that were not solved, each with where and why.
        total: The score of all sizes together, with n = 0.
    """

    def __init__(self, evaluation: Evaluation, problems: Problems | GivenProblems) -> None:
        self.setting = evaluation.setting
        self.rows: list[dict[str, Any]] = list(map(_row, evaluation.scores.values()))
        self.failures: list[Failure] = evaluation.failures
        self.total = evaluation.total
        self._evaluation = evaluation
        self._problems = problems

    def heading(self) -> dict[str, Any]:
        """Return what was evaluated, as plain data."""
        setting, problems = self.setting, self._problems
        return {
            "domain": setting.domain.name,
            "memory": setting.memory.name,
            "arith": setting.arithmetic.name,
            "executor": self._evaluation.executor.name,
            "executor_used": self._evaluation.used,
            "model": self._evaluation.model.describe(),
            "arith_model": setting.arith_model.describe() if setting.arith_model else None,
            **problems.document(),
            "expect": str(self._evaluation.expect),
        }

    def to_json(self) -> str:
        """Return the report as one JSON document, as `coc eval --json` prints it."""
        return json.dumps(self.heading() | self._evaluation.document())

    def to_csv(self, path: PathLike) -> None:
        """Write the rows to a file, under a line with their names; StorageError if it can't be written."""
        write_table(Path(path), list(_row(Score(0))), self.rows)

    def __repr__(self) -> str:
        return f"<EvaluationReport: {self.title:.60}: {self.total.successes:,} of {self.total.instances:,} solved>"

    def table(self) -> tuple[list[str], list[list[str]]]:
        """Return the headings and the rows of a table: each size, and all together if there are several."""
        evaluation = self._evaluation
        headings = ["n", str(evaluation.expect), "of", "rate", "95% interval", "steps", "model calls"]
        scores = [(str(n), score, [n]) for n, score in evaluation.scores.items()]
        if len(scores) > 1:
            scores.append(("all", self.total, list(evaluation.scores)))
        rows = []
        for name, score, sizes in scores:
            has_interval = score.rate is not None and self._problems.sampled(sizes)
            cells = [name, f"{score.successes:,}", f"{score.instances:,}", percent(score.rate)]
            low, high = score.interval
            cells += [f"{100 * low:.1f} – {100 * high:.1f}%" if has_interval else "–", f"{score.steps:,}"]
            ratio = "–" if score.ratio is None else f"{score.ratio:.3f}"
            rows.append([*cells, f"{score.model_calls:,}", *[ratio] * evaluation.optimal])
        return headings + ["length / optimum"] * evaluation.optimal, rows

    def _repr_html_(self) -> str:
        solved = f"{self.total.successes:,} of {self.total.instances:,} solved"
        return html.paragraph(solved, self.title) + html.table(*self.table())

    @property
    def title(self) -> str:
        """Where the problems were run, in words."""
        setting = self.setting
        return f"{setting.domain.name} on {setting.memory.name} with {setting.arithmetic.name} arithmetic"


@takes(EvalOptions, "domain", "sizes", "instances")
def evaluate(options: EvalOptions) -> EvaluationReport:
    """Measure how many problems a model solves, as `coc eval` does.

    A script that has workers needs `if __name__ == "__main__":`, as for every use of `multiprocessing`.

    Raises:
        UsageError: The choices make no sense.
        WorkerError: Some problems could not be run, since every worker that tried was lost.
        ArtefactError: A checkpoint is broken.
        PluginError: A plugin failed to load, or raised during a run.
    """
    registry = open_registry(options.plugins)
    options, chosen, evaluation = prepared(registry, options)
    warn([chosen.note, outside(evaluation.model, chosen.sizes)])
    with (
        open_workers(options, (evaluation.setting, evaluation.model)) as workers,
        kept_plans(evaluation, chosen, options.plans) as left,
    ):
        evaluation.run(left, workers.runs if workers else None)
    return EvaluationReport(evaluation, chosen)


def prepared(
    registry: Registry, options: EvalOptions, *, running: bool = True
) -> tuple[EvalOptions, Problems | GivenProblems, Evaluation]:
    """Open what the options choose: the same options for workers, the problems, and their evaluation, not yet run."""
    setting = options.setting(registry)
    problems = chosen_problems(setting, options)
    problems.check(setting, running=running or not setting.convention.memoryless, optimal=options.optimal)
    runner = registry.create(ExecutorSpec, options.executor)
    model = setting.model(options.model)
    evaluation = Evaluation(setting, model, runner, options.optimal, options.packed_format, expect=options.expect)
    check_plans(problems, options.plans, evaluation)
    return evolve(options, model=model.choice), problems, evaluation  # which names a commit of a repository


def _row(score: Score) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for name, value in score.document().items():
        row |= dict(zip(("low", "high"), value, strict=True)) if name == "interval" else {name: value}
    return row
