"""How long a training is: as long as it was to be at first, or another length since it was resumed with other `steps`.

An interrupted training goes on with its weights and its optimisers. A finished one has left its weights only: it goes
on with those that were saved, with new optimisers, and warms up again.
"""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext, suppress
from typing import Any

from coc_core.errors import UsageError
from coc_core.models import CONFIG, read_config
from coc_core.text import counted, quoted
from coc_learn.metrics import read_metrics
from coc_learn.trainer import TrainingJob
from coc_transformer.files import MOST_STEPS
from coc_transformer.snapshots import Stretch, is_begun, stretches_of
from coc_transformer.training.hyperparameters import Hyperparameters


def planned(job: TrainingJob, config: Hyperparameters) -> tuple[Stretch, ...]:
    """The stretches of a training so far, or those that it begins with.

    Raises:
        UsageError: It is resumed although it is finished, and can't be lengthened so.
        ArtefactError: The finished checkpoint is broken.
    """
    begun = stretches_of(job.out) if job.resume else None
    if begun is None and job.resume and (job.out / CONFIG).exists():
        # One that was cut off before its first snapshot may replace a checkpoint that is not its own.
        with suppress(UsageError) if is_begun(job.out) else nullcontext():
            begun = _of_finished(job, config)
    return begun or (Stretch(0, config.steps),)


def extended(stretches: Sequence[Stretch], done: int, steps: int) -> tuple[Stretch, ...]:
    """The stretches of a training that has made some steps and now is to make `steps`."""
    new = () if stretches[-1].steps == steps else (Stretch(done, steps),)
    return (*stretches, *new)


def warmed_up_from(stretches: Sequence[Stretch]) -> int:
    """The step after which the optimisers were new, and the learning rate rises from zero."""
    return max(each.after if each.renewed else 0 for each in stretches)


def stretches_in_words(stretches: Sequence[Stretch], warmup: int) -> str:
    """How the length of a training was changed, for a model card."""
    parts = [f"steps 1 to {stretches[1].after:,} as of {stretches[0].steps:,}"]
    for number, each in enumerate(stretches[1:], start=2):
        last = f"{stretches[number].after:,}" if number < len(stretches) else f"{each.steps:,}"
        state = "the optimisers' state was kept"
        if each.renewed:
            state = f"from the saved weights, with new optimisers and {counted(warmup, 'step')} of warm-up"
        parts.append(f"steps {each.after + 1:,} to {last} as of {each.steps:,} ({state})")
    return "; ".join(parts)


def _of_finished(job: TrainingJob, config: Hyperparameters) -> tuple[Stretch, ...]:
    _, contents = read_config(job.out)
    before, now = contents.get("training"), config.stated()
    again = "train anew without --resume"
    if not isinstance(before, Mapping) or before.get("steps") not in range(1, MOST_STEPS + 1):
        raise UsageError(f"{job.out} is finished, and doesn't say with which steps", remedy=again)
    for name in ("steps", *now):
        if name != "steps" and not _same(name, before.get(name), now[name]):
            value = quoted(str(before.get(name)), 40)[1:-1]
            raise UsageError(
                f"{job.out} was trained with {name}={value}, and only steps can change",
                remedy=f"give the hyperparameters that its card states, or {again}",
            )
    steps, last = before["steps"], max(int(line["step"]) for line in read_metrics(job.out))
    if config.steps <= steps:
        raise UsageError(
            f"{job.out} is finished: it has made {counted(last, 'step')}",
            remedy=f"lengthen it with --set steps=N, where N is more than {steps:,}, or {again}",
        )
    return Stretch(0, steps), Stretch(last, config.steps, renewed=True)


def _same(name: str, before: Any, now: Any) -> bool:
    return before == now or (name == "precision" and now == "auto")
