"""The training loop.

A step takes a batch of pairs, cut by length into micro-batches whose losses are added up and divided by the number of
tokens foretold in the whole step. So loss and gradient are those of one padded batch, whatever the cuts, and whatever
each of several processes does of it. Which pairs a step takes and which units are dropped depends on the seed and the
step alone; what is held out decides nothing.
"""

import math
import time
from collections.abc import Callable

import numpy as np
import torch
from attrs import define, evolve, field, frozen
from torch import Tensor, nn
from torch.nn import functional

from coc_core.errors import UsageError
from coc_core.models import TrainingProgress
from coc_transformer.batches import (
    Batch,
    BatchSampler,
    Curriculum,
    Examples,
    NamePermutation,
    PrioritisedReplay,
    Rows,
    collate,
    cut,
    with_names_permuted,
)
from coc_transformer.model import Decoder, TrainingConfig
from coc_transformer.snapshots import Progress, StopRequest, WorkingFolder, stop_request
from coc_transformer.training.hardware import Hardware
from coc_transformer.training.measure import Measured, measure, sample
from coc_transformer.training.optimise import Learner, isolated_random_numbers, learning_rate
from coc_transformer.training.processes import Ranks, apart

REPORT_INTERVAL = 10  # steps
_DROPOUT, _SAMPLE, _OFFSETS = range(2, 5)  # streams of random numbers, after those of `sampler`


class TokenLosses(nn.Module):
    """The cross-entropies of what a batch foretells, (N,) in float32 or better."""

    def __init__(self, model: Decoder) -> None:
        super().__init__()
        self.model = model

    def forward(self, batch: Batch, offsets: Tensor | None) -> Tensor:
        """One for each token that is foretold; no other logits are computed."""
        hidden = self.model.hidden(batch.ids, offsets).flatten(0, 1).index_select(0, batch.places)
        logits = self.model.project(hidden)
        logits = logits.to(torch.promote_types(logits.dtype, torch.float32))
        return functional.cross_entropy(logits, batch.labels, reduction="none")


@frozen
class Task:
    """What a training is about. `steps` is where its schedule ends; only the first process has a working folder."""

    config: TrainingConfig
    steps: int
    learned: Examples
    heldout: Examples
    sampler: BatchSampler
    replay: PrioritisedReplay
    loss_probes: BatchSampler
    names: NamePermutation | None
    curriculum: Curriculum
    ranks: Ranks
    hardware: Hardware
    working_folder: WorkingFolder | None
    report: Callable[[TrainingProgress], None]

    def tensors(self, learner: Learner) -> dict[str, Tensor]:
        """All that changes from step to step, by name. Not copies."""
        return learner.tensors() | self.replay.tensors()


def train(task: Task, learner: Learner, progress: Progress) -> Progress:
    """Train on from `progress` to the end, which is stored; gives how far that was.

    On one machine's CPU, and with as many threads, the same seed gives the same bits. Raises UsageError if the loss
    stops being finite, KeyboardInterrupt after a Ctrl-C, when a snapshot has been stored.
    """
    with stop_request() as request, isolated_random_numbers(task.hardware.device):
        loop = _Loop(task, learner, task.ranks.together(TokenLosses(learner.model.train())), request, progress)
        while not loop.ended:
            loop.advance()
        task.ranks.from_first(loop.store)
        return task.ranks.from_first(lambda: loop.progress)


