"""Training a model: what a backend that can learn has to offer.

The core decides what is learned (the pairs) and where the result goes; the backend decides how.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from attrs import Factory, frozen

from coc_core.checkpoint import Identity
from coc_core.data import Pair


@frozen
class TrainingJob:
    """What to learn. `overrides` replace values of the preset, by name; `command` goes into the model card."""

    identity: Identity
    train: Sequence[Pair]
    heldout: Sequence[Pair]
    out: Path
    preset: str
    seed: int = 0
    overrides: Mapping[str, str] = Factory(dict)
    command: str = ""


@frozen
class TrainingProgress:
    """How far a training has come. `train_exact` and `heldout_exact` are the fractions of pairs answered exactly,
    as last measured; None before the first measurement.
    """

    step: int
    steps: int
    loss: float
    train_exact: float | None = None
    heldout_exact: float | None = None


@frozen
class TrainingReport:
    """What came out: the parameters, and of each half the exact answers among all pairs."""

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

        Raises UsageError for an unknown preset or a bad override, StorageError if the folder can't be written.
        """
