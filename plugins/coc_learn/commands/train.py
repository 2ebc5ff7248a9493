"""`coc train`: make a checkpoint from the reference model's pairs."""

import shlex
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path

from attrs import asdict

from coc_core.cli import console
from coc_core.cli.options import command
from coc_core.cli.progress import progress
from coc_core.text import counted, duration
from coc_learn.addresses.dialect import results_of
from coc_learn.options import TrainOptions
from coc_learn.sources import words_of
from coc_learn.train import Training
from coc_learn.trainer import FINITE_PRESET, TrainingProgress, TrainingReport


@command(TrainOptions)
def train(options: TrainOptions) -> int:
    """Train a model and measure its accuracy.

    The training set has every distinct prompt-target pair of the chosen problems, or the pairs of datasets.

    Examples:
        coc train -d hanoi -n 1-15 -o my-hanoi
        coc train -d pancake --instances 200 -o flips
        coc train --data hanoi-pairs --seed 3 -o from-pairs
        coc train --preset arithmetic -o adder
    """
    training = Training.of(console.registry(options.plugins), options, command_line())
    out, pairs, reports = training.job.out, training.pairs, deque[TrainingProgress](maxlen=1)
    with progress(console.err(), "making pairs", lambda: pairs.total, lambda: pairs.count, lambda: "so far"):
        sets = pairs.sets()
    steps, step = lambda: reports[-1].steps if reports else None, lambda: reports[-1].step if reports else None
    try:
        with progress(console.err(), "training", steps, step, lambda: _note(reports)):
            result = training.train(sets, reports.append)
    except KeyboardInterrupt:
        if out.with_name(f"{out.name}.training").exists():
            words = [each for each in sys.argv[1:] if each != "--resume"]
            console.warn(f"to go on: {shlex.join(['coc', *words, '--resume'])}")
        raise
    if not console.is_main_process():
        return 0
    console.report(
        {"checkpoint": str(out), **asdict(result)},
        f"{out}: {counted(result.parameters, 'parameter')}, {counted(result.steps, 'step')}"
        f" in {duration(result.seconds)}",
        [
            f"exact targets: {result.train_exact:,} of {counted(result.train_pairs, 'training pair')},"
            f" {result.heldout_exact:,} of {counted(result.heldout_pairs, 'held-out pair')}",
            *(f"{dialect}, {results_of(dialect, found)}" for dialect, found in result.tested.items()),
            *_remarks(result),
        ],
        *_to_certify(training, result, options.plugins),
    )
    return 0


def command_line() -> str:
    """Return the command under way, as a shell would read it."""
    return shlex.join(["coc", *sys.argv[1:]])


def _remarks(result: TrainingReport) -> Iterator[str]:
    """Yield why a model is not exact, and what to do; and which pairs do not count as held out, and why."""
    wrong, unseen = result.train_pairs - result.train_exact, result.heldout_pairs - result.heldout_exact
    if wrong:
        yield f"{counted(wrong, 'training pair')} not exact: take more steps than {result.steps:,}, by --set steps=N"
    elif unseen:
        yield f"{counted(unseen, 'held-out pair')} not exact: training did not see them; --holdout 0 learns all pairs"
    if result.known:
        known = f"{counted(result.known, 'pair')} held out but not counted"
        yield f"{known}, because the steps were learned in another dialect or with other names"
    if not result.complete:
        yield "no pair counts as held out, since the training did not begin with new weights"


def _to_certify(training: Training, result: TrainingReport, plugins: Sequence[Path]) -> list[str]:
    """Return the command that certifies a model which is exact on all prompts that there are."""
    job = training.job
    if job.preset != FINITE_PRESET or len(training.settings) != 1 or result.train_exact < result.train_pairs:
        return []
    (setting,) = training.settings
    words = ["coc", "certify", *words_of(setting, plugins), "--model", str(job.out)]
    words += ["-n", str(setting.domain.sizes[0]), "--instances", "1", "--split", "all"]
    words += ["-o", f"{setting.domain.name}.certificate"]
    return [f"to certify it: {shlex.join(words)}"]


def _note(reports: Sequence[TrainingProgress]) -> str:
    if not reports:
        return "preparing the pairs"
    last = reports[-1]
    seen, unseen = ("–" if each is None else f"{each:.1%}" for each in (last.train_exact, last.heldout_exact))
    return f"loss {last.loss:.4f}, exact {seen} seen, {unseen} held out"
