"""Training a model: the interface of a backend that can be trained. `coc train` decides what is learned, the training
sets, and where the checkpoint goes; the backend decides how.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from attrs import Factory, frozen

from coc_core.models import Pair, SizeResult

FINITE_PRESET = "program"
"""The preset of a training on all prompts that there are, where a backend has it and no other is chosen."""


METRICS = "metrics.jsonl"
"""What a backend notes while it trains, in the folder of the checkpoint. Each line is a JSON object with a `step` and
some of these numbers: `loss`, `lr` (the learning rate), `train_exact` and `heldout_exact` (shares of measured pairs).
"""


class StepKey(NamedTuple):
    """What a prompt asks for, which makes two prompts of different dialects the same step: a text that is the same in
    all dialects, whatever names are in the prompt, and the values of the registers that the prompt shows, if any.
    """

    step: str
    registers: str = ""


@frozen
class SizeTest:
    """What a model is tested on after its training: the distinct pairs of so many problems of size n; for address
    arithmetic, of so many addresses with n digits.
    """

    n: int
    problems: int
    pairs: Sequence[Pair]


@frozen
class TrainingSet:
    """The pairs of one dialect.

    Attributes:
        dialect: The dialect (`Convention.dialect`).
        train: The training pairs.
        heldout: The pairs that are only measured.
        source: One line for the model card about how the pairs were made.
        sizes: The problem sizes that the pairs come from, or the addresses of address arithmetic; None if unknown.
        interchangeable_names: The letters of the names that may be permuted (`Domain.interchangeable_names`).
        tests: What the model is tested on after the training. It influences nothing else.
        step_key: Gives what a prompt asks for; by default every prompt is a step of its own.
        known: How many pairs were to be held out but are left out, since their step is learned.
    """

    dialect: str
    train: Sequence[Pair]
    heldout: Sequence[Pair] = ()
    source: str = ""
    sizes: range | None = None
    interchangeable_names: frozenset[str] = frozenset()
    tests: Sequence[SizeTest] = ()
    step_key: Callable[[str], StepKey] = StepKey
    known: int = 0

    def __repr__(self) -> str:
        return f"TrainingSet({self.dialect}, {len(self.train):,} training pairs, {len(self.heldout):,} held out)"


@frozen
class TrainingJob:
    """What to train, and where the checkpoint goes.

    Attributes:
        backend: The name of the model backend.
        training_sets: The pairs of one dialect or several.
        out: The checkpoint's folder.
        preset: A named set of hyperparameters.
        seed: Draws the weights and the batches.
        overrides: Texts of hyperparameters that replace those of the preset, by name.
        command: The command line, for the model card.
        resume: Whether to resume an interrupted training of the same job from its latest snapshot.
        init: A checkpoint to initialise the weights from, which must know the dialects of the training sets; the new
            one keeps all of its dialects. What it has learned is not known, so no pair counts as held out.
        network: The network to train, a class or the text that names one; None for the backend's own.
    """

    backend: str
    training_sets: Sequence[TrainingSet]
    out: Path
    preset: str
    seed: int = 0
    overrides: Mapping[str, str] = Factory(dict)
    command: str = ""
    resume: bool = False
    init: Path | None = None
    network: Any = None


@frozen
class TrainingProgress:
    """How far a training has come; `train_exact` and `heldout_exact` are the fractions of pairs, or of a sample, that
    were predicted exactly in the latest measurement, None before the first one.
    """

    step: int
    steps: int
    loss: float
    train_exact: float | None = None
    heldout_exact: float | None = None


@frozen
class TrainingReport:
    """The result: the number of parameters, and how many training and held-out pairs were measured and exact.

    Attributes:
        known: The sum of `TrainingSet.known`.
        complete: Whether the training began with new weights. If not, no pair counts as held out.
        tested: The results of the tests of each dialect, for those that have any.
    """

    parameters: int
    steps: int
    seconds: float
    train_exact: int
    train_pairs: int
    heldout_exact: int
    heldout_pairs: int
    known: int = 0
    complete: bool = True
    tested: Mapping[str, Sequence[SizeResult]] = Factory(dict)


class Trainer(ABC):
    """Trains checkpoints. `takes_network` says whether it knows what to do with `TrainingJob.network`."""

    takes_network: ClassVar[bool] = False

    @abstractmethod
    def presets(self) -> Mapping[str, str]:
        """Return the presets by name, each with a summary of one line."""

    def hyperparameters(self, preset: str, overrides: Mapping[str, str]) -> Mapping[str, Any]:
        """Return all hyperparameters of a preset, some with the texts of other values, and `parameters`, how many
        weights the model has at most. UsageError if the preset or a hyperparameter is unknown, or a value not allowed.
        """
        return {}

    @abstractmethod
    def check(self, job: TrainingJob) -> None:
        """Check a job whose training sets have not been made yet, and change nothing.

        Raises:
            UsageError: If the preset is unknown, an override is invalid, or something else is in the place of the
                checkpoint, such as another training.
            StorageError: If the folder can't be written.
        """

    @abstractmethod
    def train(self, job: TrainingJob, report: Callable[[TrainingProgress], None]) -> TrainingReport:
        """Train, measure, and write the checkpoint to `job.out`, whole or not at all, with `METRICS` if there are any.

        If it is interrupted or fails, the latest snapshot is kept, and the same job with `resume` continues from it to
        the same result. `report` is called from time to time.

        Raises:
            UsageError: If the preset is unknown, an override is invalid, or `init` has other dialects or another
                architecture.
            ArtefactError: If `init` is broken.
            StorageError: If the folder can't be written.
        """
