"""The result of `coc eval` for a person: a row for each size, the first failures, a second model, and the files."""

from collections.abc import Callable, Iterable
from pathlib import Path

from coc_core.cli import console
from coc_core.execution import Summary
from coc_core.setting import Setting
from coc_core.storage import check_distinct
from coc_core.text import counted, duration, quoted
from coc_learn.measure.comparison import Paired, together
from coc_learn.measure.ended import Expected, Failure
from coc_learn.measure.exactness import Exactness
from coc_learn.measure.figure import Curve, draw_curves
from coc_learn.measure.interval import percent_range
from coc_learn.measure.success import Evaluation
from coc_problems import check_table
from coc_view.drawing import check_figure, write_figure

SHOWN = 10  # failures


def show(
    setting: Setting, evaluation: Evaluation, model: str, executor: str, sampled: Callable[[Iterable[int]], bool]
) -> None:
    """Print the table of the sizes, the sum, and the first failures; an interval where the problems are `sampled`."""
    total = evaluation.total
    headings = ["n", str(evaluation.expect), "of", "rate", "95% interval", "steps", "model calls"]
    headings += ["length / optimum"] if evaluation.optimal else []
    table = console.table(*headings, justify="right")
    rows = [(str(n), score, [n]) for n, score in evaluation.scores.items()]
    for name, score, sizes in [*rows, ("all", total, list(evaluation.scores))] if len(rows) > 1 else rows:
        rate = evaluation.rate(score)
        cells = [name, f"{score.successes:,}", f"{evaluation.requested(score):,}", _percent(rate)]
        interval = percent_range(*evaluation.interval(score)) if sampled(sizes) and rate is not None else "–"
        cells += [interval, f"{score.steps:,}", f"{score.model_calls:,}"]
        ratio = "–" if score.ratio is None else f"{score.ratio:.3f}"
        table.add_row(*cells, *([ratio] if evaluation.optimal else []), style="" if rate == 1 else "yellow")
    console.details().print(table)
    where = (
        f"{setting.domain.name} on {setting.memory.name} with {setting.arithmetic.name} arithmetic, executor {executor}"
    )
    apart = ""
    if total.unsolvable and evaluation.expect is Expected.solved:
        apart = f", {total.unsolvable:,} unsolvable"
    left = f", {evaluation.lost:,} not run" if evaluation.lost else ""
    left += " before the interrupt" if evaluation.interrupted else ""
    how = "proved legal" if executor == Summary.name else "checked"
    actions = f"{counted(total.actions, 'action')}, {'' if total.actions == 1 else 'all '}{how},"
    console.line(
        f"{total.successes:,} of {evaluation.requested(total):,} {evaluation.expect}{apart}{left}: {where};"
        f" {actions} in {duration(total.seconds)}; model: {model}"
    )
    for failure in evaluation.failures[:SHOWN]:
        console.detail("  ", (_line(failure), "red"))
        again = f"echo '{failure.problem}' | coc run --problem - …"
        console.detail("  ", (again, "dim"))
    if evaluation.failed > SHOWN:
        console.detail(f"  and {evaluation.failed - SHOWN:,} more; --json lists them")


def show_comparison(sizes: list[Paired], first: str, second: str) -> None:
    """Print how many problems both models solved, one of them, or none, and whether that can be chance."""
    total = together(sizes)
    table = console.table(
        "n", "solved by both", "by the first only", "by the second only", "by neither", justify="right"
    )
    for name, each in [(str(each.n), each) for each in sizes] + ([("all", total)] if len(sizes) > 1 else []):
        counts = (each.both, each.only_first, each.only_second, each.neither)
        table.add_row(name, *(f"{count:,}" for count in counts))
    console.details().print(table)
    text = f"McNemar's exact test: p = {total.p_value:.3g}"
    if not total.only_first + total.only_second:
        text = "no problem tells the two models apart"
    console.line(f"{counted(total.problems, 'problem')}, first model: {first}; second model: {second}; {text}")


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


def _percent(rate: float | None) -> str:
    """The rate, which reads 100% only if nothing failed."""
    if rate is None:
        return "–"
    return "100%" if rate == 1 else f"{min(99.99, 100 * rate):.2f}%"


def _line(failure: Failure) -> str:
    where = f"n={failure.n}" + ("" if failure.seed is None else f" seed={failure.seed}")
    where = f"{quoted(failure.source, 60)[1:-1]}, {where}" if failure.source else where
    kind = f"{failure.kind} fault" if failure.kind else failure.status
    return f"{where}: {kind} at step {failure.step:,}: {quoted(failure.message, 200)[1:-1]}"
