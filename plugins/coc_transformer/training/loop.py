"""The training loop. A step takes a batch of pairs, cut by length into micro-batches, whose losses are added up and
divided by the number of tokens predicted in the whole step. So loss and gradient are those of one padded batch, however
it is cut. The pairs and the dropout of a step depend on the seed and the step alone; held-out pairs influence nothing.
"""

import math
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import compress
from types import FrameType
from typing import Any

import numpy as np
import torch
from attrs import define, evolve, field, frozen
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from coc_core.errors import UsageError
from coc_learn.trainer import TrainingJob, TrainingProgress
from coc_transformer.continuation import verify
from coc_transformer.files import snapshot
from coc_transformer.model import Augmentation
from coc_transformer.network import Network, on_device
from coc_transformer.tokenizer import UNK, TextTokenizer
from coc_transformer.training.examples import Batch, Examples, Rows, check_lengths, collate, cut, tokenise
from coc_transformer.training.hardware import Hardware
from coc_transformer.training.hyperparameters import Hyperparameters
from coc_transformer.training.optimise import Learner, isolated_random_numbers, learning_rate
from coc_transformer.training.sampler import (
    BatchSampler,
    Curriculum,
    DigitPositions,
    NamePermutation,
    PrioritisedReplay,
    bucket_families,
)

REPORT_INTERVAL = 10  # steps
SNAPSHOT_SECONDS = 60
MOST_MEASURED = 1_000
"""The most training pairs, and the most held-out pairs, that are measured during training."""
_MEASURED_TOGETHER = 4_096  # sequences
_RANDOM, _SAMPLE, _DRAWN = range(2, 5)  # streams of random numbers, after those of `sampler`


@frozen
class Task:
    """What a training loop works on: the tokenised pairs of a job, those that are only measured among them, and how its
    batches are drawn. `steps` is the step at which the schedule ends.
    """

    config: Hyperparameters
    hardware: Hardware
    steps: int
    train: Examples
    heldout: Examples
    tests: Sequence[Examples]
    sampler: BatchSampler
    replay: PrioritisedReplay
    names: NamePermutation | None
    digits: DigitPositions
    curriculum: Curriculum

    @classmethod
    def of(
        cls,
        job: TrainingJob,
        dialects: Sequence[str],
        config: Hyperparameters,
        tokenizer: TextTokenizer,
        hardware: Hardware,
    ) -> "Task":
        """Return the task of a job; `dialects` are those of the tokenizer, in order."""
        sets = {dialects.index(each.dialect): each for each in job.training_sets}
        train = tokenise({number: each.train for number, each in sets.items()}, tokenizer)
        heldout = tokenise({number: each.heldout for number, each in sets.items()}, tokenizer)
        tests = [tokenise({number: test.pairs}, tokenizer) for number, each in sets.items() for test in each.tests]
        check_lengths((train, heldout, *tests), config.max_len)
        parts = [each.train for each in job.training_sets] if config.bucket_share else []
        families = bucket_families(parts, binary=config.bucket_digits == "binary")
        steps = min(config.steps, config.epochs * math.ceil(len(train) / config.batch_size))
        replayed, seed = int(config.prioritised_replay * config.batch_size), config.seed
        letters = frozenset.intersection(*(each.interchangeable_names for each in job.training_sets))
        longest, largest = train.longest_number(tokenizer.kinds()), config.digit_positions
        known = config.decoder(config.vocab).tables().get(2, largest + 1) - 1
        return cls(
            config,
            hardware,
            steps,
            train,
            heldout,
            tests,
            BatchSampler(len(train), config.batch_size - replayed, config.bucket_share, seed, families),
            PrioritisedReplay(len(train), replayed, seed),
            NamePermutation.of(tokenizer, letters, config.name_permutation, seed),
            DigitPositions.of(longest, largest, known, seed),
            Curriculum.of(train.lengths, config.curriculum * steps),
        )

    def tensors(self, learner: Learner) -> dict[str, Tensor]:
        """Return the state that changes from step to step, by name, not copied."""
        return learner.tensors() | self.replay.tensors()


def token_losses(model: Network, batch: Batch, drawn: Augmentation | None) -> Tensor:
    """Return the cross-entropy of each predicted token, (predicted,), in float32 or better."""
    logits = model.project(model.hidden(batch.input_ids, drawn).flatten(0, 1).index_select(0, batch.positions))
    logits = logits.to(torch.promote_types(logits.dtype, torch.float32))
    return functional.cross_entropy(logits, batch.labels, reduction="none")


