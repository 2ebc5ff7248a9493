"""Models: the interface, calls in batches, checkpoints, and what a backend that trains or exports has to offer."""

from coc_core.models.base import (
    DraftVerifier,
    Model,
    Response,
    Sampler,
    StatesMargins,
    TargetMargin,
    TokenModel,
    TokenScore,
)
from coc_core.models.cache import ResponseCache
from coc_core.models.calls import CallContext, WrongTarget, call_each
from coc_core.models.checkpoint import CONFIG, Identity, SizeResult, read_config, read_identity
from coc_core.models.device import on_device, requested_device
from coc_core.models.interchange import Agreement, Interchange
from coc_core.models.memory import check_memory
from coc_core.models.pair import Pair, StepKey
from coc_core.models.trained import outside, results_in_words, span
from coc_core.models.training import (
    METRICS,
    SizeTest,
    Trainer,
    TrainingJob,
    TrainingProgress,
    TrainingReport,
    TrainingSet,
)

__all__ = [
    "CONFIG",
    "METRICS",
    "Agreement",
    "CallContext",
    "DraftVerifier",
    "Identity",
    "Interchange",
    "Model",
    "Pair",
    "Response",
    "ResponseCache",
    "Sampler",
    "SizeResult",
    "SizeTest",
    "StatesMargins",
    "StepKey",
    "TargetMargin",
    "TokenModel",
    "TokenScore",
    "Trainer",
    "TrainingJob",
    "TrainingProgress",
    "TrainingReport",
    "TrainingSet",
    "WrongTarget",
    "call_each",
    "check_memory",
    "on_device",
    "outside",
    "read_config",
    "read_identity",
    "requested_device",
    "results_in_words",
    "span",
]
