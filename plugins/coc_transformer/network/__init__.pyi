from .base import (
    Architecture as Architecture,
    MadeConfig as MadeConfig,
    Network as Network,
    device_name as device_name,
    inference_device as inference_device,
    on_device as on_device,
    threads_for as threads_for,
)
from .causal import (
    CausalConfig as CausalConfig,
    as_folder as as_folder,
    check_tokens as check_tokens,
    load_causal as load_causal,
    named_network as named_network,
)
from .configuration import PREFIX as PREFIX, without_form as without_form
from .own import (
    OwnArchitecture as OwnArchitecture,
    Undrawn as Undrawn,
    load_network as load_network,
    loaded_network as loaded_network,
    network_name as network_name,
    own_network as own_network,
)
from .trial import check_network as check_network
