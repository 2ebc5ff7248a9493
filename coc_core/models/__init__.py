"""Models: the interface, calls in batches, checkpoints, and what a backend that trains or exports has to offer."""

from coc_core.models.base import Model
from coc_core.models.cache import Answers
from coc_core.models.calls import Answer, WrongAnswer, ask, blaming, in_halves
from coc_core.models.checkpoint import CONFIG, Identity, read_config
from coc_core.models.interchange import Agreement, Interchange
from coc_core.models.pair import Pair
from coc_core.models.training import Lessons, Trainer, TrainingJob, TrainingProgress, TrainingReport

__all__ = [
    "CONFIG",
    "Agreement",
    "Answer",
    "Answers",
    "Identity",
    "Interchange",
    "Lessons",
    "Model",
    "Pair",
    "Trainer",
    "TrainingJob",
    "TrainingProgress",
    "TrainingReport",
    "WrongAnswer",
    "ask",
    "blaming",
    "in_halves",
    "read_config",
]
