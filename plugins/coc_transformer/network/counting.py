"""How many parameters a network has, before memory is taken for them."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.modules.module import (
    register_module_buffer_registration_hook,
    register_module_parameter_registration_hook,
)
from torch.overrides import TorchFunctionMode


class TooManyParametersError(Exception):
    """A network has more parameters than are allowed; the message ends a sentence about it."""


class _Undrawn(TorchFunctionMode):
    """While this is entered, tensors keep what they have: torch would import its compiler to draw what isn't there."""

    def __torch_function__(
        self, func: Any, types: Sequence[type], args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        """Call a function of torch, unless it changes a tensor in place."""
        name = getattr(func, "__name__", "")
        if name.endswith("_") and not name.endswith("__") and args and isinstance(args[0], Tensor):
            return args[0]
        return func(*args, **(kwargs or {}))


def counted_parameters(make: Callable[[], nn.Module], most: int, *, drawn: bool = False) -> int:
    """Return the parameters of what is made, without memory unless their numbers are `drawn`, too.
    TooManyParametersError as soon as there are more than `most`, buffers included; else errors are those of `make`.
    """
    total = 0

    def count(_module: nn.Module, _name: str, tensor: Tensor | None) -> None:
        nonlocal total
        total += 0 if tensor is None else max(tensor.numel(), 1)
        if total > most:
            raise TooManyParametersError(f"has more than {most:,} parameters")

    hooks = [register_module_parameter_registration_hook(count), register_module_buffer_registration_hook(count)]
    try:
        with (
            torch.random.fork_rng(devices=[]),
            torch.device("cpu" if drawn else "meta"),
            nullcontext() if drawn else _Undrawn(),
        ):
            return sum(parameter.numel() for parameter in make().parameters())
    finally:
        for hook in hooks:
            hook.remove()
