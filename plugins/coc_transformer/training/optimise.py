"""The update of the weights: AdamW or Muon, warm-up and cosine decay, gradient clipping, and an average of the weights.
With `muon`, torch's Muon updates the matrices of the blocks and of the token shift, with updates as large as AdamW's,
and AdamW updates the rest. Weight decay applies to matrices and embeddings, not to biases and LayerNorms.
"""

import copy
import math
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager

import torch
from attrs import define
from torch import Tensor
from torch.nn import Parameter
from torch.optim.swa_utils import get_ema_multi_avg_fn

from coc_transformer.files import ModelConfig
from coc_transformer.model import Decoder
from coc_transformer.network import Network, OwnConfig
from coc_transformer.training.hyperparameters import Hyperparameters

_BETAS = (0.9, 0.95)
_MOMENTUM = 0.95  # Muon's
CLIP = 1.0
"""The largest norm of the gradient; a larger gradient is scaled down to it."""


def learning_rate(step: int, steps: int, config: Hyperparameters) -> float:
    """Return the rate of a step from 1 on: linear up to `lr` at `warmup`, then a cosine to zero just after `steps`;
    with a cooldown it stays at `lr`, and falls to zero linearly over the last steps.
    """
    warmup = min(config.warmup, steps)
    if step <= warmup:
        return config.lr * step / warmup
    if config.cooldown:
        return config.lr * min(1.0, (steps - step + 1) / config.cooldown)
    return config.lr * 0.5 * (1 + math.cos(math.pi * (step - warmup) / (steps - warmup + 1)))


def average_weight(step: int, decay: float) -> float:
    """Return the weight of the old average at `step`: small at first, when it has averaged over few steps."""
    return min(decay, (1 + step) / (10 + step))


def isolated_random_numbers(device: torch.device) -> AbstractContextManager[None]:
    """Return a context that restores the states of the random generators, on the CPU and on the device, at its end."""
    return torch.random.fork_rng(devices=[device] if device.type == "cuda" else [])


@define
class Learner:
    """A model in training. `shipped` is what is measured and saved: the average of the weights, or the model itself."""

    model: Network
    shipped: Network
    optimizers: tuple[torch.optim.Optimizer, ...]

    @classmethod
    def new(
        cls,
        shape: ModelConfig | OwnConfig,
        config: Hyperparameters,
        kinds: list[int],
        device: torch.device,
        weights: Mapping[str, Tensor] | None = None,
    ) -> "Learner":
        """Make it with the given weights, if any, and others drawn by the seed; global random generators keep their
        states.
        """
        with isolated_random_numbers(device):
            torch.manual_seed(config.seed)
            model: Network = shape.network() if isinstance(shape, OwnConfig) else Decoder(shape, kinds)
            if isinstance(model, Decoder):
                model.initialise(fan_in=config.optimizer == "muon" or config.positions != "absolute")
        for name, tensor in (weights or {}).items():
            model.saved()[name].copy_(tensor)
        model.to(device)
        shipped = copy.deepcopy(model).requires_grad_(False) if config.ema else model
        for _, parameter in trained(model):
            parameter.grad = torch.zeros_like(parameter)
        learner = cls(model, shipped, tuple(_optimizers(model, config)))
        learner.step(0.0)  # changes nothing, and makes the states of the optimisers
        return learner

    def update(self, step: int, rate: float, config: Hyperparameters) -> Tensor:
        """Apply the gradients and clear them; returns their norm before clipping, a scalar on the device."""
        norm = torch.nn.utils.clip_grad_norm_(self.model.parameters(), CLIP, foreach=True)
        self.step(rate)
        if self.shipped is not self.model:
            update = get_ema_multi_avg_fn(average_weight(step, config.ema))  # type: ignore[no-untyped-call]
            update(list(self.shipped.parameters()), list(self.model.parameters()), step)
        return norm

    def step(self, rate: float) -> None:
        """Apply the gradients as they are, and clear them."""
        for optimizer in self.optimizers:
            for group in optimizer.param_groups:
                group["lr"] = rate
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)

    def tensors(self) -> dict[str, Tensor]:
        """Return the state that changes from step to step, by name, not copied: weights, moments, average."""
        averaged = {} if self.shipped is self.model else dict(self.shipped.named_parameters())
        named = dict[str, Tensor]()
        for name, parameter in trained(self.model):
            named[f"weights.{name}"] = parameter.data
            named |= {f"{moment}.{name}": each for moment, each in self._state(parameter).items() if moment != "step"}
            named |= {f"average.{name}": averaged[name].data} if averaged else {}
        return named

    def after(self, step: int) -> None:
        """Set the optimisers' count of steps."""
        for _, parameter in trained(self.model):
            if "step" in (state := self._state(parameter)):
                state["step"].fill_(step)

    def _state(self, parameter: Tensor) -> dict[str, Tensor]:
        """Return the optimiser's state of a parameter."""
        return next(each.state[parameter] for each in self.optimizers if parameter in each.state)


def trained(model: Network) -> list[tuple[str, Parameter]]:
    """Return the parameters that are trained, by name: all but those that are frozen."""
    return [(name, parameter) for name, parameter in model.named_parameters() if parameter.requires_grad]


def _optimizers(model: Network, config: Hyperparameters) -> Iterator[torch.optim.Optimizer]:
    for_muon = model.matrices() if config.optimizer == "muon" else frozenset()
    vectors = [each for _, each in trained(model) if each.dim() < 2]
    inner = [each for name, each in trained(model) if name in for_muon and each.dim() >= 2]
    matrices = [each for name, each in trained(model) if name not in for_muon and each.dim() >= 2]
    if inner:
        yield torch.optim.Muon(
            inner, lr=config.lr, weight_decay=config.weight_decay, momentum=_MOMENTUM, adjust_lr_fn="match_rms_adamw"
        )
    groups = [{"params": matrices, "weight_decay": config.weight_decay}, {"params": vectors, "weight_decay": 0.0}]
    yield torch.optim.AdamW(groups, lr=config.lr, betas=_BETAS, fused=True)
