"""The result of `coc eval` for a person: a row for each size, the first failures, and the files."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from coc_core.cli import console
from coc_core.execution import Summary
from coc_core.storage import check_distinct
from coc_core.text import counted, duration, quoted
from coc_learn.measure.ended import Expected, Failure
from coc_learn.measure.evaluate import EvaluationReport
from coc_learn.measure.exactness import Exactness
from coc_learn.measure.figure import Curve, draw_curves
from coc_learn.measure.success import Evaluation
from coc_problems import check_table
from coc_view.drawing import check_figure, write_figure

SHOWN = 10  # failures


def shown(report: EvaluationReport, evaluation: Evaluation) -> Iterator[console.Shown]:
    """Yield the table of the sizes, the sum, and the first failures."""
    total, setting = report.total, report.setting
    headings, rows = report.table()
    rate = headings.index("rate")
    cells = [[(cell, "" if row[rate] == "100%" else "yellow") for cell in row] for row in rows]
    yield [console.table(headings, cells, numbers=len(headings))]
    apart = f", {total.unsolvable:,} unsolvable" if total.unsolvable and evaluation.expect is Expected.solved else ""
    left = f", {evaluation.lost:,} not run" if evaluation.lost else ""
    left += " before the interrupt" if evaluation.interrupted else ""
    how = "proved legal" if evaluation.used == Summary.name else "checked"
    actions = f"{counted(total.actions, 'action')}, {'' if total.actions == 1 else 'all '}{how},"
    yield (
        f"{total.successes:,} of {evaluation.requested(total):,} {evaluation.expect}{apart}{left}:"
        f" {setting.domain.name} on {setting.memory.name} with {setting.arithmetic.name} arithmetic, executor"
        f" {evaluation.used}; {actions} in {duration(total.seconds)}; model: {evaluation.model.describe()}"
    )
    for failure in evaluation.failures[:SHOWN]:
        yield [(_line(failure), "red"), (f"echo '{failure.problem}' | coc run --problem - …", "dim")]
    if evaluation.failed > SHOWN:
        yield [f"and {evaluation.failed - SHOWN:,} more; --json lists them"]


def check_files(figure: Path | None, rows: Path | None) -> None:
    """Check that the files that were asked for can be written.

    Raises:
        UsageError: Both are one file, the figure's name asks for another format, or matplotlib is missing.
        StorageError: One of them can't be written.
    """
    check_distinct({"--plot": [figure] if figure else [], "--csv": [rows] if rows else []}, {})
    if figure:
        check_figure(figure)
    if rows:
        check_table(rows)


def draw(
    path: Path, evaluation: Evaluation, exactness: Exactness | None, sampled: Callable[[Iterable[int]], bool]
) -> None:
    """Draw what was measured; StorageError if the file can't be written."""
    setting, model = evaluation.setting, evaluation.model
    title = f"{setting.domain.name} on {setting.memory.name}, {setting.arithmetic.name} arithmetic"
    solved = [
        (n, score.successes, score.instances)
        for n, score in evaluation.scores.items()
        if evaluation.rate(score) is not None
    ]
    exact = [
        (int(subset.name.removeprefix("n=")), subset.pairs - subset.wrong, subset.pairs)
        for subset in (exactness.subsets if exactness else ())
    ]
    some = sampled(n for n, *_ in solved or exact)
    curves = [Curve("problems solved", solved, some), Curve("prompts answered exactly", exact, some)]
    write_figure(path, lambda form: draw_curves(curves, title, model.trained_sizes, form))


def _line(failure: Failure) -> str:
    where = f"n={failure.n}" + ("" if failure.seed is None else f" seed={failure.seed}")
    where = f"{quoted(failure.source, 60)[1:-1]}, {where}" if failure.source else where
    kind = f"{failure.kind} fault" if failure.kind else failure.status
    return f"{where}: {kind} at step {failure.step:,}: {quoted(failure.message, 200)[1:-1]}"
