"""What a step does to the weights: AdamW or Muon, a warm-up and a cosine to zero, clipping, an average that follows.

With `muon` the matrices of the blocks and of the shift go by torch's Muon, with updates as large as AdamW's, and the
rest by AdamW. Weight decay applies to the matrices and embeddings, not to biases and LayerNorms.
"""

import copy
import math
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from itertools import chain

import torch
from attrs import define
from torch import Tensor
from torch.nn import Parameter

from coc_transformer.model import Decoder, ModelConfig, TrainingConfig

_BETAS = (0.9, 0.95)
_MOMENTUM = 0.95  # Muon's


def learning_rate(step: int, steps: int, config: TrainingConfig) -> float:
    """The rate for `step`, counted from 1: a line up to `lr` at `warmup`, then a cosine down to zero after `steps`."""
    warmup = min(config.warmup, steps)
    if step <= warmup:
        return config.lr * step / warmup
    return config.lr * 0.5 * (1 + math.cos(math.pi * (step - warmup) / (steps - warmup + 1)))


def average_weight(step: int, decay: float) -> float:
    """How much the average keeps of itself at `step`: little at first, when it has seen little."""
    return min(decay, (1 + step) / (10 + step))


def isolated_random_numbers(device: torch.device) -> AbstractContextManager[None]:
    """Within it random numbers may be drawn on the CPU and there, and the caller's stay what they were."""
    return torch.random.fork_rng(devices=[device] if device.type == "cuda" else [])


@define
class Learner:
    """A model in training. `shipped` is what comes out of it: the average of the weights, or the model itself."""

    model: Decoder
    shipped: Decoder
    optimizers: tuple[torch.optim.Optimizer, ...]

    @classmethod
    def new(
        cls,
        shape: ModelConfig,
        config: TrainingConfig,
        kinds: list[int],
        device: torch.device,
        weights: Mapping[str, Tensor] | None = None,
    ) -> "Learner":
        """With these weights, or new ones, drawn by the seed; the caller's random numbers stay."""
        with isolated_random_numbers(device):
            torch.manual_seed(config.seed)
            model = Decoder(shape, kinds)
            model.initialise(config.init)
        if weights is not None:
            model.load_state_dict(weights)
        model.to(device)
        shipped = copy.deepcopy(model).requires_grad_(False) if config.ema else model
        return cls(model, shipped, tuple(_optimizers(model, config)))

    def update(self, step: int, steps: int, config: TrainingConfig) -> Tensor:
        """Apply the gradients, and clear them; gives their norm, a scalar on the device, before it was clipped."""
        for group in chain.from_iterable(optimizer.param_groups for optimizer in self.optimizers):
            group["lr"] = learning_rate(step, steps, config)
        norm = torch.nn.utils.clip_grad_norm_(self.model.parameters(), config.clip, foreach=True)
        for optimizer in self.optimizers:
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
        if self.shipped is not self.model:
            weight = 1 - average_weight(step, config.ema)
            with torch.no_grad():
                torch._foreach_lerp_(list(self.shipped.parameters()), list(self.model.parameters()), weight)
        return norm

    def tensors(self) -> dict[str, Tensor]:
        """All that changes from step to step, by name: weights, moments, average. Not copies."""
        named = {f"weights.{name}": parameter.data for name, parameter in self.model.named_parameters()}
        for name, parameter in self.model.named_parameters():
            moments = self._state(parameter).items()
            named |= {f"{moment}.{name}": tensor for moment, tensor in moments if moment != "step"}
        if self.shipped is not self.model:
            named |= {f"average.{name}": parameter.data for name, parameter in self.shipped.named_parameters()}
        return named

    def after(self, step: int) -> None:
        """Let the optimizer believe that so many steps were made."""
        for parameter in self.model.parameters():
            state = self._state(parameter)
            if "step" in state:
                state["step"].fill_(step)

    def _state(self, parameter: Tensor) -> dict[str, Tensor]:
        """What its optimizer remembers of a parameter, made as the optimizer would at its first step."""
        owner = next(optimizer for optimizer in self.optimizers if _has(optimizer, parameter))
        state: dict[str, Tensor] = owner.state[parameter]
        if not state and isinstance(owner, torch.optim.AdamW):
            state["step"] = torch.zeros((), dtype=torch.float32, device=parameter.device)
            state |= {moment: torch.zeros_like(parameter) for moment in ("exp_avg", "exp_avg_sq")}
        elif not state:
            state["momentum_buffer"] = torch.zeros_like(parameter)
        return state


def _optimizers(model: Decoder, config: TrainingConfig) -> Iterator[torch.optim.Optimizer]:
    inner, matrices, vectors = list[Parameter](), list[Parameter](), list[Parameter]()
    for name, parameter in model.named_parameters():
        if parameter.dim() == 1:
            vectors.append(parameter)
        elif config.optimizer == "muon" and name.startswith(("blocks.", "shifts.")):
            inner.append(parameter)
        else:
            matrices.append(parameter)
    if inner:
        yield torch.optim.Muon(
            inner, lr=config.lr, weight_decay=config.weight_decay, momentum=_MOMENTUM, adjust_lr_fn="match_rms_adamw"
        )
    groups = [{"params": matrices, "weight_decay": config.weight_decay}, {"params": vectors, "weight_decay": 0.0}]
    yield torch.optim.AdamW(groups, lr=config.lr, betas=_BETAS, fused=True)


def _has(optimizer: torch.optim.Optimizer, parameter: Tensor) -> bool:
    return any(parameter is other for group in optimizer.param_groups for other in group["params"])
