from .base import (
    DraftVerifier as DraftVerifier,
    Model as Model,
    Pair as Pair,
    Response as Response,
    Sampler as Sampler,
    StatesMargins as StatesMargins,
    TargetMargin as TargetMargin,
    TokenModel as TokenModel,
    TokenScore as TokenScore,
    outside as outside,
)
from .calls import CallContext as CallContext, ResponseCache as ResponseCache, call_each as call_each
from .checkpoint import (
    CONFIG as CONFIG,
    Identity as Identity,
    SizeResult as SizeResult,
    read_config as read_config,
)
from .device import on_device as on_device, requested_device as requested_device
