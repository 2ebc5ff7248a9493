"""The files of `--plot` and `--csv`: checked before anything is measured, and the figure of `coc eval`."""

from collections.abc import Callable, Iterable
from pathlib import Path

from coc_core.storage import check_distinct
from coc_learn.measure.exactness import Exactness
from coc_learn.measure.figure import Curve, draw_curves
from coc_learn.measure.success import Evaluation
from coc_problems import check_table
from coc_view.drawing import check_figure, write_figure


def check(figure: Path | None, rows: Path | None) -> None:
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
