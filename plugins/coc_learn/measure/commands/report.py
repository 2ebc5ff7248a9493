"""What `coc eval` prints for a person: exactness and what it predicts, a row for each size, and the first failures."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from attrs import asdict

from coc_core.cli import console
from coc_core.execution import Summary
from coc_core.text import counted, duration, quoted
from coc_learn.datasets import FAMILIES
from coc_learn.measure.ended import Expected, Failure, split
from coc_learn.measure.evaluate import EvaluationReport
from coc_learn.measure.exactness import Exactness, Prediction
from coc_learn.measure.figure import Curve, draw_curves
from coc_learn.measure.interval import percent, wilson
from coc_learn.measure.success import Evaluation
from coc_view.drawing import write_figure

SHOWN_FAILURES = 10
SHOWN = 5  # sampling buckets of a family, and wrong pairs
_WIDTH = 160  # characters of a text


def success(report: EvaluationReport, evaluation: Evaluation) -> Iterator[console.Shown]:
    """Yield the table of the sizes, the sum, and the first failures."""
    total = report.total
    headings, rows = report.table()
    rate = headings.index("rate")
    cells = [[(cell, "" if row[rate] == "100%" else "yellow") for cell in row] for row in rows]
    yield [console.table(headings, cells, numbers=len(headings))]
    apart = f", {total.unsolvable:,} unsolvable" if total.unsolvable and evaluation.expect is Expected.solved else ""
    left = " before the interrupt" if evaluation.interrupted else ""
    how = "proved legal" if evaluation.used == Summary.name else "checked"
    actions = f"{counted(total.actions, 'action')}, {'' if total.actions == 1 else 'all '}{how},"
    yield (
        f"{total.successes:,} of {total.instances:,} {evaluation.expect}{apart}{left}:"
        f" {report.title}, executor {evaluation.used}; {actions} in {duration(total.seconds)};"
        f" model: {evaluation.model.describe()}"
    )
    if evaluation.grammar:
        yield _split("runs", total.successes, evaluation.failed, evaluation.malformed)
    for failure in evaluation.failures[:SHOWN_FAILURES]:
        again = [(f"echo '{failure.problem}' | coc run --problem - …", "dim")] if len(failure.problem) < 1000 else []
        yield [(_failed(failure), "red"), *again]
    if evaluation.failed > SHOWN_FAILURES:
        yield [f"and {evaluation.failed - SHOWN_FAILURES:,} more; --json lists them"]


def exactness(found: Exactness, *, sizes: bool) -> Iterator[console.Shown]:
    """Yield what single prompts showed. The subsets of the pairs are problem sizes, or else have names."""
    smallest = "–" if found.margin is None else f"{found.margin:.2f}"
    yield (
        f"{found.pairs - found.wrong:,} of {counted(found.pairs, 'pair')} exact;"
        f" {_step_error(found.wrong, found.pairs, '95% interval ')}; smallest logit margin {smallest};"
        f" model: {found.model.describe()}"
    )
    if found.grammar:
        yield _split("responses", found.pairs - found.wrong, found.wrong, found.malformed)
    yield _details(found, sizes)


def _split(what: str, right: int, wrong: int, malformed: int) -> str:
    found = split(right, wrong, malformed).items()
    return f"{what}: {', '.join(f'{number:,} {name}'.replace('_', ' ') for name, number in found)}"


def _details(found: Exactness, sizes: bool) -> Iterator[console.Words]:
    for subset in found.subsets if len(found.subsets) > 1 else ():
        if sizes and subset.wrong:
            yield f"the first size with a wrong target is {subset.name}: {subset.wrong:,} of {subset.pairs:,}", "yellow"
            break
        if not sizes:
            right = f"{subset.name}: {subset.pairs - subset.wrong:,} of {subset.pairs:,}"
            yield f"{right}, {_step_error(subset.wrong, subset.pairs)}"
    for family in FAMILIES:
        if worst := found.worst(family):
            yield f"by {family}: wrong in {len(worst):,} of {counted(len(found.pairs_in[family]), 'bucket')}"
        for bucket in worst[:SHOWN]:
            key = bucket.name.replace("\n", "⏎")  # what is not ASCII in a key is its own notation
            key = key if len(key) <= _WIDTH else key[: _WIDTH - 3] + "..."
            yield console.text("  ", (f"{f'{bucket.wrong:,} of {bucket.pairs:,}':>16}", "yellow"), f"  {key}")
    for pair in found.wrong_targets[:SHOWN]:
        got = quoted(pair.got, _WIDTH) if pair.fault is None else f"no target: {quoted(pair.fault, _WIDTH)[1:-1]}"
        told = {"prompt": quoted(pair.prompt, _WIDTH), "wanted": quoted(pair.expected, _WIDTH), "got": got}
        yield from (console.text("  ", (f"{name:6}", "red"), f" {text}") for name, text in told.items())
    if found.wrong > SHOWN:
        yield f"and {found.wrong - SHOWN:,} more; --json lists them"


def rows(predictions: list[Prediction], evaluation: Evaluation) -> list[dict[str, Any]]:
    """Return predictions as plain data, with the rates that were measured beside them."""
    measured = {n: score.rate for n, score in evaluation.scores.items()}
    return [asdict(each) | {"interval": list(each.interval), "measured": measured.get(each.n)} for each in predictions]


def predicted(predictions: list[Prediction], evaluation: Evaluation) -> list[console.Shown]:
    """Return what single prompts predict for runs, beside the runs; nothing if they predict nothing."""
    headings = ("n", "problems", "steps", "step error", "predicted", "95% interval", "solved")
    rows = [
        [
            str(each.n),
            f"{each.problems:,}",
            f"{each.steps:,.0f}",
            f"{each.error:.2g}",
            percent(each.success),
            " – ".join(map(percent, each.interval)),
            f"{score.successes:,} of {score.instances:,}" if score else "–",
        ]
        for each in predictions
        for score in [evaluation.scores.get(each.n)]
    ]
    return [console.table(headings, rows, numbers=7)] if rows else []


def draw(
    path: Path, evaluation: Evaluation, checked: Exactness | None, sampled: Callable[[Iterable[int]], bool]
) -> None:
    """Draw what was measured; StorageError if the file can't be written."""
    setting, model = evaluation.setting, evaluation.model
    title = f"{setting.domain.name} on {setting.memory.name}, {setting.arithmetic.name} arithmetic"
    scores = evaluation.scores.values()
    solved = [(each.n, each.successes, each.instances) for each in scores if each.rate is not None]
    exact = [
        (int(subset.name.removeprefix("n=")), subset.pairs - subset.wrong, subset.pairs)
        for subset in (checked.subsets if checked else ())
    ]
    some = sampled(n for n, *_ in solved or exact)
    curves = [Curve("problems solved", solved, some), Curve("prompts answered exactly", exact, some)]
    write_figure(path, lambda form: draw_curves(curves, title, model.trained_sizes, form))


def _failed(failure: Failure) -> str:
    where = f"n={failure.n}" + ("" if failure.seed is None else f" seed={failure.seed}")
    where = f"{quoted(failure.source, 60)[1:-1]}, {where}" if failure.source else where
    kind = f"{failure.kind} fault" if failure.kind else failure.status
    return f"{where}: {kind} at step {failure.step:,}: {quoted(failure.message, 200)[1:-1]}"


def _step_error(wrong: int, pairs: int, label: str = "") -> str:
    """Return the fraction of wrong targets with its 95% interval; a dash if there are no pairs."""
    error = f"{wrong / pairs:.2g}" if pairs else "–"
    return "step error {} ({}{:.2g} – {:.2g})".format(error, label, *wilson(wrong, pairs))
