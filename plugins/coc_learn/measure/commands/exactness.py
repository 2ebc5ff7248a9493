"""`coc eval --exactness`: one model call for every distinct prompt that can come."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any

from attrs import asdict

from coc_core.cli import console
from coc_core.cli.interrupt import interruptible
from coc_core.cli.progress import progress
from coc_core.errors import UsageError
from coc_core.models import Pair
from coc_core.setting import Setting
from coc_core.text import counted, quoted
from coc_learn.datasets import Dataset, Seen, teacher_pairs
from coc_learn.measure.exactness import Exactness, exactness_document
from coc_learn.measure.interval import percent, wilson
from coc_learn.measure.prediction import Prediction
from coc_learn.measure.shards import Workers
from coc_learn.measure.success import Evaluation
from coc_problems import Instance, has_few_kinds

SHOWN = 5  # sampling buckets of a family, and wrong pairs, that are printed for a person
_WIDTH = 160  # characters of a text


def check(exactness: Exactness, parts: Iterable[tuple[str, Iterable[Pair]]], workers: Workers | None) -> None:
    """Call the model, here or in workers, with each pair of each named part; Ctrl-C stops after the batch under way."""

    def note() -> str:
        return f"{exactness.wrong:,} wrong"

    with (
        progress(console.err(), "checking pairs", lambda: None, lambda: exactness.pairs, note),
        interruptible(exactness),
    ):
        for name, pairs in parts:
            exactness.run(pairs, name, workers)
            if exactness.interrupted:
                break
    if not (exactness.pairs or exactness.lost or exactness.interrupted):
        raise UsageError("there is no pair to check", remedy="choose other sizes, or another dataset")


def by_size(setting: Setting, problems: Iterable[Instance]) -> Iterable[tuple[str, Iterable[Pair]]]:
    """Yield the pairs of the problems, those of each size by themselves, without those that a size before it has.

    If the prompts of all problems are a finite list, it is that list.
    """
    if has_few_kinds(setting.convention):
        yield "every size", teacher_pairs(setting, ())
        return
    seen = Seen()
    for n, group in groupby(problems, attrgetter("n")):
        yield f"n={n}", teacher_pairs(setting, (one.problem for one in group), seen)


def subsets(folder: Path, setting: Setting) -> Iterable[tuple[str, Iterable[Pair]]]:
    """Return the subsets of a dataset, audited while they are read.

    UsageError if it is of another dialect than the setting, ArtefactError if it is broken.
    """
    dataset = Dataset.open(folder)
    if dataset.card.dialect != setting.convention.dialect:
        raise UsageError(
            f"{folder} holds pairs of {dataset.card.dialect}, but this setting uses {setting.convention.dialect}",
            remedy="choose the --domain, --memory and --arith of the dataset",
        )
    return ((name, (row.pair for row in rows)) for name, rows in groupby(dataset.rows(), attrgetter("subset")))


def plain(exactness: Exactness, predictions: list[Prediction], evaluation: Evaluation) -> dict[str, Any]:
    """Return the report as plain data."""
    return {
        "exactness": exactness_document(exactness),
        "predictions": [
            {**asdict(prediction), "interval": list(prediction.interval), "measured": _measured(prediction, evaluation)}
            for prediction in predictions
        ],
    }


def shown(exactness: Exactness, *, sizes: bool) -> Iterator[console.Shown]:
    """Yield the report for a person. The subsets are those of `by_size`, or else have names."""
    right, margin = exactness.pairs - exactness.wrong, exactness.margin
    smallest = "–" if margin is None else f"{margin:.2f}"
    yield (
        f"{right:,} of {counted(exactness.pairs, 'pair')} exact; step error {_error(exactness.error)}"
        f" (95% interval {_range(exactness.interval)}); smallest logit margin {smallest};"
        f" model: {exactness.model.describe()}"
    )
    yield _details(exactness, sizes)


def _details(exactness: Exactness, sizes: bool) -> Iterator[console.Words]:
    for subset in exactness.subsets if len(exactness.subsets) > 1 else ():
        if sizes and subset.wrong:
            yield f"the first size with a wrong target is {subset.name}: {subset.wrong:,} of {subset.pairs:,}", "yellow"
            break
        if not sizes:
            interval = _range(wilson(subset.wrong, subset.pairs))
            error = f"step error {_error(subset.wrong / subset.pairs)} ({interval})"
            yield f"{subset.name}: {subset.pairs - subset.wrong:,} of {subset.pairs:,}, {error}"
    for family in exactness.families:
        if worst := exactness.worst(family):
            wrong_in = f"wrong in {len(worst):,} of {counted(len(exactness.pairs_in(family)), 'bucket')}"
            yield f"by {family}: {wrong_in}"
        for bucket in worst[:SHOWN]:
            counts = f"{bucket.wrong:,} of {bucket.pairs:,}"
            yield console.text("  ", (f"{counts:>16}", "yellow"), f"  {_line(bucket.key)}")
    for pair in exactness.wrong_targets[:SHOWN]:
        got = quoted(pair.got, _WIDTH) if pair.fault is None else f"no target: {quoted(pair.fault, _WIDTH)[1:-1]}"
        told = {"prompt": quoted(pair.prompt, _WIDTH), "wanted": quoted(pair.expected, _WIDTH), "got": got}
        yield from (console.text("  ", (f"{name:6}", "red"), f" {text}") for name, text in told.items())
    if exactness.wrong > SHOWN:
        yield f"and {exactness.wrong - SHOWN:,} more; --json lists them"


def predicted(predictions: list[Prediction], evaluation: Evaluation) -> list[console.Shown]:
    """Return what single prompts predict for runs, beside the runs; nothing if they predict nothing."""
    headings = ("n", "problems", "steps", "step error", "predicted", "95% interval", "solved")
    rows = [
        [
            str(each.n),
            f"{each.problems:,}",
            f"{each.steps:,.0f}",
            _error(each.error),
            percent(each.success),
            " – ".join(map(percent, each.interval)),
            f"{score.successes:,} of {evaluation.requested(score):,}" if score else "–",
        ]
        for each in predictions
        for score in [evaluation.scores.get(each.n)]
    ]
    return [console.table(headings, rows, numbers=7)] if rows else []


def _measured(prediction: Prediction, evaluation: Evaluation) -> float | None:
    score = evaluation.scores.get(prediction.n)
    return evaluation.rate(score) if score else None


def _error(value: float | None) -> str:
    return "–" if value is None else f"{value:.2g}"


def _range(interval: tuple[float, float]) -> str:
    return " – ".join(map(_error, interval))


def _line(text: str) -> str:
    """Return a key on one line, cut where it is long. What is not ASCII in it is its own notation."""
    text = text.replace("\n", "⏎")
    return text if len(text) <= _WIDTH else text[: _WIDTH - 3] + "..."