@frozen
class Measurement:
    """How many pairs are exact, and the smallest logit margin of a token in these over the next best, or infinity."""

    exact: int
    pairs: int
    margin: float

    @property
    def fraction(self) -> float | None:
        """The fraction of exact pairs; None if there are no pairs."""
        return self.exact / self.pairs if self.pairs else None


def measure(model: Network, examples: Examples, rows: Rows | None = None) -> Measurement:
    """Measure examples, by default all, in float32, as drafts are checked. A target with an unknown token is never
    exact, since that token has no text.
    """
    was_training, margins = model.training, list[float]()
    rows = np.arange(len(examples)) if rows is None else rows
    model.eval()
    with model.computing():
        for start in range(0, len(rows), _MEASURED_TOGETHER):
            contexts, targets = examples.parts_of(rows[start : start + _MEASURED_TOGETHER])
            found = verify(model, contexts, [target[:-1] for target in targets])
            right = (each.ids == ids and UNK not in ids for each, ids in zip(found, targets, strict=True))
            margins += [each.margin for each in compress(found, right)]
    model.train(was_training)
    return Measurement(len(margins), len(rows), min(margins, default=math.inf))


def sample(rows: Rows, most: float, rng: np.random.Generator) -> Rows:
    """Return at most `most` of the rows."""
    return rows if len(rows) <= most else rng.choice(rows, int(most), replace=False)


