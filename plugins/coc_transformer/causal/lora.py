"""Low-rank adapters (Hu et al., 2021), by the library peft: the weights stay, and a product of two narrow matrices is
trained beside each of them. What is saved is their sum.
"""

import warnings
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from torch import Tensor, nn

from coc_core.extras import needs_extra


def adapted(module: Any, rank: int) -> Any:
    """Put adapters into all linear layers but the last; nothing else is trained then."""
    with needs_extra("lora", "low-rank adapters need the package peft"):
        peft: Any = import_module("peft")
        from transformers.pytorch_utils import Conv1D
    transposed = any(isinstance(each, Conv1D) for each in module.modules())  # GPT-2's layers
    config = peft.LoraConfig(
        r=rank,
        lora_alpha=2 * rank,
        target_modules="all-linear",
        fan_in_fan_out=transposed,
        task_type="CAUSAL_LM",
    )
    with warnings.catch_warnings(action="ignore"):  # about what the two libraries call each other
        return peft.get_peft_model(module, config).get_base_model()


def merged(module: nn.Module) -> Mapping[str, Tensor]:
    """The tensors of a model by name, those that are shared once; with adapters, the sums that they make."""
    names = {name for name, _ in module.named_parameters()}
    shared = {name for name, _ in module.named_parameters(remove_duplicate=False)} - names
    found = {name: tensor for name, tensor in module.state_dict().items() if name not in shared}
    layers = {name: layer for name, layer in module.named_modules() if hasattr(layer, "get_delta_weight")}
    for name, layer in layers.items():
        for adapter in layer.active_adapters:
            found[f"{name}.base_layer.weight"] = found[f"{name}.base_layer.weight"] + layer.get_delta_weight(adapter)
    return {name.replace(".base_layer.", "."): each for name, each in found.items() if ".lora_" not in name}
