from .base import (
    Network as Network,
    device_name as device_name,
    inference_device as inference_device,
    on_device as on_device,
    threads_for as threads_for,
)
from .own import (
    OwnArchitecture as OwnArchitecture,
    OwnConfig as OwnConfig,
    Undrawn as Undrawn,
    load_network as load_network,
    loaded_network as loaded_network,
    network_name as network_name,
    own_network as own_network,
)
from .trial import check_network as check_network
