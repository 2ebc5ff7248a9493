"""Training a model: what a backend that can learn has to offer.

The core decides what is learned (the pairs) and where the result goes; the backend decides how.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from attrs import Factory, frozen

from coc_core.models.pair import Pair


@frozen
class TrainingSet:
    """What is learned of one dialect (`Convention.dialect`), and what is kept to see whether it was learned.

    `source` says in one line, for the model card, how the pairs came to be.
    """

    dialect: str
    train: Sequence[Pair]
    heldout: Sequence[Pair] = ()
    source: str = ""


@frozen
class TrainingJob:
    """What to learn, of one dialect or of several, and where the checkpoint goes.

    `overrides` replace values of the preset, by name; `command` goes into the model card. With `resume` a training
    of the same job that was cut off goes on from where it was last stored. With `init` it begins with the weights of
    that checkpoint, which speaks these dialects and perhaps others, and so does what comes of it.
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


@frozen
class TrainingProgress:
    """How far a training has come. `train_exact` and `heldout_exact` are the fractions of pairs answered exactly,
    as last measured; None before the first measurement. A large set is measured by a sample of it.
    """

    step: int
    steps: int
    loss: float
    train_exact: float | None = None
    heldout_exact: float | None = None


@frozen
class TrainingReport:
    """What came out: the parameters, and of each half how many pairs were measured in the end, and how many exact."""

    parameters: int
    steps: int
    seconds: float
    train_exact: int
    train_pairs: int
    heldout_exact: int
    heldout_pairs: int


class Trainer(ABC):
    """Makes a checkpoint folder out of pairs."""

    @abstractmethod
    def presets(self) -> Mapping[str, str]:
        """The presets by name, each with one line about it."""

    @abstractmethod
    def train(self, job: TrainingJob, report: Callable[[TrainingProgress], None]) -> TrainingReport:
        """Train, measure, and write the checkpoint to `job.out`, whole or not at all.

        Raises UsageError for an unknown preset, a bad override, or an `init` of other dialects or another shape,
        ArtefactError for one that is broken, StorageError if the folder can't be written. What
        was stored on the way stays then, and the same job with `resume` goes on from it to the same result.
        """