@define
class _Loop:
    """The training at one moment."""

    task: Task
    learner: Learner
    token_losses: nn.Module
    request: StopRequest
    progress: Progress
    measured: tuple[Measured, Measured] | None = None
    measuring: float = 0.0  # seconds since the last report
    stored_at: float = field(factory=time.monotonic)

    @property
    def ended(self) -> bool:
        """Whether the last step was made, or all has been exact for long enough."""
        stop = self.task.config.stop_exact
        return self.progress.step == self.task.steps or 0 < stop <= self.progress.exact_in_a_row

    def advance(self) -> None:
        """Make the steps up to the next report, and report."""
        begun, before = time.perf_counter(), self.progress.tokens
        while True:
            step = self.progress.step + 1
            loss, norm = self._step(step)
            if step % self.task.config.eval_interval == 0:
                self._measure(step)
            if step % REPORT_INTERVAL == 0 or self.ended or (self.request.made and self.task.ranks.count == 1):
                break
        self.task.ranks.sum(loss)
        self.task.ranks.from_first(lambda: self._report(loss.item(), norm.item(), begun, before))

    def _step(self, step: int) -> tuple[Tensor, Tensor]:
        """One step of the weights; gives this process's part of the loss, and the gradient's norm."""
        task, config = self.task, self.task.config
        drawn = task.curriculum.rows(task.sampler.rows(step), step)
        rows = task.learned.by_length(np.concatenate((drawn, task.replay.rows(step))))
        predicted = task.learned.predicted(rows, config.loss)
        mine = task.ranks.share(rows)
        slices = cut(task.learned.lengths[mine] - 1, task.hardware.costs)
        if self.learner.model.config.dropout:
            torch.manual_seed(_seed(config.seed, _DROPOUT, step, task.ranks.rank))
        places = task.ranks.share(np.arange(len(rows)))
        offsets = self._offsets(step, len(rows))[:, places]
        names = task.names.tables(step, len(rows))[places] if task.names else None
        losses = torch.zeros(len(rows), device=task.hardware.device)
        for number, part in enumerate(slices, start=1):
            batch = collate(task.learned, mine[part], config.loss)
            if names is not None:
                batch = with_names_permuted(batch, names[part])
            batch = batch.to(task.hardware.device)
            shifts = None
            if config.item_offset or config.digit_offset:
                shifts = torch.from_numpy(offsets[:, part]).to(task.hardware.device, non_blocking=True)
            with apart(self.token_losses, apart=number < len(slices)):
                with task.hardware.autocast():
                    parts = self.token_losses(batch, shifts)
                (parts.sum() / predicted * task.ranks.count).backward()  # the processes' mean is taken
            losses.index_add_(
                0, torch.from_numpy(places[part]).to(task.hardware.device)[batch.rows], parts.detach().float()
            )
        loss = losses.sum() / predicted
        if task.replay.count:
            task.replay.note(rows, task.ranks.sum(losses))
            self._probe(step)
            task.replay.decay()
        norm = self.learner.update(step, task.steps, config)
        tokens = self.progress.tokens + int(task.learned.lengths[rows].sum()) - len(rows)
        self.progress = evolve(self.progress, step=step, tokens=tokens)
        return loss, norm

    @torch.no_grad()
    def _probe(self, step: int) -> None:
        """Learn how hard some more pairs are."""
        task = self.task
        if task.loss_probes.batch_size:
            rows = task.learned.by_length(task.curriculum.rows(task.loss_probes.rows(step), step))
            mine, places = task.ranks.share(rows), torch.from_numpy(task.ranks.share(np.arange(len(rows))))
            losses = torch.zeros(len(rows), device=task.hardware.device)
            for part in cut(task.learned.lengths[mine] - 1, task.hardware.costs):
                batch = collate(task.learned, mine[part], "target").to(task.hardware.device)
                with task.hardware.autocast():
                    parts = self.token_losses(batch, None)
                losses.index_add_(0, places[part].to(task.hardware.device)[batch.rows], parts.float())
            task.replay.note(rows, task.ranks.sum(losses))

    def _offsets(self, step: int, sequences: int) -> Rows:
        """What items and digits are counted from in each of a step's sequences, (2, sequences).

        Every second sequence, about, counts its items from 0, as they are counted when the model is used.
        """
        config = self.task.config
        rng = np.random.default_rng((config.seed, _OFFSETS, step))
        digits = rng.integers(config.digit_offset + 1, size=sequences)
        items = rng.integers(config.item_offset + 1, size=sequences) * rng.integers(2, size=sequences)
        return np.stack((items, digits))

    def _measure(self, step: int) -> None:
        task, begun = self.task, time.perf_counter()
        learned, heldout = (
            measure(self.learner.shipped, half, self._sample(half), task.ranks, task.hardware.costs)
            for half in (task.learned, task.heldout)
        )
        self.measured = learned, heldout
        in_a_row = self.progress.exact_in_a_row + 1 if learned.complete else 0
        self.progress = evolve(self.progress, exact_in_a_row=in_a_row)
        task.ranks.from_first(
            lambda: self._note(step=step, train_exact=learned.fraction, heldout_exact=heldout.fraction)
        )
        self.measuring += time.perf_counter() - begun

    def _sample(self, half: Examples) -> Rows:
        """The indices of the pairs of a half that are measured on the way, the same at each call."""
        config = self.task.config
        return sample(np.arange(len(half)), config.eval_pairs, np.random.default_rng((config.seed, _SAMPLE)))

    def _report(self, loss: float, norm: float, begun: float, tokens: int) -> None:
        """Tell the person and the metrics; store what is due."""
        step, steps = self.progress.step, self.task.steps
        if not math.isfinite(loss):
            self._discard()
            raise UsageError(f"the loss at step {step} is {loss}", remedy="lower the learning rate 'lr'")
        seconds = time.perf_counter() - begun
        self.progress = evolve(self.progress, seconds=self.progress.seconds + seconds)
        self._note(
            step=step,
            loss=loss,
            lr=learning_rate(step, steps, self.task.config),
            grad_norm=norm if math.isfinite(norm) else None,
            tokens=self.progress.tokens,
            tokens_per_second=round((self.progress.tokens - tokens) / (seconds - self.measuring)),
            seconds=round(self.progress.seconds, 3),
        )
        self.measuring = 0.0
        exact = [measured.fraction for measured in self.measured or ()] or [None, None]
        self.task.report(TrainingProgress(step, steps, loss, *exact))
        due = time.monotonic() - self.stored_at >= self.task.config.snapshot_seconds
        if self.request.made or (due and not self.ended):
            self.store()
        if self.request.made:
            raise KeyboardInterrupt

    def store(self) -> None:
        """Store a snapshot."""
        if self.task.working_folder is not None:
            self.task.working_folder.store(self.progress, self.task.tensors(self.learner))
            self.stored_at = time.monotonic()

    def _discard(self) -> None:
        """Remove what was stored: to go on would lead to where the training is now."""
        if self.task.working_folder is not None:
            self.task.working_folder.remove()

    def _note(self, **values: object) -> None:
        if self.task.working_folder is not None:
            self.task.working_folder.note(**values)


def _seed(*numbers: int) -> int:
    return int(np.random.SeedSequence(numbers).generate_state(1, np.uint64)[0] >> 1)
