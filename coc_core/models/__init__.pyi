from .base import (
    DraftVerifier as DraftVerifier,
    Model as Model,
    Response as Response,
    Sampler as Sampler,
    StatesMargins as StatesMargins,
    TargetMargin as TargetMargin,
    TokenModel as TokenModel,
    TokenScore as TokenScore,
)
from .cache import ResponseCache as ResponseCache
from .calls import CallContext as CallContext, call_each as call_each
from .checkpoint import (
    CONFIG as CONFIG,
    Identity as Identity,
    SizeResult as SizeResult,
    check_pickles as check_pickles,
    read_config as read_config,
)
from .device import on_device as on_device, requested_device as requested_device
from .pair import Pair as Pair
from .trained import outside as outside, span as span