@define
class Loop:
    """A training; `run` makes all steps. `measured` are the results of the last measurement, `measuring` the seconds
    that measurements took since the last report.
    """

    task: Task
    learner: Learner
    working_folder: snapshot.WorkingFolder
    report: Callable[[TrainingProgress], None]
    progress: snapshot.Progress
    request: threading.Event = field(factory=threading.Event)
    measured: tuple[Measurement, Measurement] | None = None
    measuring: float = 0.0
    stored_at: float = field(factory=time.monotonic)

    def run(self) -> snapshot.Progress:
        """Train from `progress` to the end, store the result as a snapshot, and return how far the training came. On
        one machine's CPU, with equally many threads, the same seed gives the same bits. UsageError if the loss is no
        longer finite, KeyboardInterrupt after a Ctrl-C, once a snapshot is stored.
        """
        with stop_request() as self.request, isolated_random_numbers(self.task.hardware.device):
            self.learner.model.train()
            while not self.ended:
                self._advance()
            self._store()
        return self.progress

    @property
    def ended(self) -> bool:
        """Whether all steps were made."""
        return self.progress.step >= self._end

    @property
    def _end(self) -> int:
        """The last step, as far as it is known."""
        exact_at, cooldown = self.progress.exact_at, self.task.config.cooldown
        return min(self.task.steps, exact_at + cooldown) if exact_at else self.task.steps

    def _advance(self) -> None:
        """Make the steps up to the next report, and report."""
        started, before = time.perf_counter(), self.progress.tokens
        while True:
            step = self.progress.step + 1
            loss, norm = self._step(step)
            if step % self.task.config.eval_interval == 0:
                self._measure(step)
            if step % REPORT_INTERVAL == 0 or self.ended or self.request.is_set():
                break
        self._report(loss.item(), norm.item(), started, before)

    def _step(self, step: int) -> tuple[Tensor, Tensor]:
        """Make one step; returns the loss and the norm of the gradient."""
        task, config, device = self.task, self.task.config, self.task.hardware.device
        fresh = task.curriculum.rows(task.sampler.rows(step), step)
        rows = np.concatenate((fresh, task.replay.rows(step)))
        rows = rows[np.argsort(task.train.lengths[rows], kind="stable")]
        predicted = task.train.count_predicted(rows, config.loss)
        if self.learner.model.draws or config.score_noise:
            state = np.random.SeedSequence((config.seed, _RANDOM, step, 0)).generate_state(1, np.uint64)
            torch.manual_seed(int(state[0] >> 1))
        tables = self._drawn(step, len(rows))
        names = task.names.tables(step, len(rows)) if task.names else None
        losses = torch.zeros(len(rows), device=device)
        for part in cut(task.train.lengths[rows] - 1, task.hardware.costs):
            batch = collate(task.train, rows[part], config.loss, device, None if names is None else names[part])
            drawn = {name: on_device(table[part], device) for name, table in tables.items()}
            with task.hardware.autocast():
                parts = token_losses(self.learner.model, batch, Augmentation(**drawn) if drawn else None)
            losses[part].index_add_(0, batch.rows, parts.detach().float())
            torch.autograd.backward(parts.sum() / predicted)
        if task.replay.count:
            task.replay.update(rows, losses)
        norm = self.learner.update(step, self._rate(step), config)
        tokens = self.progress.tokens + int(task.train.lengths[rows].sum()) - len(rows)
        self.progress = evolve(self.progress, step=step, tokens=tokens)
        return losses.sum() / predicted, norm

    def _drawn(self, step: int, sequences: int) -> dict[str, NDArray[Any]]:
        """Return what `Augmentation` has for a step's sequences, by name; nothing if all are read as they are. The
        items of about every second sequence are counted from 0, as they are when the model is used.
        """
        config = self.task.config
        shifted = config.item_offset or config.digit_offset or config.digit_positions
        if not (shifted or config.min_score_scale < 1 or config.score_noise):
            return {}
        seed = config.seed, _DRAWN, step
        scales = np.random.default_rng(seed).uniform(config.min_score_scale, 1, sequences).astype(np.float32)
        rng = np.random.default_rng(seed)  # from the beginning again: no scale changes an offset
        offsets = rng.integers(config.digit_offset + 1, size=(sequences, 1))
        items = rng.integers(config.item_offset + 1, size=sequences) * rng.integers(2, size=sequences)
        digits = self.task.digits.tables(step, sequences) + offsets
        drawn = {"items": items, "digits": digits, "score_scales": scales}
        if config.score_noise:
            noise = np.random.default_rng((*seed, 1)).uniform(0, config.score_noise, sequences)
            drawn["score_noise"] = noise.astype(np.float32)
        return drawn

    def _measure(self, step: int) -> None:
        task, started = self.task, time.perf_counter()
        most, found = math.inf if task.config.cooldown else MOST_MEASURED, list[Measurement]()
        for half in (task.train, task.heldout):
            rng = np.random.default_rng((task.config.seed, _SAMPLE))  # the same rows at each measurement
            rows = sample(np.arange(len(half)), most, rng)
            found.append(measure(self.learner.shipped, half, rows))
        train, heldout = found
        self.measured = train, heldout
        if task.config.cooldown:
            first = self.progress.exact_at or step
            self.progress = evolve(self.progress, exact_at=first if train.exact == train.pairs else 0)
        self.working_folder.note(step=step, train_exact=train.fraction, heldout_exact=heldout.fraction)
        self.measuring += time.perf_counter() - started

    def _rate(self, step: int) -> float:
        return learning_rate(step, self._end, self.task.config)

    def _report(self, loss: float, norm: float, started: float, tokens: int) -> None:
        """Report progress, add to the metrics, and store a snapshot if one is due."""
        step = self.progress.step
        if not math.isfinite(loss):
            self.working_folder.remove()  # resuming from its snapshots would lead to this point again
            raise UsageError(f"the loss at step {step} is {loss}", remedy="lower the learning rate 'lr'")
        seconds = time.perf_counter() - started
        self.progress = evolve(self.progress, seconds=self.progress.seconds + seconds)
        self.working_folder.note(
            step=step,
            loss=loss,
            lr=self._rate(step),
            grad_norm=norm if math.isfinite(norm) else None,
            tokens=self.progress.tokens,
            tokens_per_second=round((self.progress.tokens - tokens) / (seconds - self.measuring)),
            seconds=round(self.progress.seconds, 3),
        )
        self.measuring = 0.0
        exact = [measured.fraction for measured in self.measured or ()] or [None, None]
        self.report(TrainingProgress(step, self._end, loss, *exact))
        due = time.monotonic() - self.stored_at >= SNAPSHOT_SECONDS
        if self.request.is_set() or (due and not self.ended):
            self._store()
        if self.request.is_set():
            raise KeyboardInterrupt

    def _store(self) -> None:
        self.working_folder.store(self.progress, self.task.tensors(self.learner))
        self.stored_at = time.monotonic()


@contextmanager
def stop_request() -> Iterator[threading.Event]:
    """Only set an event at Ctrl-C or SIGTERM while the block runs; a second one takes effect at once. Does nothing
    outside the main thread, which no signal reaches, and to an ignored signal, as a shell's background jobs ignore
    interrupts.
    """
    request, main = threading.Event(), threading.current_thread() is threading.main_thread()
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM) if main}

    def note(number: int, _frame: FrameType | None) -> None:
        request.set()
        signal.signal(number, handlers[signal.Signals(number)])

    with ExitStack() as stack:
        for number, handler in handlers.items():
            if handler is not signal.SIG_IGN:
                stack.callback(signal.signal, number, handler)
                signal.signal(number, note)
        yield request
