"""`coc eval --plot`: success and exactness over the problem size, as a picture."""

from pathlib import Path

from coc_core.domain import has_single_problem
from coc_core.evaluation import FIGURE, Curve, Evaluation, Exactness, draw_curves, figure_format
from coc_core.storage import write_file


def write(path: Path, evaluation: Evaluation, exactness: Exactness | None) -> None:
    """Draw what was measured; StorageError if the file can't be written."""
    setting, model = evaluation.setting, evaluation.model
    title = f"{setting.domain.name} on {setting.memory.name}, {setting.arithmetic.name} arithmetic"
    solved = [(n, score.successes, score.instances) for n, score in evaluation.scores.items() if score.instances]
    exact = [
        (int(subset.name.removeprefix("n=")), subset.pairs - subset.wrong, subset.pairs)
        for subset in (exactness.subsets if exactness else ())
    ]
    sampled = not all(has_single_problem(setting.domain, n) for n, *_ in solved or exact)
    curves = [Curve("problems solved", solved, sampled), Curve("prompts answered exactly", exact, sampled)]
    write_file(path, draw_curves(curves, title, model.trained_sizes, figure_format(path)), FIGURE)
